"""Numbers that refuse to be looked at by accident: no truth value, no order, no equality, no silent turn into an array."""

from __future__ import annotations

from typing import Any, NoReturn


class Guarded:
    """A computed number is an enclosure or may be undefined: `if a < b` would be a guess, so it is an error."""

    __slots__ = ()
    __array_ufunc__ = None  # so that `ndarray + guarded` asks the guarded side

    def _no_order(self, other: Any) -> NoReturn:
        raise TypeError("computed numbers have no order and no equality of their own; use xp.compare(a, b)")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order
    __eq__ = __ne__ = _no_order
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> NoReturn:
        raise TypeError("computed numbers have no truth value; use xp.compare(a, b)")

    def __float__(self) -> NoReturn:
        raise TypeError("a computed number is not a float; use xp.middle(a) to look at it")

    def __array__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a computed number is not a NumPy array; use xp.middle(a) to look at it")

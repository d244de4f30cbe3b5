"""A number that is not one: it remembers why, and everything computed from it is undefined for the same reason."""

from __future__ import annotations

from typing import Any


class Undefined:
    """Absorbs every operation. It is neither less than, equal to, nor greater than anything."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def _same(self, *_: Any) -> Undefined:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _same
    __neg__ = __pos__ = __abs__ = _same

    def _never(self, other: object) -> bool:
        return False

    __lt__ = __le__ = __gt__ = __ge__ = _never
    __eq__ = _never
    __hash__ = object.__hash__

    def __float__(self) -> float:
        return float("nan")

    def __repr__(self) -> str:
        return f"undefined ({self.reason})"

"""Numbers and vectors with their derivatives: enclosures of a value and of its D partial derivatives over a box.

A tangent of None is a constant's: no derivatives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.balls.plain import ZERO, each
from boundcheck.arithmetic.base import Guarded
from boundcheck.arithmetic.plain import Array

Tangent = Array | None
_divide = each(lambda a, b: a / b, 2)


def total(s: Tangent, t: Tangent) -> Tangent:
    return t if s is None else s if t is None else np.asarray(s + t)


def times(factor: Array, t: Tangent) -> Tangent:
    """A tangent times a number for each value that it belongs to."""
    return None if t is None else np.asarray(np.asarray(factor, dtype=object)[..., None] * t)


def dense(t: Tangent, shape: tuple[int, ...]) -> Array:
    """The tangent with its zeros written out, if it is a constant's."""
    return np.full(shape, ZERO, dtype=object) if t is None else np.broadcast_to(t, shape)


class _Dual(Guarded):
    """A value (an array of balls) and its tangent: an array with one more axis, which runs over the D variables."""

    __slots__ = ("dual", "tangent", "value")

    def __init__(self, dual: Any, value: Any, tangent: Tangent = None) -> None:
        self.dual = dual
        self.value: Array = np.asarray(value, dtype=object)
        whole = None if tangent is None else (*self.value.shape, tangent.shape[-1])
        self.tangent: Tangent = tangent if tangent is None or tangent.shape == whole else np.broadcast_to(tangent, whole)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value}, {self.tangent})"


class DualScalars(_Dual):
    """`+ - * /` with each other and with int, float, Fraction."""

    __slots__ = ()

    def _other(self, other: Any) -> DualScalars:
        if isinstance(other, DualVectors):
            raise TypeError("use xp.scale(s, v) to multiply vectors by scalars")
        return other if isinstance(other, DualScalars) else DualScalars(self.dual, self.dual.plain.scalars(other))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    def __getitem__(self, key: Any) -> DualScalars:
        keys = key if isinstance(key, tuple) else (key,)
        inner = (*keys, slice(None)) if any(part is Ellipsis for part in keys) else keys
        return DualScalars(self.dual, self.value[keys], None if self.tangent is None else self.tangent[inner])

    def __neg__(self) -> DualScalars:
        return DualScalars(self.dual, -self.value, None if self.tangent is None else -self.tangent)

    def __pos__(self) -> DualScalars:
        return self

    def __add__(self, other: Any) -> DualScalars:
        other = self._other(other)
        return DualScalars(self.dual, self.value + other.value, total(self.tangent, other.tangent))

    def __sub__(self, other: Any) -> DualScalars:
        return self + -self._other(other)

    def __rsub__(self, other: Any) -> DualScalars:
        return self._other(other) + -self

    def __mul__(self, other: Any) -> DualScalars:
        other = self._other(other)
        slope = total(times(other.value, self.tangent), times(self.value, other.tangent))
        return DualScalars(self.dual, self.value * other.value, slope)

    def __truediv__(self, other: Any) -> DualScalars:
        """(a / b)' = (a' - (a / b) b') / b."""
        other = self._other(other)
        quotient = _divide(self.value, other.value)
        above = total(self.tangent, times(-quotient, other.tangent))
        return DualScalars(self.dual, quotient, None if above is None else _divide(above, other.value[..., None]))

    def __rtruediv__(self, other: Any) -> DualScalars:
        return self._other(other) / self

    __radd__ = __add__
    __rmul__ = __mul__


class DualVectors(_Dual):
    """A stack of points: value (..., d), tangent (..., d, D)."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The stack's shape."""
        return self.value.shape[:-1]

    @property
    def dimension(self) -> int:
        return int(self.value.shape[-1])

    def __getitem__(self, key: Any) -> DualVectors:
        keys = key if isinstance(key, tuple) else (key,)
        dots = any(part is Ellipsis for part in keys)
        outer, inner = ((*keys, slice(None)), (*keys, slice(None), slice(None))) if dots else (keys, keys)
        return DualVectors(self.dual, self.value[outer], None if self.tangent is None else self.tangent[inner])

    def __neg__(self) -> DualVectors:
        return DualVectors(self.dual, -self.value, None if self.tangent is None else -self.tangent)

    def __add__(self, other: DualVectors) -> DualVectors:
        if not isinstance(other, DualVectors):
            raise TypeError(f"vectors add to vectors only; found {type(other).__name__}")
        if other.dimension != self.dimension:
            raise ValueError(f"vectors of R^{self.dimension} and R^{other.dimension} do not add")
        return DualVectors(self.dual, self.value + other.value, total(self.tangent, other.tangent))

    def __sub__(self, other: DualVectors) -> DualVectors:
        return self + -other

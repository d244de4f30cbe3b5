"""Enclosed scalars: a middle and a radius, |true - middle| <= radius. An infinite radius says: undefined, or unknown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic import compiled
from boundcheck.arithmetic.base import Floats, Guarded
from boundcheck.arithmetic.bounded.storage import (
    DEFLATE,
    FLOOR,
    LARGEST,
    Format,
    Mids,
    U,
    far_from_underflow,
    finished,
    floor_where,
)


class BoundedScalars(Guarded):
    """An array of enclosed reals. An int, float, Fraction or float64 array that meets it in an operation is taken as exact."""

    __slots__ = ("format", "mid", "rad")

    def __init__(self, format: Format, mid: Any, rad: Any) -> None:
        self.format = format
        self.mid: Mids = format.plain.array(mid)
        self.rad: Floats = np.asarray(rad, dtype=np.float64)
        if self.rad.shape != self.mid.shape:
            shape = np.broadcast_shapes(self.rad.shape, self.mid.shape)
            self.mid, self.rad = np.broadcast_to(self.mid, shape), np.broadcast_to(self.rad, shape)

    @classmethod
    def of(cls, format: Format, value: Any) -> BoundedScalars:
        """Any exact number, or array of them, as scalars of this format."""
        if isinstance(value, BoundedScalars):
            return value
        if isinstance(value, int | float | Fraction | np.integer | np.floating):
            mid, rad = format.lift(value)  # type: ignore[arg-type]
            return cls(format, mid, rad)
        given = np.asarray(value)
        if given.dtype == np.float64 and format.plain.dtype is np.float64:
            return cls(format, given, np.where(np.isfinite(given), 0.0, np.inf))
        if given.dtype == np.int64 and format.plain.dtype is np.float64 and np.abs(given).max(initial=0) <= 2**53:
            return cls(format, given.astype(np.float64), np.zeros(given.shape))
        pairs = [format.lift(entry) for entry in given.reshape(-1).tolist()]
        mids = np.empty(given.shape, dtype=format.plain.dtype)
        mids.reshape(-1)[:] = [mid for mid, _ in pairs]
        return cls(format, mids, np.array([rad for _, rad in pairs], dtype=np.float64).reshape(given.shape))

    def flat(self) -> tuple[Mids, Floats]:
        """Middles and radii, each one after another in memory."""
        return np.ascontiguousarray(self.mid).reshape(-1), np.ascontiguousarray(self.rad).reshape(-1)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.mid.shape

    @property
    def ndim(self) -> int:
        return self.mid.ndim

    def __len__(self) -> int:
        return len(self.mid)

    def __getitem__(self, key: Any) -> BoundedScalars:
        return BoundedScalars(self.format, self.mid[key], self.rad[key])

    def __repr__(self) -> str:
        return f"BoundedScalars({self.format.floats(self.mid)} +- {self.rad})"

    def __neg__(self) -> BoundedScalars:
        return BoundedScalars(self.format, -self.mid, self.rad)

    def __pos__(self) -> BoundedScalars:
        return self

    def __add__(self, other: Any) -> BoundedScalars:
        return _add(self, _of(self, other))

    def __sub__(self, other: Any) -> BoundedScalars:
        return _subtract(self, _of(self, other))

    def __rsub__(self, other: Any) -> BoundedScalars:
        return _subtract(_of(self, other), self)

    def __mul__(self, other: Any) -> BoundedScalars:
        if type(other).__name__ == "BoundedVectors":
            raise TypeError("use xp.scale(s, v) to multiply vectors by scalars")
        return _multiply(self, _of(self, other))

    def __truediv__(self, other: Any) -> BoundedScalars:
        return _divide(self, _of(self, other))

    def __rtruediv__(self, other: Any) -> BoundedScalars:
        return _divide(_of(self, other), self)

    __radd__ = __add__
    __rmul__ = __mul__


def _of(like: BoundedScalars, value: Any) -> BoundedScalars:
    return value if isinstance(value, BoundedScalars) else BoundedScalars.of(like.format, value)


def _fused(a: BoundedScalars, b: BoundedScalars, alike: str, by: str, into: str = "") -> BoundedScalars | None:
    """The operation in one compiled pass: two arrays of one shape, or one and a number. None where NumPy is to do it."""
    size_a, size_b = a.mid.size, b.mid.size
    kernels = compiled.for_size(max(size_a, size_b))
    if kernels is None or a.format.u != U or a.mid.dtype != np.float64 or b.mid.dtype != np.float64:
        return None
    given: tuple[Any, ...]
    if a.mid.shape == b.mid.shape:
        name, like, given = alike, a, (*a.flat(), *b.flat())
    elif size_b == 1 and b.mid.ndim <= a.mid.ndim:
        name, like, given = by, a, (*a.flat(), b.mid.item(), b.rad.item())
    elif size_a == 1 and a.mid.ndim <= b.mid.ndim and into:
        name, like, given = into, b, (a.mid.item(), a.rad.item(), *b.flat())
    else:
        return None
    mid, rad = np.empty(like.mid.shape), np.empty(like.mid.shape)
    getattr(kernels, name)(*given, mid.reshape(-1), rad.reshape(-1))
    return BoundedScalars(a.format, mid, rad)


def _add(a: BoundedScalars, b: BoundedScalars) -> BoundedScalars:
    """The rounding error of a sum is at most u |sum|; a sum never underflows."""
    small, large = (a, b) if a.mid.size < b.mid.size else (b, a)
    if (fused := _fused(large, small, "add", "add_to")) is not None:
        return fused
    with np.errstate(all="ignore"):
        mid = a.mid + b.mid
        return BoundedScalars(a.format, mid, _sum_radius(a, b, mid))


def _subtract(a: BoundedScalars, b: BoundedScalars) -> BoundedScalars:
    if a.mid.shape != b.mid.shape and 1 in (a.mid.size, b.mid.size):
        return _add(a, -b)
    if (fused := _fused(a, b, "subtract", "subtract")) is not None:
        return fused
    with np.errstate(all="ignore"):
        mid = a.mid - b.mid
        return BoundedScalars(a.format, mid, _sum_radius(a, b, mid))


def _sum_radius(a: BoundedScalars, b: BoundedScalars, mid: Any) -> Floats:
    size = a.format.size(mid)
    rounding = a.format.u * size
    if size.size and not size.min() >= a.format.small:
        rounding = np.where((size < a.format.small) & (size > 0), rounding + FLOOR, rounding)
    return finished(a.rad + b.rad + rounding)


def _multiply(a: BoundedScalars, b: BoundedScalars) -> BoundedScalars:
    """|xy - ab| <= |a| rb + ra (|b| + rb), and the rounding u |ab|."""
    a, b = (b, a) if a.mid.size < b.mid.size else (a, b)
    if (fused := _fused(a, b, "multiply", "multiply_by")) is not None:
        return fused
    format = a.format
    with np.errstate(all="ignore"):
        mid = a.mid * b.mid
        size_a, size = format.size(a.mid), format.size(mid)
        whole_b = format.size(b.mid) + b.rad
        radius = size_a * b.rad + a.rad * whole_b + format.u * size
        if not far_from_underflow(format, size):
            radius = radius + floor_where(size_a + a.rad, whole_b)
        return BoundedScalars(format, mid, finished(radius))


def _divide(a: BoundedScalars, b: BoundedScalars) -> BoundedScalars:
    """|x/y - a/b| <= (ra + |a/b| rb) / (|b| - rb). Undefined where the divisor's enclosure touches 0."""
    if (fused := _fused(a, b, "divide", "divide_by", "divide_into")) is not None:
        return fused
    format = a.format
    with np.errstate(all="ignore"):
        floats_b = np.abs(format.floats(b.mid))
        least = (np.minimum(floats_b, LARGEST) * DEFLATE - b.rad) * DEFLATE
        safe = least > 0
        mid = a.mid / (b.mid if safe.all() else np.where(safe, b.mid, format.plain.lift(1)))
        size = format.size(mid)
        if far_from_underflow(format, size) and far_from_underflow(format, least):
            return BoundedScalars(format, mid, finished((a.rad + size * b.rad) / least + format.u * size))
        spread = a.rad + (size + FLOOR) * b.rad + floor_where(b.rad)
        radius = spread / least + format.u * size + floor_where(format.size(a.mid) + a.rad)
        return BoundedScalars(format, mid, finished(np.where(safe, radius, np.inf)))

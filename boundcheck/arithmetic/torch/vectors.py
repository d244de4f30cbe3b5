"""Enclosed points whose middles are on a device: the inequalities of `vectors`, with the roundings of the device's format.

Radii and norms, one for each point, are float64 on the host in every format.

In float32 three things differ from float64. A number from the host is rounded when it meets a vector. Products below 2^-126 may
be lost, and a matrix product may take smaller entries for 0: `floor` covers both. And second-order terms of rounding no longer
vanish beside the inflation of radii: `unit` is larger than 2^-24 by a thousandth, which covers them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.bounded.scalars import BoundedScalars
from boundcheck.arithmetic.bounded.storage import FLOOR, INFLATE, BoundedMatrix, finished, floor_where
from boundcheck.arithmetic.bounded.vectors import BoundedVectors
from boundcheck.arithmetic.torch.array import OnDevice
from boundcheck.arithmetic.torch.format import TorchFormat

GROWTH = 1 + 2.0**-48  # of a size that was computed with a few roundings


class TorchVectors(BoundedVectors):
    """A stack of points on a device, |true - mid| <= rad."""

    __slots__ = ()
    format: TorchFormat

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            "vectors are no numbers: use xp.scale(s, v) to multiply them, xp.coordinate(v, j) to look at one coordinate"
        )

    @property
    def mid(self) -> Any:
        if self._mid is None:
            assert self._thunk is not None
            self._mid, self._thunk = self._thunk(), None
        return self._mid

    def __getitem__(self, key: Any) -> TorchVectors:
        keys = key if isinstance(key, tuple) else (key,)
        if any(part is Ellipsis for part in keys):
            keys = (*keys, slice(None))
        size = None if self._size is None else self._size[key]
        if self.lazy:
            return TorchVectors(self.format, lambda: self.mid[keys], self.rad[key], size, self.dimension)
        part = TorchVectors(self.format, self.mid[keys], self.rad[key], size)
        part._measured = None if self._measured is None else self._measured[key]
        return part

    def __neg__(self) -> TorchVectors:
        return _like(self, lambda: -self.mid, self.rad)

    def __add__(self, other: BoundedVectors) -> TorchVectors:
        return _sum(self, other, np.add)

    def __sub__(self, other: BoundedVectors) -> TorchVectors:
        return _sum(self, other, np.subtract)


def _like(v: BoundedVectors, mid: Any, rad: Any) -> TorchVectors:
    """Vectors of the same norms as v."""
    if v.lazy:
        return TorchVectors(v.format, mid, rad, v.size, v.dimension)
    made = TorchVectors(v.format, mid(), rad, v._size)
    made._measured = v._measured
    return made


def enlarge(v: BoundedVectors, radius: Any) -> TorchVectors:
    return _like(v, lambda: v.mid, finished(v.rad + np.asarray(radius, dtype=np.float64)))


def _sum(u: BoundedVectors, v: BoundedVectors, step: np.ufunc) -> TorchVectors:
    """Each coordinate rounds by at most unit |coordinate|: together at most unit |sum|. A sum that underflows is exact."""
    if not isinstance(v, TorchVectors):
        raise TypeError(f"vectors add to vectors of the same arithmetic only; found {type(v).__name__}")
    if u.dimension != v.dimension:
        raise ValueError(f"vectors of R^{u.dimension} and R^{v.dimension} do not add")
    format = v.format
    with np.errstate(all="ignore"):
        if u.lazy or v.lazy:
            size = (u.size + v.size) * (1 + 4 * format.unit) * GROWTH
            radius = format.limited(u.rad + v.rad + format.unit * size + floor_where(size), size)
            return TorchVectors(format, lambda: step(u.mid, v.mid), radius, size, u.dimension)
        made = format.once(step.__name__, lambda: step(u.mid, v.mid), u.mid, v.mid)
        size = format.once("norms", lambda: format.norms(made), made)
        total = TorchVectors(format, made, finished(u.rad + v.rad + format.unit * size + floor_where(size)), size)
        total._measured = size
        return total


def scale(s: BoundedScalars, v: TorchVectors) -> TorchVectors:
    """|s x - t m| <= |t| r + rs (|m| + r), the rounding of t to the format, which float64 has not, and that of t m."""
    format = v.format
    with np.errstate(all="ignore"):
        factor = np.abs(s.mid)
        size = factor * v.size
        lost = format.floor(v.dimension, factor + s.rad, v.size + v.rad) * (1 + v.size)
        radius = factor * v.rad + s.rad * (v.size + v.rad) + (format.unit + format.entry) * size + lost
        radius = format.limited(radius, factor, size)
        size = size * (1 + 4 * format.unit) * GROWTH + lost
        if v.lazy:
            return TorchVectors(format, lambda: format.vectors.scale(s.mid, v.mid), radius, size, v.dimension)
        return TorchVectors(format, format.once("scale", lambda: format.vectors.scale(s.mid, v.mid), s.mid, v.mid), radius)


def hadamard(u: TorchVectors, v: TorchVectors) -> TorchVectors:
    """|x * y - a * b| <= |a| s + r (|b| + s) in the Euclidean norm, since a largest coordinate is at most the norm."""
    if u.dimension != v.dimension:
        raise ValueError(f"vectors of R^{u.dimension} and R^{v.dimension} have no product coordinate by coordinate")
    format = v.format
    with np.errstate(all="ignore"):
        made = u.mid * v.mid
        size = format.norms(made)
        lost = format.floor(u.dimension, u.size + u.rad, v.size + v.rad)
        radius = finished(u.known_size() * v.rad + u.rad * (v.known_size() + v.rad) + format.unit * size + lost)
        return TorchVectors(format, made, radius, size)


def matvec(matrix: BoundedMatrix, v: TorchVectors) -> TorchVectors:
    """|A x - fl(B m)| <= |A| r + |A - B| |m| + gamma | |B| | |m|, for any order of summation. The product waits."""
    if matrix.shape[1] != v.dimension:
        raise ValueError(f"a matrix of shape {matrix.shape} does not take vectors of R^{v.dimension}")
    format = v.format
    gamma = format.sums(matrix.shape[1] + 2)
    with np.errstate(all="ignore"):
        lost = format.floor(matrix.shape[0] * matrix.shape[1], v.size + v.rad, matrix.size) * (1 + matrix.size + v.size)
        radius = matrix.norm * v.rad + (matrix.error + gamma * matrix.size) * v.size + lost
        radius = format.limited(radius, matrix.size * v.size)
        size = (matrix.norm + matrix.error + gamma * matrix.size) * v.size * GROWTH + lost
    return TorchVectors(format, lambda: format.vectors.matvec(matrix.plain, v.mid), radius, size, matrix.shape[0])


def sigmoid(v: TorchVectors) -> TorchVectors:
    """1/4-Lipschitz; each coordinate is computed within 12 units of itself, and lies in (0, 1)."""
    format = v.format
    largest = np.full(v.shape, np.sqrt(v.dimension) * (1 + 2.0**-40))
    with np.errstate(all="ignore"):
        # sigmoid(inf) = 1 looks harmless, but an infinite middle is no real number
        spread = np.where(np.isfinite(v.size), v.rad / 4, np.inf) + format.floor(v.dimension)
        if v.lazy:
            radius = finished(spread + 12 * format.unit * largest)
            return TorchVectors(format, lambda: format.vectors.sigmoid(v.mid), radius, largest, v.dimension)
        made = format.vectors.sigmoid(v.mid)
        size = format.norms(made)
        return TorchVectors(format, made, finished(spread + 12 * format.unit * size), size)


def from_numbers(format: TorchFormat, mids: Any, radii: Floats) -> TorchVectors:
    """Computed coordinates from the host: the error of each, and its rounding to the format."""
    with np.errstate(all="ignore"):
        size = format.host_norms(mids)
        radius = format.host_norms(radii) + format.entry * size
        if format.entry:
            radius = radius + format.floor(mids.shape[-1], size)
        made: Any = OnDevice(format.vectors.tensor(mids))
        return TorchVectors(format, made, format.limited(radius, size))


def cumsum(v: TorchVectors) -> TorchVectors:
    """A sum of n points in any order (a device sums in its own) is off by at most gamma_n times the sum of their norms."""
    format = v.format
    with np.errstate(all="ignore"):
        count = np.arange(v.shape[-1], dtype=np.float64)  # additions in each sum
        gamma = count * format.unit / (1 - count * format.unit) * INFLATE
        sizes = np.add.accumulate(v.size, axis=-1) * (1 + 2 * v.shape[-1] * 2.0**-53)
        radius = np.add.accumulate(v.rad, axis=-1) * (1 + 2 * v.shape[-1] * 2.0**-53) + gamma * sizes
        radius = radius + np.where((count > 0) & (sizes > 0), FLOOR, 0.0)
        return TorchVectors(format, format.vectors.cumsum_vectors(v.mid), format.limited(radius, sizes))


def concatenate(parts: Sequence[TorchVectors]) -> TorchVectors:
    given, format = tuple(parts), parts[0].format
    radius = np.concatenate([part.rad for part in given], axis=-1)

    def mid() -> Any:
        return np.concatenate([part.mid for part in given], axis=-2)

    if any(part.lazy for part in given):
        size = np.concatenate([part.size for part in given], axis=-1)
        return TorchVectors(format, mid, radius, size, given[0].dimension)
    return TorchVectors(format, mid(), radius)

"""Enclosed points: a middle in R^d and a Euclidean radius. The middle of a product with a matrix waits until someone looks.

Error bounds of vectors need only norms, and a bound of the norm travels along. So the radius of a gradient costs no product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Floats, Guarded
from boundcheck.arithmetic.bounded.scalars import BoundedScalars
from boundcheck.arithmetic.bounded.storage import FLOOR, BoundedMatrix, Format, Mids, finished, floor_where
from boundcheck.arithmetic.plain import FLOAT64

PART = 16_384  # numbers at a time, where vectors in between are wide


class BoundedVectors(Guarded):
    """A stack of points, |true - mid| <= rad. `size` >= |mid|, from the middle if it is there, else from the formula.

    Radii hold for any middle that the same formula gives in any order of evaluation, since rounding terms use bounds of norms,
    and the second-order difference is inside the inflation of every radius.
    """

    __slots__ = ("_measured", "_mid", "_size", "_thunk", "dimension", "format", "rad")

    def __init__(
        self, format: Format, mid: Mids | Callable[[], Mids], rad: Any, size: Floats | None = None, dimension: int | None = None
    ) -> None:
        self.format = format
        self._size = size
        self._measured: Floats | None = None
        self._thunk: Callable[[], Mids] | None = None
        self._mid: Mids | None = None
        rad = np.asarray(rad, dtype=np.float64)
        if callable(mid):
            assert dimension is not None and size is not None
            self._thunk, self.dimension, self.rad = mid, dimension, rad
        else:
            self._mid, self.dimension = mid, mid.shape[-1]
            self.rad = rad if rad.shape == mid.shape[:-1] else np.broadcast_to(rad, mid.shape[:-1])

    @property
    def lazy(self) -> bool:
        return self._mid is None

    @property
    def mid(self) -> Mids:
        if self._mid is None:
            assert self._thunk is not None
            with np.errstate(all="ignore"):
                self._mid = self.format.plain.array(self._thunk())
            self._thunk = None
        return self._mid

    @property
    def source(self) -> tuple[Mids, ...]:
        """The arrays that the middle is made of: itself, where nobody waits for it."""
        waiting = getattr(self._thunk, "source", None)
        return (self.mid,) if waiting is None else waiting()

    def rows(self, part: slice) -> Mids:
        """Some middles of the stack, one a row. Where the middle waits, only these are made, and they are not kept."""
        waiting = getattr(self._thunk, "rows", None)
        return self.mid.reshape(-1, self.dimension)[part] if waiting is None else waiting(part)

    @property
    def size(self) -> Floats:
        if self._size is None:
            return self.known_size()
        return self._size

    def known_size(self) -> Floats:
        """An upper bound of |mid| from the middle itself, computed once: tighter than the formula's."""
        if self._measured is None:
            with np.errstate(all="ignore"):
                self._measured = self.format.once("norms", lambda: self.format.norms(self.mid), self.mid)
            self._size = self._measured
        return self._measured

    @property
    def shape(self) -> tuple[int, ...]:
        """The stack's shape."""
        return tuple(self.rad.shape)

    def __len__(self) -> int:
        return len(self.rad)

    def __getitem__(self, key: Any) -> BoundedVectors:
        keys = key if isinstance(key, tuple) else (key,)
        if any(part is Ellipsis for part in keys):
            keys = (*keys, slice(None))
        rad = self.rad[key]
        size = None if self._size is None else self._size[key]
        measured = None if self._measured is None else self._measured[key]
        if self._mid is None:
            return BoundedVectors(self.format, lambda: self.mid[keys], rad, size, self.dimension)
        part = BoundedVectors(self.format, self._mid[keys], rad, size)
        part._measured = measured
        return part

    def __repr__(self) -> str:
        return f"BoundedVectors(stack {self.shape} of R^{self.dimension}, radius {self.rad})"

    def __neg__(self) -> BoundedVectors:
        if self._mid is None:
            return BoundedVectors(self.format, lambda: -self.mid, self.rad, self.size, self.dimension)
        opposite = BoundedVectors(self.format, -self._mid, self.rad, self._size)
        opposite._measured = self._measured
        return opposite

    def __add__(self, other: BoundedVectors) -> BoundedVectors:
        return _sum(self, other, np.add)

    def __sub__(self, other: BoundedVectors) -> BoundedVectors:
        return _sum(self, other, np.subtract)


def _sum(u: BoundedVectors, v: BoundedVectors, step: np.ufunc) -> BoundedVectors:
    """Each coordinate rounds by at most u |coordinate|: together at most u |sum|. A sum that underflows is exact."""
    if not isinstance(v, BoundedVectors):
        raise TypeError(f"vectors add to vectors only; found {type(v).__name__}")
    if u.dimension != v.dimension:
        raise ValueError(f"vectors of R^{u.dimension} and R^{v.dimension} do not add")
    with np.errstate(all="ignore"):
        if u.lazy or v.lazy:
            size = (u.size + v.size) * (1 + 4 * u.format.u) * (1 + 2.0**-48)
            rounding = u.format.u * size + floor_where(size)
            return BoundedVectors(u.format, lambda: step(u.mid, v.mid), finished(u.rad + v.rad + rounding), size, u.dimension)
        made = u.format.once(step.__name__, lambda: np.asarray(step(u.mid, v.mid)), u.mid, v.mid)
        size = u.format.once("norms", lambda: u.format.norms(made), made)
        total = BoundedVectors(u.format, made, finished(u.rad + v.rad + u.format.u * size + floor_where(size)), size)
        total._measured = size
        return total


def scale(s: BoundedScalars, v: BoundedVectors) -> BoundedVectors:
    """|s x - t m| <= |t| r + rs (|m| + r), and the rounding u |t m|."""
    format, plain = v.format, v.format.plain
    with np.errstate(all="ignore"):
        factor = format.size(s.mid)
        size = factor * v.size
        radius = factor * v.rad + s.rad * (v.size + v.rad) + format.u * size
        radius = finished(radius + floor_where(factor + s.rad, v.size + v.rad))
        size = size * (1 + 4 * format.u) * (1 + 2.0**-48) + floor_where(factor, v.size)
        if v.lazy:
            return BoundedVectors(format, lambda: plain.scale(s.mid, v.mid), radius, size, v.dimension)
        return BoundedVectors(format, format.once("scale", lambda: plain.scale(s.mid, v.mid), s.mid, v.mid), radius)


def hadamard(u: BoundedVectors, v: BoundedVectors) -> BoundedVectors:
    """|x * y - a * b| <= |a| s + r (|b| + s) in the Euclidean norm, since the largest coordinate is at most the norm."""
    if u.dimension != v.dimension:
        raise ValueError(f"vectors of R^{u.dimension} and R^{v.dimension} have no product coordinate by coordinate")
    format = u.format
    with np.errstate(all="ignore"):
        made = np.asarray(u.mid * v.mid)
        largest = [format.size(w.mid).max(-1) if w.dimension else w.rad for w in (u, v)]
        size = format.norms(made)
        radius = largest[0] * v.rad + u.rad * (largest[1] + v.rad) + format.u * size
        return BoundedVectors(format, made, finished(radius + floor_where(u.size + u.rad, v.size + v.rad)), size)


def matvec(matrix: BoundedMatrix, v: BoundedVectors) -> BoundedVectors:
    """|A x - fl(B m)| <= |A| r + |A - B| |m| + gamma | |B| | |m|, for any order of summation. The product waits."""
    if matrix.shape[1] != v.dimension:
        raise ValueError(f"a matrix of shape {matrix.shape} does not take vectors of R^{v.dimension}")
    format = v.format
    gamma = format.gamma(matrix.shape[1] + 2)
    with np.errstate(all="ignore"):
        floor = floor_where(v.size + v.rad, matrix.size)
        radius = finished(matrix.norm * v.rad + (matrix.error + gamma * matrix.size) * v.size + floor)
        size = (matrix.norm + matrix.error + gamma * matrix.size) * v.size * (1 + 2.0**-48) + floor

    return BoundedVectors(format, _Product(matrix, v), radius, size, matrix.shape[0])


class _Product:
    """The middle of a product, whole or some rows of it."""

    def __init__(self, matrix: BoundedMatrix, v: BoundedVectors) -> None:
        self.matrix, self.v = matrix.plain, v

    def __call__(self) -> Mids:
        format, v = self.v.format, self.v
        if isinstance(v._thunk, _Sigmoid) and format.plain is FLOAT64 and v.rad.size > 1:
            return self._in_parts()
        return np.asarray(format.once("matvec", lambda: format.plain.matvec(self.matrix, v.mid), self.matrix.rows, v.mid))

    def _in_parts(self) -> Mids:
        """What is in between is as wide as the matrix: some rows at a time, it never leaves the cache."""
        count, (height, width) = self.v.rad.size, self.matrix.shape
        made = np.empty((count, height))
        for start in range(0, count, step := max(PART // width, 1)):
            part = slice(start, start + step)
            np.matmul(self.v.rows(part), self.matrix.T.rows, made[part])
        return made.reshape(*self.v.shape, height)

    def source(self) -> tuple[Mids, ...]:
        return (self.matrix.rows, *self.v.source)

    def rows(self, part: slice) -> Mids:
        return np.asarray(self.v.rows(part) @ self.matrix.T.rows)


def sigmoid(v: BoundedVectors) -> BoundedVectors:
    """1/4-Lipschitz; each coordinate is computed within 12 u of itself, and lies in (0, 1)."""
    format, plain = v.format, v.format.plain
    with np.errstate(all="ignore"):
        if v.lazy:
            size = np.full(v.shape, np.sqrt(v.dimension) * (1 + 2.0**-40))
            radius = finished(v.rad / 4 + 12 * format.u * size + FLOOR)
            return BoundedVectors(format, _Sigmoid(v), radius, size, v.dimension)
        made = plain.sigmoid(v.mid)
        size = format.norms(made)
        # sigmoid(inf) = 1 looks harmless, but an infinite middle is no real number
        radius = np.where(np.isfinite(v.size), v.rad / 4 + 12 * format.u * size + FLOOR, np.inf)
        return BoundedVectors(format, made, finished(radius), size)


class _Sigmoid:
    """The middle of a sigmoid, whole or some rows of it."""

    def __init__(self, v: BoundedVectors) -> None:
        self.v = v

    def __call__(self) -> Mids:
        return np.asarray(self.v.format.plain.sigmoid(self.v.mid))

    def rows(self, part: slice) -> Mids:
        return np.asarray(self.v.format.plain.sigmoid(self.v.rows(part)))

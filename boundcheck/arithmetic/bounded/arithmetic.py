"""Arithmetic with enclosures: a middle and a radius that runs along. float64 and mpmath differ only in how middles are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Exact, Floats, Orders
from boundcheck.arithmetic.bounded import functions, scans, vectors
from boundcheck.arithmetic.bounded.scalars import BoundedScalars
from boundcheck.arithmetic.bounded.storage import BoundedMatrix, Format, Mids, U, finished, floor_where, upper_norms
from boundcheck.arithmetic.bounded.vectors import BoundedVectors
from boundcheck.arithmetic.plain import FLOAT64, PlainMatrix


class BoundedArithmetic(Arithmetic):
    """Running error bounds, sound if every operation rounds within the format's u and elementary functions within 8 u."""

    certified = False  # numerical: it trusts the mathematical library
    exact = False

    def __init__(self, name: str, format: Format) -> None:
        self.name = name
        self.format = format
        self.plain = format.plain

    def __repr__(self) -> str:
        return f"arithmetic({self.name!r})"

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalar(self, value: Exact) -> BoundedScalars:
        return BoundedScalars.of(self.format, value)

    def scalars(self, values: Any, error: Any = 0.0) -> BoundedScalars:
        made = BoundedScalars.of(self.format, values)
        if isinstance(error, int | float) and error == 0:
            return made
        return BoundedScalars(self.format, made.mid, finished(made.rad + np.abs(np.asarray(error, dtype=np.float64))))

    def vector(self, coordinates: Sequence[Exact]) -> BoundedVectors:
        return self.vectors(list(coordinates))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> BoundedVectors:
        if self.plain is FLOAT64 and getattr(coordinates, "dtype", None) == np.float64 and coordinates.ndim:
            with np.errstate(all="ignore"):
                if np.isfinite(coordinates.sum()):  # so all are: they are exact
                    return BoundedVectors(self.format, coordinates, finished(np.zeros(coordinates.shape[:-1]) + radius))
        made = BoundedScalars.of(self.format, coordinates)
        if not made.ndim:
            raise ValueError("vectors need coordinates along the last axis; found a single number")
        with np.errstate(all="ignore"):
            missing = upper_norms(made.rad) if made.rad.any() else np.zeros(made.shape[:-1])
            missing = np.where(np.isnan(missing), np.inf, missing)
            return BoundedVectors(self.format, made.mid, finished(missing + np.asarray(radius, dtype=np.float64)))

    def matrix(self, rows: Any) -> BoundedMatrix:
        if isinstance(rows, BoundedMatrix):
            return rows
        if isinstance(rows, PlainMatrix):
            return BoundedMatrix(self.format, rows)
        made = BoundedScalars.of(self.format, rows)
        if made.ndim != 2:
            raise ValueError(f"a matrix needs rows and columns; found an array of shape {made.shape}")
        return BoundedMatrix(self.format, PlainMatrix(made.mid), float(upper_norms(made.rad.reshape(-1))))

    # -- scalars -------------------------------------------------------------------------------------------------
    def _of(self, a: Any) -> BoundedScalars:
        return a if isinstance(a, BoundedScalars) else BoundedScalars.of(self.format, a)

    def abs(self, a: Any) -> BoundedScalars:
        a = self._of(a)
        return BoundedScalars(self.format, np.abs(a.mid), a.rad)

    def sqrt(self, a: Any) -> BoundedScalars:
        return functions.sqrt(self._of(a))

    def exp(self, a: Any) -> BoundedScalars:
        return functions.exp(self._of(a))

    def log(self, a: Any) -> BoundedScalars:
        return functions.log(self._of(a))

    def power(self, a: Any, exponent: Fraction) -> BoundedScalars:
        return functions.power(self._of(a), exponent)

    def minimum(self, a: Any, b: Any) -> BoundedScalars:
        return functions.minimum(self._of(a), self._of(b))

    def maximum(self, a: Any, b: Any) -> BoundedScalars:
        return functions.maximum(self._of(a), self._of(b))

    def choose(self, condition: Any, a: Any, b: Any) -> BoundedScalars:
        return functions.choose(condition, self._of(a), self._of(b))

    def compare(self, a: Any, b: Any) -> Orders:
        return functions.compare(self._of(a), self._of(b))

    def concatenate(self, parts: Sequence[Any]) -> BoundedScalars:
        given = [self._of(part) for part in parts]
        mid = np.concatenate([part.mid for part in given], axis=-1)
        return BoundedScalars(self.format, mid, np.concatenate([part.rad for part in given], axis=-1))

    # -- scans ---------------------------------------------------------------------------------------------------
    def cumsum(self, a: Any, carry: Any = None) -> BoundedScalars:
        return scans.cumsum(self._of(a), carry if carry is None else self._of(carry))

    def cumprod(self, a: Any, carry: Any = None) -> BoundedScalars:
        return scans.cumprod(self._of(a), carry if carry is None else self._of(carry))

    def cummin(self, a: Any, carry: Any = None) -> BoundedScalars:
        return scans.cummin(self._of(a), carry if carry is None else self._of(carry))

    def cummax(self, a: Any, carry: Any = None) -> BoundedScalars:
        return scans.cummax(self._of(a), carry if carry is None else self._of(carry))

    def recurrence(self, a: Any, b: Any, carry: Any) -> BoundedScalars:
        return scans.recurrence(self._of(a), self._of(b), self._of(carry))

    # -- vectors -------------------------------------------------------------------------------------------------
    @contextmanager
    def sharing(self) -> Iterator[None]:
        before, self.format.shared = self.format.shared, {}
        try:
            yield
        finally:
            self.format.shared = before

    def scale(self, s: Any, v: BoundedVectors) -> BoundedVectors:
        return vectors.scale(self._of(s), v)

    def matvec(self, matrix: BoundedMatrix, v: BoundedVectors) -> BoundedVectors:
        return vectors.matvec(matrix, v)

    def sigmoid(self, v: BoundedVectors) -> BoundedVectors:
        return vectors.sigmoid(v)

    def hadamard(self, u: BoundedVectors, v: BoundedVectors) -> BoundedVectors:
        return vectors.hadamard(u, v)

    def dot(self, u: BoundedVectors, v: BoundedVectors) -> BoundedScalars:
        """A sum of d products in any order is off by at most gamma |u| |v| (Cauchy-Schwarz)."""
        format = self.format
        with np.errstate(all="ignore"):
            mid = format.once("dot", lambda: self.plain.dot(u.mid, v.mid), u.mid, v.mid)
            a, b = u.known_size(), v.known_size()
            radius = a * v.rad + u.rad * (b + v.rad) + format.gamma(u.dimension + 2) * (a * b)
            return BoundedScalars(format, mid, finished(radius + floor_where(a + u.rad, b + v.rad)))

    def sized(self, size: Any, radius: Any, dimension: int) -> BoundedVectors:
        """Vectors of which only norms are known: upper bounds of their middles' and of their errors'."""

        def nothing() -> Mids:
            raise ValueError("these vectors are known by their norms only")

        return BoundedVectors(self.format, nothing, radius, np.asarray(size), dimension)

    def dot_of(self, mid: Any, u: BoundedVectors, v: BoundedVectors) -> BoundedScalars:
        """A dot product that was computed before, of vectors of which only the norms are known now."""
        with np.errstate(all="ignore"):
            a, b = u.size, v.size
            radius = a * v.rad + u.rad * (b + v.rad) + self.format.gamma(u.dimension + 2) * (a * b)
            return BoundedScalars(self.format, np.asarray(mid), finished(radius + floor_where(a + u.rad, b + v.rad)))

    def normsq(self, v: BoundedVectors) -> BoundedScalars:
        return self.dot(v, v)

    def norm(self, v: BoundedVectors) -> BoundedScalars:
        """The norm is 1-Lipschitz, so the radius passes through; the squares are scaled where they would leave the safe range."""
        format = self.format
        with np.errstate(all="ignore"):
            squares = format.once("dot", lambda: self.plain.dot(v.mid, v.mid), v.mid, v.mid)
            v.known_size()
            return self.norm_of(squares, v)

    def norm_of(self, squares: Any, v: BoundedVectors) -> BoundedScalars:
        """The norm, where the squares were summed before; of the vectors themselves only `size` and `rad` are read."""
        format = self.format
        with np.errstate(all="ignore"):
            mid, size = np.asarray(format.plain.sqrt(squares)), v.size
            radius = finished(v.rad + format.gamma(v.dimension + 4) * size + floor_where(size))
            unsafe = ((size < 1e-140) & (size > 0)) | (size > 1e150)
            if unsafe.any() and format.plain.dtype is np.float64:
                mid = np.where(unsafe, size, mid)  # an upper bound, itself within (d + 40) u of the norm
                radius = np.where(unsafe, finished(v.rad + 4 * (v.dimension + 80) * U * size + floor_where(size)), radius)
            return BoundedScalars(format, mid, np.where(np.isfinite(size), radius, np.inf))

    def coordinate(self, v: BoundedVectors, j: int) -> BoundedScalars:
        mid = v.mid[..., j]
        return BoundedScalars(self.format, mid, np.where(np.isfinite(self.format.floats(mid)), v.rad, np.inf))

    def from_coordinates(self, coordinates: Sequence[Any]) -> BoundedVectors:
        given = [self._of(part) for part in coordinates]
        mid = np.stack(np.broadcast_arrays(*(part.mid for part in given)), axis=-1)
        radii = np.stack(np.broadcast_arrays(*(part.rad for part in given)), axis=-1)
        with np.errstate(all="ignore"):
            return BoundedVectors(self.format, mid, finished(upper_norms(radii)))

    def softplus_sum(self, v: BoundedVectors) -> BoundedScalars:
        """Terms are positive, each within 20 u of itself. The gradient is at most min(sqrt d, the sum) long, its slope 1/4."""
        format = self.format
        with np.errstate(all="ignore"):
            mid = np.asarray(self.plain.softplus_sum(v.mid))
            size = format.size(mid)
            slope = np.minimum(np.sqrt(v.dimension), size * (1 + 2.0**-30) + 1e-290)
            radius = slope * v.rad + v.rad * v.rad / 8 + (format.gamma(v.dimension + 1) + 20 * format.u) * size
            return BoundedScalars(format, mid, finished(np.where(np.isfinite(v.size), radius + floor_where(size), np.inf)))

    def softplus_bregman_sum(self, v: BoundedVectors, d: BoundedVectors, *, back: bool = False) -> BoundedScalars:
        """In d the gradient is at most |d| / 4 long; in v at most |d|^2 / 20, since |s'''| < 0.1, and at most |d| / 2.

        `back`: the sum from v + d to v, which has the same bounds.
        """
        format = self.format
        with np.errstate(all="ignore"):
            mid, rounding = format.bregman_sum(v, d, back=back)
            reach = d.size + d.rad
            spread = d.rad * reach / 4 + v.rad * np.minimum(reach / 2, reach * reach / 20) + floor_where(d.rad + v.rad, reach)
            return BoundedScalars(format, mid, finished(np.where(np.isfinite(v.size + d.size), rounding + spread, np.inf)))

    def cumsum_vectors(self, v: BoundedVectors, carry: BoundedVectors | None = None) -> BoundedVectors:
        if carry is not None:
            return self.cumsum_vectors(self.concatenate_vectors([carry, v]))[..., 1:]
        with np.errstate(all="ignore"):
            mid = np.asarray(np.add.accumulate(v.mid, axis=-2))
            size = self.format.norms(mid)
            rounding = self.format.u * size + floor_where(size)
            rounding[..., :1] = 0.0
            radius = np.add.accumulate(v.rad + rounding, axis=-1) * (1 + 2 * mid.shape[-2] * U)
            return BoundedVectors(self.format, mid, finished(radius), size)

    def concatenate_vectors(self, parts: Sequence[BoundedVectors]) -> BoundedVectors:
        radius = np.concatenate([part.rad for part in parts], axis=-1)
        if any(part.lazy for part in parts):
            size = np.concatenate([part.size for part in parts], axis=-1)
            given = tuple(parts)
            return BoundedVectors(
                self.format, lambda: np.concatenate([part.mid for part in given], axis=-2), radius, size, parts[0].dimension
            )
        return BoundedVectors(self.format, np.concatenate([part.mid for part in parts], axis=-2), radius)

    def observed(self, plain: Any, formula: BoundedVectors) -> BoundedVectors:
        mid = self.plain.array(plain)
        if mid.shape[-1] != formula.dimension:
            raise ValueError(f"observed vectors of R^{mid.shape[-1]}; the formula gives R^{formula.dimension}")
        return BoundedVectors(self.format, mid, formula.rad)

    def enlarge(self, v: BoundedVectors, radius: Any) -> BoundedVectors:
        wider = finished(v.rad + np.asarray(radius, dtype=np.float64))
        if v.lazy:
            return BoundedVectors(self.format, lambda: v.mid, wider, v.size, v.dimension)
        return BoundedVectors(self.format, v.mid, wider, v._size)

    def radius(self, v: BoundedVectors) -> Floats:
        return np.asarray(v.rad)

    def apart(self, v: BoundedVectors, stored: Any) -> Floats:
        """Radii hold for every middle that the same formula gives."""
        return np.asarray(v.rad)

    # -- looking -------------------------------------------------------------------------------------------------
    def middle(self, a: Any) -> Floats:
        return self.format.floats(self._of(a).mid)

    def error(self, a: Any) -> Floats:
        return self._of(a).rad

    def text(self, a: Any) -> str:
        a = self._of(a)
        middle, radius = self._digits(a.mid[()]), float(a.rad)
        if not np.isfinite(radius):
            return "undefined"
        return middle if radius == 0 else f"{middle} +- {radius:.1g}"

    def _digits(self, mid: Any) -> str:
        return f"{mid:.12g}"

    def reason(self, a: Any) -> str | None:
        if np.isfinite(self._of(a).rad).all():
            return None
        return "the enclosure is unbounded: NaN, overflow, or a division, root or logarithm that may be undefined"

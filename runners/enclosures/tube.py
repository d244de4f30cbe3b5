"""A tube about a computed trajectory: at each step the exact point is in {c + L s + g : |s| <= 1, |g_i| <= q_i}, c being stored.

This is Lohner's method with an ellipsoid in place of his box. Let T(c + u) - T(c) be in J u for all u of the set, J be within
`error` of a float64 matrix `slope`, and |T(c) - c+| <= e. Then the image is {c+ + A s + g : |g_i| <= f_i} with A = slope L and
f = e + (error + |slope| times rounding) |L s| + (|slope| + error) q. For 1/a^2 + 1/b^2 <= 1 it lies in {c+ + M t : |t| <= 1} with
M = [a A, b F] and F = diag(sqrt(n) f_i), since t = (s / a, F^-1 g / b) has |t| <= 1. With M' = Q R and Q'Q near to I, this is R'
times a ball again, and what rounding leaves of M - R' Q' is the next q. With a^2 = 1 + |F| / |A| the Frobenius norm of L grows by
that of F only: no set is wrapped into a larger one of another shape, and thin directions stay thin.

Every number here is a float64 that is not too small: a product of n terms is off by at most gamma_n = n u / (1 - n u) times the
product of the absolute values, in any order, and numbers that underflow are less than TINY off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.derivatives.dual import Dual, dual
from boundcheck.arithmetic.elementary import power_of_two

TINY = 2.0**-1000
UNIT = 2.0**-52  # twice the unit roundoff


@dataclass(frozen=True, eq=False)
class Tube:
    """L s + g for |s| <= 1, |g_i| <= q_i: how far the exact point may be from the stored one."""

    L: Floats
    q: Floats

    @classmethod
    def ball(cls, radius: float, dimension: int) -> Tube:
        """The Euclidean ball."""
        return cls(np.eye(dimension) * radius, np.zeros(dimension)) if np.isfinite(radius) else cls.unknown(dimension)

    @classmethod
    def unknown(cls, dimension: int) -> Tube:
        return cls(np.zeros((dimension, dimension)), np.full(dimension, np.inf))

    @property
    def is_point(self) -> bool:
        return not (self.L.any() or self.q.any())

    @property
    def is_bounded(self) -> bool:
        return bool(np.isfinite(self.L).all() and np.isfinite(self.q).all())

    def reach(self) -> Floats:
        """How far each coordinate may be from the stored one."""
        return (lengths(self.L) + self.q) * (1 + 2 * UNIT)

    def radius(self, rows: slice = slice(None)) -> float:
        """The Euclidean radius of some coordinates."""
        if not np.isfinite(self.q[rows]).all():
            return float("inf")
        return (spectral(self.L[rows]) + float(lengths(self.q[None, rows])[0])) * (1 + 2 * UNIT)

    def moved(self, slope: Floats, error: Floats, e: Floats) -> Tube:
        """The image under a map: its Jacobian is within `error` of `slope` all over this set, its centre within e of c+."""
        if self.is_point:
            return Tube(np.zeros((len(e), self.L.shape[1])), e)
        with np.errstate(all="ignore"):
            size, doubt = np.abs(slope), error + np.abs(slope) * ((len(self.L) + 4) * UNIT)
            noise = above(doubt, lengths(self.L)) + above(size + error, self.q) + e
            image = Tube(slope @ self.L, noise * (1 + 4 * UNIT) + TINY)
        lost = ~(np.isfinite(image.L).all(1) & np.isfinite(image.q))
        return Tube(np.where(lost[:, None], 0.0, image.L), np.where(lost, np.inf, image.q)) if lost.any() else image

    def rows(self, which: list[slice]) -> Tube:
        """Some coordinates, one after another."""
        return Tube(np.concatenate([self.L[where] for where in which]), np.concatenate([self.q[where] for where in which]))

    def beside(self, other: Tube) -> Tube:
        """These coordinates and then others, of the same s."""
        return Tube(np.concatenate([self.L, other.L]), np.concatenate([self.q, other.q]))

    def rounded(self) -> Tube:
        """The same set in a square L and, by rounding only, a q."""
        largest = max(float(np.abs(self.L).max(initial=0.0)), float(self.q.max(initial=0.0)))
        if not self.is_bounded or not largest < 2.0**900:
            return Tube.unknown(len(self.q))
        if not largest:
            return Tube.ball(0.0, len(self.q))
        scale = _power_above(largest)
        count = len(self.q)
        A, F = self.L / scale, np.diag(self.q / scale * np.sqrt(count) * (1 + 4 * UNIT) + TINY)
        a, b = max(frobenius(A), 2.0**-100), max(frobenius(F), 2.0**-100)  # any two positive numbers would do
        M = np.concatenate([A * (np.sqrt((a + b) / a) * (1 + 8 * UNIT)), F * (np.sqrt((a + b) / b) * (1 + 8 * UNIT))], axis=1)
        Q, R = np.linalg.qr(M.T)
        off = off_orthogonal(Q)
        if not off < 2.0**-10:
            return Tube.unknown(count)
        left = np.abs(M - R.T @ Q.T) + (np.abs(R.T) @ np.abs(Q.T) + np.abs(M)) * ((count + 8) * UNIT)
        q = (lengths(left) * (1 + 4 * UNIT) + TINY) * scale + TINY
        return Tube(np.ascontiguousarray(R.T) * ((1 + off) * scale), q + np.abs(R.T).sum(1) * (4 * UNIT * scale))


def above(matrix: Floats, vector: Floats) -> Floats:
    """An upper bound of a product of entries that are not negative."""
    if not vector.any():
        return np.zeros(len(matrix))
    with np.errstate(all="ignore"):
        made = (matrix @ vector) * (1 + (len(vector) + 8) * UNIT) + TINY
    return np.where(np.isfinite(made), made, np.inf)


def lengths(rows: Floats) -> Floats:
    """Upper bounds of the Euclidean norms of rows."""
    largest = np.abs(rows).max(-1, initial=0.0)
    with np.errstate(all="ignore"):
        made = np.sqrt(((rows / largest[..., None]) ** 2).sum(-1)) * largest * (1 + (rows.shape[-1] + 8) * UNIT) + TINY
    return np.where(largest == 0, 0.0, np.where(np.isfinite(made), made, np.inf))


def frobenius(matrix: Floats) -> float:
    """An upper bound of the Frobenius norm, where the squares do not underflow."""
    return float(np.sqrt((matrix * matrix).sum())) * (1 + (matrix.size + 8) * UNIT)


def spectral(matrix: Floats) -> float:
    """An upper bound of the spectral norm: that of G is the root of that of G'G, and at the end no more than Frobenius's.

    With G scaled so that its Frobenius norm is below 1, each product is off by gamma at most.
    """
    largest = float(np.abs(matrix).max(initial=0.0))
    if largest == 0 or not np.isfinite(largest):
        return largest
    scale = _power_above(largest * np.sqrt(matrix.size))
    G, gamma = matrix / scale, (max(matrix.shape) + 8) * UNIT
    G = G @ G.T if G.shape[0] <= G.shape[1] else G.T @ G
    once = G.T @ G
    twice = once.T @ once
    norm = np.sqrt(np.sqrt(np.sqrt(frobenius(twice) + 2 * gamma) + 2 * gamma) + 2 * gamma)
    return float(norm) * scale * (1 + 16 * UNIT) + TINY


def off_orthogonal(Q: Floats) -> float:
    """A bound of the sums along the rows of |I - Q'Q|, and so of its spectral norm; NaN where there is none."""
    product = Q.T @ Q
    off = np.abs(np.eye(len(product)) - product) + (np.abs(Q.T) @ np.abs(Q)) * ((len(Q) + 8) * UNIT)
    return float(off.sum(1).max()) * (1 + (len(Q) + 8) * UNIT)


def _power_above(size: float) -> float:
    """The power of two just above a size, inf above 2^1023; no less than 2^-1000."""
    return float(power_of_two(np.maximum(np.frexp(size)[1], -1000)))


_middles = np.frompyfunc(float, 1, 1)
_radii = np.frompyfunc(lambda a: float(a.rad()), 1, 1)


def in_floats(balls: Any) -> tuple[Floats, Floats]:
    """Middles as float64, and how far the numbers that the balls enclose may be from them. A ball that is not finite: inf."""
    with np.errstate(all="ignore"):
        middle = np.asarray(_middles(balls), dtype=np.float64)
        error = np.asarray(_radii(balls), dtype=np.float64) * (1 + 4 * UNIT) + np.abs(middle) * (4 * UNIT) + TINY
    return middle, np.where(np.isfinite(middle) & np.isfinite(error), error, np.inf)


FEWEST = 64
BLUR = 2.0**-16  # of the set's size: an error of the Jacobian that does not matter


class Jacobians:
    """The number of bits is kept from one step to the next; it grows where a difference cancels, up to that of the run."""

    def __init__(self, most: int) -> None:
        self.bits, self.most = FEWEST, max(FEWEST, most)

    def over(self, reach: Floats, derivatives: Callable[[Dual], Any]) -> tuple[Floats, Floats]:
        """Middles and errors of the derivatives that a formula has in this number of bits; `reach` is the size of the box."""
        best, blur = self._at(self.bits, reach, derivatives)
        bits = self.bits
        while blur > BLUR and bits < self.most:
            bits = min(2 * bits, self.most)
            finer, left = self._at(bits, reach, derivatives)
            if left < blur / 2:
                best, blur, self.bits = finer, left, bits
        return best

    def _at(self, bits: int, reach: Floats, derivatives: Callable[[Dual], Any]) -> tuple[tuple[Floats, Floats], float]:
        xp = dual(bits)
        with xp.working(), np.errstate(all="ignore"):
            slope, error = in_floats(derivatives(xp))
            size = max(float((np.abs(slope) @ reach).max()), float(reach.max()))
            blur = float((error @ reach).max()) / size
        return (slope, error), blur if np.isfinite(blur) else np.inf

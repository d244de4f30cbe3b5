"""Derivatives along with values: the namespace of an arithmetic over balls that also encloses the Jacobian over a box.

A formula F that is read here with x a box X gives J with F(b) - F(a) in J (b - a) for all a, b in X, if F is continuous. Where a
condition is UNKNOWN over the box (`choose`, and abs, minimum, maximum at a kink), J is the hull of both branches' derivatives:

  Along the segment each Dini derivative of <u, F> is one of the branch that holds arbitrarily near, so it lies in <u, J (b - a)>,
  and a continuous function whose Dini derivatives lie between m and M rises by no less than m and no more than M.

Derivatives that may be infinite (a root at 0) become NaN. What only lies between two ends (A and mu of a chord) has no derivative
here: its ends' derivatives say nothing of its own. Enter `working()` first; there are no scans.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from boundcheck.arithmetic.balls.plain import NAN, ONE, ZERO, BallMatrix, PlainBall, Precision, arb, arb_mat, each
from boundcheck.arithmetic.base import Exact, NotInThisArithmetic, Order, Orders, Truth
from boundcheck.arithmetic.derivatives.dual_numbers import DualScalars, DualVectors, Tangent, dense, times, total
from boundcheck.arithmetic.plain import Array

EITHER_SIGN = arb(0, 1)

_signs = each(lambda a: ONE if a > 0 else -ONE if a < 0 else EITHER_SIGN if a.is_finite() else NAN)
_widened = each(lambda a, r: a if r == 0 else a + arb(0, float(r)) if np.isfinite(r) else NAN, 2)
_not_zero = each(lambda a: not a.is_zero())
_tighter = each(lambda a, b: b if not a.is_finite() or (b.is_finite() and b.rad() < a.rad()) else a, 2)


class NoDerivative(NotInThisArithmetic, AttributeError):
    """The formula needs an operation whose derivative is not offered."""


class DualMatrix:
    """A constant matrix, also as an array of its entries."""

    __slots__ = ("_entries", "_transpose", "ball")

    def __init__(self, ball: BallMatrix, transpose: DualMatrix | None = None) -> None:
        self.ball, self._transpose = ball, transpose
        self._entries: Array | None = None

    @property
    def T(self) -> DualMatrix:
        if self._transpose is None:
            self._transpose = DualMatrix(self.ball.T, self)
        return self._transpose

    @property
    def shape(self) -> tuple[int, int]:
        return self.ball.shape

    @property
    def entries(self) -> Array:
        if self._entries is None:
            self._entries = np.array(self.ball.mat.entries(), dtype=object).reshape(self.shape)
        return self._entries

    def times(self, t: Array) -> Array:
        """The product with a bare array (columns, D). Columns with one entry, as those of variables, are scaled only."""
        made = np.empty((self.shape[0], t.shape[1]), dtype=object)
        lone = np.zeros(t.shape[1], dtype=bool)
        if 2 * _not_zero(t[0]).sum() <= t.shape[1] or t.shape[1] == 1:  # else the other rows will be full too
            present = np.asarray(_not_zero(t), dtype=bool)
            lone = present.sum(0) <= 1
            rows = present.argmax(0)[lone]
            made[:, lone] = self.entries[:, rows] * t[rows, np.flatnonzero(lone)]
        if not lone.all():
            rest = t[:, ~lone]
            product = self.ball.mat * arb_mat(rest.shape[0], rest.shape[1], rest.reshape(-1).tolist())
            made[:, ~lone] = np.array(product.entries(), dtype=object).reshape(self.shape[0], rest.shape[1])
        return made


class Dual:
    """Values and first derivatives in balls of `bits` bits."""

    certified = True
    exact = False

    def __init__(self, bits: int) -> None:
        self.name, self.bits = f"dual:{bits}", bits
        self.plain = PlainBall(bits)
        self._precision = Precision(bits)

    def __getattr__(self, name: str) -> Any:
        raise NoDerivative(f"derivatives have no '{name}'")

    def working(self) -> Precision:
        return self._precision

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalar(self, value: Exact) -> DualScalars:
        return DualScalars(self, self.plain.scalar(value))

    def scalars(self, values: Any, error: Any = 0.0) -> DualScalars:
        if isinstance(values, DualScalars):
            return values
        return DualScalars(self, _widened(self.plain.scalars(values), np.abs(np.asarray(error, dtype=np.float64))))

    def vector(self, coordinates: Sequence[Exact]) -> DualVectors:
        return DualVectors(self, self.plain.vector(coordinates))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> DualVectors:
        return self.enlarge(DualVectors(self, self.plain.scalars(coordinates)), radius)

    def matrix(self, rows: Any) -> DualMatrix:
        return rows if isinstance(rows, DualMatrix) else DualMatrix(self.plain.matrix(rows))

    def variables(self, centre: Array, reach: Any, place: int, count: int) -> DualVectors:
        """The variables place, place + 1, ... of `count`: each within its reach of the centre."""
        seeds = np.full((len(centre), count), ZERO, dtype=object)
        seeds[np.arange(len(centre)), place + np.arange(len(centre))] = ONE
        return DualVectors(self, _widened(centre + ZERO, reach), seeds)

    # -- scalars -------------------------------------------------------------------------------------------------
    def _through(self, a: DualScalars, value: Array, slope: Any) -> DualScalars:
        """A function of one number, by its value and its derivative."""
        return DualScalars(self, value, None if a.tangent is None else times(slope(), a.tangent))

    def abs(self, a: DualScalars) -> DualScalars:
        return self._through(a, np.abs(a.value), lambda: _signs(a.value))

    def sqrt(self, a: DualScalars) -> DualScalars:
        root = self.plain.sqrt(a.value)
        return self._through(a, root, lambda: self.plain.divide(ONE, 2 * root))

    def exp(self, a: DualScalars) -> DualScalars:
        made = self.plain.exp(a.value)
        return self._through(a, made, lambda: made)

    def log(self, a: DualScalars) -> DualScalars:
        return self._through(a, self.plain.log(a.value), lambda: self.plain.divide(ONE, a.value))

    def power(self, a: DualScalars, exponent: Fraction) -> DualScalars:
        p, made = Fraction(exponent), self.plain.power(a.value, exponent)
        if p == 0:
            return DualScalars(self, made)
        return self._through(a, made, lambda: self.plain.lift(p) * self.plain.power(a.value, p - 1))

    def minimum(self, a: Any, b: Any) -> DualScalars:
        a, b = self.scalars(a), self.scalars(b)
        return self._either(_truth(self.compare(a, b), Order.LESS), a, b, self.plain.minimum(a.value, b.value))

    def maximum(self, a: Any, b: Any) -> DualScalars:
        a, b = self.scalars(a), self.scalars(b)
        return self._either(_truth(self.compare(a, b), Order.GREATER), a, b, self.plain.maximum(a.value, b.value))

    def choose(self, condition: Any, a: Any, b: Any) -> DualScalars:
        a, b = self.scalars(a), self.scalars(b)
        return self._either(np.asarray(condition), a, b, self.plain.choose(np.asarray(condition), a.value, b.value))

    def _either(self, first: Any, a: DualScalars, b: DualScalars, value: Any) -> DualScalars:
        """The derivative of a where it is the first for certain, of b where it is not, of both where that is unknown."""
        if a.tangent is None and b.tangent is None:
            return DualScalars(self, value)
        count = (a.tangent if a.tangent is not None else b.tangent).shape[-1]  # type: ignore[union-attr]
        s, t = dense(a.tangent, (*a.shape, count)), dense(b.tangent, (*b.shape, count))
        return DualScalars(self, value, self.plain.choose(first[..., None], s, t))

    def compare(self, a: Any, b: Any) -> Orders:
        """How the values compare, if they do so all over the box."""
        return self.plain.compare(self.scalars(a).value, self.scalars(b).value)

    # -- vectors -------------------------------------------------------------------------------------------------
    def scale(self, s: Any, v: DualVectors) -> DualVectors:
        s = self.scalars(s)
        turned = None if s.tangent is None else v.value[..., None] * s.tangent[..., None, :]
        return DualVectors(self, s.value[..., None] * v.value, total(times(s.value[..., None], v.tangent), turned))

    def hadamard(self, u: DualVectors, v: DualVectors) -> DualVectors:
        return DualVectors(self, u.value * v.value, total(times(v.value, u.tangent), times(u.value, v.tangent)))

    def dot(self, u: DualVectors, v: DualVectors) -> DualScalars:
        slope = total(times(v.value, u.tangent), times(u.value, v.tangent))
        return DualScalars(self, self.plain.dot(u.value, v.value), _summed(slope))

    def normsq(self, v: DualVectors) -> DualScalars:
        return DualScalars(self, self.plain.normsq(v.value), _summed(times(2 * v.value, v.tangent)))

    def norm(self, v: DualVectors) -> DualScalars:
        return self.sqrt(self.normsq(v))

    def matvec(self, matrix: DualMatrix, v: DualVectors) -> DualVectors:
        value = self.plain.matvec(matrix.ball, v.value)
        if v.tangent is None:
            return DualVectors(self, value)
        each_one = [matrix.times(t) for t in v.tangent.reshape(-1, *v.tangent.shape[-2:])]
        return DualVectors(self, value, np.stack(each_one).reshape(*value.shape, v.tangent.shape[-1]))

    def coordinate(self, v: DualVectors, j: int) -> DualScalars:
        return DualScalars(self, v.value[..., j], None if v.tangent is None else v.tangent[..., j, :])

    def from_coordinates(self, coordinates: Sequence[Any]) -> DualVectors:
        parts = [self.scalars(part) for part in coordinates]
        value = self.plain.from_coordinates([part.value for part in parts])
        counts = [part.tangent.shape[-1] for part in parts if part.tangent is not None]
        if not counts:
            return DualVectors(self, value)
        shape = (*value.shape[:-1], counts[0])
        return DualVectors(self, value, np.stack([dense(part.tangent, shape) for part in parts], axis=-2))

    def sigmoid(self, v: DualVectors) -> DualVectors:
        made = self.plain.sigmoid(v.value)
        return DualVectors(self, made, None if v.tangent is None else times(made * self.plain.sigmoid(-v.value), v.tangent))

    def softplus_sum(self, v: DualVectors) -> DualScalars:
        slope = None if v.tangent is None else times(self.plain.sigmoid(v.value), v.tangent)
        return DualScalars(self, self.plain.softplus_sum(v.value), _summed(slope))

    def softplus_bregman_sum(self, v: DualVectors, d: DualVectors) -> DualScalars:
        """By d: s'(v + d) - s'(v). By v: that less s''(v) d, which is s'''(u) d^2 / 2 for some u, and |s'''| < 1/10."""
        made = self.plain.softplus_bregman_sum(v.value, d.value)
        if v.tangent is None and d.tangent is None:
            return DualScalars(self, made)
        rise = self._rise(v.value, d.value)
        slope = times(rise, d.tangent)
        if v.tangent is not None:
            direct = rise - self._bend(v.value) * d.value
            slope = total(slope, times(_tighter(direct, EITHER_SIGN * d.value * d.value / 20), v.tangent))
        return DualScalars(self, made, _summed(slope))

    def _rise(self, v: Array, d: Array) -> Array:
        """s'(v + d) - s'(v), also as s''(u) d for some u between v and v + d."""
        direct = self.plain.sigmoid(v + d) - self.plain.sigmoid(v)
        return _tighter(direct, self._bend(_united(v + 0 * d, v + d)) * d)

    def _bend(self, v: Array) -> Array:
        return np.asarray(self.plain.sigmoid(v) * self.plain.sigmoid(-v))

    def enlarge(self, v: DualVectors, radius: Any) -> DualVectors:
        """The same formula with constants that are not known exactly: its derivatives are enclosed for all of them."""
        return DualVectors(self, _widened(v.value, np.asarray(radius, dtype=np.float64)[..., None]), v.tangent)

    def middle(self, a: DualScalars) -> Any:
        return self.plain.middle(a.value)


_united = each(lambda a, b: a.union(b), 2)


def _truth(order: Orders, yes: Order) -> Any:
    decided = (order == Order.LESS) | (order == Order.GREATER)
    return np.where(order == yes, Truth.YES, np.where(decided, Truth.NO, Truth.UNKNOWN)).astype(np.int8)


def _summed(slope: Tangent) -> Tangent:
    return None if slope is None else np.asarray(slope.sum(-2))


@lru_cache(maxsize=16)
def dual(bits: int) -> Dual:
    """The same number of bits gives the same object, so constants are lifted once."""
    return Dual(bits)

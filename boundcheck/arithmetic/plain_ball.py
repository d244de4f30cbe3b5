"""The plain namespace of balls: object arrays of python-flint's arb. Every result encloses what the formula says.

arb has traps: `max`, sorting and conversion to float look at middles only, `arb(0, 1)**2` is NaN, `bool(arb(0))` is True. So here
comparisons are the certain ones, squares are products, and a root is taken of the part that is not negative.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from boundcheck.arithmetic.base import Order, Orders, Truth
from boundcheck.arithmetic.plain import Array, Plain, integer_power

arb, arb_mat, fmpq, fmpz = flint.arb, flint.arb_mat, flint.fmpq, flint.fmpz
NAN = arb.nan()
ZERO, ONE = arb(0), arb(1)


def lift(value: Any) -> Any:
    """The ball of an exact number: a float is the dyadic that it stores; a fraction is rounded, and its ball says how far."""
    if isinstance(value, arb):
        return value
    if isinstance(value, float | np.floating):
        return arb(float(value)) if np.isfinite(value) else NAN
    if isinstance(value, int | np.integer | fmpz):
        return arb(int(value))
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    if isinstance(value, fmpq):
        return arb(value)
    raise TypeError(f"balls are made of int, float and Fraction; found {type(value).__name__}")


def each(function: Callable[..., Any], inputs: int = 1) -> Callable[..., Array]:
    ufunc = np.frompyfunc(function, inputs, 1)
    return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)


def _root(a: Any) -> Any:
    """Over the part that is not negative; wholly negative is undefined."""
    return a.sqrt() if a >= 0 else a.nonnegative_part().sqrt() if a.is_finite() and not a < 0 else NAN


def _log(a: Any) -> Any:
    return a.log() if a > 0 else NAN


def _softplus(a: Any) -> Any:
    """log(1 + e^a), without overflow and without loss for large or small a. Either form is right for every a."""
    return a.exp().log1p() if a.mid() <= 0 else a + (-a).exp().log1p()


def _sigmoid(a: Any) -> Any:
    return ONE / (ONE + (-a).exp())


def _bregman(v: Any, d: Any) -> Any:
    """s(v + d) - s(v) - s'(v) d for s = log(1 + exp): at the middles, with as many more bits as cancel, and what radii add.

    Its derivative in d is s'(v + d) - s'(v), at most |d| / 4; in v it is at most |d|^2 / 20, since |s'''| < 1/10.
    """
    if d.is_zero():
        return ZERO
    if not (v.is_finite() and d.is_finite()):
        return NAN
    made = _bregman_at(v.mid(), d.mid())
    if d.is_exact() and v.is_exact():
        return made
    reach = d.abs_upper()
    spread = d.rad() * reach / 4 + v.rad() * reach * reach / 20
    return made + arb(0, spread.abs_upper())


def _bregman_at(v: Any, d: Any) -> Any:
    """log(1 + p (e^d - 1)) - p d for p = s'(v), after a reflection to v <= 0: s(x) = x + s(-x)."""
    if v > 0:
        v, d = -v, -d
    bits, context = flint.ctx.prec, flint.ctx
    if d == 0:
        return ZERO
    lost = -_magnitude(d)
    if lost > bits:  # s''(u) d^2 / 2 for some u between v and v + d
        tail = (-abs(v + arb(0, d.abs_upper()))).exp()
        return d * d * tail / (2 * (ONE + tail) * (ONE + tail))
    context.prec = bits + max(lost, 0) + 16
    try:
        tail = v.exp()
        p = tail / (ONE + tail)
        far = d > 30  # there e^d is large, and p (e^d - 1) may be too
        made = ((v + d).exp().log1p() - tail.log1p() if far else (p * d.expm1()).log1p()) - p * d
    finally:
        context.prec = bits
    return +made if made > 0 else made.nonnegative_part()


def _magnitude(a: Any) -> int:
    """About log2 |a|, of an exact ball that is not 0."""
    mantissa, exponent = a.man_exp()
    return int(exponent) + int(mantissa).bit_length()


def _smaller(a: Any, b: Any) -> Any:
    a, b = lift(a), lift(b)
    return a.min(b) if a.is_finite() and b.is_finite() else NAN


def _larger(a: Any, b: Any) -> Any:
    a, b = lift(a), lift(b)
    return a.max(b) if a.is_finite() and b.is_finite() else NAN


def _choose(truth: int, a: Any, b: Any) -> Any:
    return a.union(b) if truth == Truth.UNKNOWN else a if truth == Truth.YES else b


def _order(a: Any, b: Any) -> int:
    if not (a.is_finite() and b.is_finite()):
        return Order.UNKNOWN
    if a < b:
        return Order.LESS
    if a > b:
        return Order.GREATER
    return Order.EQUAL if a == b else Order.UNKNOWN  # == holds for two exact equal numbers only


_minimum, _maximum = np.frompyfunc(_smaller, 2, 1), np.frompyfunc(_larger, 2, 1)
_middles, _orders, _chosen, _divide = each(lambda a: a.mid()), each(_order, 2), each(_choose, 3), each(lambda a, b: a / b, 2)


class BallMatrix:
    """A constant matrix as an arb_mat, with its transpose."""

    __slots__ = ("_transpose", "mat")

    def __init__(self, mat: Any, transpose: BallMatrix | None = None) -> None:
        self.mat = mat
        self._transpose = transpose

    @property
    def T(self) -> BallMatrix:
        if self._transpose is None:
            self._transpose = BallMatrix(self.mat.transpose(), self)
        return self._transpose

    @property
    def shape(self) -> tuple[int, int]:
        return (self.mat.nrows(), self.mat.ncols())


class PlainBall(Plain):
    """Precision is whatever python-flint's context says: enter `Ball.working()` first."""

    encloses = True

    def __init__(self) -> None:
        self.lift = lift
        self.sqrt = each(_root)
        self.exp = each(lambda a: a.exp())
        self.log = each(_log)
        self.softplus = each(_softplus)
        self.softplus_bregman = each(_bregman, 2)
        self._sigmoid = each(_sigmoid)

    def stored(self, a: Any) -> Any:
        """The middles, exactly: a run goes on from these."""
        return _middles(a)

    def matrix(self, rows: Any) -> BallMatrix:
        if isinstance(rows, BallMatrix):
            return rows
        made = self.scalars(rows)
        if made.ndim != 2:
            raise ValueError(f"a matrix needs rows and columns; found an array of shape {made.shape}")
        return BallMatrix(arb_mat(*made.shape, made.reshape(-1).tolist()))

    def sigmoid(self, v: Array) -> Array:
        return self._sigmoid(v)

    def power(self, a: Any, exponent: Fraction) -> Array:
        exponent = Fraction(exponent)
        if exponent < 0:
            return _divide(ONE, self.power(a, -exponent))
        base = self.array(a)
        if exponent.denominator == 2:
            base = self.sqrt(base)
        elif exponent.denominator > 2:
            base = each(lambda b: b.nonnegative_part().root(exponent.denominator) if not b < 0 else NAN)(base)
        return self.array(integer_power(base, exponent.numerator, each(lambda b: ONE if b.is_finite() else NAN)(base)))

    def minimum(self, a: Any, b: Any) -> Array:
        return self.array(_minimum(a, b))

    def maximum(self, a: Any, b: Any) -> Array:
        return self.array(_maximum(a, b))

    def choose(self, condition: Any, a: Any, b: Any) -> Array:
        return _chosen(condition, a, b)

    def cummin(self, a: Any, carry: Any = None) -> Array:
        return self._scan(_minimum, a, carry)

    def cummax(self, a: Any, carry: Any = None) -> Array:
        return self._scan(_maximum, a, carry)

    def compare(self, a: Any, b: Any) -> Orders:
        return np.asarray(_orders(a, b), dtype=np.int8)

    def divide(self, a: Any, b: Any) -> Array:
        return _divide(a, b)

    def normsq(self, v: Array) -> Any:
        """A sum of squares is not negative, whatever a product of balls about 0 says."""
        made = self.array((v * v).sum(-1))
        return each(lambda a: a if a >= 0 else a.nonnegative_part())(made)

    def norm(self, v: Array) -> Any:
        return self.sqrt(self.normsq(v))

    def matvec(self, matrix: BallMatrix, v: Array) -> Array:
        rows, columns = matrix.shape
        if v.shape[-1] != columns:
            raise ValueError(f"a matrix of shape {matrix.shape} does not take vectors of R^{v.shape[-1]}")
        made = np.empty((int(np.prod(v.shape[:-1], dtype=np.int64)), rows), dtype=object)
        for n, vector in enumerate(v.reshape(-1, columns)):
            made[n] = (matrix.mat * arb_mat(columns, 1, vector.tolist())).entries()
        return made.reshape(*v.shape[:-1], rows)

    def middle(self, a: Any) -> Any:
        return np.asarray(each(_float)(a), dtype=np.float64)


def _float(a: Any) -> float:
    return float(a) if a.is_finite() else float("nan")

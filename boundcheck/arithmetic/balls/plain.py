"""The plain namespace of balls: object arrays of python-flint's arb. Every result encloses what the formula says."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from types import TracebackType
from typing import Any

import flint
import numpy as np

from boundcheck.arithmetic.balls import functions as numbers
from boundcheck.arithmetic.balls.functions import NAN, ONE, ZERO, arb, lift
from boundcheck.arithmetic.base import Orders
from boundcheck.arithmetic.computation_lock import LOCK
from boundcheck.arithmetic.plain import Array, Plain, integer_power
from boundcheck.arithmetic.undefined import Undefined

__all__ = ["NAN", "ONE", "ZERO", "BallMatrix", "PlainBall", "Precision", "arb", "arb_mat", "each", "lift", "precision", "wider"]

arb_mat: Any = flint.arb_mat
WORD = 64


def each(function: Callable[..., Any], inputs: int = 1) -> Callable[..., Array]:
    ufunc = np.frompyfunc(function, inputs, 1)
    return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)


_minimum, _maximum = np.frompyfunc(numbers.smaller, 2, 1), np.frompyfunc(numbers.larger, 2, 1)
_orders, _chosen = each(numbers.order, 2), each(numbers.choose, 3)
# a rule may say why a run has no step, and a run that has ended goes on idly with 1
_middles = each(lambda a: a if isinstance(a, Undefined) else lift(a).mid())

_not_negative = each(lambda a: a if a >= 0 else a.nonnegative_part())


def _just_below(a: Any) -> Any:
    """An exact number that is surely less than what a ball encloses, by a few units in its last place; an exact ball itself."""
    if isinstance(a, Undefined):
        return a
    ball = lift(a)
    return ball if ball.is_exact() else (ball - abs(ball) * arb(2) ** (8 - flint.ctx.prec)).lower().mid()


_frozen = each(_just_below)


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


class Precision:
    """A context in which python-flint works with so many bits; it may be entered again while it is open.

    The precision is the process's: other threads wait until it is closed.
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._before: list[int] = []

    def __enter__(self) -> None:
        LOCK.acquire()
        self._before.append(flint.ctx.prec)
        flint.ctx.prec = self.bits

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, where: TracebackType | None) -> None:
        flint.ctx.prec = self._before.pop()
        LOCK.release()


precision = cache(Precision)  # one for each number of bits


_widened = each(lambda a, r: a if r == 0 else a + arb(0, r) if np.isfinite(r) else NAN, 2)


def wider(data: Any, error: Any) -> Any:
    """The same balls, each with so much more radius."""
    error = np.abs(np.asarray(error, dtype=np.float64))
    return data if not np.any(error != 0) else _widened(data, error)


class PlainBall(Plain):
    """Precision is whatever python-flint's context says: enter `working()` first.

    Only numbers that enter have at least `bits` bits anyway: problems keep their constants, whenever these were made.
    """

    encloses = True

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._precision, self._wider = precision(bits), precision(bits + WORD)
        self.lift = self._lift
        self.sqrt = each(numbers.square_root)
        self.exp = each(lambda a: a.exp())
        self.log = each(numbers.logarithm)
        self.softplus = each(numbers.softplus)
        self.softplus_bregman = each(numbers.bregman, 2)
        self._sigmoid = each(numbers.sigmoid)

    def working(self) -> Precision:
        return self._precision

    def running(self) -> Precision:
        """One word more: rounding a point is then no part of what is known of the next one."""
        return self._wider

    @property
    def precision(self) -> int:
        """The bits that results have here and now."""
        return max(self.bits, int(flint.ctx.prec))

    def _lift(self, value: Any) -> Any:
        if type(value) is arb:
            return value
        if not isinstance(value, Fraction | flint.fmpq) or flint.ctx.prec >= self.bits:
            return lift(value)
        with self._precision:
            return lift(value)

    def bare(self, a: Any) -> Array:
        return self.array(a)

    def scalars(self, values: Any, error: Any = 0.0) -> Array:
        return np.asarray(wider(self._lifted(values), error), dtype=object)

    def _lifted(self, values: Any) -> Array:
        """Balls, each lifted unless it is one; what stands there often, such as 0, once."""
        given = np.asarray(values, dtype=object)
        flat = given.reshape(-1).tolist()
        kinds = set(map(type, flat))
        if kinds == {arb}:
            return given.copy()
        if kinds not in ({int}, {float}):
            return super().scalars(given)
        known = {value: lift(value) for value in set(flat)}
        made = np.empty(given.shape, dtype=object)
        made.reshape(-1)[:] = [known[value] for value in flat]
        return made

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> Array:
        """Each coordinate moves by at most the radius."""
        return self.enlarge(self._lifted(coordinates), radius)

    def enlarge(self, v: Array, radius: Any) -> Array:
        """One ball about 0 for each point, added to its coordinates."""
        radii = np.abs(np.asarray(radius, dtype=np.float64))
        if not np.any(radii != 0):
            return v
        shape = (*np.broadcast_shapes(v.shape[:-1], radii.shape), v.shape[-1])
        made = np.empty(shape, dtype=object)
        flat, each = made.reshape(-1, shape[-1]), np.broadcast_to(radii, shape[:-1]).reshape(-1).tolist()
        for n, (row, r) in enumerate(zip(np.broadcast_to(v, shape).reshape(flat.shape).tolist(), each, strict=True)):
            about = arb(0, r) if math.isfinite(r) else NAN
            flat[n] = [a + about for a in row] if r else row
        return made

    def stored(self, a: Any) -> Any:
        """The middles, exactly: a run goes on from these."""
        given = np.asarray(a, dtype=object)
        balls = given.reshape(-1).tolist()
        if set(map(type, balls)) != {arb}:
            return _middles(a)
        made = np.empty(given.shape, dtype=object)
        made.reshape(-1)[:] = [ball.mid() for ball in balls]
        return made

    def frozen(self, steps: Any) -> Any:
        """Numbers just below, exactly: a rule that says 1/L then takes steps that are surely less than 1/L.

        Below by units of the last of `bits` bits, whatever the context says: columns have no more, and must see it.
        """
        with self._precision:
            return _frozen(steps)

    def moved_by(self, steps: Any, frozen: Any) -> float:
        pairs = zip(self.array(steps).reshape(-1), self.array(frozen).reshape(-1), strict=True)
        moved = [abs((lift(a) - b) / b) for a, b in pairs if isinstance(b, arb) and b > 0 and not isinstance(a, Undefined)]
        return max((float(m.upper()) * (1 + 2.0**-50) for m in moved if not m.is_zero()), default=0.0)

    def matrix(self, rows: Any) -> Any:
        if isinstance(rows, BallMatrix):
            return rows
        made = self.scalars(rows)
        if made.ndim != 2:
            raise ValueError(f"a matrix needs rows and columns; found an array of shape {made.shape}")
        return BallMatrix(arb_mat(*made.shape, made.reshape(-1).tolist()))

    def sigmoid(self, v: Array) -> Array:
        return self._sigmoid(v)

    def softplus_sum(self, v: Array) -> Any:
        rows = v.reshape(-1, v.shape[-1])
        made = np.empty(len(rows), dtype=object)
        made[:] = [numbers.softplus_sum(row.tolist()) for row in rows]
        return made.reshape(v.shape[:-1])

    def power(self, a: Any, exponent: Fraction) -> Array:
        exponent = Fraction(exponent)
        if exponent < 0:
            return self.divide(ONE, self.power(a, -exponent))
        base = self.array(a)
        if exponent.denominator == 2:
            base = self.sqrt(base)
        elif exponent.denominator > 2:
            base = each(lambda b: numbers.nth_root(b, exponent.denominator))(base)
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
        return np.asarray(np.true_divide(a, b), dtype=object)

    def normsq(self, v: Array) -> Any:
        """A sum of squares is not negative, whatever a product of balls about 0 says."""
        return _not_negative(self.array((v * v).sum(-1)))

    def norm(self, v: Array) -> Any:
        return self.sqrt(self.normsq(v))

    def matvec(self, matrix: Any, v: Array) -> Array:
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

"""The plain namespace: the formulas of an arithmetic on bare NumPy arrays, without error bounds. Methods run on it.

Scalars are arrays of the stack's shape, vectors are arrays of shape stack + (d,). A constant that is no integer and no float
must enter by `scalar`: NumPy would turn `array * Fraction(1, 3)` into something else. Slice a stack from
the front: `v[..., 1:]` on a bare array would cut coordinates.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Exact, Order, Orders, Truth

Array = NDArray[Any]


class PlainMatrix:
    """A constant matrix, with its transpose stored contiguously: `v @ columns` is one BLAS call for a whole stack."""

    __slots__ = ("_transpose", "columns", "rows")

    def __init__(self, rows: Array, transpose: PlainMatrix | None = None) -> None:
        self.rows = np.ascontiguousarray(rows)
        self.columns = self.rows.T
        self._transpose = transpose

    @property
    def T(self) -> PlainMatrix:
        if self._transpose is None:
            self._transpose = PlainMatrix(self.rows.T, self)
        return self._transpose

    @property
    def shape(self) -> tuple[int, int]:
        return (self.rows.shape[0], self.rows.shape[1])


class Plain:
    """What float64 and object arrays share. A subclass says how numbers are made and has the elementary functions."""

    dtype: Any = object
    encloses = False  # are results enclosures of the formulas, or only near to them?
    lift: Callable[[Exact], Any]
    exp: Callable[[Any], Any]
    log: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]
    softplus: Callable[[Any], Any]
    softplus_bregman: Callable[[Any, Any], Any]

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalar(self, value: Exact) -> Any:
        return self.array(self.lift(value))

    def array(self, values: Any) -> Array:
        """The values as an array of this dtype, without conversion of the elements."""
        return np.asarray(values, dtype=self.dtype)

    def scalars(self, values: Any, error: Any = 0.0) -> Array:
        given = np.asarray(values, dtype=object)
        made = np.empty(given.shape, dtype=self.dtype)
        made.reshape(-1)[:] = [self.lift(value) for value in given.reshape(-1)]
        return made

    def vector(self, coordinates: Sequence[Exact]) -> Array:
        return self.scalars(list(coordinates))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> Array:
        return self.scalars(coordinates)

    def matrix(self, rows: Any) -> PlainMatrix:
        if isinstance(rows, PlainMatrix):
            return rows
        made = self.scalars(rows)
        if made.ndim != 2:
            raise ValueError(f"a matrix needs rows and columns; found an array of shape {made.shape}")
        return PlainMatrix(made)

    def stored(self, a: Any) -> Any:
        """What a run keeps of computed points: one number each, which is then taken as exact."""
        return a

    def frozen(self, steps: Any) -> Any:
        """What a run keeps of the steps that a rule chose: less than the rule's formula, where that is only enclosed."""
        return steps

    def moved_by(self, steps: Any, frozen: Any) -> float:
        """How far freezing moved the steps, relatively: an upper bound."""
        return 0.0

    # -- scalars -------------------------------------------------------------------------------------------------
    def abs(self, a: Any) -> Any:
        return np.abs(a)

    def power(self, a: Any, exponent: Fraction) -> Any:
        """a to a rational power: products where the exponent is an integer, square roots where it is half of one."""
        exponent = Fraction(exponent)
        if exponent < 0:
            return self.scalar(1) / self.power(a, -exponent)
        if exponent.denominator == 1:
            return integer_power(a, exponent.numerator, self.array(a) * 0 + self.lift(1))
        if exponent.denominator == 2:
            return self.power(self.sqrt(a), 2 * exponent)
        return self.exp(self.lift(exponent) * self.log(a))

    def minimum(self, a: Any, b: Any) -> Any:
        return np.minimum(a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        return np.maximum(a, b)

    def choose(self, condition: Any, a: Any, b: Any) -> Any:
        return np.where(np.asarray(condition) == Truth.YES, a, b)

    def compare(self, a: Any, b: Any) -> Orders:
        """How the computed numbers compare, for a method's own decisions. It proves nothing."""
        a, b = self.array(a), self.array(b)
        order = np.full(np.broadcast_shapes(a.shape, b.shape), Order.UNKNOWN, dtype=np.int8)
        order[np.asarray(a < b, dtype=bool)] = Order.LESS
        order[np.asarray(a == b, dtype=bool)] = Order.EQUAL
        order[np.asarray(a > b, dtype=bool)] = Order.GREATER
        return order

    def concatenate(self, parts: Sequence[Any]) -> Array:
        return np.concatenate(parts, axis=-1)

    # -- scans ---------------------------------------------------------------------------------------------------
    def cumsum(self, a: Any, carry: Any = None) -> Array:
        return self._scan(np.add, a, carry)

    def cumprod(self, a: Any, carry: Any = None) -> Array:
        return self._scan(np.multiply, a, carry)

    def cummin(self, a: Any, carry: Any = None) -> Array:
        return self._scan(np.minimum, a, carry)

    def cummax(self, a: Any, carry: Any = None) -> Array:
        return self._scan(np.maximum, a, carry)

    def _scan(self, step: np.ufunc, a: Any, carry: Any) -> Array:
        if carry is None:
            return np.asarray(step.accumulate(a, axis=-1))
        return np.asarray(step.accumulate(np.concatenate([carry, a], axis=-1), axis=-1)[..., 1:])

    def recurrence(self, a: Any, b: Any, carry: Any) -> Array:
        """s_n = a_n s_{n-1} + b_n, one step after another."""
        shape = np.broadcast_shapes(np.shape(a), np.shape(b))
        a, b = np.broadcast_to(a, shape), np.broadcast_to(b, shape)
        made = np.empty(shape, dtype=self.dtype)
        last = carry[..., 0]
        for n in range(shape[-1]):
            last = a[..., n] * last + b[..., n]
            made[..., n] = last
        return made

    # -- vectors -------------------------------------------------------------------------------------------------
    def scale(self, s: Any, v: Array) -> Array:
        if isinstance(s, np.ndarray) and s.ndim:
            return np.asarray(s[..., None] * v)
        return np.asarray(s * v)

    def hadamard(self, u: Array, v: Array) -> Array:
        return np.asarray(u * v)

    def dot(self, u: Array, v: Array) -> Any:
        return (u * v).sum(-1)

    def normsq(self, v: Array) -> Any:
        return self.dot(v, v)

    def norm(self, v: Array) -> Any:
        return self.sqrt(self.dot(v, v))

    def matvec(self, matrix: PlainMatrix, v: Array) -> Array:
        if v.ndim == 1:
            return np.asarray(matrix.rows @ v)
        if v.ndim == 2 and v.shape[0] == 1:  # one vector: a matrix-vector product reads the matrix once, in order
            return np.asarray((matrix.rows @ v[0])[None])
        return np.asarray(v @ matrix.columns)

    def coordinate(self, v: Array, j: int) -> Any:
        return v[..., j]

    def from_coordinates(self, coordinates: Sequence[Any]) -> Array:
        return np.stack(np.broadcast_arrays(*coordinates), axis=-1)

    def sigmoid(self, v: Array) -> Array:
        return np.asarray(1 / (1 + self.exp(-v)))

    def softplus_sum(self, v: Array) -> Any:
        return self.softplus(v).sum(-1)

    def softplus_bregman_sum(self, v: Array, d: Array) -> Any:
        return self.softplus_bregman(v, d).sum(-1)

    def cumsum_vectors(self, v: Array, carry: Any = None) -> Array:
        if carry is None:
            return np.asarray(np.add.accumulate(v, axis=-2))
        return np.asarray(np.add.accumulate(np.concatenate([carry, v], axis=-2), axis=-2)[..., 1:, :])

    def concatenate_vectors(self, parts: Sequence[Array]) -> Array:
        return np.concatenate(parts, axis=-2)

    def observed(self, plain: Array, formula: Array) -> Array:
        return plain

    def enlarge(self, v: Array, radius: Any) -> Array:
        return v

    def radius(self, v: Array) -> Array:
        return np.zeros(v.shape[:-1])

    # -- looking -------------------------------------------------------------------------------------------------
    def middle(self, a: Any) -> Any:
        return np.asarray(a, dtype=np.float64)

    def error(self, a: Any) -> Any:
        return np.zeros(np.shape(a))

    def text(self, a: Any) -> str:
        return str(np.asarray(a)[()])

    def reason(self, a: Any) -> str | None:
        return None


def integer_power(a: Any, n: int, one: Any) -> Any:
    """a to the power n >= 0 by repeated squaring, for anything that multiplies."""
    result, square = None, a
    while n:
        if n & 1:
            result = square if result is None else result * square
        n >>= 1
        if n:
            square = square * square
    return one if result is None else result


def _nearest_float(value: Any) -> float:
    """The float64 next to an exact number; infinite where it is beyond them all, and a run with it has left them."""
    try:
        return builtins.float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


class PlainFloat64(Plain):
    """float64. Products of a stack with a matrix are one BLAS call; elementary functions are NumPy's."""

    dtype = np.float64
    lift = staticmethod(_nearest_float)

    @lru_cache(maxsize=1024)  # noqa: B019 (one plain float64 namespace lives as long as the program)
    def scalar(self, value: Exact) -> Any:
        return np.float64(_nearest_float(value))

    def scalars(self, values: Any, error: Any = 0.0) -> Array:
        try:
            return np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            return super().scalars(values)

    def dot(self, u: Array, v: Array) -> Any:
        return u @ v if u.ndim == 1 and v.ndim == 1 else np.einsum("...i,...i->...", u, v)

    def exp(self, a: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.exp(a)

    def log(self, a: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.log(a)

    def sqrt(self, a: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.sqrt(a)

    def sigmoid(self, v: Array) -> Array:
        made = np.negative(v)
        with np.errstate(over="ignore"):  # exp(-v) = inf gives 0, which is right
            np.exp(made, out=made)
        made += 1.0
        return np.asarray(np.reciprocal(made, out=made))

    def softplus(self, v: Array) -> Array:
        from boundcheck.arithmetic.softplus import softplus

        return softplus(np.asarray(v))

    def softplus_bregman(self, v: Array, d: Array) -> Array:
        from boundcheck.arithmetic.softplus import bregman

        return bregman(v, d)[0]


FLOAT64 = PlainFloat64()

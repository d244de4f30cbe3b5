"""Exact rationals (python-flint's fmpq). A decided comparison is a proof, and equalities can be proved.

What is not rational (sqrt 2) or not defined (1/0) becomes `Undefined`, which remembers why and compares UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NoReturn

import flint  # type: ignore[import-untyped]
import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Exact, Floats, NotInThisArithmetic, Order, Orders, Truth
from boundcheck.arithmetic.exact import ExactMatrix, ExactScalars, ExactVectors
from boundcheck.arithmetic.plain import Array, Plain, PlainMatrix, integer_power
from boundcheck.arithmetic.undefined import Undefined

fmpq, fmpz = flint.fmpq, flint.fmpz


def lift(value: Any) -> Any:
    """The rational that an exact number names: a float is the dyadic that it stores. NaN and infinity are undefined."""
    if isinstance(value, fmpq | Undefined):
        return value
    if isinstance(value, int | np.integer | fmpz):
        return fmpq(int(value))
    if isinstance(value, float | np.floating):
        if not np.isfinite(value):
            return Undefined(f"{float(value)} is not a number")
        numerator, denominator = float(value).as_integer_ratio()
        return fmpq(numerator, denominator)
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    raise TypeError(f"rationals are made of int, float and Fraction; found {type(value).__name__}")


def quotient(a: Any, b: Any) -> Any:
    """a / b, undefined for b = 0."""
    if isinstance(a, Undefined):
        return a
    return Undefined("division by zero") if not isinstance(b, Undefined) and b == 0 else a / b


def root(a: Any, degree: int) -> Any:
    """The real root a^(1/degree) where it is rational."""
    if isinstance(a, Undefined):
        return a
    name = "sqrt" if degree == 2 else f"root {degree}"
    if a < 0:
        return Undefined(f"{name} of the negative number {a}")
    numerator, denominator = a.p.root(degree), a.q.root(degree)
    exact = numerator**degree == a.p and denominator**degree == a.q
    return fmpq(numerator, denominator) if exact else Undefined(f"{name}({a}) is not rational")


def _only(name: str, argument: int, value: int) -> Callable[[Any], Any]:
    """exp and log have one rational value at a rational argument: exp 0 = 1 and log 1 = 0."""

    def function(a: Any) -> Any:
        if isinstance(a, Undefined):
            return a
        return fmpq(value) if a == argument else _missing(name)

    return function


def _missing(name: str) -> NoReturn:
    raise NotInThisArithmetic(f"rational arithmetic has no {name}; use --arithmetic float64 or mp:50")


def _smaller(a: Any, b: Any) -> Any:
    return a if isinstance(a, Undefined) else b if isinstance(b, Undefined) else min(a, b)


def _larger(a: Any, b: Any) -> Any:
    return a if isinstance(a, Undefined) else b if isinstance(b, Undefined) else max(a, b)


def _float(a: Any) -> float:
    if isinstance(a, Undefined):
        return float("nan")
    try:
        return int(a.p) / int(a.q)
    except OverflowError:
        return float("inf") if a > 0 else -float("inf")


def _order(a: Any, b: Any) -> int:
    if isinstance(a, Undefined) or isinstance(b, Undefined):
        return Order.UNKNOWN
    return Order.LESS if a < b else Order.GREATER if a > b else Order.EQUAL


def _each(function: Callable[..., Any], inputs: int = 1) -> Callable[..., Array]:
    ufunc = np.frompyfunc(function, inputs, 1)
    return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)


_divide, _minimum, _maximum = _each(quotient, 2), np.frompyfunc(_smaller, 2, 1), np.frompyfunc(_larger, 2, 1)


class PlainRational(Plain):
    """Object arrays of fmpq. A division by zero raises, as in Python; the checked namespace marks it instead."""

    def __init__(self) -> None:
        self.lift = lift
        self.sqrt = _each(lambda a: root(a, 2))
        self.exp = _each(_only("exp", 0, 1))
        self.log = _each(_only("log", 1, 0))
        self.softplus = _each(lambda a: _missing("softplus"))
        self.softplus_bregman = _each(lambda v, d: fmpq(0) if d == 0 else _missing("softplus"), 2)

    def sigmoid(self, v: Array) -> Array:
        return _each(lambda a: fmpq(1, 2) if a == 0 else _missing("sigmoid"))(v)

    def power(self, a: Any, exponent: Fraction) -> Array:
        exponent = Fraction(exponent)
        if exponent < 0:
            return _divide(fmpq(1), self.power(a, -exponent))
        base = self.array(a)
        if exponent.denominator != 1:
            base = _each(lambda entry: root(entry, exponent.denominator))(base)
        ones = _each(lambda entry: entry if isinstance(entry, Undefined) else fmpq(1))(base)
        return self.array(integer_power(base, exponent.numerator, ones))

    def minimum(self, a: Any, b: Any) -> Array:
        return self.array(_minimum(a, b))

    def maximum(self, a: Any, b: Any) -> Array:
        return self.array(_maximum(a, b))

    def cummin(self, a: Any, carry: Any = None) -> Array:
        return self._scan(_minimum, a, carry)

    def cummax(self, a: Any, carry: Any = None) -> Array:
        return self._scan(_maximum, a, carry)

    def compare(self, a: Any, b: Any) -> Orders:
        return np.asarray(_each(_order, 2)(a, b), dtype=np.int8)

    def middle(self, a: Any) -> Any:
        return np.asarray(_each(_float)(a), dtype=np.float64)

    def divide(self, a: Any, b: Any) -> Array:
        return _divide(a, b)


def _choose(truth: int, a: Any, b: Any) -> Any:
    """Exact arithmetic has no hull: an unknown condition leaves a number only if both are the same."""
    if truth == Truth.UNKNOWN:
        same = not isinstance(a, Undefined) and not isinstance(b, Undefined) and a == b
        return a if same else Undefined("a condition that is not decided")
    return a if truth == Truth.YES else b


class Rational(Arithmetic):
    """Every operation is the plain one, wrapped so that results have no truth value and no order."""

    name = "rational"
    certified = True
    exact = True

    def __init__(self) -> None:
        self.plain: PlainRational = PlainRational()

    def __repr__(self) -> str:
        return "arithmetic('rational')"

    def _bare(self, a: Any) -> Array:
        return a.data if isinstance(a, ExactScalars) else self.plain.scalars(a)

    def _wrap(self, data: Any) -> ExactScalars:
        return ExactScalars(self.plain, data)

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalar(self, value: Exact) -> ExactScalars:
        return self._wrap(lift(value))

    def scalars(self, values: Any, error: Any = 0.0) -> ExactScalars:
        _needs_no_error(error, "scalars")
        return self._wrap(self._bare(values))

    def vector(self, coordinates: Sequence[Exact]) -> ExactVectors:
        return ExactVectors(self.plain.vector(coordinates))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> ExactVectors:
        _needs_no_error(radius, "vectors")
        return ExactVectors(self.plain.vectors(coordinates))

    def matrix(self, rows: Any) -> ExactMatrix:
        return rows if isinstance(rows, ExactMatrix | PlainMatrix) else self.plain.matrix(rows)

    # -- scalars -------------------------------------------------------------------------------------------------
    def abs(self, a: Any) -> ExactScalars:
        return self._wrap(np.abs(self._bare(a)))

    def sqrt(self, a: Any) -> ExactScalars:
        return self._wrap(self.plain.sqrt(self._bare(a)))

    def exp(self, a: Any) -> ExactScalars:
        return self._wrap(self.plain.exp(self._bare(a)))

    def log(self, a: Any) -> ExactScalars:
        return self._wrap(self.plain.log(self._bare(a)))

    def power(self, a: Any, exponent: Fraction) -> ExactScalars:
        return self._wrap(self.plain.power(self._bare(a), exponent))

    def minimum(self, a: Any, b: Any) -> ExactScalars:
        return self._wrap(self.plain.minimum(self._bare(a), self._bare(b)))

    def maximum(self, a: Any, b: Any) -> ExactScalars:
        return self._wrap(self.plain.maximum(self._bare(a), self._bare(b)))

    def choose(self, condition: Any, a: Any, b: Any) -> ExactScalars:
        return self._wrap(_each(_choose, 3)(np.asarray(condition), self._bare(a), self._bare(b)))

    def compare(self, a: Any, b: Any) -> Orders:
        return self.plain.compare(self._bare(a), self._bare(b))

    def concatenate(self, parts: Sequence[Any]) -> ExactScalars:
        return self._wrap(self.plain.concatenate([self._bare(part) for part in parts]))

    # -- scans ---------------------------------------------------------------------------------------------------
    def _carry(self, carry: Any) -> Any:
        return None if carry is None else self._bare(carry)

    def cumsum(self, a: Any, carry: Any = None) -> ExactScalars:
        return self._wrap(self.plain.cumsum(self._bare(a), self._carry(carry)))

    def cumprod(self, a: Any, carry: Any = None) -> ExactScalars:
        return self._wrap(self.plain.cumprod(self._bare(a), self._carry(carry)))

    def cummin(self, a: Any, carry: Any = None) -> ExactScalars:
        return self._wrap(self.plain.cummin(self._bare(a), self._carry(carry)))

    def cummax(self, a: Any, carry: Any = None) -> ExactScalars:
        return self._wrap(self.plain.cummax(self._bare(a), self._carry(carry)))

    def recurrence(self, a: Any, b: Any, carry: Any) -> ExactScalars:
        return self._wrap(self.plain.recurrence(self._bare(a), self._bare(b), self._bare(carry)))

    # -- vectors -------------------------------------------------------------------------------------------------
    def scale(self, s: Any, v: ExactVectors) -> ExactVectors:
        return ExactVectors(self.plain.scale(self._bare(s), v.data))

    def dot(self, u: ExactVectors, v: ExactVectors) -> ExactScalars:
        return self._wrap(self.plain.dot(u.data, v.data))

    def normsq(self, v: ExactVectors) -> ExactScalars:
        return self.dot(v, v)

    def norm(self, v: ExactVectors) -> ExactScalars:
        return self.sqrt(self.dot(v, v))

    def matvec(self, matrix: ExactMatrix, v: ExactVectors) -> ExactVectors:
        return ExactVectors(self.plain.matvec(matrix, v.data))

    def coordinate(self, v: ExactVectors, j: int) -> ExactScalars:
        return self._wrap(v.data[..., j])

    def from_coordinates(self, coordinates: Sequence[Any]) -> ExactVectors:
        return ExactVectors(self.plain.from_coordinates([self._bare(part) for part in coordinates]))

    def sigmoid(self, v: ExactVectors) -> ExactVectors:
        return ExactVectors(self.plain.sigmoid(v.data))

    def softplus_sum(self, v: ExactVectors) -> ExactScalars:
        return self._wrap(self.plain.softplus_sum(v.data))

    def softplus_bregman_sum(self, v: ExactVectors, d: ExactVectors) -> ExactScalars:
        return self._wrap(self.plain.softplus_bregman_sum(v.data, d.data))

    def cumsum_vectors(self, v: ExactVectors, carry: ExactVectors | None = None) -> ExactVectors:
        return ExactVectors(self.plain.cumsum_vectors(v.data, None if carry is None else carry.data))

    def concatenate_vectors(self, parts: Sequence[ExactVectors]) -> ExactVectors:
        return ExactVectors(self.plain.concatenate_vectors([part.data for part in parts]))

    def observed(self, plain: Any, formula: ExactVectors) -> ExactVectors:
        """An exact run computes the formula itself."""
        return ExactVectors(self.plain.vectors(plain))

    def enlarge(self, v: ExactVectors, radius: Any) -> ExactVectors:
        _needs_no_error(radius, "vectors")
        return v

    def radius(self, v: ExactVectors) -> Floats:
        return np.zeros(v.shape)

    # -- looking -------------------------------------------------------------------------------------------------
    def middle(self, a: Any) -> Floats:
        return np.asarray(self.plain.middle(self._bare(a)))

    def error(self, a: Any) -> Floats:
        undefined = _each(lambda entry: isinstance(entry, Undefined))(self._bare(a)).astype(bool)
        return np.where(undefined, np.inf, 0.0)

    def text(self, a: Any) -> str:
        return str(self._bare(a)[()])

    def reason(self, a: Any) -> str | None:
        return next((entry.reason for entry in self._bare(a).reshape(-1) if isinstance(entry, Undefined)), None)


def _needs_no_error(error: Any, what: str) -> None:
    if np.any(np.asarray(error) != 0):
        raise NotInThisArithmetic(f"rational arithmetic holds exact {what}; found an error of {np.max(error)}, needs 0: use float64 or mp:50")

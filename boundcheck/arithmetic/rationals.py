"""Exact rationals (python-flint's fmpq): a decided comparison is a proof, and equalities can be proved."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, NoReturn

import flint
import numpy as np

from boundcheck.arithmetic.base import Floats, NotInThisArithmetic, Order, Orders, Truth
from boundcheck.arithmetic.plain import Array, Plain, integer_power
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.arithmetic.wrapped_numbers import WrappedScalars, WrappedVectors, WrappingArithmetic

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
        return fmpq(value) if a == argument else Undefined(f"{name}({a}) is not rational")

    return function


def _missing(name: str) -> NoReturn:
    raise NotInThisArithmetic(f"rational arithmetic has no {name}; use --arithmetic auto or ball:256")


def _smaller(a: Any, b: Any) -> Any:
    return a if isinstance(a, Undefined) else b if isinstance(b, Undefined) else min(lift(a), lift(b))


def _larger(a: Any, b: Any) -> Any:
    return a if isinstance(a, Undefined) else b if isinstance(b, Undefined) else max(lift(a), lift(b))


def _choose(truth: int, a: Any, b: Any) -> Any:
    """Exact arithmetic has no hull: an unknown condition leaves a number only if both are the same."""
    if truth == Truth.UNKNOWN:
        same = not isinstance(a, Undefined) and not isinstance(b, Undefined) and a == b
        return a if same else Undefined("a condition that is not decided")
    return a if truth == Truth.YES else b


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


def each(function: Callable[..., Any], inputs: int = 1) -> Callable[..., Array]:
    ufunc = np.frompyfunc(function, inputs, 1)
    return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)


_divide, _minimum, _maximum = each(quotient, 2), np.frompyfunc(_smaller, 2, 1), np.frompyfunc(_larger, 2, 1)
_chosen = each(_choose, 3)


class PlainRational(Plain):
    """Object arrays of fmpq. A division by zero raises, as in Python; the checked namespace marks it instead."""

    def __init__(self) -> None:
        self.lift = lift
        self.sqrt = each(lambda a: root(a, 2))
        self.exp = each(_only("exp", 0, 1))
        self.log = each(_only("log", 1, 0))
        self.softplus = each(lambda a: _missing("softplus"))
        self.softplus_bregman = each(lambda v, d: fmpq(0) if d == 0 else _missing("softplus"), 2)

    def sigmoid(self, v: Array) -> Array:
        return each(lambda a: fmpq(1, 2) if a == 0 else _missing("sigmoid"))(v)

    def power(self, a: Any, exponent: Fraction) -> Array:
        exponent = Fraction(exponent)
        if exponent < 0:
            return _divide(fmpq(1), self.power(a, -exponent))
        base = self.array(a)
        if exponent.denominator != 1:
            base = each(lambda entry: root(entry, exponent.denominator))(base)
        ones = each(lambda entry: entry if isinstance(entry, Undefined) else fmpq(1))(base)
        return self.array(integer_power(base, exponent.numerator, ones))

    def minimum(self, a: Any, b: Any) -> Array:
        return self.array(_minimum(a, b))

    def maximum(self, a: Any, b: Any) -> Array:
        return self.array(_maximum(a, b))

    def cummin(self, a: Any, carry: Any = None) -> Array:
        return self._scan(_minimum, a, carry)

    def cummax(self, a: Any, carry: Any = None) -> Array:
        return self._scan(_maximum, a, carry)

    def choose(self, condition: Any, a: Any, b: Any) -> Array:
        return self.array(_chosen(condition, a, b))

    def compare(self, a: Any, b: Any) -> Orders:
        return np.asarray(each(_order, 2)(a, b), dtype=np.int8)

    def middle(self, a: Any) -> Any:
        return np.asarray(each(_float)(a), dtype=np.float64)

    def divide(self, a: Any, b: Any) -> Array:
        return _divide(a, b)


class Rational(WrappingArithmetic):
    """Every operation is exact."""

    name = "rational"
    certified = True
    exact = True

    def __init__(self) -> None:
        self.plain: PlainRational = PlainRational()

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalars(self, values: Any, error: Any = 0.0) -> WrappedScalars:
        _needs_no_error(error, "scalars")
        return WrappedScalars(self, self.bare(values))

    def undefined(self, shape: tuple[int, ...], reason: str) -> WrappedScalars:
        made = np.empty(shape, dtype=object)
        made.reshape(-1)[:] = [Undefined(reason)] * made.size
        return WrappedScalars(self, made)

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> WrappedVectors:
        _needs_no_error(radius, "vectors")
        return WrappedVectors(self, self.plain.vectors(coordinates))

    def observed(self, plain: Any, formula: WrappedVectors) -> WrappedVectors:
        """An exact run computes the formula itself."""
        return self.vectors(plain)

    def enlarge(self, v: WrappedVectors, radius: Any) -> WrappedVectors:
        _needs_no_error(radius, "vectors")
        return v

    def radius(self, v: WrappedVectors) -> Floats:
        return np.zeros(v.shape)

    def apart(self, v: WrappedVectors, stored: Any) -> Floats:
        return np.zeros(v.shape)

    # -- looking -------------------------------------------------------------------------------------------------
    def middle(self, a: Any) -> Floats:
        return np.asarray(self.plain.middle(self.bare(a)))

    def error(self, a: Any) -> Floats:
        undefined = each(lambda entry: isinstance(entry, Undefined))(self.bare(a)).astype(bool)
        return np.where(undefined, np.inf, 0.0)

    def text(self, a: Any) -> str:
        """The fraction itself, or its leading digits where it is too long to read."""
        number = self.bare(a)[()]
        written = str(number)
        if isinstance(number, Undefined) or len(written) <= LONGEST:
            return written
        return f"{_leading(number)} (a fraction of {len(written)} digits)"

    def reason(self, a: Any) -> str | None:
        return next((entry.reason for entry in self.bare(a).reshape(-1) if isinstance(entry, Undefined)), None)


def _leading(number: Any) -> str:
    """Twelve digits, also of a number that no float64 comes near."""
    bits = abs(int(number.p).bit_length() - int(number.q).bit_length())
    if bits < 1000:
        return f"{int(number.p) / int(number.q):.12g}"
    with localcontext() as context:
        context.prec = 12
        return f"{Decimal(int(number.p)) / Decimal(int(number.q)):.11e}"


LONGEST = 60  # characters of a fraction that people are shown whole


def _needs_no_error(error: Any, what: str) -> None:
    if np.any(np.asarray(error) != 0):
        found = np.max(np.abs(error))
        raise NotInThisArithmetic(f"rational arithmetic has exact {what}; found an error of {found}, needs 0: use mp:50")

"""mpmath at any number of digits, with running error bounds. For long runs and cross-checks: numerical, never a certificate.

Each arithmetic has its own mpmath context, so its precision is nobody else's. Its numbers have no smallest or largest size;
radii are float64, so a middle beyond 1e308 has an infinite radius, and radii below 2^-1000 are rounded up to that.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from boundcheck.arithmetic.base import Exact, Floats
from boundcheck.arithmetic.bounded.arithmetic import BoundedArithmetic
from boundcheck.arithmetic.bounded.storage import FLOOR, Format, Mids
from boundcheck.arithmetic.plain import Array, Plain


class PlainHighPrecision(Plain):
    """Object arrays of mpf. Undefined results are NaN, as in float64."""

    def __init__(self, context: Any) -> None:
        self.context = context

        def each(function: Callable[..., Any], inputs: int = 1) -> Callable[..., Array]:
            ufunc = np.frompyfunc(function, inputs, 1)
            return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)

        def real(function: Callable[[Any], Any], domain: Callable[[Any], bool]) -> Callable[[Any], Any]:
            return lambda x: function(x) if domain(x) else context.nan

        self.exp = each(lambda x: context.nan if context.isnan(x) else context.exp(x))
        self.sqrt = each(real(context.sqrt, lambda x: x >= 0))
        self.log = each(real(context.log, lambda x: x > 0))
        self.softplus = each(lambda x: context.nan if context.isnan(x) else max(x, 0) + context.log1p(context.exp(-abs(x))))
        self.softplus_bregman = each(self._bregman, 2)

    def lift(self, value: Any) -> Any:
        if isinstance(value, self.context.mpf):
            return value
        if isinstance(value, np.integer):
            value = int(value)
        if isinstance(value, Fraction):
            return self._quotient(value)
        return self.context.mpf(value)

    def _quotient(self, value: Fraction) -> Any:
        """Numerator and denominator may be longer than the precision: divide them with enough bits, then round."""
        with self.context.workprec(max(self.context.prec, value.numerator.bit_length(), value.denominator.bit_length()) + 8):
            made = self.context.mpf(value.numerator) / value.denominator
        return +made

    def middle(self, a: Any) -> Any:
        return np.asarray(np.frompyfunc(float, 1, 1)(a), dtype=np.float64)

    def _bregman(self, v: Any, d: Any) -> Any:
        """log(1 + p (e^d - 1)) - p d at v <= 0, with as many more bits as the leading terms cancel."""
        context = self.context
        if not (context.isfinite(v) and context.isfinite(d)):
            return context.nan
        if d == 0:
            return context.zero
        if v > 0:
            v, d = -v, -d
        tiny = -int(context.mag(d))
        with context.workprec(context.prec + max(0, min(tiny, context.prec)) + 24):
            tail = context.exp(v)
            p = tail / (1 + tail)
            if tiny > context.prec:  # the next term of the series is smaller by |d|
                made = p * d * d / (2 * (1 + tail))
            elif d > 30:
                made = context.log1p(context.exp(v + d)) - context.log1p(tail) - p * d
            else:
                made = context.log1p(p * context.expm1(d)) - p * d
        return max(+made, context.zero)


class HighPrecisionFormat(Format):
    """Middles are mpf with a mantissa of `prec` bits; u = 2^-prec."""

    def __init__(self, digits: int) -> None:
        self.context = mpmath.MPContext()
        self.context.dps = digits
        self.u = 2.0 ** -min(self.context.prec, 1000)
        self.plain = PlainHighPrecision(self.context)
        self._float = np.frompyfunc(float, 1, 1)

    def lift(self, value: Exact) -> tuple[Any, float]:
        mid = self.plain.lift(value)
        if not self.context.isfinite(mid):
            return mid, float("inf")
        if isinstance(value, self.context.mpf):
            return mid, 0.0
        exact = Fraction(int(value)) if isinstance(value, np.integer) else Fraction(value)
        if _fraction(mid) == exact:
            return mid, 0.0
        return mid, float(self.size(mid)) * self.u * 2 + FLOOR

    def floats(self, mids: Any) -> Floats:
        with np.errstate(invalid="ignore"):  # NaN becomes NaN
            return np.asarray(self._float(mids), dtype=np.float64)

    def size(self, mids: Any) -> Floats:
        sizes = np.abs(self.floats(mids)) * (1 + 2.0**-50)
        nonzero = np.asarray(mids != 0, dtype=bool)
        return np.asarray(np.where(nonzero, sizes + FLOOR, 0.0))

    def bregman(self, v: Mids, d: Mids) -> tuple[Mids, Floats]:
        made = self.plain.softplus_bregman(v, d)
        return made, np.asarray(64 * self.u * self.size(made) + FLOOR * np.asarray(d != 0, dtype=bool))

    def scan(self, a: Mids, b: Mids, carry: Mids) -> Mids:
        return self.plain.recurrence(a, b, carry)


def _fraction(mid: Any) -> Fraction:
    sign, mantissa, exponent, _ = mid._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return Fraction(-value if sign else value)


class HighPrecision(BoundedArithmetic):
    """mpf middles at `digits` digits, float64 radii."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        format = HighPrecisionFormat(digits)
        self._context = format.context
        super().__init__(f"mp:{digits}", format)

    def _digits(self, mid: Any) -> str:
        return str(self._context.nstr(mid, self.digits))

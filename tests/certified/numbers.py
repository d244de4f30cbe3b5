"""Numbers of 1300 bits: what the truth is computed with. They have no error bounds and take no part in the framework's own.

A number is the midpoint of a flint `arb`; comparisons are of midpoints, so that each has one answer. A test says that mpmath,
which shares no code with flint, gives the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from boundcheck.arithmetic.base import Order
from boundcheck.arithmetic.plain import Plain

BITS = 1300


@contextmanager
def working(bits: int = BITS) -> Iterator[None]:
    """flint's precision is global: set it, and put it back."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def number(value: Any) -> Any:
    if isinstance(value, arb):
        return value.mid()
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator)).mid()
    return arb(int(value) if isinstance(value, int | np.integer) else float(value))


def fraction(value: Any) -> Fraction:
    """The exact value of a number."""
    mantissa, exponent = value.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def power(base: Any, exponent: Fraction) -> Any:
    return base.sqrt().mid() if exponent == Fraction(1, 2) else (base.log() * number(exponent)).exp().mid()


def _each(function: Callable[..., Any], inputs: int = 1) -> Callable[..., Any]:
    ufunc = np.frompyfunc(function, inputs, 1)
    return lambda *arrays: np.asarray(ufunc(*arrays), dtype=object)


def _softplus(x: Any) -> Any:
    return ((x if x.mid() > 0 else arb(0)) + (-abs(x)).exp().log1p()).mid()


class Numbers(Plain):
    """The namespace in which a problem's formulas for f and its gradient are read. There are no others here."""

    lift = staticmethod(number)
    exp = staticmethod(_each(lambda x: x.exp().mid()))
    log = staticmethod(_each(lambda x: x.log().mid()))
    sqrt = staticmethod(_each(lambda x: x.sqrt().mid()))
    softplus = staticmethod(_each(_softplus))
    minimum = staticmethod(_each(lambda a, b: a if a.mid() <= b.mid() else b, 2))
    maximum = staticmethod(_each(lambda a, b: a if a.mid() >= b.mid() else b, 2))

    def compare(self, a: Any, b: Any) -> Any:
        def order(u: Any, v: Any) -> int:
            u, v = u.mid(), v.mid()
            return int(Order.LESS if u < v else Order.EQUAL if u == v else Order.GREATER)

        return np.asarray(np.frompyfunc(order, 2, 1)(self.array(a), self.array(b)), dtype=np.int8)


NUMBERS = Numbers()


def settled(v: Any) -> Any:
    """A vector with the midpoint of each coordinate."""
    return np.array([number(c) for c in v], dtype=object)

"""Functions of single balls (python-flint's arb). Every result encloses what the formula says; what may be undefined is NaN.

arb has traps: `max`, sorting and conversion to float look at middles only, `arb(0, 1)**2` is NaN, `bool(arb(0))` is True. So here
comparisons are the certain ones, squares are products, and a root is taken of the part that is not negative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import truediv
from typing import Any

import flint
import numpy as np

from boundcheck.arithmetic.base import Order, Truth
from boundcheck.arithmetic.computation_lock import LOCK

arb, fmpq, fmpz = flint.arb, flint.fmpq, flint.fmpz
NAN = arb.nan()
ZERO, ONE = arb(0), arb(1)


def lift(value: Any) -> Any:
    """The ball of an exact number: a float is the dyadic that it stores; a fraction is rounded, and its ball says how far."""
    kind = type(value)
    if kind is arb:
        return value
    if kind is float or kind is np.float64:
        return arb(float(value)) if math.isfinite(value) else NAN
    if kind is int:
        return arb(value)
    if isinstance(value, float | np.floating):
        return lift(float(value))
    if isinstance(value, int | np.integer | fmpz):
        return arb(int(value))
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    if isinstance(value, fmpq):
        return arb(value)
    raise TypeError(f"balls are made of int, float and Fraction; found {type(value).__name__}")


def square_root(a: Any) -> Any:
    """Over the part that is not negative; wholly negative is undefined."""
    return a.sqrt() if a >= 0 else a.nonnegative_part().sqrt() if a.is_finite() and not a < 0 else NAN


def logarithm(a: Any) -> Any:
    return a.log() if a > 0 else NAN


def _rising(function: Callable[[Any], Any], a: Any) -> Any:
    """The values of a function that never falls: the hull of those at the two ends."""
    return function(a.lower()).union(function(a.upper())) if a.is_finite() else NAN


def softplus(a: Any) -> Any:
    """log(1 + e^a), without overflow and without loss for large or small a. Either form is right for every a."""
    made = a.exp().log1p() if a <= ZERO else a + (-a).exp().log1p()
    return made if made.is_finite() or a.is_exact() else _rising(softplus, a)


def softplus_sum(balls: Sequence[Any]) -> Any:
    """The sum of log(1 + e^a): one logarithm of the product of all 1 + e^a, where these are narrow and not too far out."""
    made = math.prod(list(map(ONE.__add__, map(arb.exp, balls))), start=ONE).log()
    return made if made > SMALL_SUM and made.rel_accuracy_bits() > NARROW else _careful_sum(balls)


def _careful_sum(balls: Sequence[Any]) -> Any:
    """The same, which is the sum of the positive a, and one logarithm of the product of all 1 + e^-|a|."""
    product, positive = ONE, ZERO
    for a in balls:
        if a <= ZERO:
            product = product * (ONE + a.exp())
        else:
            positive = positive + a
            product = product * (ONE + (-a).exp())
    made = positive + product.log()
    if made > SMALL_SUM:
        return made
    return sum((softplus(a) for a in balls), ZERO)  # near 1 a logarithm loses digits; and balls that are very wide


def softplus_and_slopes(balls: Sequence[Any], *, narrow: bool = False) -> tuple[Any, list[Any]]:
    """The sum of log(1 + e^a) and each 1 / (1 + e^-a), with one exponential for both. Slopes of very wide balls may be NaN.

    Narrow balls need no look at their signs: e^a / (1 + e^a) has its relative error, whatever a is.
    """
    if narrow:
        tails = list(map(arb.exp, balls))
        wholes = list(map(ONE.__add__, tails))
        made = math.prod(wholes, start=ONE).log()
        if made > SMALL_SUM and made.rel_accuracy_bits() > NARROW:
            return made, list(map(truediv, tails, wholes))
    product, positive, slopes = ONE, ZERO, []
    for a in balls:
        if a <= ZERO:
            tail = a.exp()
            whole = ONE + tail
            slopes.append(tail / whole)
        else:
            positive = positive + a
            whole = ONE + (-a).exp()
            slopes.append(ONE / whole)
        product = product * whole
    made = positive + product.log()
    if not made > SMALL_SUM:
        made = sum((softplus(a) for a in balls), ZERO)
    return made, slopes


SMALL_SUM = arb(2) ** -16
NARROW = 30  # bits


def sigmoid(a: Any) -> Any:
    """A ball so wide, or so far out, that e^-a is no use has its values between those at the ends."""
    made = ONE / (ONE + (-a).exp())
    return made if made.is_finite() else _rising(_sigmoid_at, a)


def _sigmoid_at(a: Any) -> Any:
    tail = (-abs(a)).exp()
    return (ONE if a >= 0 else tail) / (ONE + tail)


def nth_root(a: Any, degree: int) -> Any:
    """Over the part that is not negative, like the square root."""
    if a > 0 or a.is_zero():
        return a.root(degree)
    return ZERO.union(a.upper().root(degree)) if a.is_finite() and not a < 0 else NAN


def bregman(v: Any, d: Any) -> Any:
    """s(v + d) - s(v) - s'(v) d for s = log(1 + exp): at the middles, with as many more bits as cancel, and what radii add.

    Its derivative in d is s'(v + d) - s'(v), at most |d| / 4; in v it is at most |d|^2 / 20, since |s'''| < 1/10.
    """
    if not (v.is_finite() and d.is_finite()):
        return NAN
    if d.is_zero():
        return ZERO
    made = _bregman_at(v.mid(), d.mid())
    if d.is_exact() and v.is_exact():
        return made
    reach = d.abs_upper()
    spread = d.rad() * reach / 4 + v.rad() * reach * reach / 20
    made = made + arb(0, spread.abs_upper())
    return made if made >= 0 else made.nonnegative_part()


def _bregman_at(v: Any, d: Any) -> Any:
    """log(1 + p (e^d - 1)) - p d for p = s'(v), after a reflection to v <= 0: s(x) = x + s(-x)."""
    bits, context = flint.ctx.prec, flint.ctx
    if d == 0:
        return ZERO
    lost = -_magnitude(d)
    if v > 0:
        v, d = v.neg(exact=True), d.neg(exact=True)  # they may have more bits than there are now
    if lost > bits:  # s''(u) d^2 / 2 for some u between v and v + d
        tail = (-abs(v + arb(0, d.abs_upper()))).exp()
        return d * d * tail / (2 * (ONE + tail) * (ONE + tail))
    LOCK.acquire()
    context.prec = bits + max(lost, 0) + 16
    try:
        tail = v.exp()
        p = tail / (ONE + tail)
        far = d > 30  # there e^d is large, and p (e^d - 1) may be too
        made = ((v + d).exp().log1p() - tail.log1p() if far else (p * d.expm1()).log1p()) - p * d
    finally:
        context.prec = bits
        LOCK.release()
    return +made if made > 0 else made.nonnegative_part()


def _magnitude(a: Any) -> int:
    """About log2 |a|, of an exact ball that is not 0."""
    mantissa, exponent = a.man_exp()
    return int(exponent) + int(mantissa).bit_length()


def smaller(a: Any, b: Any) -> Any:
    a, b = lift(a), lift(b)
    return a.min(b) if a.is_finite() and b.is_finite() else NAN


def larger(a: Any, b: Any) -> Any:
    a, b = lift(a), lift(b)
    return a.max(b) if a.is_finite() and b.is_finite() else NAN


def choose(truth: int, a: Any, b: Any) -> Any:
    a, b = lift(a), lift(b)
    return a.union(b) if truth == Truth.UNKNOWN else a if truth == Truth.YES else b


def order(a: Any, b: Any) -> int:
    a, b = lift(a), lift(b)
    if a < b:
        return LESS if a.is_finite() and b.is_finite() else UNKNOWN
    if a > b:
        return GREATER if a.is_finite() and b.is_finite() else UNKNOWN
    return EQUAL if a == b and a.is_finite() else UNKNOWN  # == holds for two exact equal numbers only


LESS, EQUAL, GREATER, UNKNOWN = Order.LESS, Order.EQUAL, Order.GREATER, Order.UNKNOWN

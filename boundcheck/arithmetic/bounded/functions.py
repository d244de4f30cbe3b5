"""Functions of enclosed scalars, each with the inequality that bounds its error, and the comparison."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic import compiled
from boundcheck.arithmetic.base import Order, Orders, Truth
from boundcheck.arithmetic.bounded.scalars import BoundedScalars
from boundcheck.arithmetic.bounded.storage import DEFLATE, FLOOR, INFLATE, LARGEST, finished, floor_where
from boundcheck.arithmetic.plain import integer_power


def sqrt(a: BoundedScalars) -> BoundedScalars:
    """|sqrt x - sqrt m| <= |x - m| / (sqrt x + sqrt m), and <= sqrt |x - m|.

    Where the enclosure reaches below 0 this is the root over its nonnegative part; wholly negative is undefined.
    """
    format = a.format
    with np.errstate(all="ignore"):
        middle = np.minimum(format.floats(a.mid), LARGEST)
        negative = np.asarray(a.mid < 0, dtype=bool)
        safe = np.where(negative, format.plain.lift(0), a.mid) if negative.any() else a.mid
        root = format.plain.sqrt(safe)
        least = np.sqrt(np.maximum((middle * DEFLATE - a.rad) * DEFLATE, 0.0)) + np.sqrt(np.maximum(middle, 0.0))
        spread = np.fmin(a.rad / (least * DEFLATE), np.sqrt(a.rad) * INFLATE)
        size = format.size(root)
        radius = spread + format.u * size + floor_where(size + a.rad)
        undefined = negative & ~((np.abs(middle) * DEFLATE <= a.rad) & np.isfinite(a.rad))
        return BoundedScalars(format, root, finished(np.where(undefined, np.inf, radius)))


def exp(a: BoundedScalars) -> BoundedScalars:
    """|e^x - e^m| <= e^m (e^r - 1)."""
    with np.errstate(all="ignore"):
        mid = a.format.plain.exp(a.mid)
        size = a.format.size(mid) + FLOOR
        # expm1 is within 8 of float64's own units, e^m within 8 u
        return BoundedScalars(a.format, mid, finished(size * (np.expm1(a.rad) * INFLATE + 8 * a.format.u) + FLOOR))


def log(a: BoundedScalars) -> BoundedScalars:
    """|log x - log m| <= r / (m - r). Undefined where the enclosure touches 0."""
    format = a.format
    with np.errstate(all="ignore"):
        least = (np.minimum(format.floats(a.mid), LARGEST) * DEFLATE - a.rad) * DEFLATE
        safe = least > 0
        mid = format.plain.log(a.mid if safe.all() else np.where(safe, a.mid, format.plain.lift(1)))
        size = format.size(mid)
        radius = a.rad / least + 8 * format.u * size + floor_where(a.rad + size)
        return BoundedScalars(format, mid, finished(np.where(safe, radius, np.inf)))


def power(a: BoundedScalars, exponent: Fraction) -> BoundedScalars:
    """a to a rational power: products, then square roots, then exp(exponent log a), which needs a > 0."""
    exponent = Fraction(exponent)
    one = BoundedScalars.of(a.format, 1)
    if exponent < 0:
        return one / power(a, -exponent)
    if exponent.denominator == 1:
        ones = BoundedScalars(a.format, one.mid, np.where(np.isfinite(a.rad), 0.0, np.inf))  # no number has no powers
        made: BoundedScalars = integer_power(a, exponent.numerator, ones)
        return made
    if exponent.denominator == 2:
        return power(sqrt(a), 2 * exponent)
    zero = np.asarray(a.mid == 0, dtype=bool) & (a.rad == 0)
    return choose(np.where(zero, Truth.YES, Truth.NO).astype(np.int8), a, exp(log(a) * exponent))


def compare(a: BoundedScalars, b: BoundedScalars) -> Orders:
    """LESS and GREATER only where the enclosures are apart, EQUAL only for two exact equal numbers."""
    format = a.format
    floats = a.mid.dtype == np.float64 and b.mid.dtype == np.float64
    if floats and a.mid.shape == b.mid.shape and (kernels := compiled.for_size(a.mid.size)) is not None:
        made = np.empty(a.mid.shape, dtype=np.int8)
        kernels.compare(*a.flat(), *b.flat(), made.reshape(-1))
        return made
    with np.errstate(all="ignore"):
        difference = np.asarray(b.mid - a.mid)
        radius = (a.rad + b.rad) * INFLATE
        apart = np.abs(format.floats(difference)) * DEFLATE > radius
        exact = np.asarray(radius == 0)
        known = np.asarray(apart | exact)
        order = np.full(known.shape, Order.UNKNOWN, dtype=np.int8)
        order[known & np.asarray(difference > 0, dtype=bool)] = Order.LESS
        order[known & np.asarray(difference < 0, dtype=bool)] = Order.GREATER
        order[exact & np.asarray(difference == 0, dtype=bool)] = Order.EQUAL
        return order


def minimum(a: BoundedScalars, b: BoundedScalars, pick: Any = np.minimum, less: int = Order.LESS) -> BoundedScalars:
    """min moves by at most the larger of the two errors; where one is surely smaller, it is that one."""
    order = compare(a, b)
    with np.errstate(all="ignore"):
        mid = pick(a.mid, b.mid)
        # min(NaN, m) may be m in some formats: an undefined operand makes the result undefined
        radius = np.where(order == less, a.rad, np.where(order == -less, b.rad, np.maximum(a.rad, b.rad)))
        return BoundedScalars(a.format, mid, radius)


def maximum(a: BoundedScalars, b: BoundedScalars) -> BoundedScalars:
    return minimum(a, b, np.maximum, Order.GREATER)


def choose(condition: Any, a: BoundedScalars, b: BoundedScalars) -> BoundedScalars:
    """Where the condition is UNKNOWN: the ball around the middle of the two middles that holds both balls."""
    truth = np.asarray(condition)
    format = a.format
    with np.errstate(all="ignore"):
        mid = np.where(truth == Truth.YES, a.mid, b.mid)
        radius = np.where(truth == Truth.YES, a.rad, b.rad)
        unknown = truth == Truth.UNKNOWN
        if np.any(unknown):
            half = np.asarray((a.mid + b.mid) / 2)
            reach = np.maximum(format.size(half - a.mid) + a.rad, format.size(half - b.mid) + b.rad)
            # the two differences round relatively by u (float64: no underflow in a subtraction)
            reach = finished(reach * (1 + 4 * format.u))
            mid, radius = np.where(unknown, half, mid), np.where(unknown, reach, radius)
        return BoundedScalars(format, mid, radius)

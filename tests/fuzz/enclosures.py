"""Real numbers as plain fractions, or between two fractions where a root or a logarithm is not rational.

Nothing of boundcheck is used. A comparison that two enclosures leave open raises `Unknown`: it is not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

BITS = 200  # of a root or a logarithm, relative to it
ZERO, ONE = Fraction(0), Fraction(1)


class Undefined(Exception):
    """The formula has no value here; the message says why."""


class Unknown(Exception):
    """The enclosures are too wide to tell."""


@dataclass(frozen=True)
class Between:
    """A real number from `low` to `high`."""

    low: Fraction
    high: Fraction


Real = Any  # Fraction | Between
inexact = [0]  # how many roots and logarithms were not rational so far


def ends(a: Real) -> tuple[Fraction, Fraction]:
    return (a.low, a.high) if isinstance(a, Between) else (a, a)


def between(low: Fraction, high: Fraction) -> Real:
    return low if low == high else Between(low, high)


def add(a: Real, b: Real) -> Real:
    if type(a) is Fraction and type(b) is Fraction:
        return a + b
    (p, q), (r, s) = ends(a), ends(b)
    return _short(p + r, q + s)


def neg(a: Real) -> Real:
    return -a if type(a) is Fraction else Between(-a.high, -a.low)


def sub(a: Real, b: Real) -> Real:
    if type(a) is Fraction and type(b) is Fraction:
        return a - b
    return add(a, neg(b))


def mul(a: Real, b: Real) -> Real:
    if type(a) is Fraction and type(b) is Fraction:
        return a * b
    products = [u * v for u in ends(a) for v in ends(b)]
    return _short(min(products), max(products))


def div(a: Real, b: Real) -> Real:
    if type(b) is Fraction:
        if b == 0:
            raise Undefined("division by 0")
        return a / b if type(a) is Fraction else mul(a, 1 / b)
    if b.low <= 0 <= b.high:
        raise Unknown("a divisor that may be 0")
    return mul(a, Between(1 / b.high, 1 / b.low))


def absolute(a: Real) -> Real:
    if type(a) is Fraction:
        return abs(a)
    if a.low >= 0:
        return a
    return neg(a) if a.high <= 0 else Between(ZERO, max(-a.low, a.high))


def largest(values: list[Real]) -> Real:
    if not values:
        raise Undefined("the largest of nothing")
    pairs = [ends(v) for v in values]
    return between(max(p for p, _ in pairs), max(q for _, q in pairs))


def smallest(values: list[Real]) -> Real:
    if not values:
        raise Undefined("the smallest of nothing")
    pairs = [ends(v) for v in values]
    return between(min(p for p, _ in pairs), min(q for _, q in pairs))


def order(a: Real, b: Real) -> int:
    """-1, 0 or 1 as a is less than, equal to or greater than b."""
    (p, q), (r, s) = ends(a), ends(b)
    if q < r:
        return -1
    if s < p:
        return 1
    if p == q == r == s:
        return 0
    raise Unknown("two enclosures that overlap")


def holds(op: str, a: Real, b: Real) -> bool:
    (p, q), (r, s) = ends(a), ends(b)
    if op == "<=" and q <= r:
        return True
    if op == ">=" and p >= s:
        return True
    if op == "<" and p >= s:
        return False
    if op == ">" and q <= r:
        return False
    found = order(a, b)
    return {"<": found < 0, "<=": found <= 0, "==": found == 0, ">=": found >= 0, ">": found > 0}[op]


def power(base: Real, exponent: Fraction) -> Real:
    p, q = exponent.numerator, exponent.denominator
    if q > 1:
        base = root(base, q)
    if p < 0:
        return power(div(ONE, base), Fraction(-p))
    if type(base) is Fraction:
        return base**p
    if p == 0:
        return ONE
    low, high = base.low**p, base.high**p
    if p % 2 == 0 and base.low < 0 < base.high:
        return Between(ZERO, max(low, high))
    return _short(min(low, high), max(low, high))


def root(a: Real, q: int) -> Real:
    low, high = ends(a)
    if high < 0:
        raise Undefined("a root of a negative number")
    if low < 0:
        raise Unknown("a root of a number that may be negative")
    found = between(_root(low, q)[0], _root(high, q)[1])
    inexact[0] += isinstance(found, Between)
    return found


def _root(a: Fraction, q: int) -> tuple[Fraction, Fraction]:
    """The q-th root between two fractions, equal where it is rational."""
    if a == 0:
        return ZERO, ZERO
    n, d = a.numerator, a.denominator
    above, below = whole_root(n, q), whole_root(d, q)
    if above**q == n and below**q == d:
        exact = Fraction(above, below)
        return exact, exact
    shift = max(0, BITS + (d.bit_length() - n.bit_length()) // q + 2)
    found = whole_root((n << (q * shift)) // d, q)
    return Fraction(found, 1 << shift), Fraction(found + 1, 1 << shift)


def whole_root(n: int, q: int) -> int:
    """The largest whole number whose q-th power is at most n."""
    if q == 2:
        return isqrt(n)
    low, high = 0, 1 << (n.bit_length() // q + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**q <= n else (low, middle - 1)
    return low


def log(a: Real) -> Real:
    low, high = ends(a)
    if high <= 0:
        raise Undefined("a logarithm of 0 or less")
    if low <= 0:
        raise Unknown("a logarithm of a number that may be 0 or less")
    if low == high == 1:
        return ZERO
    inexact[0] += 1
    return Between(_log(low)[0], _log(high)[1])


def _log(a: Fraction) -> tuple[Fraction, Fraction]:
    """2 artanh((m - 1) / (m + 1)) for m between 1/2 and 2, and a multiple of log 2."""
    shift = a.numerator.bit_length() - a.denominator.bit_length()
    low, high = _artanh(a / Fraction(2) ** shift)
    two_low, two_high = _artanh(Fraction(2))
    if shift < 0:
        two_low, two_high = two_high, two_low
    return low + shift * two_low, high + shift * two_high


def _artanh(m: Fraction) -> tuple[Fraction, Fraction]:
    """log m for 1/2 <= m <= 2: |z| <= 1/3, so that n terms leave less than 9^-n."""
    one = 1 << (BITS + 40)
    z = (m - 1) / (m + 1)
    at = z.numerator * one // z.denominator
    square, term, total, count = at * at // one, at, 0, 0
    while count < 100:
        total += term // (2 * count + 1)
        term, count = term * square // one, count + 1
    slack = 1000
    return Fraction(2 * (total - slack), one), Fraction(2 * (total + slack), one)


def _short(low: Fraction, high: Fraction) -> Real:
    """The same enclosure or a slightly wider one whose ends are no longer than they need be."""
    if low == high:
        return low
    bits = BITS + 100
    if low.denominator.bit_length() + abs(low.numerator).bit_length() > 4 * bits:
        low, high = _rounded(low, bits, False), _rounded(high, bits, True)
    return Between(low, high)


def _rounded(a: Fraction, bits: int, up: bool) -> Fraction:
    if a == 0:
        return a
    shift = bits - (abs(a.numerator).bit_length() - a.denominator.bit_length())
    scaled = a * Fraction(2) ** shift
    whole = -((-scaled.numerator) // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return whole / Fraction(2) ** shift

"""Arithmetic: comparisons, powers, extremes, sums and vectors of exact fractions and balls.

A fraction (fmpq) is exact. What is not rational, such as a root or a logarithm, is a ball (arb): a middle and a radius that
enclose the number. All operations of python-flint keep the enclosure, so what is decided for every number of a ball is decided
for the number meant. What is not decided for all of them is refused, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable

from flint import arb, fmpq, fmpz

from .budgets import MOST, Number, Vector, sized
from .refusals import must, need, shown

ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)
OPERATORS = ("<", "<=", "==", ">=", ">")
LONG = 2**13  # bits of a power, beyond which it is enclosed in a ball: along a run of |x|^4 they treble at every step

# -- comparisons --------------------------------------------------------------------------------------------------------------


def holds(op: str, a: Number, b: Number) -> bool:
    """Decide a < b, a <= b, a == b, a >= b or a > b; raise NotRefuted where balls do not decide it.

    flint's comparison of balls is true only where it is true of all numbers in them; two balls are never known to be equal.
    So both the relation and its opposite are asked, and one of them must be true.
    """
    if op == ">":
        return holds("<", b, a)
    if op == ">=":
        return holds("<=", b, a)
    if op == "<":
        yes, no = a < b, a >= b
    elif op == "<=":
        yes, no = a <= b, a > b
    else:
        need(op == "==", f"a relation is one of {' '.join(OPERATORS)}; found {shown(op)}")
        both_exact = isinstance(a, fmpq) and isinstance(b, fmpq)
        yes, no = both_exact and a == b, a != b
    must(yes or no, "two numbers cannot be told apart")
    return bool(yes)


def largest(values: Vector) -> Number:
    """Return the largest number. Of balls that overlap it is an enclosure of the larger one, whichever that is."""
    must(values, "the extreme of no numbers is undefined")
    found = values[0]
    for value in values[1:]:
        if value - found > 0:
            found = value
        elif not found - value >= 0:
            found = (found + value + abs(found - value)) / 2  # max(a, b), for all a and b of the balls
        sized(found)
    return found


def smallest(values: Vector) -> Number:
    """Return the smallest number."""
    return -largest([-value for value in values])


# -- powers -------------------------------------------------------------------------------------------------------------------


def power(base: Number, exponent: fmpq) -> Number:
    """Return base^(p/q), exact where it is rational. What is undefined stays so: an undefined number to the power 0 too."""
    p, q = int(exponent.p), int(exponent.q)
    need(max(abs(p), q) <= MOST, f"the exponent {shown(str(exponent))} is too large; at most {MOST}")
    root = base if q == 1 else _root(base, q)
    if p == 0:
        return root * 0 + 1
    if isinstance(root, fmpq) and root.height_bits() * abs(p) > LONG:
        root = arb(root)
    return root**p


def _root(base: Number, q: int) -> Number:
    """Return the q-th root: a fraction where the base is the q-th power of one, else a ball (nan of a negative number)."""
    if isinstance(base, fmpq) and base >= 0:
        candidate = fmpq(fmpz(base.p).root(q), fmpz(base.q).root(q))  # the roots, rounded down, of numerator and denominator
        if candidate**q == base:
            return candidate
    return arb(base).root(q)


def logarithm(a: Number) -> Number:
    """Return log a, exact at 1; undefined (nan) unless a is known to be positive."""
    return ZERO if isinstance(a, fmpq) and a == 1 else arb(a).log()


def exponential(a: Number) -> Number:
    """Return e^a, exact at 0."""
    return ONE if isinstance(a, fmpq) and a == 0 else arb(a).exp()


# -- sums and vectors ---------------------------------------------------------------------------------------------------------


def total(values: Iterable[Number]) -> Number:
    """Return the sum."""
    found: Number = ZERO
    for value in values:
        found = sized(found + value)
    return found


def product(values: Iterable[Number]) -> Number:
    """Return the product."""
    found: Number = ONE
    for value in values:
        found = sized(found * value)
    return found


def dot(u: Vector, v: Vector) -> Number:
    """Return the inner product."""
    return total(a * b for a, b in zip(u, v, strict=True))


def along(x: Vector, t: Number, d: Vector) -> Vector:
    """Return x + t d."""
    return [sized(a + t * b) for a, b in zip(x, d, strict=True)]


def plus(x: Vector, y: Vector) -> Vector:
    """Return x + y."""
    return along(x, ONE, y)


def minus(x: Vector, y: Vector) -> Vector:
    """Return x - y."""
    return along(x, -ONE, y)


def scaled(t: Number, x: Vector) -> Vector:
    """Return t x."""
    return [sized(t * a) for a in x]


def norm(x: Vector) -> Number:
    """Return the length of a vector: rational where the root is."""
    return power(dot(x, x), HALF)


def definite(matrix: list[Vector], strictly: bool = False) -> bool:
    """Decide whether a symmetric matrix of fractions is positive semidefinite (`strictly`: definite), by elimination.

    With a pivot p > 0 and the rest r of its row, the matrix is so if and only if the rest minus r r' / p is. With a pivot 0 it is
    semidefinite only if r = 0; with a pivot below 0 never.
    """
    while matrix:
        (pivot, *row), *rest = matrix
        is_good = pivot > 0 or (pivot == 0 and not strictly and not any(row))
        if not is_good:
            return False
        matrix = [along(r[1:], -r[0] / pivot if pivot else ZERO, row) for r in rest]
    return True

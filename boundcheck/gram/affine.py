"""Numbers that are affine in a Gram matrix G and in values F of f; vectors are written in the basis that G is of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt, sqrt
from typing import Any

from boundcheck.support.errors import UserError

Number = Fraction | float
Symbol = tuple[Any, ...]  # ("G", i, j) with i <= j, ("F", point), or ("T", n): the least or most of several affine numbers
Combination = Mapping[int, Number]  # a vector: coefficients of the basis
ZERO = Fraction(0)


class NotModelled(UserError):
    """The claim, with these numbers, is not a semidefinite program over a Gram matrix; the message names the piece to blame."""

    piece: str = ""  # the formula to blame, where that is known


@dataclass(frozen=True)
class Affine:
    """The number `constant` plus the sum of `terms`: coefficients of entries of G, of values F and of variables T."""

    constant: Number
    terms: Mapping[Symbol, Number] = field(default_factory=dict)

    @property
    def is_number(self) -> bool:
        return not self.terms

    def plus(self, other: Affine, times: Number = Fraction(1)) -> Affine:
        """Return the sum of this number and `times` the other."""
        if not other.terms:
            return Affine(self.constant + times * other.constant, self.terms)
        terms = dict(self.terms)
        for symbol, c in other.terms.items():
            terms[symbol] = terms.get(symbol, ZERO) + times * c
        return Affine(self.constant + times * other.constant, {s: c for s, c in terms.items() if c})

    def scaled(self, by: Number) -> Affine:
        """Return `by` times this number."""
        return Affine(by * self.constant, {s: by * c for s, c in self.terms.items()} if by else {})

    def put(self, symbol: Symbol, piece: Affine) -> Affine:
        """Return this number with `piece` in the place of a symbol."""
        rest = {s: c for s, c in self.terms.items() if s != symbol}
        return Affine(self.constant, rest).plus(piece, self.terms.get(symbol, ZERO))

    def at(self, values: Mapping[Symbol, Number]) -> Number:
        """Return the value of this number, given those of its symbols."""
        return self.constant + sum((c * values[s] for s, c in self.terms.items()), ZERO)

    def __add__(self, other: Quantity) -> Affine:
        return self.plus(affine(other))

    def __sub__(self, other: Quantity) -> Affine:
        return self.plus(affine(other), Fraction(-1))

    def __neg__(self) -> Affine:
        return self.scaled(Fraction(-1))

    def __mul__(self, other: Quantity) -> Quantity:
        return times(self, other)


@dataclass(frozen=True)
class Root:
    """The number factor * sqrt(square): a norm. It is affine only when it is squared, or compared with another."""

    square: Affine
    factor: Number = Fraction(1)

    def __add__(self, other: Quantity) -> Affine:
        return affine(self).plus(affine(other))

    def __sub__(self, other: Quantity) -> Affine:
        return affine(self).plus(affine(other), Fraction(-1))

    def __neg__(self) -> Root:
        return Root(self.square, -self.factor)

    def __mul__(self, other: Quantity) -> Quantity:
        return times(self, other)


Quantity = Affine | Root


def affine(quantity: Quantity) -> Affine:
    """Return the quantity as an affine number. NotModelled: it is a norm."""
    if isinstance(quantity, Affine):
        return quantity
    raise NotModelled("a norm that is not squared is not affine in the Gram matrix")


def times(a: Quantity, b: Quantity) -> Quantity:
    """Return the product, of which one factor is a number, or both are the same norm."""
    if isinstance(a, Affine) and a.is_number:
        return Root(b.square, a.constant * b.factor) if isinstance(b, Root) else b.scaled(a.constant)
    if isinstance(b, Affine) and b.is_number:
        return times(b, a)
    if isinstance(a, Root) and isinstance(b, Root) and a.square == b.square:
        return a.square.scaled(a.factor * b.factor)
    raise NotModelled("a product of two quantities of the run is not affine in the Gram matrix")


def over(a: Quantity, b: Quantity) -> Quantity:
    """Return the quotient by a number."""
    if isinstance(b, Affine) and b.is_number:
        return times(Affine(1 / b.constant), a)
    raise NotModelled("a quotient by a quantity of the run is not affine in the Gram matrix")


def raised(base: Quantity, exponent: Fraction) -> Quantity:
    """Return the power, which is affine, or a norm."""
    if isinstance(base, Affine) and base.is_number:
        return Affine(number_raised(base.constant, exponent))
    if exponent == 1:
        return base
    if exponent == 2 and isinstance(base, Root):
        return base.square.scaled(base.factor**2)
    if exponent == Fraction(1, 2) and isinstance(base, Affine):
        return Root(base)
    raise NotModelled(f"a quantity of the run to the power {exponent} is not affine in the Gram matrix")


def number_raised(base: Number, exponent: Fraction) -> Number:
    """Return the power of a number: a fraction where it is one."""
    if exponent.denominator == 2 and isinstance(base, Fraction) and base >= 0:
        up, down = isqrt(base.numerator), isqrt(base.denominator)
        exact = up * up == base.numerator and down * down == base.denominator
        return (Fraction(up, down) if exact else sqrt(base)) ** exponent.numerator
    if base < 0 and exponent.denominator > 1:
        raise NotModelled("a root of a negative number")
    return base**exponent.numerator if exponent.denominator == 1 else float(base) ** float(exponent)


def combine(parts: Iterable[tuple[Number, Combination]]) -> dict[int, Number]:
    """Return the sum of vectors, each times its number."""
    made: dict[int, Number] = {}
    for weight, vector in parts:
        for i, c in vector.items():
            made[i] = made.get(i, ZERO) + weight * c
    return {i: c for i, c in sorted(made.items()) if c}


def minus(u: Combination, v: Combination) -> dict[int, Number]:
    """Return the difference of two vectors."""
    return combine([(Fraction(1), u), (Fraction(-1), v)])


def inner(u: Combination, v: Combination) -> Affine:
    """Return the inner product, by entries of the Gram matrix."""
    terms: dict[Symbol, Number] = {}
    for i, a in u.items():
        for j, b in v.items():
            symbol = ("G", min(i, j), max(i, j))
            product = b if a == 1 else a * b
            terms[symbol] = terms[symbol] + product if symbol in terms else product
    return Affine(ZERO, {s: c for s, c in terms.items() if c})


def normsq(u: Combination) -> Affine:
    """Return the squared norm of a vector."""
    return inner(u, u)


def value(point: int) -> Affine:
    """Return the value of f at a point of the data."""
    return Affine(ZERO, {("F", point): Fraction(1)})

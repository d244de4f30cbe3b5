"""Numbers that are affine in a Gram matrix G and in values F of f; vectors are written in the basis that G is of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt, sqrt
from typing import Any

Number = Fraction | float
Symbol = tuple[Any, ...]  # ("G", i, j) with i <= j, ("F", point), or ("T", n): the least or most of several affine numbers
Combination = Mapping[int, Number]  # a vector: coefficients of the basis
ZERO = Fraction(0)


class NotAffine(ValueError):
    """The claim is no semidefinite program: why, in one line."""


@dataclass(frozen=True)
class Affine:
    constant: Number
    terms: Mapping[Symbol, Number] = field(default_factory=dict)

    @property
    def is_number(self) -> bool:
        return not self.terms

    def plus(self, other: Affine, times: Number = Fraction(1)) -> Affine:
        if not other.terms:
            return Affine(self.constant + times * other.constant, self.terms)
        terms = dict(self.terms)
        for symbol, c in other.terms.items():
            terms[symbol] = terms.get(symbol, ZERO) + times * c
        return Affine(self.constant + times * other.constant, {s: c for s, c in terms.items() if c})

    def scaled(self, by: Number) -> Affine:
        return Affine(by * self.constant, {s: by * c for s, c in self.terms.items()} if by else {})

    def put(self, symbol: Symbol, piece: Affine) -> Affine:
        """This with `piece` in the place of a symbol."""
        rest = {s: c for s, c in self.terms.items() if s != symbol}
        return Affine(self.constant, rest).plus(piece, self.terms.get(symbol, ZERO))

    def at(self, values: Mapping[Symbol, Number]) -> Number:
        return self.constant + sum((c * values[s] for s, c in self.terms.items()), ZERO)


@dataclass(frozen=True)
class Root:
    """factor * sqrt(square): a norm. It is affine only when it is squared, or compared with another."""

    square: Affine
    factor: Number = Fraction(1)


Quantity = Affine | Root


def affine(quantity: Any) -> Affine:
    if isinstance(quantity, Affine):
        return quantity
    raise NotAffine("a norm that is not squared is not affine in the Gram matrix")


def times(a: Quantity, b: Quantity) -> Quantity:
    if isinstance(a, Affine) and a.is_number:
        return Root(b.square, a.constant * b.factor) if isinstance(b, Root) else b.scaled(a.constant)
    if isinstance(b, Affine) and b.is_number:
        return times(b, a)
    if isinstance(a, Root) and isinstance(b, Root) and a.square == b.square:
        return a.square.scaled(a.factor * b.factor)
    raise NotAffine("a product of two quantities of the run is not affine in the Gram matrix")


def over(a: Quantity, b: Quantity) -> Quantity:
    if isinstance(b, Affine) and b.is_number:
        return times(Affine(1 / b.constant), a)
    raise NotAffine("a quotient by a quantity of the run is not affine in the Gram matrix")


def raised(base: Quantity, exponent: Fraction) -> Quantity:
    if isinstance(base, Affine) and base.is_number:
        return Affine(number_raised(base.constant, exponent))
    if exponent == 1:
        return base
    if exponent == 2 and isinstance(base, Root):
        return base.square.scaled(base.factor**2)
    if exponent == Fraction(1, 2) and isinstance(base, Affine):
        return Root(base)
    raise NotAffine(f"a quantity of the run to the power {exponent} is not affine in the Gram matrix")


def number_raised(base: Number, exponent: Fraction) -> Number:
    """A fraction where it is one."""
    if exponent.denominator == 2 and isinstance(base, Fraction) and base >= 0:
        up, down = isqrt(base.numerator), isqrt(base.denominator)
        exact = up * up == base.numerator and down * down == base.denominator
        return (Fraction(up, down) if exact else sqrt(base)) ** exponent.numerator
    if base < 0 and exponent.denominator > 1:
        raise NotAffine("a root of a negative number")
    return base**exponent.numerator if exponent.denominator == 1 else float(base) ** float(exponent)


def combine(parts: Iterable[tuple[Number, Combination]]) -> dict[int, Number]:
    made: dict[int, Number] = {}
    for weight, vector in parts:
        for i, c in vector.items():
            made[i] = made.get(i, ZERO) + weight * c
    return {i: c for i, c in sorted(made.items()) if c}


def minus(u: Combination, v: Combination) -> dict[int, Number]:
    return combine([(Fraction(1), u), (Fraction(-1), v)])


def inner(u: Combination, v: Combination) -> Affine:
    terms: dict[Symbol, Number] = {}
    for i, a in u.items():
        for j, b in v.items():
            symbol = ("G", min(i, j), max(i, j))
            terms[symbol] = terms.get(symbol, ZERO) + a * b
    return Affine(ZERO, {s: c for s, c in terms.items() if c})


def normsq(u: Combination) -> Affine:
    return inner(u, u)


def value(point: int) -> Affine:
    return Affine(ZERO, {("F", point): Fraction(1)})


def interpolation(
    points: tuple[Combination, ...], gradients: tuple[Combination, ...], L: Fraction | None, mu: Fraction
) -> list[Affine]:
    """What must be at most 0 for an L-smooth, mu-strongly convex function with these data to exist (L None: any)."""
    found = []
    for i, (x, g) in enumerate(zip(points, gradients, strict=True)):
        for j, (y, h) in enumerate(zip(points, gradients, strict=True)):
            if i != j:
                d, change = minus(x, y), minus(g, h)
                need = value(j).plus(inner(h, d)).plus(value(i), Fraction(-1))
                if L is None:
                    found.append(need.plus(normsq(d), mu / 2))
                    continue
                bent = normsq(change).scaled(1 / L).plus(normsq(d), mu).plus(inner(change, d), -2 * mu / L)
                found.append(need.plus(bent, 1 / (2 * (1 - mu / L))))
    return found


def above_least(gradients: tuple[Combination, ...], L: Fraction | None) -> list[Affine]:
    """What must be at most 0 where the first point is a minimum, whether f is convex or not: f* <= f(x).

    Of an L-smooth f, more: f* <= f(x - grad f(x)/L) <= f(x) - |grad f(x)|^2/(2L).
    """
    least = [value(0).plus(value(n), Fraction(-1)) for n in range(1, len(gradients))]
    if L is None:
        return least
    return [need.plus(normsq(g), 1 / (2 * L)) for need, g in zip(least, gradients[1:], strict=True)]

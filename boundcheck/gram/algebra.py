"""How formulas are computed with affine numbers: the algebra that the reader of claims plugs into the interpreter of formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, log

from boundcheck.gram.affine import (
    ZERO,
    Affine,
    Combination,
    NotModelled,
    Number,
    Quantity,
    affine,
    combine,
    inner,
    normsq,
    over,
    raised,
)
from boundcheck.language.scalars import Div, Exp, Log, Power
from boundcheck.support.errors import UserError

ONE, NEGATIVE = Fraction(1), Fraction(-1)


class Excluded(UserError):
    """These numbers break a hypothesis of the claim: it says nothing here."""


class Undefined(Excluded):
    """A formula of the claim divides by 0, whatever f is: it says nothing here."""


@dataclass
class GramAlgebra:
    """Affine numbers, and norms that are squared or compared later.

    The least or the most of several affine numbers is a symbol ("T", n); `pieces` has for each its sign, 1 for the most, and what
    it is taken of.
    """

    pieces: list[tuple[int, list[Affine]]] = field(default_factory=list)

    def number(self, value: Fraction) -> Quantity:
        return Affine(value)

    def quotient(self, above: Quantity, below: Quantity, node: Div | None = None) -> Quantity:
        return over(above, below)

    def absolute(self, of: Quantity) -> Quantity:
        inside = affine(of)
        return self.extreme([inside, -inside], 1)

    def logarithm(self, of: Quantity, node: Log | None = None) -> Quantity:
        inside = fixed_number(of, "the logarithm of a quantity of the run is not affine in the Gram matrix")
        if inside <= 0:
            raise Excluded("a logarithm of what is not positive")
        return Affine(ZERO if inside == 1 else log(inside))

    def exponential(self, of: Quantity, node: Exp | None = None) -> Quantity:
        inside = fixed_number(of, "the exponential of a quantity of the run is not affine in the Gram matrix")
        return Affine(ONE if inside == 0 else exp(inside))

    def power(self, base: Quantity, node: Power) -> Quantity:
        return raised(base, node.exponent)

    def larger(self, left: Quantity, right: Quantity) -> Quantity:
        return self.extreme([affine(left), affine(right)], 1)

    def smaller(self, left: Quantity, right: Quantity) -> Quantity:
        return self.extreme([affine(left), affine(right)], -1)

    def extreme(self, values: Sequence[Affine], sign: int) -> Affine:
        """Return the most (sign 1) or the least (-1) of these: a number, or a symbol of its own."""
        if not values:
            raise Excluded("the extreme of no numbers")
        if all(v.is_number for v in values):
            return (max if sign > 0 else min)(values, key=lambda v: v.constant)
        self.pieces.append((sign, list(values)))
        return Affine(ZERO, {("T", len(self.pieces) - 1): ONE})

    def scale(self, factor: Quantity, of: Combination) -> Combination:
        return combine([(fixed_number(factor, "a vector is scaled by a quantity of the run"), of)])

    def inner(self, left: Combination, right: Combination) -> Quantity:
        return inner(left, right)

    def norm(self, of: Combination) -> Quantity:
        return raised(normsq(of), Fraction(1, 2))

    def normsq(self, of: Combination) -> Quantity:
        return normsq(of)


def fixed_number(quantity: Quantity, otherwise: str) -> Number:
    """Return the number that a quantity is, whatever f is. NotModelled: it depends on f."""
    if isinstance(quantity, Affine) and quantity.is_number:
        return quantity.constant
    affine(quantity)
    raise NotModelled(otherwise)

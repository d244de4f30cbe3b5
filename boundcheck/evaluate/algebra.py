"""Formulas in one of the arithmetics: numbers and vectors are those of its namespace, a whole series of them at once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Order, Scalars, Truth, Vectors
from boundcheck.language.scalars import Div, Log, Power
from boundcheck.language.signs import is_never_negative


def power(xp: Any, base: Any, node: Power) -> Any:
    """A power of a number, undefined where it is a root and the number may be negative.

    An enclosure of a small negative number reaches above 0, and the root of that part is a number where there is none. So the
    sign is decided first: by comparison, or by the formula itself, as for a norm or for f - f*.
    """
    made = xp.sqrt(base) if node.exponent == Fraction(1, 2) else xp.power(base, node.exponent)
    if node.exponent.denominator == 1 or not isinstance(xp, Arithmetic) or xp.exact or is_never_negative(node.base):
        return made  # exact roots know the sign, and the plain numbers that runs are made of are enclosed later
    orders = xp.compare(base, xp.scalar(0))
    known = (orders == Order.GREATER) | (orders == Order.EQUAL)
    if known.all():
        return made
    there = np.where(known, Truth.YES, Truth.NO).astype(np.int8)
    return xp.choose(there, made, xp.undefined((), "a root of what may be negative"))


class ArithmeticAlgebra:
    """The algebra of an arithmetic, or of the plain numbers that runs are made of: what has no value is undefined there too."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp

    def number(self, value: Fraction) -> Scalars:
        return self.xp.scalar(value)

    def quotient(self, above: Scalars, below: Scalars, node: Div) -> Scalars:
        return above / below

    def logarithm(self, of: Scalars, node: Log) -> Scalars:
        return self.xp.log(of)

    def power(self, base: Scalars, node: Power) -> Scalars:
        return power(self.xp, base, node)

    def absolute(self, of: Scalars) -> Scalars:
        return self.xp.abs(of)

    def larger(self, left: Scalars, right: Scalars) -> Scalars:
        return self.xp.maximum(left, right)

    def smaller(self, left: Scalars, right: Scalars) -> Scalars:
        return self.xp.minimum(left, right)

    def scale(self, factor: Scalars, of: Vectors) -> Vectors:
        return self.xp.scale(factor, of)

    def inner(self, left: Vectors, right: Vectors) -> Scalars:
        return self.xp.dot(left, right)

    def norm(self, of: Vectors) -> Scalars:
        return self.xp.norm(of)

    def normsq(self, of: Vectors) -> Scalars:
        return self.xp.normsq(of)

"""Formulas in one of the arithmetics: numbers and vectors are those of its namespace, a whole series of them at once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Scalars, Vectors
from boundcheck.evaluate.roots import power
from boundcheck.language.scalars import Div, Log, Power


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

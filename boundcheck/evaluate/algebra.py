"""Formulas in one of the arithmetics: their values, their signs, and whether a relation between them holds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Arithmetic, Order, Scalars, Truth, Vectors
from boundcheck.language.chords import DeclaredChord
from boundcheck.language.scalars import (
    Abs,
    Add,
    Chord,
    Constant,
    Div,
    Exp,
    Gap,
    IndexNumber,
    Inner,
    Larger,
    Log,
    Mul,
    Norm,
    Normsq,
    Number,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
    Term,
    Value,
)
from boundcheck.language.vectors import Minimum


def is_never_negative(node: Scalar, *, descent: bool = False, lowest: Mapping[str, int] | None = None) -> bool:
    """Does the formula itself say that it is 0 or more wherever it has a value? False where that is not seen.

    `descent`: of a gradient descent on a convex f, whose steps are positive, and A and mu not negative. `lowest` has the smallest
    value of each letter that is known to have one.
    """
    lowest = lowest or {}
    holds = partial(is_never_negative, descent=descent, lowest=lowest)
    if isinstance(node, Number):
        return node.value >= 0
    if isinstance(node, Abs | Norm | Normsq | Gap | Exp):
        return True
    if isinstance(node, Constant):
        return node.name in ("L", "mu")
    if isinstance(node, Term):
        return descent and node.name == "eta"
    if isinstance(node, Chord):
        return node.kind in ("D", "H") or (descent and node.kind != "M")
    if isinstance(node, DeclaredChord):
        return holds(node.formula)
    if isinstance(node, IndexNumber):
        known = 0 if node.index.letter is None else lowest.get(node.index.letter)
        return known is not None and known + node.index.offset >= 0
    if isinstance(node, Inner):
        return node.left.key == node.right.key
    if isinstance(node, Power):
        return node.exponent.numerator % 2 == 0 or node.exponent.denominator > 1 or holds(node.base)
    if isinstance(node, Mul) and node.left.key == node.right.key:
        return True
    if isinstance(node, Sub):
        if isinstance(node.left, Value) and isinstance(node.right, Value):
            return isinstance(node.right.at, Minimum)  # f(p) - f(x*)
        return isinstance(node.right, Number) and node.right.value <= 0 and holds(node.left)
    if isinstance(node, Add | Mul | Div | Smaller):
        return holds(node.left) and holds(node.right)
    if isinstance(node, Larger):
        return holds(node.left) or holds(node.right)
    if isinstance(node, Reduce):
        inner = {name: low for name, low in lowest.items() if name != node.letter}
        first = 0 if node.low.letter is None else lowest.get(node.low.letter)
        inner |= {} if first is None else {node.letter: first + node.low.offset}
        return is_never_negative(node.body, descent=descent, lowest=inner)
    return False


YES = {
    "<=": (Order.LESS, Order.EQUAL),
    "<": (Order.LESS,),
    "==": (Order.EQUAL,),
    ">=": (Order.GREATER, Order.EQUAL),
    ">": (Order.GREATER,),
}

# for each relation, its truth by order: LESS, EQUAL, GREATER, UNKNOWN
TRUTHS = {
    op: np.array(
        [*(Truth.YES if o in held else Truth.NO for o in (Order.LESS, Order.EQUAL, Order.GREATER)), Truth.UNKNOWN], dtype=np.int8
    )
    for op, held in YES.items()
}
TRUTHS["->"] = np.full(4, Truth.UNKNOWN, dtype=np.int8)  # a limit: no finite run decides it


def truth(orders: NDArray[np.int8], op: str) -> NDArray[np.int8]:
    """Whether a relation holds, from how its sides compare."""
    return TRUTHS[op][orders + 1]


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

    def exponential(self, of: Scalars, node: Exp) -> Scalars:
        return self.xp.exp(of)

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

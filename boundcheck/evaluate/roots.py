"""Roots in formulas: a root is a number only where what is under it is known not to be negative.

An enclosure of a small negative number reaches above 0, and the root of that part is a number where there is none. So the sign
is decided first: by comparison, or by the formula itself, as for a norm or for f - f*.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Order, Truth
from boundcheck.language.scalars import (
    Abs,
    Add,
    Chord,
    Constant,
    Div,
    Gap,
    IndexNumber,
    Inner,
    Larger,
    Mul,
    Norm,
    Normsq,
    Number,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
    Value,
)
from boundcheck.language.vectors import Minimum


def power(xp: Any, base: Any, node: Power) -> Any:
    """A power of a number, undefined where it is a root and the number may be negative."""
    made = xp.sqrt(base) if node.exponent == Fraction(1, 2) else xp.power(base, node.exponent)
    if node.exponent.denominator == 1 or not isinstance(xp, Arithmetic) or xp.exact or never_negative(node.base):
        return made  # exact roots know the sign, and the plain numbers that runs are made of are enclosed later
    orders = xp.compare(base, xp.scalar(0))
    known = (orders == Order.GREATER) | (orders == Order.EQUAL)
    if known.all():
        return made
    there = np.where(known, Truth.YES, Truth.NO).astype(np.int8)
    return xp.choose(there, made, xp.undefined((), "a root of what may be negative"))


def never_negative(node: Scalar) -> bool:
    """Does the formula itself say that it is not negative, whatever the run?"""
    if isinstance(node, Number):
        return node.value >= 0
    if isinstance(node, Abs | Norm | Normsq | Gap):
        return True
    if isinstance(node, Constant):
        return node.name in ("L", "mu")
    if isinstance(node, IndexNumber):
        return node.index.offset >= 0
    if isinstance(node, Inner):
        return node.left.key == node.right.key
    if isinstance(node, Chord):
        return node.kind in ("D", "H")
    if isinstance(node, Power):
        return node.exponent.numerator % 2 == 0 or node.exponent.denominator > 1 or never_negative(node.base)
    if isinstance(node, Mul) and node.left.key == node.right.key:
        return True
    if isinstance(node, Sub):
        if isinstance(node.left, Value) and isinstance(node.right, Value):
            return isinstance(node.right.at, Minimum)  # f(p) - f(x*)
        return isinstance(node.right, Number) and node.right.value <= 0 and never_negative(node.left)
    if isinstance(node, Add | Mul | Div | Smaller):
        return never_negative(node.left) and never_negative(node.right)
    if isinstance(node, Larger):
        return never_negative(node.left) or never_negative(node.right)
    return isinstance(node, Reduce) and never_negative(node.body)

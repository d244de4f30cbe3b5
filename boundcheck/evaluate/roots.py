"""Roots in formulas: a root is a number only where what is under it is known not to be negative.

An enclosure of a small negative number reaches above 0, and the root of that part is a number where there is none. So the sign
is decided first: by comparison, or by the formula itself, as for a norm or for f - f*.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Order, Truth
from boundcheck.language.scalars import Power
from boundcheck.language.signs import is_never_negative


def power(xp: Any, base: Any, node: Power) -> Any:
    """A power of a number, undefined where it is a root and the number may be negative."""
    made = xp.sqrt(base) if node.exponent == Fraction(1, 2) else xp.power(base, node.exponent)
    if node.exponent.denominator == 1 or not isinstance(xp, Arithmetic) or xp.exact or is_never_negative(node.base):
        return made  # exact roots know the sign, and the plain numbers that runs are made of are enclosed later
    orders = xp.compare(base, xp.scalar(0))
    known = (orders == Order.GREATER) | (orders == Order.EQUAL)
    if known.all():
        return made
    there = np.where(known, Truth.YES, Truth.NO).astype(np.int8)
    return xp.choose(there, made, xp.undefined((), "a root of what may be negative"))

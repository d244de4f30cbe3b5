"""Which formulas are never negative, by how they are written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from boundcheck.language.chords import DeclaredChord
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
    if isinstance(node, Abs | Norm | Normsq | Gap):
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

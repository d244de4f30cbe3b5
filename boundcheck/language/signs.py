"""Which formulas are never negative for a convex f, by how they are written."""

from __future__ import annotations

from collections.abc import Mapping

from boundcheck.language.scalars import (
    Abs,
    Add,
    Chord,
    Constant,
    Div,
    Gap,
    IndexNumber,
    Larger,
    Mul,
    Norm,
    Normsq,
    Number,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Term,
)

NEVER_NEGATIVE = (Abs, Norm, Normsq, Gap)


def is_never_negative(node: Scalar, lowest: Mapping[str, int] | None = None) -> bool:
    """Is it plain that a formula is 0 or more wherever it has a value? False where that is not seen.

    Steps are positive. `lowest` has the smallest value of each letter that is known to have one.
    """
    lowest = lowest or {}
    if isinstance(node, NEVER_NEGATIVE):
        return True
    if isinstance(node, Number):
        return node.value >= 0
    if isinstance(node, Term):
        return node.name == "eta"
    if isinstance(node, Chord):
        return node.kind != "M"
    if isinstance(node, Constant):
        return node.name in ("L", "mu")
    if isinstance(node, IndexNumber):
        known = 0 if node.index.letter is None else lowest.get(node.index.letter)
        return known is not None and known + node.index.offset >= 0
    if isinstance(node, Power):
        even = node.exponent.denominator == 1 and node.exponent.numerator % 2 == 0
        return even or node.exponent.denominator % 2 == 0 or is_never_negative(node.base, lowest)
    if isinstance(node, Add | Mul | Div | Smaller):
        return is_never_negative(node.left, lowest) and is_never_negative(node.right, lowest)
    if isinstance(node, Larger):
        return is_never_negative(node.left, lowest) or is_never_negative(node.right, lowest)
    if isinstance(node, Reduce):
        inner = {name: low for name, low in lowest.items() if name != node.letter}
        first = 0 if node.low.letter is None else lowest.get(node.low.letter)
        return is_never_negative(node.body, inner if first is None else {**inner, node.letter: first + node.low.offset})
    return False

"""What a chain of equations that ends in 0 says of each of its formulas: it is 0, and so is every multiple of it."""

from __future__ import annotations

from collections.abc import Sequence

from boundcheck.falsify.mutation.normal import Normal
from boundcheck.falsify.mutation.polynomial import Poly
from boundcheck.language.relations import Relation


def are_zero(goal: Relation, known: Sequence[Relation], normal: Normal) -> bool:
    """Are both sides of the goal numbers times formulas that are 0 by what is known?"""
    zeros = _zeros(known, normal)
    return all(_is_multiple(normal(side), zeros) for side in (goal.left, goal.right))


def _zeros(known: Sequence[Relation], normal: Normal) -> list[Poly]:
    """The formulas that are equal to 0, or to one that is."""
    equations = [(normal(r.left), normal(r.right)) for r in known if r.op == "=="]
    found = [Poly()]
    for _ in equations:  # each round finds one more, or none
        new = [b for pair in equations for a, b in (pair, pair[::-1]) if _is_multiple(a, found) and not _is_multiple(b, found)]
        if not new:
            break
        found += new
    return found


def _is_multiple(poly: Poly, zeros: Sequence[Poly]) -> bool:
    return poly.is_zero or any((ratio := poly.over(zero)) is not None and not ratio[0] for zero in zeros if not zero.is_zero)

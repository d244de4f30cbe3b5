"""Why a mutant that nothing breaks is true: it follows from its claim or from another one, or has nothing to do with f."""

from __future__ import annotations

from collections.abc import Sequence

from boundcheck.bound import Bound
from boundcheck.falsify.implied import implied_by
from boundcheck.falsify.mutants import Mutant
from boundcheck.hypotheses import Declared
from boundcheck.language.relations import links
from boundcheck.language.scalars import Chord, Gap, Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Minimum, Point
from boundcheck.problem import StronglyConvex

OF_F = (Chord, Gap, Grad, Minimum, Point, Value)


def follows_from(bound: Bound, mutant: Mutant, library: Sequence[Bound]) -> str:
    """One line, or "" where nothing is shown. The library's claims are those that are not known to be false."""
    if why := implied_by(bound, mutant):
        return why
    if _has_nothing_to_do_with_f(bound, mutant.bound):
        return "neither the claim nor its hypotheses read f, only steps and letters: what was dropped asks nothing of these"
    for other in library:
        if other.id != bound.id and _is_alike(other, mutant.bound) and (why := implied_by(other, mutant)):
            return f"it follows from {other.id}: {why}"
    return ""


def _has_nothing_to_do_with_f(bound: Bound, mutant: Bound) -> bool:
    """Was a fact about f dropped from a claim that reads nothing of f but L and mu, which convex functions have too?"""
    dropped = [h for h in bound.hypotheses if h not in mutant.hypotheses]
    if len(dropped) != 1 or len(bound.hypotheses) != len(mutant.hypotheses) + 1 or not isinstance(dropped[0], Declared):
        return False
    nodes: list[Node] = [node for tree in mutant.trees for node in tree.walk()]
    return dropped[0].kind is not StronglyConvex and not any(isinstance(node, OF_F) for node in nodes)


def _is_alike(other: Bound, mutant: Bound) -> bool:
    """Worth a look: about the same runs, with one of its sides."""
    if other.is_about_chords != mutant.is_about_chords or other.runs != mutant.runs:
        return False
    sides = {str(side) for link in links(mutant.states) for side in (link.left, link.right)}
    return any(str(side) in sides for link in links(other.states) for side in (link.left, link.right))

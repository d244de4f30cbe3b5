"""An explanation says why a mutant is true: it follows from its claim or from another, or what was dropped is not about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Declared
from boundcheck.language.chords import spelled_out
from boundcheck.language.relations import links
from boundcheck.language.scalars import Chord, Gap, Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Minimum, Point
from boundcheck.model.problem import StronglyConvex
from boundcheck.power.mutants.mutant import Mutant
from boundcheck.power.prover.algebraic_identity import is_identity
from boundcheck.power.prover.implication import kinds_of_M, why_implied_for_kind

OF_F = (Chord, Gap, Grad, Minimum, Point, Value)


def explain_mutant(bound: Bound, mutant: Mutant, library: Sequence[Bound]) -> str:
    """Return one line, or "" where nothing is shown. The library's claims are those that are not known to be false."""
    if _has_nothing_to_do_with_f(bound, mutant.bound):
        return "neither the claim nor its hypotheses read f, only steps and letters: what was dropped asks nothing of these"
    if why := is_identity(bound, mutant.bound):
        return why
    reasons = []
    for kind in kinds_of_M(mutant.bound):
        reason = why_implied_for_kind(bound, mutant.bound, kind) or _from_another(bound, mutant.bound, kind, library)
        if not reason:
            return ""
        reasons.append(reason)
    return "; ".join(dict.fromkeys(reasons))


def _from_another(bound: Bound, mutant: Bound, kind: str, library: Sequence[Bound]) -> str:
    """Return why the mutant is true where M is `kind`, by another claim of the library."""
    sides = _sides(mutant, kind)
    for other in library:
        if other.id != bound.id and other.is_about_chords == mutant.is_about_chords and other.runs == mutant.runs:
            kinds = (kind,) if kind or not other.reads_M else other.smoothness
            if any(not sides.isdisjoint(_sides(other, k)) for k in kinds) and (why := why_implied_for_kind(other, mutant, kind)):
                return f"it follows from {other.id}: {why}"
    return ""


@cache
def _sides(bound: Bound, kind: str) -> frozenset[str]:
    """Return the formulas on both sides of what a claim states, where M is `kind`."""
    chosen = spelled_out(bound.with_M(bound.states, kind))
    return frozenset(str(side) for link in links(chosen) for side in (link.left, link.right))


def _has_nothing_to_do_with_f(bound: Bound, mutant: Bound) -> bool:
    """Return whether a fact about f was dropped from a claim that reads nothing of f but L and mu, which others have too."""
    dropped = [h for h in bound.hypotheses if h not in mutant.hypotheses]
    if len(dropped) != 1 or len(bound.hypotheses) != len(mutant.hypotheses) + 1 or not isinstance(dropped[0], Declared):
        return False
    nodes: list[Node] = [node for tree in mutant.trees for node in tree.walk()]
    return dropped[0].kind is not StronglyConvex and not any(isinstance(node, OF_F) for node in nodes)

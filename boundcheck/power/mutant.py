"""The mutants of a claim are the same claim with one thing changed. A falsifier with any power breaks those that are false.

Of each sort of change at most as many are kept as `KEPT` says, spread over the formula: the first place, the last, then between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from boundcheck.certificates.write import nodes_of
from boundcheck.claims.bound import UNREFUTED, Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, Hypothesis, Once, Runs, hypothesis_json
from boundcheck.claims.parameters import with_ranges
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Div, Mul, Number, Parameter, Scalar, as_scalar, is_zero
from boundcheck.language.tree import IndexRange
from boundcheck.model.problem import Convex, StronglyConvex
from boundcheck.power import mutant_changes as changes
from boundcheck.power.mutant_changes import replace_link

KEPT = {  # sort of change: how many of it
    "scaled": 2,
    "constant": 3,
    "range": 3,
    "index": 3,
    "mean": 2,
    "swap": 2,
    "chord": 2,
    "dropped": 5,
    "weakened": 2,
    "sign": 2,
    "exponent": 2,
}


@dataclass(frozen=True, eq=False)
class Mutant:
    """A claim with one thing changed. `lint`: it is ill formed, so the checker says no before anything runs."""

    bound: Bound
    kind: str
    change: str
    lint: bool


@dataclass(frozen=True, eq=False)
class _Draft:
    kind: str
    change: str
    made: dict[str, Any]  # what the mutant has in place of the original's


def why_none(bound: Bound) -> str:
    """Return why a claim has no mutants; "" where it has some."""
    if bound.untested:
        return f"the claim is not tested: {bound.untested}"
    if any(link.op == "->" for link in links(bound.states)):
        return "the claim is a limit, which no finite run breaks"
    return ""


def mutants(bound: Bound) -> list[Mutant]:
    """Return the claim's mutants, each a claim of its own, in an order that depends on the claim alone."""
    if why_none(bound):
        return []
    was_clean, seen = not _is_ill_formed(bound), {bound.hash}
    found: list[Mutant] = []
    for kind, most in KEPT.items():
        kept = 0
        for draft in _spread_order(list(_drafts(bound, kind))):
            if kept == most:
                break
            made = _build(bound, draft, len(found) + 1)
            if made is None or made.hash in seen:
                continue
            seen.add(made.hash)
            kept += 1
            found.append(Mutant(made, kind, draft.change, was_clean and _is_ill_formed(made)))
    return found


def _is_ill_formed(bound: Bound) -> bool:
    return any(finding.severity == "error" for finding in bound.lint())


def _spread_order(drafts: list[_Draft]) -> list[_Draft]:
    """Return the first draft, the last, the middle one, then the middles of what is left between."""
    order = [0, len(drafts) - 1] if len(drafts) > 1 else [0][: len(drafts)]
    gaps = [(0, len(drafts) - 1)]
    while gaps:
        low, high = gaps.pop(0)
        middle = (low + high) // 2
        if low < middle < high:
            order.append(middle)
            gaps += [(low, middle), (middle, high)]
    return [drafts[n] for n in order]


def _build(bound: Bound, draft: _Draft, number: int) -> Bound | None:
    """Return the mutant as a claim, or None where it is none: an entry before the first is read."""
    named = {"reading": f"{bound.reading}~{number}-{draft.kind}", "title": f"{bound.title} (mutant: {draft.change})"}
    told = {"because": "", "because_of": (), "loose_because": ""}
    try:
        return replace(bound, **{**UNREFUTED, **named, **told, **draft.made})
    except (ValueError, TypeError):
        return None


def _drafts(bound: Bound, kind: str) -> Iterator[_Draft]:
    """Yield every change of a kind, in the order of the formula."""
    letter = bound.for_all.letter
    of_statement: dict[str, Callable[[Relation], Iterator[changes.Change]]] = {
        "scaled": changes.scale_side,
        "constant": changes.scale_constants,
        "range": changes.shift_ranges,
        "index": partial(changes.shift_indices, letter=letter),
        "mean": partial(changes.exchange_means, letter=letter),
        "swap": changes.swap_chord_ends,
        "chord": changes.exchange_chords,
        "sign": changes.change_signs,
        "exponent": changes.change_exponents,
    }
    if kind in of_statement:
        for number, link in enumerate(links(bound.states)):
            for change, made in of_statement[kind](link):
                yield _Draft(kind, change, {"states": replace_link(bound.states, number, made)})
    if kind in ("swap", "chord"):
        yield from _hypothesis_drafts(bound, kind, of_statement[kind])
    if kind == "index" and bound.for_all.start > 1:  # a failure at k = 0 alone would not count
        start = bound.for_all.start - 1
        yield _Draft(kind, f"for all {letter} >= {start + 1} became {letter} >= {start}", {"for_all": IndexRange(letter, start)})
    if kind == "dropped":
        for number, hypothesis in enumerate(bound.hypotheses):
            if not isinstance(hypothesis, Runs):
                letters = [node for node in nodes_of(bound) if isinstance(node, Parameter)]
                given = with_ranges(letters, _replace_hypothesis(bound, number))  # a letter that lost its range may be any number
                yield _Draft(kind, f"dropped: {hypothesis}", {"given": given})
    if kind == "weakened":
        yield from _weakening_drafts(bound)


def _replace_hypothesis(bound: Bound, number: int, *new: Hypothesis) -> tuple[Hypothesis, ...]:
    """Return the hypotheses with one replaced, or dropped."""
    return (*bound.hypotheses[:number], *new, *bound.hypotheses[number + 1 :])


def _hypothesis_drafts(bound: Bound, kind: str, change: Callable[[Relation], Iterator[changes.Change]]) -> Iterator[_Draft]:
    for number, hypothesis in enumerate(bound.hypotheses):
        if isinstance(hypothesis, AtEachStep | Once):
            for words, made in change(hypothesis.relation):
                given = _replace_hypothesis(bound, number, type(hypothesis)(made))
                yield _Draft(kind, f"{words} in the hypothesis {hypothesis}", {"given": given})


def _weakening_drafts(bound: Bound) -> Iterator[_Draft]:
    """Yield twice the larger side, <= for <, an inequality for an equation, convex for strongly convex."""
    for number, hypothesis in enumerate(bound.hypotheses):
        if isinstance(hypothesis, Declared) and hypothesis.kind is StronglyConvex:
            weaker: list[Hypothesis] = [Declared(Convex)]
        elif isinstance(hypothesis, AtEachStep | Once) and not isinstance(hypothesis, Follows):
            weaker = [type(hypothesis)(r) for r in _weaker_relations(hypothesis.relation, isinstance(hypothesis, Once))]
        else:
            weaker = []
        for new in weaker:
            yield _Draft("weakened", f"{hypothesis} became {new}", {"given": _replace_hypothesis(bound, number, new)})


def _weaker_relations(relation: Relation, about_numbers: bool) -> Iterator[Relation]:
    left, right, op = relation.left, relation.right, relation.op
    if op == "==":
        if about_numbers and not relation.free:
            yield Relation("<=", left, right)
            yield Relation(">=", left, right)
        return
    larger = right if op in ("<", "<=") else left
    if not (isinstance(larger, Number) and larger.value <= 0) and not (op in (">", ">=") and is_zero(right)):
        twice = _double(larger)
        yield Relation(op, left, twice) if op in ("<", "<=") else Relation(op, twice, right)
    if op in ("<", ">"):
        yield Relation(f"{op}=", left, right)


def _double(side: Scalar) -> Scalar:
    """Return two times a formula, in its leading number where it has one: 4/M for 2/M."""
    if isinstance(side, Number):
        return Number(2 * side.value)
    if isinstance(side, Div):
        return Div(_double(side.left), side.right)
    if isinstance(side, Mul) and isinstance(side.left, Number):
        return Mul(_double(side.left), side.right)
    return Mul(as_scalar(2), side)


def same_hypothesis(a: Hypothesis, b: Hypothesis) -> bool:
    """Return whether two hypotheses say the same, whatever their letters are called."""
    return hypothesis_json(a) == hypothesis_json(b)

"""Steps that a claim prescribes, found again after something else of a candidate changed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import fmpq

from boundcheck.claims.bound import Bound
from boundcheck.falsify.exact import UNCLEAR, draft, formula_of, with_exact_roots, with_exact_steps
from boundcheck.falsify.model import Candidate, steps_of
from boundcheck.falsify.prescribed import looks_ahead
from boundcheck.falsify.running import MOST_HALVINGS
from boundcheck.library.declarations import step_search
from boundcheck.model.step_search import COUNTED, FIRST_STEP
from boundcheck.verify import Certificate


def prescribes(bound: Bound) -> str:
    """Where the steps come from: "search", "formula", "root" (an equation that reads beyond the step); "" where they are free."""
    if bound.is_about_chords:
        return ""
    if bound.runs.searched:
        return "search"
    formula = formula_of(bound)
    return "" if formula is None else "root" if looks_ahead(formula) else "formula"


def settled(bound: Bound, candidate: Candidate) -> list[Candidate]:
    """The candidate with steps as the claim prescribes them. Where they solve an equation: as they are, and solved again."""
    kind = prescribes(bound)
    if kind == "" or not candidate.chosen or not steps_of(candidate):
        return [candidate]
    if kind == "root":
        solved = with_exact_roots(bound, candidate)
        return [candidate] if solved is None or solved == candidate else [candidate, solved]
    if any(len(own) != 1 for _, own in candidate.chosen):
        return [candidate]
    made = _searched(bound, candidate) if kind == "search" else with_exact_steps(bound, candidate)
    return [] if made is None else [made]


def _searched(bound: Bound, candidate: Candidate) -> Candidate | None:
    """With the steps that the search from eta0 returns, by the checker's own test of a step, and what it counts."""
    letters, count = dict(candidate.parameters), len(steps_of(candidate))
    try:
        checker = Certificate(draft(bound, candidate))
        start = [fmpq(c.numerator, c.denominator) for c in candidate.start]
        eta0 = fmpq(letters[FIRST_STEP].numerator, letters[FIRST_STEP].denominator)
        halving = step_search(bound.runs.steps)
        low, high, seen = halving(lambda m: checker._is_small(eta0 / 2**m, start, count, [0]), MOST_HALVINGS)
    except UNCLEAR:
        return None
    if low < 0:
        return None
    letters |= {name: Fraction(n) for name, n in zip(COUNTED, (seen * count, seen), strict=True) if name in letters}
    each = [letters[FIRST_STEP] / 2**m for m in (low, high)]
    chosen = tuple((role, (("eta", (eta,) * count),)) for (role, _), eta in zip(candidate.chosen, each, strict=True))
    return replace(candidate, parameters=tuple(letters.items()), chosen=chosen)

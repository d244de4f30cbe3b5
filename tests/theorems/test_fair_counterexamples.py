"""Counterexamples that an author would accept: none at an edge that the statement may have meant to leave out."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

from boundcheck.certificates.write import path_of
from boundcheck.claims.bound import LEMMA, PRINTED
from boundcheck.library.catalogue import bounds, find_bounds


def certificate(name: str) -> dict[str, Any]:
    (bound,) = find_bounds(name)
    path = path_of(bound)
    assert path is not None
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def test_the_number_of_rounds_is_refuted_away_from_the_edge_where_one_round_is_enough() -> None:
    """At eta_0 L <= 2 the logarithm to base 2 fails too, and the theorem takes at least 1; above, only the natural one fails."""
    found = certificate("thm:exponential-search-gd.rounds@printed")
    assert Fraction(found["parameters"]["eta0"]) * Fraction(found["constants"]["L"]) == 5
    assert not find_bounds("thm:exponential-search-gd.rounds")[0].reading.startswith("base")


def right_side(step: Fraction, start: Fraction = Fraction(2)) -> Fraction:
    """Case 2 on the Huber function from 2 with K = 1 and M = H: Delta_0 / 2 times the mean of the M_i of a run with this step."""

    def f(z: Fraction) -> Fraction:
        return z - Fraction(1, 2) if z > 1 else z * z / 2

    def slope(z: Fraction) -> Fraction:
        return min(z, Fraction(1))

    points = [start]
    for _ in range(2):
        points.append(points[-1] - step * slope(points[-1]))
    total, weighted = Fraction(0), Fraction(0)
    for a, b in pairwise(points):
        h = 2 * (f(b) - f(a) - slope(a) * (b - a)) / (b - a) ** 2 if a != b else Fraction(1)
        total, weighted = total + slope(a) ** 2, weighted + h * slope(a) ** 2
    return start**2 / 2 * weighted / total


def test_case_2_of_the_exponential_search_fails_with_every_step_between_eta_and_2_eta() -> None:
    found = certificate("thm:exponential-search-gd.case-2@printed")
    assert found["run"]["roles"][""]["eta"][0] == "3/2" and found["run"]["roles"]["prime"]["start"] == ["2"]
    steps = [Fraction(3, 2) + Fraction(3 * n, 600) for n in range(301)]
    assert steps[0] == Fraction(3, 2) and steps[-1] == 3
    assert max(right_side(step) for step in steps) == right_side(Fraction(3)) == Fraction(found["right"]) == Fraction(4, 3)
    assert Fraction(found["left"]) == Fraction(3, 2)
    assert right_side(Fraction(1, 2), start=Fraction(1)) == Fraction(1, 2), "from 1, where f is a parabola, both sides are 1/2"


def test_a_lemma_of_the_library_is_no_statement_of_the_paper() -> None:
    lemmas = {bound.label for bound in bounds() if bound.reading == LEMMA}
    assert {"thm:ngd.no-climb", "lemma:agd-equivalence.v-weights"} <= lemmas
    assert not lemmas & {bound.label for bound in bounds() if bound.reading == PRINTED}


def is_multiplied_out(formula: str) -> bool:
    """Sums that begin with 0, squares of 1: what a program writes, and no paper prints."""
    return formula.startswith("0 + ") or " 0 + " in formula or "1^{2}" in formula or r"2 \cdot 1" in formula


def test_no_claim_shows_arithmetic_that_nobody_prints() -> None:
    assert is_multiplied_out(r"0 + 1^{2} \left\| y_{k+1} - x_{k+1} \right\|_2^2 + 2 \cdot 1 \left( -m \right)")
    assert [bound.id for bound in bounds() if is_multiplied_out(bound.latex())] == []

"""Tightness is measured right: ratios, rates, where slack is lost, and how a bound compares with its classical form."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf, isnan

import numpy as np
import pytest

from boundcheck.check.verdict import Cell, Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.claims.source import Instance, Paper
from boundcheck.language.letters import delta, k
from boundcheck.language.relations import chain
from boundcheck.library.catalogue import NotFound, bounds, bounds_of, find_bounds, papers
from boundcheck.library.inventory import Proof, proofs
from boundcheck.model.problem import Convex
from boundcheck.report.classical import classical_curves
from boundcheck.report.content import cell_key
from boundcheck.report.slack import counted, proof_steps, ratio
from boundcheck.report.tightness import NONE, rate, tightness
from boundcheck.suite.instances import cells_on

PAPER = Paper(name="planted")
K = np.arange(1, 101)


def claim(name: str) -> Bound:
    (found,) = find_bounds(name)
    return found


def tried(bound: Bound, problem: str, method: str, steps: int, smoothness: str = "", arithmetic: str = "float64") -> Verdict:
    place = cells_on(bound, Instance(problem=problem, method=method, steps=steps, smoothness=smoothness, arithmetic=arithmetic))[
        0
    ]
    return place.setting.answers(place.experiment, [place.question], sides=True)[0]


def synthetic(bound: Bound, left: np.ndarray, right: np.ndarray, outcome: Outcome = Outcome.HOLDS) -> Verdict:
    cell = Cell(claim=bound.id, problem="somewhere", method="somehow", arithmetic="float64")
    outcomes = np.full(len(left), outcome, dtype=np.int8)
    return Verdict(cell=cell, first_k=1, outcomes=outcomes, certified=False, left=left, right=right)


DESCENT = "eq:local-descent-lemma@printed"


# -- ratios -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [(1, 2, 0.5), (3, 2, 1.5), (-1, 2, -0.5), (-4, -2, 0.5), (-2, -4, 2), (1, 0, inf), (1, -1, inf), (0, -1, inf), (-1, 0, 0)],
)
def test_a_ratio_is_1_where_tight_and_above_1_where_it_fails_whatever_the_signs(left, right, expected):
    assert ratio(np.array([float(left)]), np.array([float(right)]))[0] == expected


@pytest.mark.parametrize(("left", "right"), [(0, 0), (np.nan, 1), (1, np.inf)])
def test_what_tells_nothing_has_no_ratio(left, right):
    assert isnan(ratio(np.array([float(left)]), np.array([float(right)]))[0])


def test_the_descent_lemma_is_tight_on_a_parabola_and_a_sharper_one_has_a_supremum_above_1():
    bound = claim(DESCENT)
    verdict = tried(bound, "parabola", "1/(2L)", 5, "A", "rational")
    sharper = bound.sharpened(Fraction(9, 10))
    planted = tried(replace(sharper, given=bound.given), "parabola", "1/(2L)", 5, "A", "rational")
    found = tightness([bound, sharper], {bound.id: [verdict], sharper.id: [planted]})
    assert found[bound.id].supremum == pytest.approx(1)
    assert found[bound.id].where.startswith("on parabola by 1/(2L) (M=A), k =")
    assert found[sharper.id].supremum == pytest.approx(10 / 9)


def test_only_decided_k_from_1_on_count():
    bound = claim("prop:convex-any-stepsize")
    left, right = np.full(4, 1.0), np.array([0.1, 2, 4, 0.5])
    verdict = replace(synthetic(bound, left, right), first_k=0)
    verdict.outcomes[3] = Outcome.UNDECIDED
    assert tightness([bound], {bound.id: [verdict]}, curves={})[bound.id].supremum == 0.5
    verdict.outcomes[:] = Outcome.VACUOUS
    assert tightness([bound], {bound.id: [verdict]}, curves={}) == {}


def test_an_equation_has_no_tightness():
    bound = claim("prop:sc-iterates-analysis.expansion")
    assert tightness([bound], {bound.id: [synthetic(bound, np.ones(5), np.ones(5))]}, curves={}) == {}


def test_the_median_is_over_the_suprema_of_the_cells():
    bound = claim("prop:convex-any-stepsize")
    cells = [synthetic(bound, np.array([0.1, best]), np.ones(2)) for best in (0.2, 0.5, 0.9)]
    found = tightness([bound], {bound.id: cells}, curves={})[bound.id]
    assert (found.supremum, found.median) == (0.9, 0.5)


# -- rates ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exponent", [-2, -1, -0.5, 1])
def test_a_power_of_k_is_fitted(exponent):
    found = rate(K, 3.0 * K.astype(float) ** exponent)
    assert found.exponent == pytest.approx(exponent) and found.factor is None


def test_a_shifted_power_is_still_one():
    assert rate(K, 1.0 / (K + 1)).exponent == pytest.approx(-1, abs=0.03)


@pytest.mark.parametrize("factor", [0.5, 0.9, 0.99])
def test_a_geometric_rate_is_told_apart_from_a_power(factor):
    found = rate(K, 2.0 * factor**K)
    assert found.exponent is None and found.factor == pytest.approx(factor)


def test_noise_and_flatness_are_no_rate():
    noise = np.exp(np.random.default_rng(0).normal(size=len(K)))
    assert rate(K, noise) == NONE
    assert rate(K, noise / K) == NONE
    assert rate(K, np.full(len(K), 3.0)) == NONE
    assert rate(K, 1 + 1e-3 / K) == NONE


def test_few_numbers_and_numbers_that_are_not_positive_are_no_rate():
    assert rate(K[:10], 1.0 / K[:10]) == NONE
    assert rate(K, -1.0 / K) == NONE


def test_what_falls_faster_than_any_geometric_rate_is_neither():
    assert rate(K, np.exp(-0.01 * K.astype(float) ** 2)) == NONE


def test_rates_are_of_the_longest_run_in_which_the_claim_holds():
    bound = claim("prop:convex-any-stepsize")
    k = K.astype(float)
    slow, short = synthetic(bound, 0.5 / k, 1 / k), synthetic(bound, 0.5 / k[:30] ** 2, 1 / k[:30] ** 2)
    failing = replace(synthetic(bound, 2 * k[:99], k[:99], Outcome.VIOLATED))
    found = tightness([bound], {bound.id: [short, failing, slow]}, curves={})[bound.id]
    assert (found.left_exponent, found.right_exponent) == (pytest.approx(-1), pytest.approx(-1))
    assert found.left_factor is None and found.fitted == "on somewhere by somehow"


# -- slack ------------------------------------------------------------------------------------------------------------------


def test_the_slack_of_a_chain_is_found_in_its_links():
    loose = Bound(
        source=PAPER.at("chain"),
        given=(Convex, GradientDescent()),
        states=chain(delta[k], "<=", 2 * delta[k], "<=", 8 * delta[k]),
    )
    (mine,) = [tried(loose, "smooth-abs", "1/L", 6)]
    first, second = tightness([loose], {loose.id: [mine]}, curves={})[loose.id].slack
    assert (first.least, second.least) == (pytest.approx(2), pytest.approx(4))
    assert (first.share, second.share) == (pytest.approx(1 / 7), pytest.approx(6 / 7))
    assert first.lost == pytest.approx(1 / 2) and first.step == second.step == ""
    again = tightness([loose], {loose.id: [replace(mine, links=None)]}, curves={})[loose.id].slack
    assert [s.least for s in again] == [pytest.approx(2), pytest.approx(4)]


def test_the_slack_of_a_theorem_is_found_in_the_steps_of_its_proof():
    bound = claim("prop:convex-any-stepsize")
    found = tightness([bound], {bound.id: [tried(bound, "smooth-abs", "1/L", 8, "A")]}, curves={})[bound.id]
    labels = [s.step.partition("/")[2].partition("@")[0] for s in found.slack]
    assert {f"prop:convex-any-stepsize.{part}" for part in ("controlled", "summed", "jensen")} == set(labels)
    jensen = next(s for s in found.slack if "jensen" in s.step)
    assert jensen.least >= 1 and jensen.median >= jensen.least


def test_equations_inside_a_proof_belong_to_the_theorem_that_it_proves():
    steps = [step.label for step in proof_steps(claim("prop:dirSmoothTight@proved"))]
    assert "eq:n5" in steps and "eq:n6" in steps and "prop:dirSmoothTight" not in steps
    assert not any(step.is_refuted for step in proof_steps(claim("thm:ngd@proved")))
    assert "eq:11" not in [step.label for step in proof_steps(claim("prop:polyak@printed"))]  # of the next proof


def test_the_proofs_of_an_inventory_name_claims_and_do_not_overlap():
    for paper in papers():
        known, found = {bound.label for bound in bounds_of(paper)}, proofs(paper)
        assert all(label in known for proof in found for label in proof.of)
        assert all(a.last < b.first for a, b in pairwise(found))


def test_a_proof_that_is_not_well_formed_is_refused():
    from boundcheck.library.inventory import _proof

    assert _proof({"of": ["thm:a"], "first": 1, "last": 2}) == Proof(of=("thm:a",), first=1, last=2)
    with pytest.raises(NotFound, match="first and last line"):
        _proof({"of": "thm:a", "first": 1, "last": 2})


# -- the classical bound ----------------------------------------------------------------------------------------------------


def classical_sides(bound, verdict, library=()):
    """The classical right side at each k of one cell; None where there is none."""
    found = classical_curves([bound], {bound.id: [verdict]}, library).get(cell_key(verdict.cell))
    return None if found is None else np.array(found)


def test_the_classical_side_is_the_right_side_with_M_equal_to_L():
    bound = claim("prop:convex-any-stepsize")
    verdict, with_L = (tried(bound, "huber", "1/(2L)", 12, kind) for kind in ("A", "L"))
    curve = classical_sides(bound, verdict)
    assert curve is not None and np.allclose(curve, with_L.right)
    found = tightness([bound], {bound.id: [verdict]})[bound.id]
    assert found.classical == pytest.approx(np.median((verdict.right / curve)[counted(verdict)]))
    assert found.classical < 1


def test_the_classical_side_is_read_off_the_verdict_with_M_equal_to_L_where_there_is_one():
    bound = claim("prop:convex-any-stepsize")
    verdict, with_L = (tried(bound, "huber", "1/(2L)", 6, kind) for kind in ("A", "L"))
    marked = replace(with_L, right=with_L.right + 7)
    assert np.allclose(classical_curves([bound], {bound.id: [verdict, marked]})[cell_key(verdict.cell)], marked.right)


def test_the_classical_side_of_a_claim_without_M_is_the_best_of_the_librarys_for_that_quantity():
    (rate_of_gd,) = find_bounds("classical/gd.rate@printed")
    mine = Bound(source=PAPER.at("rate"), given=rate_of_gd.given, states=delta[k] <= 100 * delta[0], for_all=rate_of_gd.for_all)
    verdict = tried(mine, "smooth-abs", "1/L", 8)
    curve = classical_sides(mine, verdict, list(bounds()))
    theirs = tried(rate_of_gd, "smooth-abs", "1/L", 8)
    assert curve is not None
    assert curve[-1] == pytest.approx(theirs.right[-1])
    assert classical_sides(mine, verdict, ()) is None


def test_there_is_no_classical_side_without_a_constant_L_or_where_M_is_L_already():
    bound = claim("prop:convex-any-stepsize")
    for verdict in (tried(bound, "quartic", "polyak(1)", 5, "A"), tried(bound, "huber", "1/L", 5, "L")):
        assert verdict.right is not None and classical_sides(bound, verdict) is None


def test_the_curve_of_a_cell_is_found_by_its_key_and_has_a_number_for_each_of_its_k():
    bound = claim("prop:convex-any-stepsize")
    verdict = tried(bound, "huber", "1/L", 5, "A")
    found = classical_curves([bound], {bound.id: [verdict]})
    assert list(found) == [cell_key(verdict.cell)] == [(bound.id, "huber", "1/L", "A", "float64", "")]
    assert len(found[cell_key(verdict.cell)]) == len(verdict.outcomes)


def test_cells_that_differ_in_a_parameter_have_curves_of_their_own():
    bound = claim("prop:convex-any-stepsize")
    verdict = tried(bound, "huber", "1/L", 5, "A")
    other = replace(verdict, cell=replace(verdict.cell, parameters=(("c", "1/2"),)))
    assert len(classical_curves([bound], {bound.id: [verdict, other]})) == 2

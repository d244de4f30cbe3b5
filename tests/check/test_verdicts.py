"""Each outcome, how it comes about and what it says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from boundcheck.check.answer import check
from boundcheck.check.verdict import Cell, Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Follows, GradientDescent
from boundcheck.language.letters import M_, Delta, K, L, Max, Sum, delta, eta, f, grad, i, k, mu_f, norm, normsq, x
from boundcheck.language.relations import chain
from boundcheck.language.scalars import Parameter, Scalar, as_scalar
from boundcheck.library.catalogue import find_bounds
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic
from boundcheck.runners import constant, given, over_L, polyak

from .asking import ask, by_hand

H, V, U, N = Outcome.HOLDS, Outcome.VIOLATED, Outcome.UNDECIDED, Outcome.VACUOUS
gamma = Parameter("gamma")
g = norm(grad(x[k]))  # any column will do where the numbers are made by hand


def outcomes(verdict: Verdict) -> list[Outcome]:
    return [Outcome(o) for o in verdict.outcomes]


def on(columns: dict[Scalar, Any], xp: str = "rational", **claim: Any) -> Verdict:
    (verdict,) = check([Bound(**claim)], by_hand(columns, xp))
    return verdict


def test_holds_says_where_it_is_tightest() -> None:
    verdict = on({eta[k]: [1, 2, 3]}, states=eta[k] <= 4)
    assert outcomes(verdict) == [H, H, H]
    assert verdict.label == "HOLDS, certified"
    assert verdict.tightest is not None
    assert (verdict.tightest.k, verdict.tightest.ratio) == (2, 0.75)
    assert "3 holds" in verdict.explain()
    assert "tightest at k = 2: left/right = 0.75" in verdict.explain()


def test_violated_shows_the_first_k_and_both_sides() -> None:
    verdict = on({eta[k]: [1, Fraction(7, 3), 3]}, states=eta[k] <= 2)
    assert outcomes(verdict) == [H, V, V]
    assert verdict.outcome is V
    assert verdict.violation is not None
    assert (verdict.violation.k, verdict.violation.left, verdict.violation.right) == (1, "7/3", "2")
    assert "VIOLATED, certified (1 holds, 2 violated); k = 1: left 7/3, right 2" in verdict.explain()


def test_in_floating_point_a_violation_says_how_to_certify_it() -> None:
    verdict = on({eta[k]: [1.0, 3.0]}, "float64", states=eta[k] <= 2)
    assert verdict.label == "VIOLATED, numerical"
    assert "certify it with --arithmetic auto" in verdict.explain()


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("op", ["<=", "<", "==", ">=", ">"])
def test_nan_and_infinity_are_undecided_and_never_a_pass(wrong: float, op: str) -> None:
    states = chain(eta[k], op, norm(grad(x[k])))
    for columns in ({eta[k]: [1.0, wrong], g: [1.0, 2.0]}, {eta[k]: [1.0, 2.0], g: [1.0, wrong]}):
        verdict = on(columns, "float64", states=states)
        assert outcomes(verdict)[1] is U
        if verdict.outcome is U:
            assert verdict.explain().startswith("UNDECIDED")
            assert "k = 1" in verdict.reason


def test_nan_stays_undecided_through_sums_maxima_and_index_sets() -> None:
    columns = {eta[k]: [1.0, np.nan, 1.0, 1.0]}
    for states in (
        Sum(eta[i], i, 0, k) <= 100,
        Max(eta[i], i, 0, k) <= 100,
        Sum(1 + 0 * eta[i], i, 0, k, where=eta[i] < 2) <= 100,
    ):
        assert outcomes(on(columns, "float64", states=states)) == [H, U, U, U]


def test_division_by_zero_is_undecided_and_says_so() -> None:
    verdict = on({eta[k]: [1, 0, 1]}, states=1 / eta[k] <= 2)
    assert outcomes(verdict) == [H, U, H]
    assert "k = 1: division by zero" in verdict.explain()


def test_a_proved_equality_satisfies_at_most_and_violates_less() -> None:
    columns = {eta[k]: [Fraction(1, 3)] * 3}
    assert on(columns, states=eta[k] <= Fraction(1, 3)).outcome is H
    assert on(columns, states=eta[k] == Fraction(1, 3)).outcome is H
    assert on(columns, states=eta[k] >= Fraction(1, 3)).outcome is H
    assert on(columns, states=eta[k] < Fraction(1, 3)).outcome is V
    assert on(columns, states=eta[k] > Fraction(1, 3)).outcome is V


def test_vacuous_names_the_hypothesis_the_step_and_the_residual() -> None:
    columns = {eta[k]: [1, 1, 1, Fraction(17, 6), 1, 1]}
    verdict = on(columns, states=Sum(eta[i], i, 0, k) <= 100, given=(eta[i] <= 2,))
    assert outcomes(verdict) == [H, H, H, N, N, N]
    assert "hypothesis eta_i <= 2 for every step fails at step 3 (17/6 against 2)" in verdict.explain()


@pytest.mark.parametrize("about_i", [as_scalar(i) <= 2, (i + 0) * eta[0] <= 2], ids=str)
def test_a_hypothesis_that_reads_the_index_alone_is_asked_at_every_step(about_i: Any) -> None:
    verdict = on({eta[k]: [1] * 6}, states=Sum(eta[i], i, 0, k) <= 100, given=(AtEachStep(about_i),))
    assert outcomes(verdict) == [H, H, H, N, N, N]
    assert "fails at step 3 (3 against 2)" in verdict.explain()


@pytest.mark.parametrize(
    ("states", "start", "first_lost"),
    [
        (Sum(eta[i], i, 0, k) <= 100, 0, 3),
        (Sum(eta[i], i, 0, k - 1) <= 100, 1, 4),
        (Sum(eta[i], i, 0, k + 1) <= 100, 0, 2),
        (norm(grad(x[k])) <= 100 * norm(grad(x[0])), 0, 4),
        (norm(grad(x[k + 1])) <= 100 * norm(grad(x[0])), 0, 3),
    ],
    ids=str,
)
def test_a_hypothesis_that_fails_at_step_3_takes_away_exactly_the_k_that_depend_on_step_3(
    states: Any, start: int, first_lost: int
) -> None:
    columns = {eta[k]: [1, 1, 1, 5, 1, 1, 1], norm(grad(x[k])): [1] * 8}
    verdict = on(columns, states=states, given=(eta[i] <= 2,), for_all=k >= start)
    lost = [verdict.first_k + n for n, o in enumerate(outcomes(verdict)) if o is N]
    assert lost[0] == first_lost
    assert lost == list(range(first_lost, verdict.first_k + len(verdict.outcomes)))
    assert outcomes(verdict)[: first_lost - start] == [H] * (first_lost - start)


@pytest.mark.parametrize("xp", ["rational", "float64"])
def test_a_claim_about_one_step_loses_that_step_only(xp: str) -> None:
    steps = [Fraction(1), Fraction(3, 2), Fraction(5, 2), Fraction(1, 2), Fraction(1, 2)]
    bound = Bound(states=f(x[k + 1]) <= f(x[k]), given=(Convex, GradientDescent(), eta[i] * M_[i] <= 2), smoothness=("H",))
    (verdict,) = ask(bound, "huber", given(steps), 5, xp)
    assert [n for n, o in enumerate(outcomes(verdict)) if o is N] == [2]
    assert "fails at step 2" in verdict.reason


def test_a_claim_from_1_on_is_not_about_one_step_from_anywhere() -> None:
    """x_1 is where a first step led: a bound on x_k that holds from 1 on need not hold at a start."""
    steps = [Fraction(1), Fraction(3), Fraction(1, 2), Fraction(1, 2)]
    bound = Bound(states=normsq(grad(x[k])) <= L * L, given=(GradientDescent(), eta[i] <= 1), for_all=k >= 1)
    (verdict,) = ask(bound, "quadratic-2d", [given([s / 10 for s in steps])], 4, "rational")
    bound = replace(bound, given=(GradientDescent(), eta[i] <= Fraction(1, 10)))
    (verdict,) = ask(bound, "quadratic-2d", [given([s / 10 for s in steps])], 4, "float64")
    assert [n + 1 for n, o in enumerate(outcomes(verdict)) if o is N] == [2, 3, 4]


def test_a_hypothesis_between_two_steps_is_one_of_the_later_step() -> None:
    columns = {eta[k]: [3, 2, 2, 5, 1, 1]}
    verdict = on(columns, states=Sum(eta[i], i, 0, k) <= 100, given=(eta[i + 1] <= eta[i],))
    assert outcomes(verdict) == [H, H, H, N, N, N]


def test_an_undecided_hypothesis_leaves_the_claim_undecided() -> None:
    verdict = on({eta[k]: [1.0, np.nan, 1.0]}, "float64", states=Sum(0 * eta[i] + 1, i, 0, k) <= 100, given=(eta[i] <= 2,))
    assert outcomes(verdict) == [H, U, U]
    assert "cannot be decided at step 1" in verdict.explain()


def test_a_failed_hypothesis_outweighs_a_violation() -> None:
    verdict = on({eta[k]: [1, 5, 5]}, states=eta[0] * Sum(eta[i], i, 0, k) <= 2, given=(eta[i] <= 2,))
    assert outcomes(verdict) == [H, N, N]


def test_a_hypothesis_on_parameters_that_fails_makes_everything_vacuous() -> None:
    verdict = on({eta[k]: [1, 1]}, states=gamma * eta[k] <= 9, given=(gamma < 2,), try_with={"gamma": (3,)})
    assert outcomes(verdict) == [N, N]
    assert "hypothesis gamma < 2 fails (3 against 2)" in verdict.explain()
    assert verdict.cell.parameters == (("gamma", "3"),)


def test_a_fact_that_the_problem_does_not_declare_makes_the_claim_vacuous_and_says_which() -> None:
    verdict = on({eta[k]: [1, 1]}, states=eta[k] <= 9, given=(IsQuadratic,))
    assert verdict.outcome is N
    assert verdict.reason == "needs IsQuadratic; by hand declares Convex, Differentiable, Smooth"


def test_a_claim_without_a_minimiser_or_a_constant_is_vacuous_and_says_so() -> None:
    assert "needs a minimiser x*; by hand gives none" in on({eta[k]: [1, 1]}, states=Delta[k] <= 9).explain()
    from boundcheck.language.scalars import Constant

    assert "needs the constant rho" in on({eta[k]: [1, 1]}, states=Constant("rho") * eta[k] <= 9).explain()


def test_a_column_that_nobody_recorded_makes_the_claim_vacuous_and_says_which() -> None:
    verdict = on({eta[k]: [1, 1]}, states=norm(grad(x[k])) <= 1)
    assert verdict.outcome is N
    assert "no column |grad f(x_n)|" in verdict.explain()


def test_the_wrong_method_makes_a_claim_vacuous() -> None:
    trace = replace(by_hand({eta[k]: [1, 1]}), method="normalized gradient descent")
    (verdict,) = check([Bound(states=eta[k] <= 1, given=(GradientDescent(),))], trace)
    assert verdict.reason == "needs gradient descent; the run is normalized gradient descent"


def cell(*found: Outcome, first: int = 0, every: bool = False) -> Outcome:
    where = Cell(claim="c", problem="p", method="m", arithmetic="rational")
    made = Verdict(cell=where, first_k=first, outcomes=np.array(found, dtype=np.int8), certified=True, every_k_counts=every)
    return made.outcome


def test_the_outcome_of_a_cell() -> None:
    assert cell(H, H, V, U, N) is V
    assert cell(H, H, U, N) is H
    assert cell(H, U, U) is U
    assert cell(N, U, N) is U
    assert cell(U) is U
    assert cell(H, N, N) is N
    assert cell(U, N, N) is N  # k = 0 is no reason to call it undecided
    assert cell(V, N, N) is V
    assert cell() is N


def test_k_0_alone_does_not_count_unless_every_k_does() -> None:
    assert cell(H) is N
    assert cell(H, N, N) is N
    assert cell(H, first=1) is H
    assert cell(H, every=True) is H
    verdict = on({eta[k]: [1]}, states=Sum(eta[i], i, 0, k) <= 9)
    assert verdict.outcome is N
    assert "only k = 0 was reached" in verdict.explain()


def test_every_link_of_a_chain_is_part_of_the_claim() -> None:
    columns = {eta[k]: [1, 1, 3, 1], g: [3, 2, 5, 1]}
    verdict = on(columns, states=chain(eta[k], "<=", 2, "<=", norm(grad(x[k]))))
    assert outcomes(verdict) == [H, H, V, V]
    assert verdict.violation is not None
    assert verdict.violation.link == "eta_k <= 2"
    second = on({eta[k]: [1, 1], g: [3, 1]}, states=chain(eta[k], "<=", 2, "<=", norm(grad(x[k]))))
    assert second.violation is not None
    assert (second.violation.k, second.violation.link, second.violation.left, second.violation.right) == (
        1,
        "2 <= |grad f(x_k)|",
        "2",
        "1",
    )


def test_an_undecided_link_is_worse_than_one_that_holds_and_better_than_a_violated_one() -> None:
    columns = {eta[k]: [1.0, np.nan, np.nan], g: [3.0, 3.0, 1.0]}
    verdict = on(columns, "float64", states=chain(eta[k], "<=", 2, "<=", norm(grad(x[k]))))
    assert outcomes(verdict) == [H, U, V]


def test_a_fixed_horizon_is_judged_at_the_last_step_only() -> None:
    columns = {norm(grad(x[k])): [9, 9, 9, 1]}
    verdict = on(columns, states=norm(grad(x[K])) <= 2, for_all=K >= 1)
    assert outcomes(verdict) == [H]
    assert verdict.first_k == 3
    verdict = on({norm(grad(x[k])): [1, 1, 1, 9]}, states=norm(grad(x[K])) <= 2, for_all=K >= 1)
    assert outcomes(verdict) == [V]
    assert verdict.violation is not None
    assert verdict.violation.k == 3


def test_a_fixed_horizon_is_the_last_that_the_run_has_all_of() -> None:
    """eta_K is not among the steps of a run with K of them: of three steps, K = 2 can be asked."""
    (verdict,) = check([Bound(states=eta[K] <= 2, for_all=K >= 1)], by_hand({eta[k]: [1, 1, 1]}, steps=3))
    assert (verdict.outcome, verdict.first_k, len(verdict.outcomes)) == (H, 2, 1)


def test_a_fixed_horizon_that_a_run_does_not_reach_is_vacuous() -> None:
    (verdict,) = check([Bound(states=eta[K] <= 2, for_all=K >= 3)], by_hand({eta[k]: [1, 1, 1]}, steps=3))
    assert verdict.outcome is N
    assert "too short" in verdict.explain()


def test_runs_of_a_batch_end_where_they_end() -> None:
    """1/L ends on the isotropic quadratic after one step; half of it goes on."""
    bound = Bound(states=delta[k] <= delta[0], given=(Convex,))
    first, second = ask(bound, "isotropic-4d", [over_L(1), over_L(Fraction(1, 2))], 6, "rational")
    assert (len(first.outcomes), len(second.outcomes)) == (2, 7)


def test_steps_that_follow_a_rule_in_floating_point_say_how_closely() -> None:
    (bound,) = find_bounds("thm:polyak@printed")
    (verdict,) = ask(bound, "quadratic-30d", polyak(Fraction(3, 2)), 40, smoothness=["H"])
    assert verdict.outcome is H
    (note,) = [n for n in verdict.notes if n.startswith("steps within")]
    power = int(note.split("^")[1].split()[0])
    assert note == f"steps within 2^{power} of the rule"
    assert -53 <= power <= -20


def test_exact_steps_need_no_such_note() -> None:
    (bound,) = find_bounds("thm:polyak@printed")
    (verdict,) = ask(bound, "huber", polyak(Fraction(3, 2)), 6, "rational", smoothness=["H"])
    assert verdict.label == "HOLDS, certified"
    assert verdict.notes == ()


@pytest.mark.parametrize("xp", ["float64", "mp:40", "rational"])
def test_a_step_that_is_off_by_a_thousandth_does_not_follow_the_rule(xp: str) -> None:
    exact = polyak(Fraction(3, 2))

    def off(run: Any) -> Any:
        step = exact.step(run)
        return step * run.xp.scalar(Fraction(1001, 1000)) if run.k == 3 else step

    (bound,) = find_bounds("thm:polyak@printed")
    (verdict,) = ask(bound, "huber", replace(exact, step=off), 6, xp, smoothness=["H"])
    found = dict(zip(range(verdict.first_k, 9), outcomes(verdict), strict=False))
    assert [found[n] for n in (1, 2, 3)] == [H, H, H]
    assert all(found[n] is N for n in range(4, max(found) + 1))
    assert "the steps follow eta_i == gamma" in verdict.explain()
    assert "fails at step 3" in verdict.explain()


def test_a_rule_followed_only_to_2_to_the_minus_19_is_not_followed() -> None:
    bound = Bound(states=Sum(eta[i], i, 0, k) <= 9, given=(Follows(eta[i] == 1 / L),))
    for off, outcome in ((2.0**-40, N), (2.0**-15, N), (0.0, H)):
        trace = by_hand({eta[k]: [0.5 * (1 + off)] * 4}, "float64")
        (verdict,) = check([bound], trace)
        assert verdict.outcome is outcome, off


def test_the_hypotheses_of_a_claim_are_read_as_written_even_where_the_claim_is_read_in_gaps() -> None:
    """f(x_i) >= 1 is about f, though f(x_{k+1}) <= f(x_k) may be read in f - f*."""
    from boundcheck.problems.quadratic import isotropic

    problem = isotropic(1, curvature=1, start=[1], name="unit")
    high = replace(problem, f=lambda xp, p: problem.f(xp, p) + 10, minimiser=replace(problem.minimiser, value=10))  # type: ignore[type-var]
    bound = Bound(states=f(x[k + 1]) <= f(x[k]), given=(f(x[i]) >= 1,))
    (verdict,) = ask(bound, high, constant(Fraction(1, 2)), 3, "rational")
    assert outcomes(verdict) == [H, H, H]


def test_both_sides_are_kept_when_asked_for() -> None:
    (verdict,) = check([Bound(states=eta[k] <= 2 * Delta[k], given=())], by_hand({eta[k]: [1, 2, 4]}), sides=True)
    assert verdict.outcome is N  # no minimiser by hand
    (verdict,) = check([Bound(states=eta[k] <= mu_f + 5)], by_hand({eta[k]: [1, 2, 4]}), sides=True)
    assert verdict.left is not None and verdict.right is not None
    assert verdict.left.tolist() == [1, 2, 4]
    assert verdict.right.tolist() == [5, 5, 5]


def test_the_size_of_windows_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = [
        b for label in ("prop:sc-split-analysis", "prop:sc-iterates-analysis", "thm:polyak@printed") for b in find_bounds(label)
    ]
    found = []
    for size in (4096, 7, 1):
        monkeypatch.setattr(import_module("boundcheck.check.hypotheses_on_run"), "WINDOW", size)
        found.append(
            [(v.outcomes.tolist(), v.explain()) for v in ask(bounds, "quadratic-2d", polyak(Fraction(3, 2)), 5, "rational")]
        )
    assert found[0] == found[1] == found[2]


def test_a_hypothesis_about_one_place_of_the_run_is_not_forgotten_at_the_others() -> None:
    """With eta_0 = 2/11 given, the claim is about runs: a second step that breaks the rule leaves nothing to claim."""
    (bound,) = find_bounds("sec:quadratic-case.cauchy-cycle")
    rule = given([Fraction(2, 11), Fraction(1, 10), 1])
    (verdict,) = ask(bound, "quadratic-2d", [rule], 3, "rational")
    assert verdict.counts[V] == 0 and verdict.counts[N] > 0


def test_where_A_is_negative_it_is_no_directional_smoothness_function() -> None:
    """A claim about M says nothing there; on the same chords of a convex function nothing is taken away."""
    claim = Bound(given=(Differentiable(), GradientDescent()), states=M_[k] >= 0, smoothness=("A",))
    (bent,) = ask(claim, "nonconvex", constant(Fraction(1, 2)), steps=6, xp="ball:128")
    assert V not in outcomes(bent) and N in outcomes(bent)
    assert "M(x_i, x_{i+1}) >= 0" in bent.reason or "M(x_k, x_{k+1}) >= 0" in bent.reason
    (convex,) = ask(claim, "huber", constant(Fraction(1, 2)), steps=3, xp="rational")
    assert N not in outcomes(convex) and V not in outcomes(convex)


def test_a_claim_that_is_undecided_itself_says_so_though_a_hypothesis_fails_later() -> None:
    """The sum is 0.3 to within rounding at k = 2; the hypothesis fails at step 3 only."""
    verdict = on(
        {eta[k]: [0.1, 0.1, 0.1, 9.0, 9.0]},
        "float64",
        states=Sum(eta[i], i, 0, k) <= Fraction(3, 10),
        given=(AtEachStep(eta[i] <= 1),),
        for_all=k >= 2,
    )
    assert outcomes(verdict)[0] is U and verdict.outcome is U
    assert "cannot be told apart" in verdict.reason and "fails at step 3" in verdict.reason


def test_a_hypothesis_that_is_undecided_before_it_fails_says_both() -> None:
    verdict = on(
        {eta[k]: [0.3, 0.3, 9.0, 9.0]},
        "float64",
        states=Sum(eta[i], i, 0, k) <= 100,
        given=(AtEachStep(3 * eta[i] <= Fraction(9, 10)),),
    )
    assert outcomes(verdict) == [U, U, N, N] and verdict.outcome is U
    assert "cannot be decided at step 0" in verdict.reason and "fails at step 2" in verdict.reason

"""The ladder: what goes up, what stops it, and what a verdict on the way says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck import Bound, Convex, Follows, GradientDescent, Rule, Smooth
from boundcheck.arithmetic import NotInThisArithmetic
from boundcheck.check.precision_ladder import BALLS, LARGE, certifies, rungs
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.language.letters import A, L, Sum, delta, eta, f, grad, i, k, normsq, x
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Parameter
from boundcheck.library.names import problem_named
from boundcheck.model.problem import Problem
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.quadratic import isotropic, quadratic
from boundcheck.problems.smooth_abs import smooth_abs
from boundcheck.runners import constant, over_L, polyak
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

gamma = Parameter("gamma")
POLYAK = Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i])))
DESCENT = Bound(
    given=(Convex, Smooth, GradientDescent(), eta[i] <= 1 / L),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] / 2 * normsq(grad(x[k])),
)


def about_polyak(states: Relation, *more: Relation) -> Bound:
    return Bound(given=(Convex, GradientDescent(), POLYAK, gamma > 0, *more), states=states, try_with={"gamma": (Fraction(1),)})


def decided(bound: Bound, problem: Problem, rule: Rule, steps: int = 20, arithmetic: str = "auto") -> Verdict:
    setting = GridSetting(problem, arithmetic, replace(PROFILES["full"], steps=steps), (rule,))
    (verdict,) = setting.verdicts([bound])
    return verdict


def test_the_rungs() -> None:
    assert rungs("auto", 100) == BALLS and rungs("auto", LARGE + 1) == ("float64", *BALLS)
    assert rungs("float64", 1) == ("float64",) and rungs("rational", 1) == ("rational",)
    assert rungs("torch:cpu", 1) == ("torch:cpu",)
    assert certifies("auto") and certifies("rational") and certifies("ball:64") and not certifies("float64")


def test_what_holds_is_certified_and_says_where_and_at_what_cost() -> None:
    verdict = decided(DESCENT, synthetic_logistic(20, 3), over_L(1))
    assert verdict.label == "HOLDS, certified" and verdict.cell.arithmetic == "ball:128"
    assert verdict.cost is not None and verdict.cost.tried == ("ball:128",) and verdict.cost.seconds > 0
    assert verdict.to_json()["grade"] == "certified"


def test_near_convergence_more_bits_are_taken_until_every_k_is_decided() -> None:
    verdict = decided(DESCENT, quadratic([[1, 0], [0, 3]]), over_L(1), steps=600)
    assert verdict.is_final and verdict.counts[Outcome.HOLDS] == 600
    assert verdict.cost is not None and verdict.cost.tried[0] == "ball:128"


def test_an_equality_is_a_tie_and_goes_no_further() -> None:
    """On |x|^2 / 2 with steps 1/2 the sum of the steps is (k + 1) / 2; asked with thirds, no ball is exact."""
    third = Bound(states=3 * Sum(eta[i] * 2 / 3, i, 0, k) <= 2 * Sum(eta[i], i, 0, k))
    verdict = decided(third, isotropic(2, start=[1, 1]), constant(Fraction(1, 2)), steps=5)
    assert verdict.outcome is Outcome.UNDECIDED and verdict.tied
    assert verdict.cost is not None and verdict.cost.tried == ("ball:128",)
    assert "exact rationals settle an equality" in verdict.reason


def test_an_equation_is_asked_once_and_may_fail() -> None:
    same = Bound(states=f(x[k]) - f(x[k + 1]) == f(x[k]) - f(x[k + 1]) + 0 * eta[k] / 3)
    verdict = decided(same, smooth_abs(1), constant(Fraction(1, 3)))
    assert verdict.outcome in (Outcome.UNDECIDED, Outcome.HOLDS)
    other = Bound(states=eta[k] == 2 * eta[k])
    assert decided(other, smooth_abs(1), constant(Fraction(1, 3))).label == "VIOLATED, certified"


def test_a_claim_about_polyaks_formula_is_decided_for_the_formulas_own_steps() -> None:
    holds = about_polyak(Sum(eta[i], i, 0, k) > 0)
    fails = about_polyak(eta[k] > gamma * delta[k] / normsq(grad(x[k])) * Fraction(11, 10))
    for problem in (smooth_abs(1), synthetic_logistic(20, 3)):
        assert decided(holds, problem, polyak(1)).label == "HOLDS, certified"
        assert decided(fails, problem, polyak(1)).label == "VIOLATED, certified"


def test_steps_near_a_formula_that_cannot_be_enclosed_never_violate() -> None:
    """The rule follows Polyak to all bits, but says nothing of its formula: so nothing can be proved of the formula."""
    silent = Rule(
        name="silent", step=lambda run: run.gap / run.grad_normsq, parameters={"gamma": Fraction(1)}, needs=("infimum",)
    )
    held = decided(about_polyak(Sum(eta[i], i, 0, k) > 0), smooth_abs(1), silent, steps=5)
    assert held.label == "HOLDS, certified for steps near the rule's" and not held.to_json()["certified"]
    assert any("steps within 2^-" in note for note in held.notes)
    fails = decided(about_polyak(Sum(eta[i], i, 0, k) < 0), smooth_abs(1), silent, steps=5)
    assert fails.outcome is Outcome.UNDECIDED and "only near to the formula" in fails.reason


@pytest.mark.parametrize("off", [Fraction(1, 2**10), Fraction(1, 2**50)])
def test_a_rule_that_lies_about_its_formula_is_found_out(off: Fraction) -> None:
    def step(run):  # type: ignore[no-untyped-def]
        return run.xp.scalar(1 + off if run.k >= 3 else 1) * run.gap / run.grad_normsq

    liar = replace(polyak(1), step=step, name="liar")
    verdict = decided(about_polyak(Sum(eta[i], i, 0, k) > 0), smooth_abs(1), liar, steps=6)
    assert verdict.counts[Outcome.VACUOUS] >= 2 and "fails at step 3" in verdict.reason


def test_a_relation_between_letters_is_exact_in_every_arithmetic() -> None:
    """gamma <= 9/7 at gamma = 9/7, which no ball holds exactly."""
    for relation in (gamma <= Fraction(9, 7), gamma >= Fraction(9, 7)):
        verdict = decided(about_polyak(eta[k] > 0, relation), smooth_abs(1), polyak(Fraction(9, 7)), steps=3)
        assert verdict.label == "HOLDS, certified"


def test_a_step_of_1_over_L_satisfies_eta_at_most_1_over_L() -> None:
    at_most = Bound(given=(Smooth, eta[i] <= 1 / L), states=eta[k] > 0)
    assert decided(at_most, synthetic_logistic(20, 3), over_L(1)).label == "HOLDS, certified"


# -- what a certified verdict must not rest on ---------------------------------------------------------------------------


def test_a_start_that_no_ball_holds_is_enclosed_not_replaced() -> None:
    """f = (3u - 1)^2 / 2 + v^2 / 4 from (1/3, 1) with steps of 1: u stays at its minimiser, which is unstable."""
    problem = quadratic([[9, 0], [0, Fraction(1, 2)]], xstar=[Fraction(1, 3), 0], start=[Fraction(1, 3), 1], name="unstable")
    claim = Bound(given=(GradientDescent(),), states=delta[k + 1] <= delta[0])
    exactly = decided(claim, problem, constant(1), steps=60, arithmetic="rational")
    found = decided(claim, problem, constant(1), steps=60)
    assert exactly.counts[Outcome.VIOLATED] == found.counts[Outcome.VIOLATED] == 0 and found.counts[Outcome.HOLDS] > 30


def test_a_radius_times_a_tiny_L_is_not_zero() -> None:
    tiny = quadratic([[Fraction(1, 10**300)]], start=[1], name="tiny")
    claim = Bound(states=normsq(grad(x[k + 20])) <= normsq(grad(x[k + 20])) * (1 - Fraction(1, 2**40)))
    assert decided(claim, tiny, constant(2**995), steps=30).outcome is not Outcome.HOLDS


@pytest.mark.parametrize(
    ("rule", "states"),
    [
        (constant(Fraction(1, 3)), eta[k] >= Fraction(1, 3)),
        (constant(Fraction(1, 3)), eta[k] < Fraction(1, 3)),
        (constant(Fraction(1, 3)), normsq(grad(x[k + 1])) <= Fraction(4, 9) * normsq(grad(x[k]))),
    ],
)
def test_what_only_the_freezing_of_a_step_decides_is_not_decided(rule: Rule, states: Relation) -> None:
    verdict = decided(Bound(states=states), isotropic(1, start=[1]), rule, steps=5)
    assert verdict.outcome is Outcome.UNDECIDED
    assert any("steps are frozen" in note for note in verdict.notes)


def test_a_hypothesis_that_fails_by_freezing_is_not_known_to_fail() -> None:
    claim = Bound(given=(Smooth, eta[i] >= 1 / L), states=f(x[k + 1]) <= f(x[k]))
    verdict = decided(claim, quadratic([[2]], start=[1]), constant(Fraction(1, 2)), steps=5)
    assert verdict.outcome is not Outcome.VACUOUS
    thirds = decided(claim, isotropic(1, curvature=3, start=[1]), over_L(1), steps=5)
    assert thirds.outcome is Outcome.UNDECIDED and "cannot be decided" in thirds.reason


@pytest.mark.parametrize("off", [Fraction(1, 10**20), Fraction(1, 10**30)])
def test_a_rule_that_is_nearly_its_formula_is_not_replaced_by_it(off: Fraction) -> None:
    liar = replace(polyak(1), step=lambda run: run.xp.scalar(1 - off) * run.gap / run.grad_normsq, name="liar")
    verdict = decided(about_polyak(Sum(eta[i], i, 0, k) > 0), synthetic_logistic(20, 3), liar, steps=6)
    assert verdict.outcome in (Outcome.HOLDS, Outcome.VACUOUS) and not (verdict.exercised and verdict.certified)


def test_of_a_large_run_what_numbers_violate_is_undecided_unless_balls_certify_it() -> None:
    problem = synthetic_logistic(20, 3)
    without_balls = replace(problem, grad=_refusing_balls(problem.grad), f=_refusing_balls(problem.f))
    steps = LARGE // 3 + 1
    falls = Bound(states=f(x[k]) < f(x[k + 1]))
    verdict = decided(falls, without_balls, constant(Fraction(1, 2**20)), steps=steps)
    assert verdict.outcome is Outcome.UNDECIDED and "which no ball arithmetic certified" in verdict.reason


def _refusing_balls(oracle):  # type: ignore[no-untyped-def]
    def refusing(xp, *given):  # type: ignore[no-untyped-def]
        if getattr(xp, "encloses", False) or getattr(getattr(xp, "plain", None), "encloses", False):
            raise NotInThisArithmetic("no balls here")
        return oracle(xp, *given)

    return refusing


def test_a_wide_enclosure_does_not_make_a_claim_look_tighter_than_it_is() -> None:
    """Near convergence 128 bits leave wide sides: their middles said 0.53 where left/right is never above 1/2."""
    far = x[k] - 2 * eta[k] * grad(x[k])
    halves = Bound(
        given=(Convex, GradientDescent(), A(x[i], x[i + 1]) > 0),
        states=1 / (2 * eta[k] * A(x[k], far)) <= 1 / (eta[k] * A(x[k], x[k + 1])),
    )
    setting = GridSetting(problem_named("ridge-2d"), "auto", PROFILES["quick"], (polyak(Fraction(3, 2)),))
    (verdict,) = setting.verdicts([halves])
    assert verdict.label == "HOLDS, certified" and verdict.cell.arithmetic == "ball:128"
    assert verdict.tightest is not None and 0.49 < verdict.tightest.ratio <= 0.5


@pytest.mark.parametrize("name", ["float64", "mp:50", "torch:cpu", "torch:cuda:float32", "ball:256", "rational"])
def test_an_arithmetic_that_is_named_is_the_only_one_that_decides(name: str) -> None:
    assert rungs(name, 10) == rungs(name, 10**9) == (name,)
    assert len(rungs("auto", 10)) > 1

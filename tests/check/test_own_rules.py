"""Claims that bring their own steps: by a formula of the index, of the past or of the horizon; or whose methods read none."""

from __future__ import annotations

import pytest

from boundcheck import AtEachStep, Bound, By, Convex, Follows, GradientDescent, Method, Outcome, Parameter, Smooth, Update
from boundcheck.check.verdict import Verdict
from boundcheck.claims.free_steps import said_of_free_steps
from boundcheck.letters import Delta, K, L, delta, eta, grad, i, k, larger, normsq, smaller, x, xstar
from boundcheck.library.names import problem_named
from boundcheck.library.user_rules import as_rule
from boundcheck.model.rule import Rule
from boundcheck.suite.grid import chosen_settings
from boundcheck.suite.own_rules import NO_STEP, own_rules

SETTING = (Convex, Smooth, GradientDescent())
c = Parameter("c")


def verdicts(bound: Bound, *problems: str, rules: tuple[Rule, ...] = (), steps: int | None = None) -> list[Verdict]:
    chosen = chosen_settings("quick", [problem_named(name) for name in problems], list(rules), None, steps)
    return [verdict for setting in chosen for verdict in setting.verdicts([bound])]


def outcomes(found: list[Verdict]) -> set[Outcome]:
    return {verdict.outcome for verdict in found}


def test_a_schedule_by_a_formula_of_the_index_needs_no_rule():
    claim = Bound(given=(*SETTING, Follows(eta[i] == (i + 2) / (L * (i + 3)))), states=delta[k + 1] <= delta[k])
    found = verdicts(claim, "huber")
    assert {verdict.cell.method for verdict in found} == {"(i+2)/(L (i+3))"}
    assert outcomes(found) == {Outcome.HOLDS}


def test_a_formula_that_the_library_has_is_not_run_twice():
    claim = Bound(given=(*SETTING, Follows(eta[i] == L**-1)), states=delta[k + 1] <= delta[k])
    assert {verdict.cell.method for verdict in verdicts(claim, "huber")} == {"1/L"}


def test_each_value_of_a_parameter_of_the_formula_is_a_rule():
    claim = Bound(
        given=(*SETTING, c > 0, c <= 1, Follows(eta[i] == c / (L * (i + 1)))),
        states=delta[k + 1] <= delta[k],
        try_with={"c": (1, "1/2")},
    )
    assert [rule.name for rule in own_rules(claim)] == ["c/(L (i+1)) (c = 1)", "c/(L (i+1)) (c = 1/2)"]
    assert outcomes(verdicts(claim, "huber")) == {Outcome.HOLDS}


def test_what_a_formula_of_the_past_leaves_free_is_said():
    adgd = Follows(eta[i] == smaller(2 * eta[i - 1] - eta[i - 2] / 2, 1 / L))
    claim = Bound(given=(*SETTING, adgd), states=delta[k + 1] <= delta[k])
    assert said_of_free_steps(claim) == [
        f"steps 0 and 1 are free: {adgd.relation} reads entries before, and is asked from step 2 on"
    ]
    found = verdicts(claim, "huber")
    assert outcomes(found) == {Outcome.HOLDS}
    assert all("steps 0 and 1 are free" in verdict.explain() for verdict in found)


def test_the_step_of_a_formula_of_the_past_is_that_formula():
    claim = Bound(
        given=(*SETTING, Follows(eta[i] == larger(eta[i - 1] / 2, 1 / (4 * L)) + 0 * normsq(grad(x[i - 1])))),
        states=delta[k + 1] <= delta[k],
    )
    assert outcomes(verdicts(claim, "huber", "quadratic-2d")) <= {Outcome.HOLDS, Outcome.UNDECIDED}
    assert Outcome.HOLDS in outcomes(verdicts(claim, "huber"))


def test_a_method_that_reads_no_step_needs_neither_a_rule_nor_a_kind():
    fixed = Method(name="my descent", each=(Update(x[k + 1], x[k] - 1 / L * grad(x[k])),))
    claim = Bound(given=(Convex, Smooth, By(fixed)), states=delta[k] <= L * Delta[0] / (2 * k), for_all=k >= 1)
    found = verdicts(claim, "huber")
    assert {verdict.cell.method for verdict in found} == {NO_STEP}
    assert outcomes(found) == {Outcome.HOLDS}


def test_a_rule_that_was_asked_for_is_the_only_one():
    claim = Bound(given=(*SETTING, Follows(eta[i] == (i + 2) / (L * (i + 3)))), states=delta[k + 1] <= delta[k])
    assert verdicts(claim, "huber", rules=(as_rule("1/L"),)) == []


@pytest.mark.parametrize("hypothesis", [Follows, AtEachStep])
def test_a_schedule_of_the_horizon_is_a_run_for_each_K(hypothesis):
    given = (*SETTING, hypothesis(eta[i] == 1 / (L * (K + 1))))
    true = Bound(given=given, states=delta[K] <= L * Delta[0], for_all=K >= 1)
    false = Bound(given=given, states=delta[K] <= delta[0] / (1 + K), for_all=K >= 1)
    assert true.lint() == []
    held = [verdict for verdict in verdicts(true, "parabola") if verdict.cell.arithmetic == "rational"]
    own = [verdict for verdict in held if "K" in verdict.cell.method]
    assert [verdict.outcome for verdict in own] == [Outcome.HOLDS]
    assert own[0].first_k == 1
    assert len(own[0].outcomes) > 1
    failed = next(v for v in verdicts(false, "parabola") if v.cell.arithmetic == "rational" and "K" in v.cell.method)
    assert failed.outcome is Outcome.VIOLATED
    assert failed.violation.k > 1


def test_more_horizons_are_tried_where_more_steps_are_asked_for():
    claim = Bound(given=(*SETTING, Follows(eta[i] == 1 / (L * (K + 1)))), states=delta[K] <= L * Delta[0], for_all=K >= 1)
    lengths = {steps: {len(v.outcomes) for v in verdicts(claim, "log-sum-exp", steps=steps)} for steps in (None, 14)}
    assert lengths == {None: {10}, 14: {14}}


def test_a_claim_for_all_k_with_a_schedule_of_the_horizon():
    given = (*SETTING, Follows(eta[i] == 1 / (L * (K + 1))))
    claim = Bound(given=given, states=delta[k + 1] <= delta[k])
    assert outcomes(verdicts(claim, "huber")) == {Outcome.HOLDS}
    wrong = Bound(given=given, states=delta[k + 1] <= delta[k] / 2)
    found = verdicts(wrong, "huber")
    assert Outcome.VIOLATED in outcomes(found)
    assert any("in the run of K = " in verdict.explain() for verdict in found)


def test_the_letters_of_a_vector_have_the_values_that_are_tried():
    gamma = Parameter("c", dimension=eta[0].dimension)
    claim = Bound(
        given=(*SETTING, gamma > 0, gamma <= 1 / L),
        states=normsq(x[k] - gamma * grad(x[k]) - xstar) <= Delta[k],
        try_with={"c": ("1/8", "1/100")},
    )
    assert outcomes(verdicts(claim, "huber")) == {Outcome.HOLDS}


def test_the_start_beside_a_moving_point_is_evaluated():
    claim = Bound(given=(*SETTING, Follows(eta[i] == 1 / L)), states=normsq(x[k] - x[0]) <= 4 * Delta[0])
    assert outcomes(verdicts(claim, "huber")) == {Outcome.HOLDS}

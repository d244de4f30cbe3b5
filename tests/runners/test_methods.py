"""Runs of any method: what is recorded, how it is enclosed, where it ends, what a rule may try."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import THE_SAME_STEPS, By, Runs
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import Delta, Points, Sum, delta, eta, eta_length, grad, i, k, norm, normsq, v, x, xstar, y
from boundcheck.language.scalars import Gap
from boundcheck.library.catalogue import problems
from boundcheck.model.method import GRADIENT_DESCENT, Method, Update
from boundcheck.model.problem import Convex, Differentiable
from boundcheck.model.rule import Rule, RuleError, RunEnds
from boundcheck.runners import RULES, backtracking, constant, given, over_L, run, trace
from boundcheck.runs.trace import Experiment
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES
from tests.runners.methods import ESTIMATING, HEAVY_BALL, MOMENTUM, NORMALIZED, PRINTED, alpha, alpha0, gamma, lam, phistar
from tests.runners.test_trajectory_error import truths

HALF = {"alpha0": Fraction(1, 2)}
AS_DATA = replace(GRADIENT_DESCENT, name="gradient descent as data", each=(*GRADIENT_DESCENT.each, Update(y[k], x[k])))


def columns(*leaves: Any) -> list[Any]:
    return [as_column(leaf)[0] for leaf in leaves]


def test_gradient_descent_by_its_updates_is_gradient_descent() -> None:
    problem = problems()["huber"]()
    wanted = columns(Gap(x[k]), Delta[k], normsq(grad(x[k])), eta[k])
    rule = over_L(Fraction(1, 2))
    fast = run(problem, rule, steps=6, columns=wanted, xp="rational")
    slow = run(problem, rule, steps=6, columns=wanted, xp="rational", method=AS_DATA)
    assert slow.method == "gradient descent as data"
    for column in wanted:
        assert [str(a) for a in slow.columns[column].data[0]] == [str(a) for a in fast.columns[column].data[0]]


LEAVES = (Gap(x[k]), Delta[k], normsq(grad(y[k])), Gap(y[k]), normsq(v[k] - xstar), lam[k], gamma[k], alpha[k], phistar[k])


@pytest.mark.parametrize("name", ["quadratic-2d", "logistic-40x5", "smooth-abs", "quartic", "asymmetric"])
@pytest.mark.parametrize("rule", [backtracking("H"), backtracking("D", "x")], ids=lambda rule: rule.name)
def test_float64_encloses_the_high_precision_run_of_an_accelerated_method(name: str, rule: Rule) -> None:
    """The same dyadic steps at 60 digits: every entry lies within the radius that float64 states, and not by vacuity."""
    problem, wanted = problems()[name](), columns(*LEAVES, eta[k])
    rough = run(problem, rule, steps=12, columns=wanted, method=ESTIMATING, parameters=HALF)
    steps = rough.xp.middle(rough.columns[wanted[-1]])[0]
    start = [float(c) for c in problem.start]
    fine = run(
        problem,
        given([float(s) for s in steps]),
        steps=len(steps),
        columns=wanted,
        starts=[start],
        xp="mp:60",
        method=ESTIMATING,
        parameters=HALF,
    )
    decided = 0
    for column in wanted:
        errors, middles = rough.xp.error(rough.columns[column])[0], rough.columns[column].mid[0]
        for n, true in enumerate(truths(fine, column)):
            if true is None or not np.isfinite(errors[n]):
                continue
            assert abs(Fraction(float(middles[n])) - true[0]) <= Fraction(errors[n]) + Fraction(true[1]), (str(column), n)
            decided += errors[n] < 1e-6 * max(1.0, abs(float(middles[n])))
    assert decided >= 4 * len(wanted)


def test_a_radius_that_forgets_the_trajectory_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same comparison with errors of one step only: it must fail, or it shows nothing."""
    from boundcheck.runners.engine import run_history

    def careless(self: Any, here: Any, formula: Any, at: tuple[str, int]) -> Any:
        return self._stored(*at)

    monkeypatch.setattr(run_history.History, "_updated", careless)
    with pytest.raises(AssertionError):
        test_float64_encloses_the_high_precision_run_of_an_accelerated_method("logistic-40x5", backtracking("H"))


def same(method: Method) -> Bound:
    other = Points("x").of("momentum")
    return Bound(
        given=(Convex, Differentiable, Runs.together({"": ESTIMATING, "momentum": method}, THE_SAME_STEPS), alpha0 > 0),
        states=normsq(x[k] - other[k]) == 0,
        try_with={"alpha0": (Fraction(1, 2),)},
    )


@pytest.mark.parametrize(("method", "expected"), [(MOMENTUM, Outcome.HOLDS), (PRINTED, Outcome.VIOLATED)])
@pytest.mark.parametrize("name", ["quadratic-2d", "huber"])
def test_two_forms_of_a_method_are_compared_exactly(name: str, method: Method, expected: Outcome) -> None:
    setting = GridSetting(problems()[name](), "rational", PROFILES["quick"], (backtracking("H"),))
    (verdict,) = setting.verdicts([same(method)])
    assert (verdict.outcome, verdict.certified) == (expected, True)


def test_constant_steps_hide_the_difference() -> None:
    setting = GridSetting(problems()["huber"](), "rational", PROFILES["quick"], (constant(Fraction(1, 2)),))
    (verdict,) = setting.verdicts([same(PRINTED)])
    assert verdict.outcome is not Outcome.VIOLATED


def test_a_normalized_step_has_the_length_that_the_rule_chose() -> None:
    claim = Bound(given=(Convex, Differentiable, By(NORMALIZED)), states=norm(x[k + 1] - x[k]) == eta_length[k])
    wrong = replace(claim, states=norm(x[k + 1] - x[k]) == 2 * eta_length[k])
    setting = GridSetting(problems()["huber"](), "rational", PROFILES["quick"], (given([Fraction(1, 3)] * 40),))
    assert [v.outcome for v in setting.verdicts([claim, wrong])] == [Outcome.HOLDS, Outcome.VIOLATED]


def test_a_method_that_looks_back_begins_with_what_first_gives() -> None:
    problem = problems()["parabola"]()  # f = x^2 from 1
    made = run(
        problem, constant(Fraction(1, 4)), steps=2, columns=columns(*[Gap(x[k]), Gap(y[k])]), xp="rational", method=HEAVY_BALL
    )
    first, second = (made.columns[c].data[0] for c in columns(Gap(x[k]), Gap(y[k])))
    assert [str(a) for a in first] == ["1", "1/4", "0"]  # x: 1, 1/2, then 1/2 - 1/4 - 1/4
    assert [str(a) for a in second] == ["1", "1/16"]  # y: 1, 1/4


def test_an_entry_that_nothing_sets_is_one_clear_line() -> None:
    with pytest.raises(RuleError, match="reads x_-1, which nothing has set; give it in `first`"):
        run(problems()["parabola"](), constant(1), steps=2, method=replace(HEAVY_BALL, first=()))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Update(x, x[k]), "sets an entry"),
        (lambda: Update(x[k + 1], eta[k]), "one is a point and the other a number"),
        (lambda: Method(name="m", each=(Update(x[k + 2], x[k]),)), "index k or k"),
        (lambda: Method(name="m", each=(Update(y[k], x[k]),)), "no update sets x"),
        (lambda: Method(name="m", first=(Update(y[k], x[k]),), each=GRADIENT_DESCENT.each), "index 0"),
        (lambda: replace(HEAVY_BALL, each=(Update(x[k + 1], v[k]),)), "reads v_k, which no update sets"),
        (lambda: replace(HEAVY_BALL, each=(Update(x[k + 1], x[k]), Update(x[k + 1], y[k]))), "two updates set x"),
        (lambda: replace(HEAVY_BALL, first=(Update(x[0], xstar),)), "x.0. is the problem's start"),
        (lambda: replace(HEAVY_BALL, each=GRADIENT_DESCENT.each[0]), "tuples of updates"),
        (lambda: Method(name="m", each=(Update(x[k + 1], x[k] - eta[i] * grad(x[k])),)), "write its indices with k"),
        (lambda: Method(name="m", each=(Update(x[k + 1], Points("x").of("b")[k]),)), "reads another run"),
        (lambda: Method(name="m", each=(Update(x[k + 1], x[k] - Sum(eta[i], i, 0, k) * grad(x[k])),)), "a sum or a mean"),
    ],
)
def test_what_is_no_method_is_refused(make: Any, said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        make()


def test_methods_travel_as_json() -> None:
    for method in (ESTIMATING, MOMENTUM, NORMALIZED, HEAVY_BALL, GRADIENT_DESCENT):
        again = Method.from_json(method.to_json())
        assert (again.key, again.state, again.parameters) == (method.key, method.state, method.parameters)
    assert PRINTED.key != MOMENTUM.key
    claim = same(MOMENTUM)
    assert Bound.from_json(claim.to_json()).hash == claim.hash != same(PRINTED).hash


def test_a_run_ends_where_its_rule_says_that_no_step_exists() -> None:
    def step(run: Any) -> Any:
        if run.k == 2:
            raise RunEnds("there is no step here")
        return run.xp.scalar(Fraction(1, 2))

    for method in (GRADIENT_DESCENT, AS_DATA):
        made = run(problems()["huber"](), Rule(name="gives up", step=step), steps=9, columns=columns(eta[k]), method=method)
        assert (made.ended, list(made.steps)) == (("there is no step here",), [2])


def test_a_rule_can_record_numbers_beside_its_steps() -> None:
    def step(run: Any) -> Any:
        run.note("twice", run.xp.scalar(1))
        return run.xp.scalar(Fraction(1, 2))

    rule = Rule(name="notes", step=step, records=("twice",))
    twice = type(eta)("twice", eta.dimension)
    claim = Bound(given=(Convex,), states=twice[k] == 2 * eta[k])
    setting = GridSetting(problems()["huber"](), "rational", PROFILES["quick"], (rule, over_L()))
    (verdict,) = setting.verdicts([claim])  # over_L records nothing of the kind, so it is not asked
    assert (verdict.outcome, verdict.cell.method) == (Outcome.HOLDS, "notes")


def test_backtracking_meets_its_hypothesis_in_every_arithmetic() -> None:
    from boundcheck.language.letters import H

    claim = Bound(
        given=(Convex, By(ESTIMATING), alpha0 > 0), states=eta[k] * H(y[k], x[k + 1]) <= 1, try_with={"alpha0": (Fraction(1, 2),)}
    )
    for kind in ("rational", "float64", "mp:40"):
        setting = GridSetting(problems()["quadratic-2d"](), kind, PROFILES["quick"], (backtracking("H"),))
        (verdict,) = setting.verdicts([claim])
        assert verdict.outcome is Outcome.HOLDS and verdict.counts[Outcome.VIOLATED] == 0


def test_steps_vary_or_nothing_is_shown() -> None:
    made = run(
        problems()["quadratic-2d"](), backtracking("H"), steps=12, columns=columns(eta[k]), method=ESTIMATING, parameters=HALF
    )
    assert len(set(made.xp.middle(made.columns[columns(eta[k])[0]])[0])) > 2


def test_every_rule_of_the_library_names_a_kind_of_method() -> None:
    kinds = {kind for rule in RULES for kind in rule.methods}
    assert {"gradient descent", "accelerated", "exponential search"} <= kinds


def test_the_monotone_sequences_of_an_accelerated_method() -> None:
    claims = [
        Bound(given=(Convex, By(ESTIMATING), alpha0 > 0), states=states, try_with={"alpha0": (Fraction(1, 2),)})
        for states in (phistar[k] >= delta[k], phistar[k] <= delta[k] - 1)
    ]
    setting = GridSetting(problems()["quadratic-2d"](), "rational", PROFILES["quick"], (backtracking("H"),))
    assert [v.outcome for v in setting.verdicts(claims)] == [Outcome.HOLDS, Outcome.VIOLATED]


def test_chords_are_an_experiment_too() -> None:
    made = trace(problems()["huber"](), Experiment(None), steps=0, count=200, columns=(), xp="rational")
    assert made.method == "chords" and made.steps[0] >= 150
    assert alpha0.name in ESTIMATING.parameters

"""Gradient descent with the exact step 1/L: its enclosures hold the exact run, and verdicts are those of the general way."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from boundcheck import Bound, Convex, GradientDescent
from boundcheck.arithmetic import Order, arithmetic
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import H, eta, f, grad, i, inner, k, mean, normsq, x, xstar
from boundcheck.language.scalars import Gap
from boundcheck.library.catalogue import bounds, problems
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.problems import logistic
from boundcheck.problems._numerics import ball_values
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.quadratic import quadratic
from boundcheck.runners import dai_yang, experiments, over_L, polyak, run
from boundcheck.runners.enclosures.constant_step import _Enclosed, run_enclosed, takes_one_step
from boundcheck.runs.trace import Trace
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

BALLS = arithmetic("ball:128")
COLUMNS = [as_column(leaf, local)[0] for leaf in (normsq(x[k] - xstar), normsq(grad(x[k])), Gap(x[k])) for local in (False, True)]
COLUMNS += [as_column(eta[k])[0]]
STEPS = 25


@pytest.fixture
def problem() -> Problem:
    return quadratic([[3, 1], [1, Fraction(7, 5)]], xstar=[Fraction(1, 7), 0], start=[5, Fraction(1, 3)])


def outside(made: Trace, exact: Trace) -> int:
    """How many exact numbers are in no enclosure."""
    missed = 0
    for column, values in exact.columns.items():
        balls = BALLS.bare(made.columns[column]).reshape(-1)
        missed += sum(
            not ball.contains(BALLS.plain.lift(value)) for ball, value in zip(balls, values.data.reshape(-1), strict=True)
        )
    return missed


def test_the_exact_run_is_enclosed(problem: Problem) -> None:
    exact = run(problem, over_L(1), steps=STEPS, columns=COLUMNS[::2], xp="rational")
    made = run_enclosed(problem, over_L(1), steps=STEPS, columns=COLUMNS, xp=BALLS)
    assert outside(made, exact) == 0
    assert made.moved == 0 and made.follows


def test_a_frozen_step_would_be_seen(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Enclosed, "enclosing", lambda self, eta: eta)
    exact = run(problem, over_L(1), steps=STEPS, columns=COLUMNS[::2], xp="rational")
    assert outside(run_enclosed(problem, over_L(1), steps=STEPS, columns=COLUMNS, xp=BALLS), exact) > 0


def test_the_exact_step_visits_the_points_of_the_frozen_one(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, visited = synthetic_logistic(24, 4, seed=2), []
    real = ball_values.BallValues._computed
    monkeypatch.setattr(ball_values.BallValues, "_computed", lambda self, *given: visited.append(1) or real(self, *given))
    columns = [as_column(leaf)[0] for leaf in (Gap(x[k]), Gap(mean(x[i], weight=eta[i], over=(i, 0, k))))]
    run(problem, over_L(1), steps=STEPS, columns=columns, xp=BALLS)
    assert len(visited) == STEPS + 1
    made = run_enclosed(problem, over_L(1), steps=STEPS, columns=columns, xp=BALLS)
    assert len(visited) == STEPS + 1 and made.steps[0] == STEPS


def test_means_with_equal_weights_are_plain_means() -> None:
    """With weights that differ they are not: Polyak's steps change. A rule that does not say so has its steps weighed."""
    problem = synthetic_logistic(24, 4, seed=2)
    plain, weighted = (as_column(Gap(mean(x[i], weight=w, over=(i, 0, k))))[0] for w in (1, eta[i]))

    def differ(one: Rule, other: Rule) -> bool:
        first, second = (run(problem, rule, steps=8, columns=[plain, weighted], xp=BALLS).columns for rule in (one, other))
        return bool((BALLS.compare(first[plain][:, 2:8], second[weighted][:, 2:8]) != Order.UNKNOWN).any())

    silent = replace(over_L(1), constant=False)
    assert not differ(over_L(1), over_L(1)) and not differ(over_L(1), silent) and differ(polyak(1), polyak(1))


def test_points_have_a_word_more_than_their_columns() -> None:
    """So identities about one step are known to nearly all bits, and no run with more is made for them."""
    problem = synthetic_logistic(24, 4, seed=2)
    setting = GridSetting(problem, "auto", replace(PROFILES["full"], steps=60), (over_L(1),))
    quadratic_bound = f(x[k]) + inner(grad(x[k]), x[k + 1] - x[k]) + H(x[k], x[k + 1]) / 2 * normsq(x[k + 1] - x[k])
    (verdict,) = setting.verdicts([Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) <= quadratic_bound)])
    assert verdict.tied and verdict.width < 2.0**-110
    assert verdict.cost is not None and verdict.cost.tried == ("ball:128",)


def test_steps_that_stretch_or_read_points_go_the_general_way(problem: Problem) -> None:
    assert takes_one_step(problem, over_L(1), BALLS)
    assert not takes_one_step(problem, over_L(2), BALLS)
    assert not takes_one_step(problem, polyak(1), BALLS)
    assert not takes_one_step(problem, over_L(1), arithmetic("rational"))


def test_a_rule_that_says_another_number_than_its_formula_is_refused(problem: Problem) -> None:
    other = over_L(Fraction(1, 2)).step
    liar = replace(over_L(1), step=lambda run: other(run))
    with pytest.raises(RuleError, match="does not follow"):
        run_enclosed(problem, liar, steps=2, columns=COLUMNS, xp=BALLS)


def verdicts(problem: Problem, rule: Rule) -> list[Verdict]:
    setting = GridSetting(problem, "auto", replace(PROFILES["full"], steps=12, bits=256), (rule,))
    about_runs = [b for b in bounds() if not b.is_about_chords and len(b.runs.roles) == 1 and not b.untested]
    found = []
    for experiment, asked in setting.experiments(about_runs, rule, ("D", "H", "L")):
        if experiment.is_gradient_descent:
            found += setting.answers(experiment, asked)
    return found


@pytest.mark.parametrize("rule", [over_L(1), polyak(1)], ids=["1/L", "polyak"])
def test_values_kept_and_steps_enclosed_change_no_verdict(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was decided at some k is decided in the same way; an undecided k may be decided by narrower enclosures."""
    problem = synthetic_logistic(24, 4, seed=2)
    quick = verdicts(problem, rule)
    monkeypatch.setattr(logistic, "is_plain_ball", lambda xp: False)
    monkeypatch.setattr(experiments, "takes_one_step", lambda *given: False)
    slow = verdicts(synthetic_logistic(24, 4, seed=2), rule)
    assert len(quick) == len(slow) > 100
    decided = 0
    for new, old in zip(quick, slow, strict=True):
        assert new.cell.claim == old.cell.claim
        settled = old.outcomes != Outcome.UNDECIDED
        decided += int(settled.sum())
        assert np.array_equal(new.outcomes[settled], old.outcomes[settled]), f"{new} was {old}"
    assert decided > 800


def test_a_run_ends_where_a_rule_can_make_nothing_of_the_gradient() -> None:
    """At 128 bits B g is not told from 0 though g is: the run is over, and the rule is not at fault."""
    made = run(problems()["rank-deficient-6d"](), dai_yang(), steps=450, xp="ball:128")
    assert 300 < made.steps[0] < 450
    assert "too small to be told from 0 in ball:128" in made.ended[0]


def test_a_run_of_polyak_in_balls_ends_where_its_step_is_not_told_from_0_and_the_rule_is_not_blamed():
    made = run(problems()["rank-deficient-6d"](), polyak(Fraction(7, 4)), steps=100, columns=(), xp="ball:128")
    assert 30 < made.steps[0] < 100 and made.ended[0].endswith("f* is too small to be told from 0")

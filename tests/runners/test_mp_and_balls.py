"""Two arithmetics that share no code, mpmath and balls, enclose the same runs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import eta, f, grad, k, normsq, x
from boundcheck.language.scalars import Gap
from boundcheck.library.catalogue import problems
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runners import given, over_L, polyak, run

STEPS = 12
COLUMNS = {name: as_column(leaf)[0] for name, leaf in (("f", f(x[k])), ("gap", Gap(x[k])), ("|g|^2", normsq(grad(x[k]))))}
ETA = as_column(eta[k])[0]
RULES = [over_L(1), polyak(1)]
NAMES = ["quadratic-3d", "quadratic-30d", "logistic-40x5"]


def exact(number: Any) -> Fraction:
    """An mpf, or an exact arb."""
    mantissa, exponent = number.man_exp() if callable(number.man_exp) else number.man_exp
    made = Fraction(abs(int(mantissa))) * Fraction(2) ** int(exponent)
    return -made if number < 0 else made


def steps_of(problem: Problem, rule: Rule) -> list[Fraction]:
    trace = run(problem, rule, steps=STEPS, columns=[ETA], xp="mp:50")
    return [exact(step) for step in trace.columns[ETA].mid[0]]


def balls(trace: Any, column: Any) -> list[tuple[Fraction, Fraction]]:
    """Middles and radii of a column in balls."""
    return [(exact(ball.mid()), exact(ball.rad())) for ball in trace.columns[column].data[0]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_a_value_at_high_precision_is_in_the_ball_within_its_own_bound(name: str, rule: Rule) -> None:
    """With the very same steps: those that the rule chose at high precision, which 200 bits hold."""
    problem = problems()[name]()
    same = given(steps_of(problem, rule))
    high, ball = (run(problem, same, steps=STEPS, columns=COLUMNS.values(), xp=xp) for xp in ("mp:50", "ball:200"))
    for label, column in COLUMNS.items():
        theirs = high.columns[column]
        for n, (middle, radius) in enumerate(balls(ball, column)):
            off = abs(exact(theirs.mid[0, n]) - middle)
            assert off <= radius + Fraction(float(theirs.rad[0, n])), f"{label} at {n}: {float(off)}"
            assert radius <= abs(middle) * Fraction(1, 2**100), f"{label} at {n} has a useless ball"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_both_choose_the_same_steps_up_to_their_precision(name: str, rule: Rule) -> None:
    problem = problems()[name]()
    trace = run(problem, rule, steps=STEPS, columns=[ETA], xp="ball:200")
    for n, (mine, (middle, radius)) in enumerate(zip(steps_of(problem, rule), balls(trace, ETA), strict=True)):
        assert radius == 0, "a step is frozen"
        assert abs(mine - middle) <= mine * Fraction(10) ** (n - 45)


def test_a_value_of_another_run_is_not_in_the_ball() -> None:
    problem = problems()["quadratic-3d"]()
    steps = steps_of(problem, RULES[0])
    moved = [steps[0] * (1 + Fraction(1, 2**120)), *steps[1:]]
    high = run(problem, given(moved), steps=STEPS, columns=COLUMNS.values(), xp="mp:50")
    ball = run(problem, given(steps), steps=STEPS, columns=COLUMNS.values(), xp="ball:200")
    outside = []
    for n, (middle, radius) in enumerate(balls(ball, COLUMNS["gap"])):
        theirs = high.columns[COLUMNS["gap"]]
        outside.append(abs(exact(theirs.mid[0, n]) - middle) > radius + Fraction(float(theirs.rad[0, n])))
    assert np.array(outside)[1:].all() and not outside[0]

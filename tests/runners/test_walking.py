"""One run alone in float64: its walker computes what the problem's oracles do, and one that was replaced is the one asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import D, H, eta, grad, k, normsq, x
from boundcheck.language.scalars import Gap
from boundcheck.model.rule import Rule
from boundcheck.problems.logistic import logistic, synthetic_logistic
from boundcheck.runners import over_L, polyak, run
from boundcheck.runners.engine import batch
from boundcheck.runners.engine.single_run import walker_of

PROBLEM = synthetic_logistic(40, 5, seed=40)
LEAVES = (Gap(x[k]), eta[k], normsq(grad(x[k])), D(x[k], x[k + 1]), H(x[k], x[k + 1]), H(x[k + 1], x[k]))
COLUMNS = [as_column(leaf)[0] for leaf in LEAVES]
ALWAYS = over_L(1)
EACH_TIME = replace(ALWAYS, constant=False)


def replaced(problem: Any = PROBLEM) -> tuple[Any, list[Any]]:
    """The same problem with a gradient that is no method of it any more, and the points that it is asked at."""
    asked: list[Any] = []

    def gradient(xp: Any, x: Any) -> Any:
        asked.append(x)
        return problem.grad(xp, x)

    return replace(problem, grad=gradient), asked


def test_the_walker_s_gradients_are_the_problem_s_bit_for_bit() -> None:
    walker, rng, out = walker_of(PROBLEM), np.random.default_rng(0), np.empty(5)
    for size in (1e-12, 1.0, 30.0, 1e4):
        point = rng.normal(size=5) * size
        with np.errstate(over="ignore"):
            walker.grad(point, out)
            assert out.tobytes() == PROBLEM.grad(FLOAT64, point).tobytes()


@pytest.mark.parametrize("away", [0.0, 1e-16, 1e-14, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.2, 1.0, 30.0])
def test_the_walker_s_gaps_are_true_at_every_distance_from_the_minimiser(away: float) -> None:
    walker, mp, out = walker_of(PROBLEM), arithmetic("mp:40"), np.empty(5)
    direction = np.array([3.0, -1.0, 2.0, 0.5, 1.0])
    point = np.array([float(c) for c in PROBLEM.minimiser.point]) + away * direction
    assert walker.both is not None and PROBLEM.gap is not None
    made, own, true = (
        walker.both(point, out),
        PROBLEM.gap(FLOAT64, point, None),
        PROBLEM.gap(mp, mp.vectors([point.tolist()]), None),
    )
    truth, error = float(mp.middle(true)[0]), float(mp.error(true)[0])
    at_centre = float(
        PROBLEM.grad.__self__.known.gap
    )  # a part of the sum, which is larger than it where x is nearer to x* than c
    assert abs(made - truth) <= 1e-13 * truth + 1e-15 * at_centre + error
    assert abs(made - own) <= 1e-13 * truth + 1e-15 * at_centre
    np.testing.assert_allclose(out, PROBLEM.grad(FLOAT64, point), rtol=1e-13, atol=1e-13)


def test_a_run_by_the_walker_is_the_run_by_the_oracles() -> None:
    other, asked = replaced()
    for rule in (ALWAYS, EACH_TIME):
        one, two = (run(problem, rule, steps=300, columns=COLUMNS) for problem in (PROBLEM, other))
        for column in COLUMNS:
            assert one.columns[column].mid.tobytes() == two.columns[column].mid.tobytes(), column
    assert len(asked) > 600


def test_steps_by_numbers_are_the_rule_s_steps() -> None:
    """Asked in Python, the rule reads the gap of the problem's own formula: the last bits differ, and the runs drift apart."""
    rule = polyak(1)
    one, two = (run(PROBLEM, r, steps=12, columns=COLUMNS) for r in (rule, replace(rule, numbers=None)))
    for column in COLUMNS:
        np.testing.assert_allclose(one.columns[column].mid, two.columns[column].mid, rtol=1e-8, err_msg=str(column))
    gaps, steps, squares = (one.columns[column].mid[0] for column in COLUMNS[:3])
    np.testing.assert_allclose(steps, (gaps / squares)[:12], rtol=1e-12)


def test_without_a_minimiser_a_rule_that_reads_the_gap_is_asked_in_python() -> None:
    separable = logistic([[1, 2], [2, -1], [-1, -2], [-3, 1]], [1, 1, -1, -1])
    assert walker_of(separable).both is None
    trace = run(separable, polyak(1), steps=5, columns=[as_column(eta[k])[0]])
    assert trace.steps[0] == 5


def test_a_gap_that_was_replaced_is_the_one_that_the_rule_reads() -> None:
    gap = PROBLEM.gap
    assert gap is not None
    half = replace(PROBLEM, gap=lambda xp, x, g: gap(xp, x, g) * 0.5)
    assert walker_of(half).both is None
    steps = [run(p, polyak(1), steps=1, columns=[COLUMNS[1]]).columns[COLUMNS[1]].mid[0, 0] for p in (PROBLEM, half)]
    assert steps[1] == pytest.approx(steps[0] / 2, rel=1e-12)


def test_what_a_rule_keeps_of_a_run_is_not_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buffers are used again: a rule must still find x_{k-1} - eta_{k-1} grad f(x_{k-1}) = x_k in what it kept."""
    monkeypatch.setattr(batch, "CHUNK", 1)
    kept: list[Any] = []

    def step(past: Any) -> Any:
        kept.append((past.x, past.grad))
        if past.before is not None:
            assert past.before is not None and past.before.x is kept[-2][0]
            assert (past.before.x - past.before.eta * past.before.grad).tobytes() == past.x.tobytes()
        return FLOAT64.scalar(0.01)

    run(PROBLEM, Rule(name="keeps", step=step), steps=23, columns=COLUMNS)
    for (before, gradient), (after, _) in pairwise(kept):
        assert (before - FLOAT64.scalar(0.01) * gradient).tobytes() == after.tobytes()
    assert len(kept) == 23


def test_a_run_that_meets_the_minimiser_ends_there() -> None:
    pair = logistic([[1], [1]], [1, -1], start=[0])
    trace = run(pair, polyak(1), steps=5, columns=COLUMNS)
    assert trace.steps[0] == 0 and "gradient" in trace.ended[0]

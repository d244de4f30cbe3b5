"""Numbers along runs: the sides of claims by hand, where rounding takes over, normalized gradient descent as a rule."""

from __future__ import annotations

import numpy as np
import pytest

from boundcheck.api import check
from boundcheck.evaluate.columns import as_column
from boundcheck.figures.runs import run_once, sides
from boundcheck.language.letters import f, i, x
from boundcheck.library.catalogue import runner
from boundcheck.library.names import problem_named, rule_named
from boundcheck.theorems.directional_smoothness.figures.logistic_comparison import normalized
from boundcheck.theorems.directional_smoothness.section3_path_dependent_rates import convex_any_stepsize
from boundcheck.theorems.directional_smoothness.section4_normalized import NORMALIZED
from boundcheck.theorems.directional_smoothness.section4_polyak import polyak_best, strongly_adapted

LOGISTIC = "logistic-40x5"


def distance_squared(name: str) -> float:
    problem = problem_named(name)
    assert problem.minimiser is not None
    return sum((float(a) - float(b)) ** 2 for a, b in zip(problem.start, problem.minimiser.point, strict=True))


def test_the_right_side_for_strongly_adapted_steps_is_the_one_by_hand() -> None:
    claim = (strongly_adapted, "D")
    run = run_once(problem_named(LOGISTIC), "1/D", steps=30, chords=("D",), claims=[claim])
    k, left, right = sides(claim, run)
    assert k[0] == 1 and len(k) == run.steps == 30
    by_hand = distance_squared(LOGISTIC) / (2 * np.cumsum(1 / run.chords["D"]))
    assert np.allclose(right, by_hand, rtol=1e-12)
    weighted = np.cumsum(run.eta * run.gap[1:]) / np.cumsum(run.eta)
    assert np.allclose(left, weighted, rtol=1e-9) and (left <= right).all()
    assert not np.allclose(right, by_hand / 2, rtol=1e-3)


@pytest.mark.parametrize("kind", ["D", "H", "L"])
def test_the_right_side_for_the_polyak_step_is_the_one_by_hand(kind: str) -> None:
    problem, claim = problem_named(LOGISTIC), (polyak_best, kind)
    run = run_once(problem, "polyak(3/2)", steps=25, chords=("D", "H"), claims=[claim])
    k, left, right = sides(claim, run)
    assert problem.L is not None
    M = np.full(run.steps, float(problem.L)) if kind == "L" else run.chords[kind]
    assert np.allclose(right[: run.steps], 3 * distance_squared(LOGISTIC) / np.cumsum(1 / M), rtol=1e-12)
    assert np.allclose(left, np.minimum.accumulate(run.gap)[k], rtol=1e-9)


def test_where_a_verdict_is_decided_its_sides_are_these() -> None:
    claim = (convex_any_stepsize, "D")
    run = run_once(problem_named(LOGISTIC), "1/L", steps=10, chords=("D",), claims=[claim])
    (verdict,) = check(convex_any_stepsize, run.trace, smoothness="D")
    k, _, right = sides(claim, run)
    assert verdict.right is not None and verdict.first_k == k[0]
    both = min(len(verdict.right), len(right))
    assert both >= 8 and np.allclose(verdict.right[:both], right[:both], rtol=1e-6)


def test_a_run_is_drawn_no_further_than_its_numbers_have_digits() -> None:
    problem = problem_named(LOGISTIC)
    cut = run_once(problem, "polyak(3/2)", steps=300, chords=("D", "H"))
    blind = run_once(problem, "polyak(3/2)", steps=300, chords=("D", "H"), known=np.inf)
    assert cut.steps < blind.steps and cut.ended == f"rounding decides the numbers of step {cut.steps}"
    L = float(problem.L or 0)
    assert (cut.chords["H"] > 1e-3 * L / 100).all() and (cut.chords["D"] <= 2 * L).all()
    assert cut.chords["H"].min() > 1000 * np.abs(blind.chords["H"]).min()  # what comes after is rounding
    assert np.array_equal(cut.gap, blind.gap[: cut.steps + 1])


def test_normalized_gradient_descent_as_a_rule_is_the_method() -> None:
    problem = problem_named(LOGISTIC)
    mine = run_once(problem, normalized(0.5), steps=12)
    column = as_column(f(x[i]))[0]
    trace = runner().run(problem, rule_named("over_sqrt(1/2)"), steps=12, columns=[column], method=NORMALIZED)
    theirs = np.asarray(trace.xp.middle(trace.columns[column]))[0] - float(problem.infimum or 0)
    assert np.allclose(mine.gap, theirs, rtol=1e-9)


def test_a_problem_without_an_infimum_is_refused() -> None:
    with pytest.raises(ValueError, match="has no known infimum"):
        run_once(problem_named("slope"), "1/L", steps=2)

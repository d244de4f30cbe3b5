"""What a seed means: it draws the problem of a family, the start of a fixed problem, and the ends of chords."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from boundcheck.library.catalogue import NotFound, problems
from boundcheck.library.names import draw_from_family, families, from_another_start, problem_named
from boundcheck.sweep import Sweep
from boundcheck.sweep.plan import SweepPlan
from boundcheck.sweep.task import do

MINE = """
from boundcheck.problems.quadratic import isotropic

def steeper(seed):
    return isotropic(1, curvature=2 + seed, start=[1], name="steeper")

def fragile(seed):
    if seed == 0:
        return steeper(0)
    raise ValueError(f"not {seed}")
"""
SPELLED = {
    "power-law": "power-law(dimension=4, seed={})",
    "random-quadratic": "random-quadratic(dimension=3, condition=50, seed={})",
    "rank-deficient": "rank-deficient(dimension=4, rank=2, seed={})",
    "synthetic-logistic": "synthetic-logistic(samples=12, features=2, flipped=1/4, seed={})",
}


def test_every_family_can_be_spelled():
    assert set(SPELLED) == set(families())


@pytest.mark.parametrize("name", SPELLED.values(), ids=SPELLED)
def test_a_family_draws_one_problem_a_seed(name):
    one, again, other = (problem_named(name.format(seed)) for seed in (1, 1, 2))
    assert (one.name, one.start, one.facts) == (name.format(1), again.start, again.facts)
    assert (other.start, other.facts) != (one.start, one.facts)


def test_a_family_is_what_it_was_by_other_ways():
    assert problem_named("power-law(dimension=4, seed=7)").start == draw_from_family("power-law", dimension=4, seed=7).start


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("random-quadratic(3)", "found '3'; it takes dimension, condition, seed"),
        ("rank-deficient(dimension=2, rank=2)", "found rank 2 in dimension 2; needs 1 <= rank < dimension"),
        ("rank-deficient(dimension=2)", "missing a required argument: 'rank'"),
        ("power-law(dimension=2, alpha=1/0)", "found 'alpha=1/0'; needs a number"),
        ("power-law(dimension=5/2)", "cannot be drawn: "),
        ("power-lawn(dimension=2)", "no problem 'power-lawn(dimension=2)'"),
    ],
)
def test_a_family_that_is_spelled_wrong_is_one_line(name, said):
    with pytest.raises(NotFound) as wrong:
        problem_named(name)
    assert said in str(wrong.value)


@pytest.mark.parametrize("name", ["huber", "quadratic-3d", "slope", "valley"])
def test_a_seed_draws_a_start_and_0_is_the_problem_s_own(name):
    problem = problems()[name]()
    assert from_another_start(problem, 0) is problem
    starts = [tuple(from_another_start(problem, seed).start) for seed in range(1, 30)]
    assert len(set(starts)) == 29 and starts == [tuple(from_another_start(problem, seed).start) for seed in range(1, 30)]
    assert all(isinstance(c, Fraction) and (c * 2**16).denominator == 1 for start in starts for c in start)


def plan_of(**more):
    given = {"claims": ("lemma:local-descent-lemma",), "problems": ("huber",), "methods": ("1/L",), "steps": 3, **more}
    return SweepPlan(Sweep(**given), Path())


def test_a_function_of_the_seed_is_a_family(folder):
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    plan = plan_of(problems=("mine.py:steeper",), arithmetic=("rational",), seeds=(0, 4))
    assert [plan.work(unit).setting.problem.L for unit in plan.units] == [2, 6]
    assert {packed.outcome for n in range(2) for packed in do(plan, n).found.values()} == {0}
    broken = do(plan_of(problems=("mine.py:fragile",), seeds=(0, 1)), 1)
    assert {failure.error for failure in broken.failed.values()} == {"mine.py:fragile(1) failed: ValueError: not 1 (mine.py:10)"}


def test_a_rational_problem_stays_rational_from_any_start():
    plan = plan_of(arithmetic=("rational",), seeds=range(5))
    outcomes = [packed.outcome for n in range(5) for packed in do(plan, n).found.values()]
    assert len(outcomes) == 20 and set(outcomes) == {0}


def test_a_seed_draws_the_chords_of_claims_about_any_two_points():
    plan = plan_of(
        claims=("eq:smoothness-upper-bound@printed",),
        problems=("quadratic-3d",),
        arithmetic=("float64",),
        seeds=(0, 1, 2),
        chords=5,
    )
    told = {next(iter(do(plan, n).found.values())).said for n in range(3)}
    places = {text.partition('"chord":')[2][:60] for text in told}
    assert {unit.method for unit in plan.units} == {"chords"} and len(places) == 3

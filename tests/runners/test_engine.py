"""A step is the paper's step; runs are the same in a batch as alone, in any chunks, and replayed."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.language.letters import A, D, Delta, H, eta, f, gap, grad, i, k, mean, mu, norm, normsq, x, xstar
from boundcheck.language.scalars import Gap, Scalar, Term
from boundcheck.language.tree import Index
from boundcheck.library.catalogue import problems
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.problems.piecewise import huber
from boundcheck.problems.quadratic import power_law_quadratic, quadratic
from boundcheck.runners import cauchy, constant, dai_yang, given, over_L, polyak, run
from boundcheck.runners.engine import batch, descent
from boundcheck.runs.trace import Trace

LEAVES: tuple[Scalar, ...] = (
    f(x[k]),
    Gap(x[k]),
    Delta[k],
    eta[k],
    normsq(grad(x[k])),
    D(x[k], x[k + 1]),
    H(x[k], x[k + 1]),
    A(x[k + 1], x[k]),
    mu(x[k], xstar),
    norm(x[k + 2] - x[k]),
    Gap(mean(x[i], weight=eta[i], over=(i, 0, k))),
    Gap(mean(x[i + 1], weight=1 / D(x[i], x[i + 1]), over=(i, 0, k))),
    normsq(mean(x[i], over=(i, 0, k + 1)) - x[k]),
)
COLUMNS = [as_column(leaf)[0] for leaf in LEAVES]
TWO_D = quadratic([[1, 0], [0, 10]], start=[10, 1], name="two")


def numbers(trace: Trace, column: Column) -> tuple[Any, Any]:
    data = trace.columns[column]
    return trace.xp.middle(data), trace.xp.error(data)


def assert_same(one: Trace, other: Trace, columns: list[Column] = COLUMNS) -> None:
    for column in columns:
        for a, b in zip(numbers(one, column), numbers(other, column), strict=True):
            np.testing.assert_array_equal(a, b, err_msg=str(column))


def points(problem: Problem, steps: list[Fraction], count: int) -> list[list[Fraction]]:
    """x_0, x_1, ... of gradient descent on a diagonal quadratic, by hand."""
    at = [Fraction(c) for c in problem.start]
    found = [at]
    for step in steps[:count]:
        at = [c - step * s * c for c, s in zip(at, (1, 10), strict=True)]
        found.append(at)
    return found


def rational_column(leaf: Scalar, rule: Rule, steps: int, problem: Problem = TWO_D) -> list[Fraction]:
    column = as_column(leaf)[0]
    trace = run(problem, rule, steps=steps, columns=[column], xp="rational")
    return [Fraction(int(v.p), int(v.q)) for v in trace.columns[column].data[0]]


# -- the rules, by hand ------------------------------------------------------------------------------------------------------


def test_gradient_descent_takes_the_steps_that_it_is_given() -> None:
    steps = [Fraction(1, 10), Fraction(1, 7), Fraction(1, 3)]
    path = points(TWO_D, steps, 3)
    assert rational_column(Delta[k], given(steps), 3) == [a * a + b * b for a, b in path]
    assert rational_column(Gap(x[k]), given(steps), 3) == [(a * a + 10 * b * b) / 2 for a, b in path]
    assert rational_column(normsq(grad(x[k])), given(steps), 3) == [a * a + 100 * b * b for a, b in path]
    assert rational_column(eta[k], given(steps), 3) == steps


def test_polyak_is_gamma_times_the_gap_over_the_square_of_the_gradient() -> None:
    (first, *_) = rational_column(eta[k], polyak(Fraction(3, 2)), 2)
    assert first == Fraction(3, 2) * Fraction(100 + 10, 2) / (100 + 100)


def test_cauchy_is_the_exact_line_search() -> None:
    (first, *_) = rational_column(eta[k], cauchy(), 2)
    assert first == Fraction(100 + 100, 100 + 1000)  # g = (10, 10), B g = (10, 100)
    gaps = rational_column(Gap(x[k]), cauchy(), 1)
    for off in (Fraction(99, 100), Fraction(101, 100)):
        assert rational_column(Gap(x[k]), constant(first * off), 1)[1] > gaps[1]


def test_dai_yang_is_the_gradient_over_twice_its_image() -> None:
    """On diag(3, 4) from a gradient (g, 0) it is 1 / (2 * 3): rational, and 1 / D there."""
    problem = quadratic([[3, 0], [0, 4]], start=[1, 0], name="axis")
    (first, *_) = rational_column(eta[k], dai_yang(), 1, problem)
    assert first == Fraction(1, 6)
    assert rational_column(D(x[k], x[k + 1]), dai_yang(), 1, problem)[0] == 6


def test_over_L_divides_by_the_declared_constant() -> None:
    assert rational_column(eta[k], over_L(Fraction(3, 2)), 2) == [Fraction(3, 20)] * 2


# -- batches, chunks, replays --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["quadratic-3d", "huber", "logistic-40x5"])
def test_a_batch_over_rules_and_starts_is_the_runs_one_by_one(name: str) -> None:
    problem = problems()[name]()
    rules = [over_L(1), polyak(Fraction(3, 2)), over_L(Fraction(1, 2))]
    starts = [problem.start, [float(c) / 2 + 1 for c in problem.start]]
    steps = 8 if name != "huber" else 3  # Polyak's step doubles a difference in rounding again and again
    batch = run(problem, rules, steps=steps, columns=COLUMNS, starts=starts)
    assert batch.names == tuple(r.name for r in rules for _ in starts)
    for number, (rule, start) in enumerate((r, s) for r in rules for s in starts):
        alone = run(problem, rule, steps=steps, columns=COLUMNS, starts=[start])
        assert alone.steps[0] == batch.steps[number]
        for column in COLUMNS:
            a, b = numbers(batch, column), numbers(alone, column)
            length = b[0].shape[1]
            np.testing.assert_allclose(a[0][number, :length], b[0][0], rtol=1e-8, atol=1e-12, err_msg=str(column))
            if rule.follows is not None and "gamma" not in rule.parameters:  # the same steps: the same run
                overlap = np.abs(a[0][number, :length] - b[0][0]) <= a[1][number, :length] + b[1][0]
                assert (overlap | ~np.isfinite(b[1][0])).all(), column


def test_a_batch_in_rationals_is_exactly_the_runs_one_by_one() -> None:
    rules = [over_L(1), polyak(Fraction(3, 2))]
    batch = run(TWO_D, rules, steps=4, columns=COLUMNS, xp="rational")
    for number, rule in enumerate(rules):
        alone = run(TWO_D, rule, steps=4, columns=COLUMNS, xp="rational")
        for column in COLUMNS:
            if column in alone.columns:
                assert list(map(str, batch.columns[column].data[number])) == list(map(str, alone.columns[column].data[0]))


@pytest.mark.parametrize("steps", [0, 1, 2, 255, 256, 257, 258, 513])
def test_the_size_of_chunks_does_not_matter(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problems()["quadratic-3d"]()
    usual = run(problem, over_L(Fraction(1, 2)), steps=steps, columns=COLUMNS)
    monkeypatch.setattr(batch, "CHUNK", 10_000)
    whole = run(problem, over_L(Fraction(1, 2)), steps=steps, columns=COLUMNS)
    monkeypatch.setattr(batch, "CHUNK", 7)
    small = run(problem, over_L(Fraction(1, 2)), steps=steps, columns=COLUMNS)
    assert usual.steps[0] == whole.steps[0] == steps
    for leaf, column in zip(LEAVES, COLUMNS, strict=True):
        if column not in whole.columns:
            assert column not in usual.columns
            continue
        a, b, c = (numbers(t, column) for t in (usual, whole, small))
        assert a[0].shape == b[0].shape == c[0].shape, leaf
        for other in (a, c):
            assert (np.abs(other[0] - b[0]) <= other[1] + b[1]).all(), leaf
            np.testing.assert_allclose(other[0], b[0], rtol=1e-9, atol=1e-300, err_msg=str(leaf))


def test_columns_have_an_entry_for_every_index_that_the_run_reaches() -> None:
    trace = run(TWO_D, over_L(1), steps=5, columns=COLUMNS, xp="rational")
    lengths = {str(leaf): trace.length(column) for leaf, column in zip(LEAVES, COLUMNS, strict=True) if column in trace.columns}
    assert lengths[str(f(x[k]))] == 6
    assert lengths[str(eta[k])] == 5
    assert lengths[str(H(x[k], x[k + 1]))] == 5
    assert lengths[str(LEAVES[-1])] == 5


def by_definition(path: list[list[Fraction]], weights: list[Fraction], low: int, high: int, shift: int = 0) -> Fraction:
    """Half of x' B x at a weighted mean of points low..high."""
    total = sum(weights[low : high + 1])
    at = [sum(weights[n] * path[n + shift][c] for n in range(low, high + 1)) / total for c in (0, 1)]
    return (at[0] ** 2 + 10 * at[1] ** 2) / 2


STEPS = [Fraction(1, 10), Fraction(1, 7), Fraction(1, 3), Fraction(1, 20), Fraction(1, 5), Fraction(1, 9)]


@pytest.mark.parametrize("streamed", [True, False])
def test_means_are_those_of_the_definition_whether_streamed_or_replayed(streamed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNK", 2)
    path = points(TWO_D, STEPS, 6)
    ones = [Fraction(1)] * 7
    wanted = {
        Gap(mean(x[i], weight=eta[i], over=(i, 0, k))): [by_definition(path, STEPS, 0, n) for n in range(6)],
        Gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k))): [by_definition(path, STEPS, 0, n, 1) for n in range(6)],
        Gap(mean(x[i], over=(i, 0, k))): [by_definition(path, ones, 0, n) for n in range(7)],
    }
    columns = {as_column(leaf)[0]: values for leaf, values in wanted.items()}
    first = [*columns] if streamed else [as_column(eta[k])[0]]
    trace = run(TWO_D, given(STEPS), steps=6, columns=first, xp="rational").with_columns(columns)
    for column, values in columns.items():
        assert [Fraction(int(v.p), int(v.q)) for v in trace.columns[column].data[0]] == values, column


def test_a_mean_that_begins_at_1_has_no_value_at_0_and_the_right_one_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNK", 2)
    path = points(TWO_D, STEPS, 6)
    column = as_column(Gap(mean(x[i], over=(i, 1, k))))[0]
    trace = run(TWO_D, given(STEPS), steps=6, columns=[column], xp="rational")
    entries = trace.columns[column].data[0]
    assert "a mean over nothing" in entries[0].reason
    assert [Fraction(int(v.p), int(v.q)) for v in entries[1:]] == [
        by_definition(path, [Fraction(1)] * 7, 1, n) for n in range(1, 7)
    ]


def test_a_mean_beside_points_that_end_earlier_or_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """One run records columns whose means end at different points."""
    monkeypatch.setattr(batch, "CHUNK", 2)
    path = points(TWO_D, STEPS, 6)

    def average(high: int) -> list[Fraction]:
        return [sum(p[c] for p in path[: high + 1]) / (high + 1) for c in (0, 1)]

    leaves = {
        normsq(mean(x[i], over=(i, 0, k)) - x[k]): (0, 0),
        normsq(mean(x[i], over=(i, 0, k + 1)) - x[k]): (1, 0),
        normsq(mean(x[i], over=(i, 0, k)) - x[k + 2]): (0, 2),
    }
    columns = [as_column(leaf)[0] for leaf in leaves]
    trace = run(TWO_D, given(STEPS), steps=6, columns=columns, xp="rational")
    for column, (high, at) in zip(columns, leaves.values(), strict=True):
        truth = []
        for n in range(7 - max(high, at)):
            m, p = average(n + high), path[n + at]
            truth.append((m[0] - p[0]) ** 2 + (m[1] - p[1]) ** 2)
        assert [Fraction(int(v.p), int(v.q)) for v in trace.columns[column].data[0]] == truth, column


def test_a_mean_whose_start_moves_with_its_end_is_that_of_as_many_points_at_each_k() -> None:
    path = points(TWO_D, STEPS, 6)
    column = as_column(normsq(mean(x[i], over=(i, k - 1, k))))[0]
    trace = run(TWO_D, given(STEPS), steps=6, columns=[column], xp="rational")
    truth = [sum(((a + b) / 2) ** 2 for a, b in zip(path[n], path[n + 1], strict=True)) for n in range(6)]
    assert [Fraction(int(v.p), int(v.q)) for v in trace.columns[column].data[0]] == truth


def test_a_mean_whose_weights_this_problem_does_not_have_is_refused_with_the_reason() -> None:
    bare = replace(TWO_D, chord=None)
    column = as_column(Gap(mean(x[i], weight=1 / A(x[i], x[i + 1]), over=(i, 0, k))))[0]
    trace = run(bare, over_L(1), steps=4, columns=[column])
    assert "two has no enclosure of A" in trace.refused[str(column)]


def test_memory_does_not_grow_with_dimension_times_steps() -> None:
    problem = power_law_quadratic(seed=0, name="large")
    columns = [as_column(leaf)[0] for leaf in (Delta[k], gap(mean(x[i], weight=eta[i], over=(i, 0, k))).left, H(x[k], x[k + 1]))]  # type: ignore[attr-defined]
    rule = over_L(1)
    run(problem, rule, steps=10, columns=columns)

    def peak(steps: int) -> int:
        tracemalloc.start()
        try:
            run(problem, rule, steps=steps, columns=columns)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    short, long = peak(1_024), peak(2_560)
    points_of_the_rest = 1_536 * problem.dimension * 8
    columns_of_the_rest = 1_536 * 4 * 2 * 8
    assert problem.dimension >= 300
    assert long - short < 4 * columns_of_the_rest + 2**18 < points_of_the_rest / 3


# -- runs that end, and rules that fail ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("xp", ["float64", "rational", "mp:30"])
def test_a_run_that_starts_at_the_minimum_ends_there(xp: str) -> None:
    trace = run(TWO_D, over_L(1), steps=5, columns=COLUMNS, starts=[[0, 0]], xp=xp)
    assert trace.steps.tolist() == [0]
    assert trace.ended == ("the gradient is exactly zero at x_0",)
    column = as_column(Delta[k])[0]
    assert trace.xp.middle(trace.columns[column])[0].tolist()[:1] == [0.0]


def test_a_run_that_reaches_the_minimum_ends_there_and_the_others_go_on() -> None:
    problem = huber(1, start=3)
    trace = run(problem, [over_L(1), over_L(Fraction(1, 2))], steps=6, columns=COLUMNS, xp="rational")
    assert trace.steps.tolist() == [3, 6]
    assert trace.ended == ("the gradient is exactly zero at x_3", "")


@pytest.mark.parametrize("answer", [float("nan"), -1.0, 0.0])
def test_a_rule_that_returns_no_step_is_refused_in_one_line(answer: float) -> None:
    rule = Rule(name="wrong", step=lambda run: run.xp.scalar(1) * answer if run.k == 2 else run.xp.scalar(Fraction(1, 20)))
    with pytest.raises(RuleError, match=r"rule 'wrong' returned .* at step 2 on two; a step is a positive number") as refused:
        run(TWO_D, rule, steps=5)
    assert "\n" not in str(refused.value)


def test_an_infinite_step_ends_the_run() -> None:
    rule = Rule(name="far", step=lambda run: run.xp.scalar(1) * float("inf") if run.k == 2 else run.xp.scalar(Fraction(1, 20)))
    trace = run(TWO_D, rule, steps=5, columns=[as_column(Delta[k])[0]])
    assert trace.steps[0] <= 3
    assert "left the floating-point numbers" in trace.ended[0]


@pytest.mark.parametrize("answer", [None, "a", [1, 2, 3], np.ones((4, 4))], ids=["None", "text", "list", "matrix"])
def test_a_rule_that_returns_no_number_is_refused_in_one_line(answer: Any) -> None:
    with pytest.raises(RuleError, match=r"rule 'wrong' returned .* at step 0") as refused:
        run(TWO_D, Rule(name="wrong", step=lambda run: answer), steps=5)
    assert "\n" not in str(refused.value)


def test_a_negative_step_in_the_second_of_two_rules_is_that_rules_fault() -> None:
    bad = Rule(name="backwards", step=lambda run: -run.xp.scalar(1))
    with pytest.raises(RuleError, match="'backwards'"):
        run(TWO_D, [over_L(1), bad], steps=3)


def test_the_same_rule_twice_in_a_batch_is_two_runs() -> None:
    rule = polyak(1)
    trace = run(problems()["quadratic-3d"](), [rule, rule], steps=400, columns=COLUMNS)
    assert trace.steps[0] == trace.steps[1]
    assert trace.ended[0] == trace.ended[1]


def test_too_few_given_steps_no_rules_and_wrong_starts_are_refused_in_one_line() -> None:
    for wrong, says in (
        (lambda: run(TWO_D, given([Fraction(1, 20)]), steps=2), "has 1 steps and was asked for number 1"),
        (lambda: run(TWO_D, [], steps=2), "at least one rule"),
        (lambda: run(TWO_D, over_L(1), steps=-1), "0 or more; found -1"),
        (lambda: run(TWO_D, over_L(1), steps=2, starts=[[1]]), "dimension 2; found a start with 1 coordinates"),
        (lambda: run(problems()["huber"](), cauchy(), steps=2), "needs a quadratic; huber is none"),
        (lambda: run(problems()["quartic"](), over_L(1), steps=2), "needs L; .* declares no smoothness constant"),
    ):
        with pytest.raises(ValueError, match=says) as refused:
            wrong()
        assert "\n" not in str(refused.value)


def test_rationals_that_grow_too_long_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boundcheck.runners.engine.run_ends.LARGEST", 200)
    trace = run(TWO_D, polyak(Fraction(3, 2)), steps=50, columns=COLUMNS, xp="rational")
    assert trace.steps[0] < 10
    assert "bits at x_" in trace.ended[0]
    assert "more than 200" in trace.ended[0]


def test_a_diverging_run_ends_where_it_leaves_the_floating_point_numbers() -> None:
    trace = run(TWO_D, constant(10), steps=1000, columns=[as_column(Delta[k])[0]])
    assert trace.steps[0] < 400
    assert "left the floating-point numbers" in trace.ended[0]


def test_runs_are_repeatable() -> None:
    problem = problems()["logistic-40x5"]()
    one, two = (run(problem, polyak(1), steps=30, columns=COLUMNS) for _ in range(2))
    assert_same(one, two)


def test_the_same_formula_serves_every_arithmetic() -> None:
    column = as_column(Delta[k])[0]
    ends = []
    for xp in ("float64", "mp:30", "rational"):
        trace = run(TWO_D, polyak(Fraction(3, 2)), steps=4, columns=[column], xp=xp)
        ends.append(float(arithmetic(xp).middle(trace.columns[column])[0, -1]))
    assert ends == pytest.approx([ends[0]] * 3, rel=1e-12)


def test_a_claim_about_another_rule_s_records_does_not_make_the_run_go_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a column that no rule here records, the others come from the batch as if it were not asked for."""
    made = run(power_law_quadratic(dimension=3, seed=0), over_L(1), steps=5)
    (read, _), (unrecorded, _) = as_column(normsq(grad(x[k]))), as_column(Term("eta_lo", Index("k")))
    monkeypatch.setattr(descent, "run_together", lambda *_, **__: pytest.fail("it runs alone"))
    assert set(made.with_columns([read, unrecorded]).columns) == {read}
    assert made.with_columns([unrecorded]).columns == made.columns

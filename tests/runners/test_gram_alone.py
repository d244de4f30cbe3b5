"""Runs on a quadratic that know their points by x - x*: many constant steps at once, and how near to x* they may come."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import compiled
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.language.letters import D, H, eta, grad, inner, k, norm, normsq, x, xstar
from boundcheck.language.scalars import Gap
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RunEnds
from boundcheck.problems.quadratic import quadratic, random_quadratic
from boundcheck.runners import given, over_L, polyak, run
from boundcheck.runners.quadratics import gram_descent, inner_products, single_descent
from boundcheck.runs.trace import Trace

STAR = (1, Fraction(1, 2), -2)
SLOW = quadratic([[4, 1, 0], [1, 3, 1], [0, 1, 2]], xstar=STAR, start=[3, 0, 1], name="slow")
RULE = over_L(Fraction(1, 20))  # so short that d is of one size along a stretch
LEAVES = (
    eta[k],
    Gap(x[k]),
    normsq(grad(x[k])),
    normsq(x[k] - xstar),
    inner(grad(x[k]), grad(x[k + 1])),
    D(x[k], x[k + 1]),
    H(x[k + 1], x[k]),
)
COLUMNS = [as_column(leaf)[0] for leaf in LEAVES]
LOCAL = [as_column(leaf, local=True)[0] for leaf in LEAVES]


@pytest.fixture(autouse=True)
def in_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_wanted", False)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """d of all points, as they came; those of stretches."""
    seen: list[Any] = []
    take = gram_descent._Told.take

    def noted(self: Any, D: Any, G: Any, E: Any, *, measured: bool = False) -> None:
        if measured:
            seen.extend(D[1 if seen else 0 :, 0].copy())
        take(self, D, G, E, measured=measured)

    monkeypatch.setattr(gram_descent._Told, "take", noted)
    return seen


def strays(made: Trace, columns: list[Column], true: Trace, at: int = 0, count: int = 1000) -> list[str]:
    """The columns of a trace, at so many entries from `at` on, that do not hold those of a run in rationals."""
    wrong = []
    for column, twin in zip(columns, COLUMNS, strict=True):
        mids, radii = (part[0, at : at + count] for part in (made.columns[column].mid, made.columns[column].rad))
        for n, value in enumerate(true.columns[twin].data[0]):
            if hasattr(value, "p") and n < len(mids) and np.isfinite(radii[n]):
                away = abs(Fraction(float(mids[n])) - Fraction(int(value.p), int(value.q)))
                if away > Fraction(float(radii[n])):
                    wrong.append(f"{column} at {at + n}: off by {float(away)}, radius {radii[n]}")
    return wrong


def exact(problem: Problem, made: Trace, first: int, last: int) -> Trace:
    steps = made.columns[COLUMNS[0]].mid[0, first:last]
    return run(problem, given([float(e) for e in steps]), steps=len(steps), columns=COLUMNS, xp="rational")


def test_many_steps_at_once_enclose_the_exact_run(rows: list[Any]) -> None:
    made = run(SLOW, RULE, steps=70, columns=COLUMNS)
    assert len(rows) > 2 * single_descent.SHORT
    assert strays(made, COLUMNS, exact(SLOW, made, 0, 70)) == []


def test_local_columns_are_those_of_the_points_x_star_plus_d(rows: list[Any]) -> None:
    made = run(SLOW, RULE, steps=70, columns=[*COLUMNS, *LOCAL])
    for n in (0, 1, 15, 16, 31, 32, 33):
        start = [s + Fraction(float(c)) for s, c in zip(STAR, rows[n], strict=True)]
        assert strays(made, LOCAL, exact(replace(SLOW, start=start), made, n, n + 1), n, 1) == []


def test_how_far_rows_are_off_is_measured(monkeypatch: pytest.MonkeyPatch, rows: list[Any]) -> None:
    """Rows that are wrong by 1e-9 are other points, and no wrong enclosure; unless what was measured is left out."""
    block = single_descent.ByDisplacements._first_block
    monkeypatch.setattr(
        single_descent.ByDisplacements, "_first_block", lambda self, d: block(self, d) * (1 + 1e-9 * np.arange(32)[:, None] ** 2)
    )
    made = run(SLOW, RULE, steps=60, columns=COLUMNS)
    assert len(rows) > 2 * single_descent.SHORT
    assert strays(made, COLUMNS, exact(SLOW, made, 0, 60)) == []
    assert 1e-10 < (made.columns[COLUMNS[1]].rad / made.columns[COLUMNS[1]].mid).max() < 1e-4
    monkeypatch.setattr(inner_products, "_measured", lambda squares: squares * 0.0)
    made = run(SLOW, RULE, steps=60, columns=COLUMNS)
    assert strays(made, COLUMNS, exact(SLOW, made, 0, 60)) != []


@pytest.mark.parametrize("rule", [over_L(1), over_L(9)], ids=lambda r: r.name)
def test_a_run_that_shrinks_or_grows_fast_goes_step_by_step(rule: Rule, rows: list[Any]) -> None:
    trace = run(SLOW, rule, steps=2000, columns=COLUMNS)
    assert rows == []
    assert trace.ended[0]


def test_a_run_of_few_steps_in_many_dimensions_makes_no_powers(rows: list[Any]) -> None:
    run(random_quadratic(40, condition=3, seed=2), RULE, steps=399, columns=COLUMNS)
    assert rows == []
    run(random_quadratic(40, condition=3, seed=2), RULE, steps=400, columns=COLUMNS)
    assert rows != []


@pytest.mark.parametrize("rule", [over_L(1), polyak(1)], ids=lambda r: r.name)
@pytest.mark.parametrize("with_numba", [True, False])
def test_a_run_ends_before_squares_are_lost(rule: Rule, with_numba: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of x - x* = 1e-170 the square is 0 in float64: |x - x*| = 0 would be a lie."""
    if with_numba:
        pytest.importorskip("numba")
        monkeypatch.setattr(compiled, "_wanted", True)
    away = as_column(norm(x[k] - xstar))[0]
    trace = run(random_quadratic(5, condition=3, seed=2), rule, steps=5000, columns=[away, *COLUMNS])
    assert trace.ended[0].startswith("squares are too small")
    assert 1e-141 < trace.columns[away].mid[0, -1] < 1e-135
    assert (trace.columns[away].mid > 0).all()


FLAT = quadratic([[1, 0], [0, Fraction(1, 4)]], name="flat")


@pytest.mark.parametrize("with_numba", [True, False])
@pytest.mark.parametrize("start, last", [((0, 1e-170), 0), ((1, 1e-170), 1)], ids=["at the start", "after a step"])
def test_a_vector_whose_squares_underflow_is_not_taken_for_0(
    start: tuple[float, ...], last: int, with_numba: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if with_numba:
        pytest.importorskip("numba")
        monkeypatch.setattr(compiled, "_wanted", True)
    trace = run(replace(FLAT, start=start), over_L(1), steps=2000 if with_numba else 20, columns=[*COLUMNS, *LOCAL])
    assert trace.steps[0] == last and trace.ended[0]
    assert all(trace.columns[column].rad[0, last] > 0 for column in (*COLUMNS[1:4], *LOCAL[1:4]))


def test_a_run_from_x_star_knows_that_it_is_there() -> None:
    trace = run(replace(FLAT, start=(0, 0)), over_L(1), steps=20, columns=COLUMNS)
    assert trace.ended[0] == "the gradient is exactly zero at x_0"
    assert all(trace.columns[column].rad[0, 0] == trace.columns[column].mid[0, 0] == 0 for column in COLUMNS[1:4])


@pytest.mark.parametrize("made", [0, 512], ids=["where it begins", "where a buffer does"])
def test_a_run_may_end_anywhere(made: int) -> None:
    def no_more(past: Any) -> Any:
        if past.k == made:
            raise RunEnds("no more")
        return past.xp.scalar(Fraction(1, 100))

    trace = run(SLOW, Rule(name="some", step=no_more), steps=1000, columns=COLUMNS)
    assert (trace.steps[0], trace.ended[0]) == (made, "no more")
    assert trace.columns[COLUMNS[1]].shape == (1, made + 1)


@pytest.mark.parametrize("with_numba", [True, False])
def test_a_rule_is_not_blamed_where_rounding_makes_the_gap_negative(with_numba: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """x - x* comes to lie in the null space of B, and is so short that x* + (x - x*) as float64s has a large gap."""
    if with_numba:
        pytest.importorskip("numba")
        monkeypatch.setattr(compiled, "_wanted", True)
    singular = quadratic([[9, -6, 3], [-6, 13, -8], [3, -8, 5]], xstar=[-3, 0, -6], start=[-3, 2.0**-90, -6], name="singular")
    trace = run(singular, polyak(1), steps=1100, columns=COLUMNS)
    assert trace.ended[0] == f"f(x_{trace.steps[0]}) - f* is too small to be told from 0"

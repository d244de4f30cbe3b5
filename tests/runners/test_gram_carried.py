"""Gradients carried by B g in a batch: enclosures hold the exact run and the points x* + d, and nothing piles up unseen."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.language.letters import A, D, H, eta, grad, inner, k, mu, normsq, x, xstar
from boundcheck.language.scalars import Gap
from boundcheck.problems.quadratic import quadratic, random_quadratic
from boundcheck.runners import cauchy, constant, dai_yang, given, over_L, polyak, run
from boundcheck.runners.quadratics import carried_products, inner_products
from boundcheck.runs.trace import Trace

SMALL = quadratic([[4, 1, 0], [1, 3, 1], [0, 1, 2]], xstar=[1, Fraction(1, 2), -2], start=[3, 0, 1], name="small")
RULES = [over_L(1), polyak(1), cauchy(), dai_yang()]
LEAVES = (
    Gap(x[k]),
    eta[k],
    normsq(grad(x[k])),
    normsq(x[k] - xstar),
    normsq(grad(x[k + 1]) - grad(x[k])),
    inner(grad(x[k]), x[k + 1] - xstar),
    inner(grad(x[k]), grad(x[k + 1])),
    D(x[k], x[k + 1]),
    H(x[k + 1], x[k]),
    A(x[k], x[k + 1]),
)
COLUMNS = [as_column(leaf)[0] for leaf in LEAVES]
LOCAL = [as_column(leaf, local=True)[0] for leaf in LEAVES]
UNTOLD = as_column(mu(x[k], xstar), local=True)[0]  # a chord number to x*: inner products do not tell it


@pytest.fixture
def loops(monkeypatch: pytest.MonkeyPatch) -> list[carried_products.Carried]:
    """The carried loops that were run."""
    made: list[carried_products.Carried] = []
    finish = carried_products.Carried.finish

    def noted(self: carried_products.Carried, steps: int) -> None:
        made.append(self)
        finish(self, steps)

    monkeypatch.setattr(carried_products.Carried, "finish", noted)
    return made


def off(trace: Trace, columns: list[Column]) -> list[str]:
    """The columns that do not hold the exact run with the same steps, of each row."""
    wrong = []
    for row in range(len(trace.names)):
        steps = trace.columns[COLUMNS[1]].mid[row]
        truth = run(SMALL, given([float(e) for e in steps]), steps=len(steps), columns=columns, xp="rational")
        for column in columns:
            made = trace.columns[column]
            for n, value in enumerate(truth.columns[column].data[0]):
                if hasattr(value, "p") and np.isfinite(made.rad[row, n]):
                    away = abs(Fraction(float(made.mid[row, n])) - Fraction(int(value.p), int(value.q)))
                    if away > Fraction(float(made.rad[row, n])):
                        wrong.append(f"{column} of {trace.names[row]} at {n}")
    return wrong


def test_carried_runs_hold_the_exact_ones(loops: list[Any]) -> None:
    trace = run(SMALL, RULES, steps=8, columns=COLUMNS)
    assert len(loops) == 1
    assert off(trace, COLUMNS) == []


def test_local_columns_are_those_of_the_points_x_star_plus_d(loops: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The first step of a run from x* + d_n, in rationals, is the truth of the local columns at n."""
    monkeypatch.setattr(carried_products, "SHARE", 100.0)
    points: list[Any] = []
    look = carried_products.Carried._look

    def noted(self: carried_products.Carried, n: int, now: Any) -> None:
        points.append(now.d.copy())
        look(self, n, now)

    monkeypatch.setattr(carried_products.Carried, "_look", noted)
    trace = run(SMALL, RULES, steps=12, columns=[*COLUMNS, *LOCAL])
    assert not loops[0].fresh[2:12].any()
    star = [Fraction(c) for c in SMALL.minimiser.point]
    for row in range(4):
        for n in (0, 3, 7, 11):
            start = [s + Fraction(float(c)) for s, c in zip(star, points[n][row], strict=True)]
            step = float(trace.columns[COLUMNS[1]].mid[row, n])
            truth = run(replace(SMALL, start=start), given([step]), steps=1, columns=COLUMNS, xp="rational")
            for column, twin in zip(LOCAL, COLUMNS, strict=True):
                value, made = truth.columns[twin].data[0][0], trace.columns[column]
                if hasattr(value, "p") and np.isfinite(made.rad[row, n]):
                    away = abs(Fraction(float(made.mid[row, n])) - Fraction(int(value.p), int(value.q)))
                    assert away <= Fraction(float(made.rad[row, n])), (column, row, n)


def test_a_pile_that_is_left_out_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Carried without end and counted as fresh: the gradient's true error is larger than its bound."""
    problem = random_quadratic(30, condition=1000.0, seed=3)
    monkeypatch.setattr(carried_products, "SHARE", 1e9)
    monkeypatch.setattr(carried_products, "MOST", 10**9)
    true = errors(problem, monkeypatch, carried=True)
    assert (true["off"] <= true["bound"]).all()
    monkeypatch.setattr(inner_products, "piled", lambda start, added, fresh: start * 1e-3)
    assert not (true["off"] <= errors(problem, monkeypatch, carried=True)["bound"]).all()


def errors(problem: Any, monkeypatch: pytest.MonkeyPatch, *, carried: bool) -> dict[str, Any]:
    """How far the gradients of a run are from B d, computed with 80 bits more, and the bounds that the columns used."""
    kept: list[Any] = []
    bounds: list[Any] = []
    look, init = carried_products.Carried._look, inner_products.GramColumns.__init__

    def noted(self: carried_products.Carried, n: int, now: Any) -> None:
        kept.append((now.d.copy(), now.g.copy()))
        look(self, n, now)

    def made(self: inner_products.GramColumns, *given: Any) -> None:
        init(self, *given)
        bounds.append(self.grads["exact"])

    with monkeypatch.context() as patch:
        patch.setattr(carried_products.Carried, "_look", noted)
        patch.setattr(inner_products.GramColumns, "__init__", made)
        run(problem, [over_L(1), cauchy()], steps=400, columns=COLUMNS)
    B = problem.hessian(FLOAT64).rows.astype(np.longdouble)
    away = [np.sqrt(((g - d.astype(np.longdouble) @ B) ** 2).sum(-1)) for d, g in kept[:401]]
    return {"off": np.array(away).T, "bound": bounds[0][:, :401]}


def test_gradients_are_computed_afresh_before_the_pile_is_worth_a_quarter(loops: list[Any]) -> None:
    problem = random_quadratic(60, condition=300.0, seed=4)
    run(problem, RULES, steps=600, columns=COLUMNS)
    fresh = loops[0].fresh[1:601].mean()
    assert 0.01 < fresh < 0.6


def test_a_batch_that_reads_local_columns_off_points_keeps_to_one_run(loops: list[Any]) -> None:
    run(SMALL, RULES, steps=5, columns=[*LOCAL, UNTOLD])
    assert loops == []


def test_local_columns_that_are_asked_for_later_bring_the_others_along(loops: list[Any]) -> None:
    """They are read off a second run, whose points differ by rounding: one claim must not mix the two."""
    trace = run(SMALL, RULES, steps=5, columns=[*COLUMNS, *LOCAL])
    later = trace.with_columns([UNTOLD])
    assert len(loops) == 1 and UNTOLD in later.columns and UNTOLD not in trace.columns
    for column in LOCAL:
        assert later.columns[column] is not trace.columns[column], column
    for column in COLUMNS[2:]:
        assert later.columns[column] is trace.columns[column], column


def test_rules_that_end_a_run_or_must_be_asked_do_so_in_a_carried_batch() -> None:
    at_minimum = quadratic([[2, 0], [0, 2]], xstar=[1, 3], start=[1, 3], name="there")
    trace = run(at_minimum, RULES, steps=4, columns=COLUMNS)
    assert trace.steps.tolist() == [0, 0, 0, 0] and all("zero" in why for why in trace.ended)
    one_step = quadratic([[2, 0], [0, 2]], xstar=[1, 3], start=[3, 0], name="round")
    trace = run(one_step, [*RULES, constant(Fraction(1, 4))], steps=6, columns=COLUMNS)
    assert trace.steps.tolist()[:4] == [1, 6, 1, 6] and "exactly zero at x_1" in trace.ended[0]
    assert trace.steps[4] == 6


def test_a_carried_vector_whose_squares_underflow_is_not_taken_for_0(loops: list[Any]) -> None:
    flat = quadratic([[1, 0], [0, Fraction(1, 4)]], start=[1, 1e-170], name="flat")
    trace = run(flat, [over_L(1), cauchy()], steps=6, columns=[*COLUMNS, *LOCAL])
    assert len(loops) == 1 and trace.steps.tolist() == [1, 1]
    assert all((trace.columns[LOCAL[n]].rad[:, 1] > 0).all() for n in (0, 2, 3))


@pytest.mark.parametrize(
    "scale, start, step", [(1e-30, [3e-105, 1e-105], 1e30), (1.0, [3.0, 1.0], 1e-170)], ids=["B g", "eta squared"]
)
def test_a_carried_change_of_the_gradient_whose_square_underflows_is_not_taken_for_0(
    scale: float, start: list[float], step: float, loops: list[Any]
) -> None:
    """On B = b I the directional smoothness D is 2 b."""
    small = quadratic([[scale, 0], [0, scale]], start=start, name="small scale")
    made = run(small, [constant(step / 2), cauchy()], steps=4, columns=COLUMNS).columns[COLUMNS[7]]
    assert len(loops) == 1
    assert (np.abs(made.mid[0] - 2 * scale) <= made.rad[0]).all()

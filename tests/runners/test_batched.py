"""Structure, batches and compiled code change no verdict: enclosures hold the exact run, outcomes are those of the plain way."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import compiled
from boundcheck.check.answer import answer
from boundcheck.check.question import Question, needs
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.language.letters import grad, inner, k, x
from boundcheck.library.catalogue import bounds
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.problems.quadratic import power_law_quadratic, quadratic, random_quadratic
from boundcheck.runners import cauchy, dai_yang, given, over_L, polyak, run
from boundcheck.runners.engine import descent
from boundcheck.runners.quadratics import gram_descent, inner_products, single_descent
from boundcheck.runs.trace import Trace
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

GD = "gradient descent"
RULES = [over_L(1), polyak(Fraction(3, 2)), cauchy(), dai_yang()]
STAR = (1, Fraction(1, 2), -2)
SMALL = quadratic([[4, 1, 0], [1, 3, 1], [0, 1, 2]], xstar=STAR, start=[3, 0, 1], name="small")


def asked(problem: Problem, rule: Rule) -> list[Question]:
    about_runs = [b for b in bounds() if not b.is_about_chords and not b.untested and len(b.runs.roles) == 1]
    found = GridSetting(problem, "float64", PROFILES["quick"], (rule,)).asked(about_runs, rule, ("D", "H"))
    return [q for q in found if not q.wrong_method(GD)]


def told(problem: Problem, rule: Rule) -> list[Column]:
    return sorted((c for c in needs(asked(problem, rule), GD) if inner_products.tells(problem, [c])), key=str)


def exact(value: Any) -> Fraction | None:
    return Fraction(int(value.p), int(value.q)) if hasattr(value, "p") else None


def off(trace: Trace, start: Any = None) -> list[str]:
    """The columns of the first run of a trace that do not hold the exact run with the same steps."""
    columns = [c for c in trace.columns if not c.local]  # local ones take each stored point as exact: those are on no one run
    etas = next(trace.xp.middle(trace.columns[c])[0] for c in columns if str(c) == "eta_n")
    starts = None if start is None else [start]
    truth = run(SMALL, given([float(e) for e in etas]), steps=len(etas), columns=columns, starts=starts, xp="rational")
    wrong = []
    for column in columns:
        enclosure = trace.columns[column]
        for n, value in enumerate(truth.columns[column].data[0]):
            true, radius = exact(value), float(enclosure.rad[0, n])
            if true is not None and np.isfinite(radius):
                away = abs(Fraction(float(enclosure.mid[0, n])) - true)
                if away > Fraction(radius):
                    wrong.append(f"{column} at {n}: off by {float(away)}, radius {radius}")
    return wrong


@pytest.fixture(params=["compiled", "NumPy", "compiled, by points", "NumPy, by points"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Compiled loops also for short runs, or none; points that are x* + d exactly, or those that other runs visit too."""
    if "by points" in request.param:
        monkeypatch.setattr(single_descent, "serves", lambda run: False)
    if request.param.startswith("compiled"):
        pytest.importorskip("numba")
        monkeypatch.setattr(gram_descent, "WORTH", 1)
    else:
        monkeypatch.setattr(compiled, "_wanted", False)
    return str(request.param)


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_what_inner_products_tell_holds_the_exact_run(rule: Rule, way: str) -> None:
    assert len(told(SMALL, rule)) > 12
    assert off(run(SMALL, rule, steps=60 if rule.constant else 5, columns=told(SMALL, rule))) == []


def test_an_error_of_the_trajectory_that_is_left_out_is_seen(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Steps 4/L from a point along the least curvature: what rounding adds along the largest grows threefold at every step."""
    slow = np.linalg.eigh(np.array([[4, 1, 0], [1, 3, 1], [0, 1, 2]], dtype=float))[1][:, 0]
    start = [Fraction(s) + Fraction(float(v)) for s, v in zip(STAR, slow, strict=True)]
    columns = told(SMALL, over_L(1))
    assert off(run(SMALL, over_L(4), steps=20, columns=columns, starts=[start]), start) == []
    monkeypatch.setattr(
        inner_products, "spread", lambda problem, start, eta, errors, points: np.zeros((len(eta), eta.shape[1] + 1))
    )
    assert off(run(SMALL, over_L(4), steps=20, columns=columns, starts=[start]), start) != []


@pytest.mark.parametrize("rule", RULES[:2], ids=lambda r: r.name)
def test_compiled_and_plain_loops_agree(rule: Rule) -> None:
    pytest.importorskip("numba")
    problem = power_law_quadratic(dimension=10, seed=3)
    columns = told(problem, rule)
    fast = run(problem, over_L(1) if rule.constant else rule, steps=1500, columns=columns)
    taken = fast.xp.middle(next(fast.columns[c] for c in columns if str(c) == "eta_n"))[0]
    with compiled.uncompiled():  # with the same steps, for Polyak's are chaotic
        slow = run(problem, given([float(e) for e in taken]), steps=1500, columns=columns)
    for column in columns:
        a, b = fast.columns[column], slow.columns[column]
        if not column.local:
            with np.errstate(over="ignore"):  # radii that say nothing
                assert (np.abs(a.mid - b.mid) <= a.rad + b.rad).all(), column


def same(first: list[Verdict], second: list[Verdict]) -> None:
    """One outcome a verdict, and no k decided one way here and the other way there."""
    assert [str(v.cell) for v in first] == [str(v.cell) for v in second]
    for a, b in zip(first, second, strict=True):
        assert a.outcome == b.outcome, (a, b)
        both = min(len(a.outcomes), len(b.outcomes))
        x, y = a.outcomes[:both], b.outcomes[:both]
        decided = ((x == Outcome.HOLDS) | (x == Outcome.VIOLATED)) & ((y == Outcome.HOLDS) | (y == Outcome.VIOLATED))
        assert (x[decided] == y[decided]).all(), (a, b)


def verdicts(problem: Problem, rule: Rule, steps: int) -> list[Verdict]:
    found = asked(problem, rule)
    return answer(found, run(problem, rule, steps=steps, columns=needs(found, GD)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rule", RULES[:2], ids=lambda r: r.name)
def test_verdicts_on_one_trace_are_the_same_without_numba(rule: Rule, seed: int) -> None:
    pytest.importorskip("numba")
    problem = power_law_quadratic(dimension=6, seed=seed)
    found = asked(problem, rule)
    trace = run(problem, rule, steps=1200, columns=needs(found, GD))
    fast = answer(found, trace)
    with compiled.uncompiled():
        slow = answer(found, trace)
    same(fast, slow)
    assert sum(int((a.outcomes != b.outcomes).sum()) for a, b in zip(fast, slow, strict=True)) == 0


@pytest.mark.parametrize("seed", range(2))
def test_verdicts_on_two_runs_are_the_same_without_numba(seed: int) -> None:
    """With constant steps, which do not depend on rounding."""
    pytest.importorskip("numba")
    problem = power_law_quadratic(dimension=6, seed=seed)
    fast = verdicts(problem, over_L(1), 1200)
    with compiled.uncompiled():
        same(fast, verdicts(problem, over_L(1), 1200))


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
def test_verdicts_are_those_of_a_run_that_keeps_its_points(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_quadratic(4, condition=50, seed=1)
    by_grams = verdicts(problem, rule, 60)
    monkeypatch.setattr(descent, "tells", lambda *_: False)
    same(by_grams, verdicts(problem, rule, 60))


def test_columns_that_inner_products_do_not_tell_come_from_the_same_steps() -> None:
    """Polyak's steps depend on rounding: a second run that asked the rule again would be another run."""
    problem, rule = random_quadratic(4, condition=50, seed=1), polyak(1)
    found = asked(problem, rule)
    trace = run(problem, rule, steps=50, columns=needs(found, GD))
    means = [c for c in trace.columns if not inner_products.tells(problem, [c])]
    eta = next(c for c in trace.columns if str(c) == "eta_n")
    assert means and trace.replay is not None
    again = trace.replay([*means, eta])
    assert np.array_equal(again[eta].mid, trace.columns[eta].mid)
    for column in means:
        assert np.array_equal(again[column].mid, trace.columns[column].mid)


@pytest.mark.parametrize("rule", RULES[1:], ids=lambda r: r.name)
def test_a_formula_in_numbers_is_the_rule_s_own(rule: Rule) -> None:
    problem = random_quadratic(4, condition=50, seed=2)
    columns = [c for c in told(problem, rule) if str(c) == "eta_n"]
    batch, plain = run(problem, [rule, rule], steps=1, columns=columns), replace(rule, numbers=None, curvature=None)
    alone = run(problem, plain, steps=1, columns=columns)
    for column in columns:
        assert np.allclose(batch.columns[column].mid[:, 0], alone.columns[column].mid[0, 0], rtol=1e-14)


def test_a_displacement_is_read_though_nobody_asked_for_the_steps() -> None:
    """x_{n+1} - x_n is -eta_n g_n; the column of the steps is made for it, and given away to nobody."""
    moved = as_column(inner(x[k + 1] - x[k], grad(x[k])))[0]
    problem = random_quadratic(3, condition=10, seed=2)
    trace = run(problem, polyak(Fraction(1)), steps=9, columns=[moved])
    assert set(trace.columns) == {moved}
    wanted = run(problem, polyak(Fraction(1)), steps=9, columns=[moved], xp="mp:30").columns[moved]
    assert np.allclose(trace.columns[moved].mid, np.array(wanted.mid, dtype=float), rtol=1e-9)

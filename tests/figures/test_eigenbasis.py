"""The eigenbasis engine against the ordinary runner, and against formulas that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.figures.runs import run_once
from boundcheck.library.catalogue import runner
from boundcheck.library.names import draw_from_family, problem_named
from boundcheck.model.problem import Problem
from boundcheck.model.rule import RuleError
from boundcheck.runners.quadratics import eigenbasis

RULES = ("1/L", "polyak(1)", "polyak(3/2)", "cauchy", "dai-yang", "1/A", "1/D", "1/D-as-printed")
PROBLEMS = ("quadratic-2d", "quadratic-30d", "power law in 8 dimensions")


def problem(name: str) -> Problem:
    return draw_from_family("power-law", dimension=8, seed=3) if name.startswith("power law") else problem_named(name)


def disagreement(one: Problem, rule: str, steps: int) -> float:
    """The largest relative difference of gap, D, A or eta from the ordinary runner's, each step begun at the same point."""
    x, worst = FLOAT64.vector(one.start), 0.0
    for _ in range(steps):
        here = replace(one, start=tuple(x.tolist()))
        fast = eigenbasis.in_eigenbasis([here], [rule], steps=1)
        slow = run_once(here, rule, steps=1, chords=("D", "A"), known=np.inf)
        pairs = [(fast.gap[0, 0, :1], slow.gap[:1]), (fast.eta[0, 0], slow.eta)]
        pairs += [(fast.D[0, 0], slow.chords["D"]), (fast.A[0, 0], slow.chords["A"])]
        worst = max(worst, *(float(np.abs(a / b - 1).max()) for a, b in pairs))
        x = x - slow.eta[0] * one.grad(FLOAT64, x[None])[0]
    return worst


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_step_is_that_of_the_ordinary_runner(name: str, rule: str) -> None:
    assert disagreement(problem(name), rule, steps=12) < 1e-9


@pytest.mark.parametrize("rule", RULES)
def test_a_whole_run_is_that_of_the_ordinary_runner(rule: str) -> None:
    one = problem_named("quadratic-30d")
    fast, slow = eigenbasis.in_eigenbasis([one], [rule], steps=15), run_once(one, rule, steps=15, chords=("D", "A"))
    for mine, theirs in ((fast.gap, slow.gap), (fast.eta, slow.eta), (fast.D, slow.chords["D"]), (fast.A, slow.chords["A"])):
        assert np.allclose(mine[0, 0], theirs, rtol=1e-7, atol=0)


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ("1/D", lambda m: np.sqrt(m.m2 / m.m4)),  # Dai and Yang's own step, twice 1/D
        ("1/D", lambda m: m.m2 / (2 * m.m3)),  # half of Cauchy's
        ("1/A", lambda m: m.m3 / m.m4),  # another Rayleigh quotient
        ("1/D-as-printed", lambda m: 2 * np.sqrt(m.m2 / m.m4)),  # |g+ - g| = 2 |g|, the display before it
        ("1/L", lambda m: 1.001 / m.L),
    ],
)
def test_a_wrong_formula_is_seen(monkeypatch: pytest.MonkeyPatch, rule: str, wrong: Callable[[Any], Any]) -> None:
    monkeypatch.setitem(eigenbasis.FORMULAS, rule, wrong)
    assert disagreement(problem("quadratic-30d"), rule, steps=3) > 1e-4


def test_a_batch_is_its_runs_one_by_one() -> None:
    problems = [draw_from_family("power-law", dimension=12, seed=seed) for seed in range(3)]
    together = eigenbasis.in_eigenbasis(problems, RULES, steps=10)
    for p, one in enumerate(problems):
        for r, rule in enumerate(RULES):
            alone = eigenbasis.in_eigenbasis([one], [rule], steps=10)
            assert np.allclose(together.gap[p, r], alone.gap[0, 0], rtol=1e-9, atol=0)
            assert np.allclose(together.eta[p, r], alone.eta[0, 0], rtol=1e-9, atol=0)


def test_tiny_coordinates_are_dropped_and_nothing_above_them_changes() -> None:
    one = problem_named("quadratic-3d")
    dropped = eigenbasis.in_eigenbasis([one], ["1/L"], steps=9000)
    kept = eigenbasis.in_eigenbasis([one], ["1/L"], steps=9000, tiny=0.0)
    above = kept.gap >= 1e-140
    assert 0 < above.sum() < above.size
    assert np.array_equal(dropped.gap[above], kept.gap[above])
    assert np.array_equal(dropped.D[above[..., :-1]], kept.D[above[..., :-1]])
    assert dropped.gap[0, 0, -1] == 0.0


def test_tiny_coordinates_dropped_too_early_are_seen() -> None:
    one = problem_named("quadratic-3d")
    kept = eigenbasis.in_eigenbasis([one], ["1/L"], steps=2000, tiny=0.0)
    early = eigenbasis.in_eigenbasis([one], ["1/L"], steps=2000, tiny=1e-10)
    assert not np.array_equal(early.gap, kept.gap)


def test_a_run_that_arrives_stays_there() -> None:
    done = eigenbasis.in_eigenbasis([problem_named("half-square")], ["1/L", "1/A", "1/D"], steps=900)
    assert (done.gap[0, :2, 1:] == 0).all() and np.isnan(done.eta[0, 1, 1:]).all() and np.isnan(done.D[0, 0, 1:]).all()
    assert done.gap[0, 2, -1] == 0 and not np.isnan(done.gap).any()


def test_what_is_no_quadratic_or_no_known_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="huber is no quadratic"):
        eigenbasis.in_eigenbasis([problem_named("huber")], ["1/L"], steps=1)
    with pytest.raises(RuleError, match=r"rule 'adgd\(1/1000\)' has no formula in the eigenbasis"):
        eigenbasis.in_eigenbasis([problem_named("quadratic-2d")], ["adgd(1/1000)"], steps=1)
    with pytest.raises(ValueError, match=r"dimensions \[2, 3\]"):
        eigenbasis.in_eigenbasis([problem_named("quadratic-2d"), problem_named("quadratic-3d")], ["1/L"], steps=1)


def test_the_registry_finds_it() -> None:
    assert runner().in_eigenbasis is eigenbasis.in_eigenbasis

"""The baselines compute what boundcheck computes: otherwise a ratio of their times would mean nothing."""

from __future__ import annotations

import ast
from fractions import Fraction

import numpy as np
import pytest
from alike import as_function, margins
from baselines import CLAIMS, bare_run, mpmath_logistic, mpmath_quadratic, mpmath_run, recorded_run

from boundcheck import check, run
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.quadratic import random_quadratic
from boundcheck.runners import over_L, polyak

from .conftest import BENCHMARKS

QUADRATIC = random_quadratic(6, condition=20, seed=3)


def rule_of(gamma):
    return over_L(1) if gamma is None else polyak(Fraction(gamma))


@pytest.mark.parametrize("label", CLAIMS)
def test_the_plain_loop_from_the_definition_has_the_sides_that_boundcheck_has(label):
    sides, gamma = CLAIMS[label]
    left, right = sides(recorded_run(as_function(QUADRATIC), 40, gamma), gamma)
    (found,) = check(label, run(QUADRATIC, rule_of(gamma), steps=40), smoothness="D")
    assert len(left) == len(found.left) == 40
    seen = np.isfinite(found.left)  # a Polyak run leaves float64 early: nothing is computed where no verdict can come of it
    assert seen.sum() >= 15
    np.testing.assert_allclose(left[seen], found.left[seen], rtol=1e-9)
    np.testing.assert_allclose(right[seen], found.right[seen], rtol=1e-9)


def test_a_side_with_a_sum_that_ends_one_step_early_is_told_apart():
    """The comparison above can fail: the printed reading of the split analysis stands one step beside the proved one."""
    left, _ = CLAIMS["prop:sc-split-analysis@proved"][0](recorded_run(as_function(QUADRATIC), 40))
    (printed,) = check("prop:sc-split-analysis@printed", run(QUADRATIC, over_L(1), steps=40), smoothness="D")
    assert not np.allclose(left, printed.left[:40], rtol=1e-9)


@pytest.mark.parametrize("gamma", [None, 1.5])
@pytest.mark.parametrize("problem", [QUADRATIC, synthetic_logistic(60, 4)], ids=["quadratic", "logistic"])
def test_the_bare_loop_makes_the_runners_run(problem, gamma):
    function = as_function(problem)
    gaps = bare_run(function, 30, gamma) - function.fstar
    (found,) = check("eq:local-descent-lemma", run(problem, rule_of(gamma), steps=31), smoothness="D")
    np.testing.assert_allclose(gaps[1:], found.left[:29], rtol=1e-6, atol=1e-12)


def test_mpmath_agrees_with_numpy_and_has_more_digits():
    problem = synthetic_logistic(60, 4)
    function = as_function(problem)
    context, both = mpmath_logistic(margins(problem), 50)
    values = mpmath_run(both, context, function.start, function.L, 5)
    np.testing.assert_allclose([float(v) for v in values], bare_run(function, 5), rtol=1e-12)
    assert any(value != context.mpf(float(value)) for value in values)


def test_mpmath_agrees_with_numpy_on_a_quadratic():
    function = as_function(QUADRATIC)
    B = np.array([function.grad(function.xstar + e) for e in np.eye(6)])
    context, both = mpmath_quadratic(B, function.xstar, 50)
    values = mpmath_run(both, context, function.start, function.L, 5)
    np.testing.assert_allclose([float(v) for v in values], bare_run(function, 5), rtol=1e-12)


def test_the_baselines_know_nothing_of_boundcheck():
    tree = ast.parse((BENCHMARKS / "baselines.py").read_text(encoding="utf-8"))
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported == {"__future__", "collections.abc", "dataclasses", "typing", "numpy", "mpmath"}

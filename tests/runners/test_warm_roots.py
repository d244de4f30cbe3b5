"""Roots of strongly adapted steps from a guess nearby: they are roots, and those that the general solver finds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.runners import run, strongly_adapted
from boundcheck.runners.engine.run_view import RunView
from boundcheck.runners.roots.rays import OneOverD
from boundcheck.runners.roots.warm_start import warm_root

PROBLEM = synthetic_logistic(60, 8, seed=3)
L = float(PROBLEM.L)  # type: ignore[arg-type]
RULE = strongly_adapted("D")
PLAIN = replace(PROBLEM, ray=None)  # every root by the general solver


def starts(count: int = 80) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(5)
    star = np.array([float(v) for v in PROBLEM.minimiser.point])  # type: ignore[union-attr]
    near = [star + rng.standard_normal(8) * 10 ** rng.uniform(-6, -1) for _ in range(count // 2)]
    return near + [rng.standard_normal(8) * 10 ** rng.uniform(-3, 1.5) for _ in range(count // 2)]


def step(problem: Any, x: Any, before: float | None) -> float:
    g = problem.grad(FLOAT64, x)
    past = None if before is None else RunView(problem, FLOAT64, 0, x, g, None, L, 2)
    if past is not None:
        past.eta = np.float64(before)
    return float(RULE.step(RunView(problem, FLOAT64, 1, x, g, past, L, 2)))


@pytest.mark.parametrize("before", [None, 1 / L, 1000 / L, 1e-6 / L])
def test_a_root_does_not_depend_on_the_step_before(before: float | None) -> None:
    for x in starts():
        eta = step(PROBLEM, x, before)
        ray = OneOverD(PROBLEM, FLOAT64, x, PROBLEM.grad(FLOAT64, x))
        assert ray.value(eta * (1 - 2.0**-16)) < 0 < ray.value(eta * (1 + 2.0**-16))


def test_the_general_solver_finds_the_same_roots() -> None:
    for x in starts(40):
        assert step(PROBLEM, x, 1 / L) == pytest.approx(step(PLAIN, x, 1 / L), rel=1e-9)


def test_a_run_takes_the_steps_that_it_took_with_the_general_solver() -> None:
    quick, slow = (run(p, RULE, steps=12, columns=()).with_columns([]) for p in (PROBLEM, PLAIN))
    assert quick.steps.tolist() == slow.steps.tolist()
    x = y = np.asarray(PROBLEM.start, dtype=np.float64)
    before: float | None = None
    for _ in range(12):
        fast, general = step(PROBLEM, x, before), step(PLAIN, y, before)
        assert fast == pytest.approx(general, rel=2.0**-36)
        x, y, before = x - fast * PROBLEM.grad(FLOAT64, x), y - general * PLAIN.grad(FLOAT64, y), fast


def test_derivatives_along_a_ray_are_those_of_its_changes() -> None:
    x = starts()[-1]
    g = PROBLEM.grad(FLOAT64, x)
    ray, eta, h = PROBLEM.ray(x, g), 2 / L, 1e-4 / L  # type: ignore[misc]

    def change(t: float) -> Any:
        return PROBLEM.grad(FLOAT64, x - t * g) - g

    first, second = (change(eta + h) - change(eta - h)) / (2 * h), (change(eta + h) - 2 * change(eta) + change(eta - h)) / h**2
    vectors = np.stack((change(eta), first, second))
    assert np.allclose(ray.gram(eta), vectors @ vectors.T, rtol=1e-4)
    assert ray.square(eta) == pytest.approx(ray.gram(eta)[0][0], rel=1e-14)
    third = (change(eta + 2e3 * h) - 2 * change(eta + 1e3 * h) + 2 * change(eta - 1e3 * h) - change(eta - 2e3 * h)) / (2e9 * h**3)
    assert np.linalg.norm(third) <= ray.third()


class _Wrong:
    """A ray whose second derivatives are wrong by a factor, or whose bound of the third is."""

    def __init__(self, ray: Any, second: float, third: float) -> None:
        self.ray, self.factors, self.bound = ray, np.array([1, 1, second]), third

    def square(self, eta: float) -> float:
        return float(self.ray.square(eta))

    def third(self) -> float:
        return self.bound

    def gram(self, eta: float) -> Any:
        return (np.array(self.ray.gram(eta)) * np.outer(self.factors, self.factors)).tolist()


def errors(second: float, third: float) -> float:
    """How far the roots are from those of the general solver, at worst."""
    worst = 0.0
    for x in starts(40)[20:]:
        g = PROBLEM.grad(FLOAT64, x)
        ray = PROBLEM.ray(x, g)  # type: ignore[misc]
        found = warm_root(_Wrong(ray, second, third), float(g @ g), 1.05 * step(PROBLEM, x, None), L)
        worst = max(worst, 0.0 if found is None else abs(found / step(PLAIN, x, None) - 1))
    return worst


def test_wrong_second_derivatives_cost_looks_and_no_accuracy() -> None:
    assert errors(-3.0, np.inf) < 1e-8


def test_a_bound_of_third_derivatives_that_is_too_small_is_seen() -> None:
    """The tests above would fail: what ends the search is the bound or a look, never a guess."""
    assert errors(1.0, np.inf) < 1e-8 < errors(1.0, 0.0)

"""The checks can say no: each planted mistake is caught by the check that should catch it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from boundcheck.model.problem import Problem, Smooth, StronglyConvex
from boundcheck.problems import CATALOGUE
from boundcheck.testing.contract import Wrong
from boundcheck.testing.facts import (
    f_is_convex,
    the_bregman_difference_is_its_definition,
    the_gap_is_f_less_its_least_value,
    the_gradient_is_lipschitz,
    the_gradient_is_strongly_monotone,
    the_minimiser_minimises,
)
from boundcheck.testing.oracles import the_chord_quantities_enclose_dense_samples, the_gradient_is_the_slope_of_f
from boundcheck.testing.problem import enclosures_of_a_ball_hold_for_its_points, float64_with_bounds_encloses_the_truth

from .autodiff import the_gradient_agrees_with_autodiff

NAMES = [
    "quadratic-3d",
    "huber",
    "smooth-abs",
    "quartic",
    "figure-objective",
    "logistic-40x5",
    "ridge-2d",
    "ridge-3d",
    "log-sum-exp",
    "softplus",
    "steepening",
]


@pytest.fixture(params=NAMES)
def honest(request: pytest.FixtureRequest) -> Problem:
    return CATALOGUE[request.param]()


def scaled(oracle: Any, factor: Fraction) -> Any:
    def formula(xp: Any, *args: Any) -> Any:
        return xp.scalar(factor) * oracle(xp, *args)

    return formula


def test_a_gradient_off_by_a_part_in_a_million(honest: Problem) -> None:
    def grad(xp: Any, x: Any) -> Any:
        return xp.scale(xp.scalar(Fraction(1000001, 1000000)), honest.grad(xp, x))

    for check in (the_gradient_is_the_slope_of_f, the_gradient_agrees_with_autodiff):
        with pytest.raises(Wrong):
            check(replace(honest, grad=grad))


def test_a_gap_and_a_bregman_difference_off_by_a_part_in_a_million(honest: Problem) -> None:
    off = Fraction(1000001, 1000000)
    with pytest.raises(Wrong):
        the_gap_is_f_less_its_least_value(replace(honest, gap=scaled(honest.gap, off)))
    wrong = replace(honest, bregman=scaled(honest.bregman, off))
    with pytest.raises(Wrong):
        the_bregman_difference_is_its_definition(wrong)
    with pytest.raises(Wrong):
        float64_with_bounds_encloses_the_truth(_only_float64(honest, off))


def _only_float64(honest: Problem, off: Fraction) -> Problem:
    """The same problem with a mistake that only float64 makes."""

    def f(xp: Any, x: Any) -> Any:
        return honest.f(xp, x) * (xp.scalar(off) if getattr(xp, "name", "") == "float64" else 1)

    return replace(honest, f=f)


def test_a_minimiser_that_is_not_one(honest: Problem) -> None:
    assert honest.minimiser is not None
    point = [Fraction(value) + Fraction(1, 10**6) for value in honest.minimiser.point]
    moved = replace(honest.minimiser, point=point)
    with pytest.raises(Wrong):
        the_minimiser_minimises(replace(honest, minimiser=moved))


@pytest.mark.parametrize("name", ["quadratic-3d", "huber", "smooth-abs", "nonconvex", "ridge-2d", "softplus"])
def test_a_smoothness_constant_that_is_too_small(name: str) -> None:
    problem = CATALOGUE[name]()
    assert problem.L is not None
    with pytest.raises(Wrong):
        the_gradient_is_lipschitz(replace(problem, facts=frozenset({Smooth(Fraction(problem.L) * Fraction(9, 10))})))


@pytest.mark.parametrize(
    "name", ["quadratic-3d", "asymmetric", "smooth-abs", "isotropic-4d", "ridge-2d", "softplus", "steepening", "valley"]
)
def test_a_strong_convexity_constant_that_is_too_large(name: str) -> None:
    problem = CATALOGUE[name]()
    with pytest.raises(Wrong):
        too_large = Fraction(problem.mu) * Fraction(3, 2) + Fraction(1, 10)
        the_gradient_is_strongly_monotone(replace(problem, facts=frozenset({StronglyConvex(too_large)})))


@pytest.mark.parametrize("name", ["huber", "figure-objective", "quartic", "ridge-2d", "valley", "slope"])
def test_enclosures_that_forget_the_radius(name: str) -> None:
    problem = CATALOGUE[name]()

    def f(xp: Any, x: Any) -> Any:
        return xp.scalars(xp.middle(problem.f(xp, x)))

    with pytest.raises(Wrong):
        enclosures_of_a_ball_hold_for_its_points(replace(problem, f=f))


def test_convexity_of_a_function_that_is_not_convex() -> None:
    with pytest.raises(Wrong):
        f_is_convex(CATALOGUE["nonconvex"]())


@pytest.mark.parametrize(
    "name",
    [
        "huber",
        "smooth-abs",
        "quartic",
        "abs-3/2",
        "figure-objective",
        "nonconvex",
        "ridge-2d",
        "ridge-3d",
        "softplus",
        "slope",
        "valley",
    ],
)
def test_chord_quantities_taken_at_the_ends_only(name: str) -> None:
    """The slope at x and the secant slope at y are not enough: sup or inf may lie between."""
    problem = CATALOGUE[name]()

    def chord(xp: Any, x: Any, d: Any, gx: Any, gy: Any, side: str) -> Any:
        end = xp.dot(gy - gx, d) / xp.normsq(d)
        tiny = xp.scale(xp.scalar(2.0**-12), d)
        first = xp.dot(problem.grad(xp, x + tiny) - gx, d) / (xp.scalar(2.0**-12) * xp.normsq(d))
        return xp.minimum(first, end) if side == "inf" else xp.maximum(first, end)

    with pytest.raises(Wrong):
        the_chord_quantities_enclose_dense_samples(replace(problem, chord=chord), loose=1e-3)

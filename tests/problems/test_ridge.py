"""Sums of ridge functions: constants that are attained, exact chords, and planted mistakes in their data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import IsQuadratic, Problem, StronglyConvex
from boundcheck.problems._numerics import eigenvalues
from boundcheck.problems.ridge import Ridge, ridge_2d, ridge_3d, ridge_sum
from boundcheck.testing.facts import (
    f_is_convex,
    the_bregman_difference_is_its_definition,
    the_gap_is_f_less_its_least_value,
    the_gradient_is_lipschitz,
    the_minimiser_minimises,
)
from boundcheck.testing.oracles import the_chord_quantities_enclose_dense_samples, the_gradient_is_the_slope_of_f

EXACT = arithmetic("rational")


def curvature(problem: Problem, x: Any, d: Any) -> Fraction:
    """<grad f(x + d) - grad f(x), d> / |d|^2, exactly."""
    u, step = EXACT.vectors(x), EXACT.vectors(d)
    rise = EXACT.dot(problem.grad(EXACT, u + step) - problem.grad(EXACT, u), step)
    return Fraction(EXACT.text(rise / EXACT.normsq(step)))


def chord(problem: Problem, x: Any, d: Any, side: str) -> Fraction:
    assert problem.chord is not None
    u, step = EXACT.vectors(x), EXACT.vectors(d)
    return Fraction(EXACT.text(problem.chord(EXACT, u, step, None, None, side)))


def test_the_constants_of_the_two_dimensional_sum_are_attained() -> None:
    """L = 7 about x*, where all three slopes are largest, along (2, 1); mu = 1/2 far away, along (1, -2)."""
    problem = ridge_2d()
    assert (problem.L, problem.mu) == (7, Fraction(1, 2)) and not problem.has(IsQuadratic)
    assert curvature(problem, [1, 2], [Fraction(1, 10), Fraction(1, 20)]) == 7
    assert curvature(problem, [100, 100], [1, -2]) == Fraction(1, 2)


def test_l_of_the_three_dimensional_sum_is_attained() -> None:
    problem = ridge_3d()
    x = [Fraction(4, 5), 4, Fraction(14, 5)]
    H = [[curvature_entry(problem, x, i, j) for j in range(3)] for i in range(3)]
    assert problem.L == 10 == pytest.approx(np.linalg.eigvalsh(np.array(H, dtype=float))[-1], rel=1e-14)
    assert not problem.has(StronglyConvex)


def curvature_entry(problem: Problem, x: Any, i: int, j: int) -> Fraction:
    h = Fraction(1, 100)
    moved = [value + (h if k == j else 0) for k, value in enumerate(x)]
    rise = problem.grad(EXACT, EXACT.vectors(moved)) - problem.grad(EXACT, EXACT.vectors(x))
    return Fraction(EXACT.text(EXACT.coordinate(rise, i))) / h


def test_a_segment_of_minimisers_has_gap_zero_and_its_neighbours_have_not() -> None:
    problem = ridge_3d()
    assert problem.gap is not None and problem.minimiser is not None and "many" in problem.minimiser.which
    for point, zero in (([0, -1, Fraction(-1, 2)], True), ([0, -2, -1], True), ([0, 2, 1], False), ([0, -4, -2], False)):
        assert (EXACT.text(problem.gap(EXACT, EXACT.vectors(point), None)) == "0") is zero


@pytest.mark.parametrize("make", [ridge_2d, ridge_3d])
@pytest.mark.parametrize("seed", range(6))
def test_chords_are_exact_extremes_of_the_secant_slope(make: Any, seed: int) -> None:
    """Against every breakpoint of the restriction, found by hand, and a dense grid in between."""
    problem, rng = make(), np.random.default_rng(seed)
    x = [Fraction(int(a), 4) for a in rng.integers(-16, 17, problem.dimension)]
    d = [Fraction(int(a), 2) for a in rng.integers(-12, 13, problem.dimension)]
    assert problem.data is not None
    times = {Fraction(i, 24) for i in range(1, 25)}
    for term in problem.data["terms"]:
        a = [Fraction(value) for value in term["direction"]]
        u, w = (sum(p * q for p, q in zip(a, v, strict=True)) for v in (x, d))
        times |= {t for knot in term["function"]["knots"] if w and 0 < (t := (Fraction(knot) - u) / w) < 1}
    slopes = [curvature(problem, x, [t * value for value in d]) for t in times]
    # towards 0 the slope itself, from a step that crosses no knot
    slopes.append(curvature(problem, x, [min(times) / 1000 * value for value in d]))
    assert (chord(problem, x, d, "sup"), chord(problem, x, d, "inf")) == (max(slopes), min(slopes))


def test_one_ridge_in_one_dimension_is_its_piecewise_quadratic() -> None:
    from boundcheck.problems.piecewise import piecewise_quadratic

    numbers: dict[str, Any] = {"knots": [-1, 2], "gradients": [-3, 1], "left_slope": 0, "right_slope": 5}
    xstar = Fraction(5, 4)
    one = ridge_sum([Ridge(direction=[1], **numbers)], xstar=[xstar], start=[4])
    other = piecewise_quadratic(numbers.pop("knots"), numbers.pop("gradients"), **numbers)
    assert other.minimiser is not None and other.minimiser.point == (xstar,) and one.L == other.L
    for x, d in ((-3, 7), (0, 1), (Fraction(7, 3), -5)):
        u, step = EXACT.vectors([x]), EXACT.vectors([d])
        for oracle in ("f", "gap", "bregman"):
            args = {"f": (u,), "gap": (u, None), "bregman": (u, step, None, None)}[oracle]
            assert EXACT.text(getattr(one, oracle)(EXACT, *args)) == EXACT.text(getattr(other, oracle)(EXACT, *args))
        for side in ("sup", "inf"):
            assert chord(one, [x], [d], side) == chord(other, [x], [d], side)


@pytest.mark.parametrize("seed", range(3))
def test_random_ridge_sums_keep_the_contract(seed: int) -> None:
    """x* = 0 at a common minimiser of all the ridges."""
    rng = np.random.default_rng(seed)
    ridges = []
    for _ in range(4):
        left, right = sorted(rng.integers(1, 5, 2).tolist())
        slopes = [Fraction(int(s), 3) for s in rng.integers(0, 7, 4)]
        gradients = [-slopes[1] * left, Fraction(0), slopes[2] * right]
        direction = rng.integers(-3, 4, 2).tolist()
        ridges.append(
            Ridge(direction=direction, knots=[-left, 0, right], gradients=gradients, left_slope=slopes[0], right_slope=slopes[3])
        )
    problem = ridge_sum(ridges, xstar=[0, 0], start=[3, -2])
    the_gradient_is_the_slope_of_f(problem)
    f_is_convex(problem)
    the_gradient_is_lipschitz(problem)
    the_minimiser_minimises(problem)
    the_gap_is_f_less_its_least_value(problem)
    the_bregman_difference_is_its_definition(problem)
    the_chord_quantities_enclose_dense_samples(problem, loose=1e-4, count=4, samples=9)


HALF: dict[str, Any] = {"knots": [0], "gradients": [0], "left_slope": 1, "right_slope": 2}


@pytest.mark.parametrize(
    ("ridges", "xstar", "says"),
    [
        ([Ridge(direction=[1, 1], **HALF)], [1, 0], "the gradient at x* is (2, 2); needs 0"),
        ([Ridge(direction=[1], **HALF)], [0, 0], "needs all the same"),
        ([Ridge(direction=[1, 0], **HALF), Ridge(direction=[1], **HALF)], [0, 0], "needs all the same"),
        ([Ridge(direction=[1], knots=[0, 1], gradients=[1, 0], left_slope=0, right_slope=0)], [0], "convex needs slopes >= 0"),
        ([Ridge(direction=[float("nan")], **HALF)], [0], "finite"),
    ],
)
def test_bad_ridges_get_one_line(ridges: Any, xstar: Any, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        ridge_sum(ridges, xstar=xstar, start=xstar)
    assert says in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("off", [Fraction(1, 10**11), Fraction(-1, 10**11), Fraction(0), Fraction(1, 7)])
def test_eigenvalues_next_to_a_short_fraction_are_bounded_not_rounded(off: Fraction) -> None:
    """[[1, 1], [1, 1]] has eigenvalues 0 and 2; moved a little, 0 and 2 bound nothing any more."""
    rows = [[Fraction(1), Fraction(1)], [Fraction(1), 1 + off]]
    low, high = (Fraction(value) for value in eigenvalues.rational_bounds(rows))
    for sign, bound in ((1, low), (-1, high)):
        shifted = [[sign * (rows[i][j] - (bound if i == j else 0)) for j in range(2)] for i in range(2)]
        assert eigenvalues.is_positive_semidefinite(shifted)
    true = np.linalg.eigvalsh(np.array(rows, dtype=float))
    assert (float(low), float(high)) == pytest.approx((true[0], true[1]), abs=1e-10)
    assert (low, high) == (0, 2) or off

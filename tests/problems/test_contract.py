"""Every standard problem keeps its word."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import Convex, Problem
from boundcheck.problems import CATALOGUE
from boundcheck.testing.contract import Wrong, points
from boundcheck.testing.facts import (
    f_is_convex,
    the_bregman_difference_is_its_definition,
    the_gap_is_f_less_its_least_value,
    the_gradient_is_lipschitz,
    the_gradient_is_locally_lipschitz,
    the_gradient_is_strongly_monotone,
    the_minimiser_minimises,
)
from boundcheck.testing.oracles import (
    the_chord_quantities_enclose_dense_samples,
    the_gradient_is_the_slope_of_f,
    the_hessian_is_the_slope_of_the_gradient,
)
from boundcheck.testing.problem import (
    enclosures_of_a_ball_hold_for_its_points,
    exact_rationals_agree,
    float64_with_bounds_encloses_the_truth,
)

from .autodiff import the_gradient_agrees_with_autodiff


def test_the_gradient_is_the_slope_of_f(small: Problem) -> None:
    the_gradient_is_the_slope_of_f(small)


def test_the_gradient_agrees_with_autodiff(problem: Problem) -> None:
    the_gradient_agrees_with_autodiff(problem)


def test_the_hessian_is_the_slope_of_the_gradient(small: Problem) -> None:
    if small.hessian_vector is None:
        pytest.skip(f"{small.name} has no Hessian")
    the_hessian_is_the_slope_of_the_gradient(small)


def test_f_is_convex_where_it_says_so(small: Problem) -> None:
    if small.has(Convex):
        f_is_convex(small)
    else:
        with pytest.raises(Wrong):
            f_is_convex(small)


def test_the_gradient_is_lipschitz_with_the_declared_constant(small: Problem) -> None:
    if small.L is None:
        pytest.skip(f"{small.name} declares no L")
    the_gradient_is_lipschitz(small)


def test_the_gradient_is_strongly_monotone_with_the_declared_constant(small: Problem) -> None:
    if not small.has(Convex):
        pytest.skip(f"{small.name} is not convex")
    the_gradient_is_strongly_monotone(small)


def test_the_minimiser_minimises(small: Problem) -> None:
    if small.minimiser is None:
        pytest.skip(f"{small.name} has no minimiser")
    the_minimiser_minimises(small)


def test_the_gap_is_f_less_its_least_value(small: Problem) -> None:
    if small.minimiser is None:
        pytest.skip(f"{small.name} has no minimiser")
    the_gap_is_f_less_its_least_value(small)


def test_the_bregman_difference_is_its_definition(small: Problem) -> None:
    the_bregman_difference_is_its_definition(small)


def test_the_chord_quantities_enclose_dense_samples(small: Problem) -> None:
    if small.dimension > 1:
        the_chord_quantities_enclose_dense_samples(small, loose=1e-4, count=4, samples=9)
    else:
        the_chord_quantities_enclose_dense_samples(small, loose=5e-4)


def test_float64_with_bounds_encloses_the_truth(small: Problem) -> None:
    float64_with_bounds_encloses_the_truth(small)


def test_enclosures_of_a_ball_hold_for_its_points(small: Problem) -> None:
    enclosures_of_a_ball_hold_for_its_points(small)


def test_exact_rationals_agree_with_50_digits(problem: Problem) -> None:
    if not problem.rational:
        pytest.skip(f"{problem.name} is not rational")
    exact_rationals_agree(problem)


def test_bare_float64_works_on_a_stack_without_a_warning(problem: Problem) -> None:
    xp = arithmetic("float64").plain
    x = points(problem, 6)
    d = 0.5 * points(problem, 6, seed=1)
    gx, gy = problem.grad(xp, x), problem.grad(xp, x + d)
    assert problem.bregman is not None and problem.chord is not None
    sup, inf = (problem.chord(xp, x, d, gx, gy, side) for side in ("sup", "inf"))
    made = [problem.f(xp, x), problem.bregman(xp, x, d, gx, gy), sup, inf]
    if problem.gap is not None:
        made.append(problem.gap(xp, x, gx))
    assert gx.shape == x.shape
    assert all(np.shape(value) == (6,) and np.isfinite(value).all() for value in made)
    assert (sup >= inf - 1e-12 * abs(sup)).all()
    alone = [problem.f(xp, row) for row in x]
    np.testing.assert_allclose(made[0], alone, rtol=1e-12)


def test_a_problem_survives_a_pickle_after_use(problem: Problem) -> None:
    xp = arithmetic("float64").plain
    start = xp.vector(problem.start)
    before = problem.grad(xp, start)
    again = pickle.loads(pickle.dumps(problem))
    assert again.facts == problem.facts and again.minimiser == problem.minimiser
    np.testing.assert_array_equal(again.grad(xp, start), before)


def test_local_smoothness_bounds_the_gradient_where_there_is_no_l(small: Problem) -> None:
    if small.L is not None:
        assert small.local_smoothness is None
        return
    assert small.local_smoothness is not None
    the_gradient_is_locally_lipschitz(small)


def test_without_a_minimiser_there_is_no_gap_and_the_problem_says_so(problem: Problem) -> None:
    assert (problem.minimiser is None) == (problem.gap is None)
    if problem.minimiser is None:
        assert "no minimiser" in problem.about or "not attained" in problem.about


def test_names_are_the_catalogues(problem: Problem) -> None:
    assert problem.name in CATALOGUE
    assert problem.about

"""What single families promise: exact minimisers and constants, and one line that says what is wrong with bad data."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Problem, StronglyConvex, TwiceDifferentiable
from boundcheck.problems import CATALOGUE
from boundcheck.problems.cubic_quadratic import cubic_quadratic
from boundcheck.problems.logistic import logistic, synthetic_logistic
from boundcheck.problems.piecewise import asymmetric, flat_bottom, huber, piecewise_quadratic
from boundcheck.problems.power import power, quartic
from boundcheck.problems.quadratic import (
    isotropic,
    power_law_quadratic,
    quadratic,
    quadratic_from,
    random_quadratic,
    rank_deficient,
)
from boundcheck.problems.smooth_abs import smooth_abs
from boundcheck.testing.contract import MP
from boundcheck.testing.facts import (
    the_bregman_difference_is_its_definition,
    the_gap_is_f_less_its_least_value,
    the_minimiser_minimises,
)
from boundcheck.testing.oracles import the_chord_quantities_enclose_dense_samples, the_gradient_is_the_slope_of_f

EXACT = arithmetic("rational")
FLOAT64 = arithmetic("float64")


def chord(problem: Problem, x: Any, d: Any, side: str) -> Fraction:
    """A chord quantity of a one-dimensional problem in exact rationals."""
    u, step = EXACT.vectors([x]), EXACT.vectors([d])
    assert problem.chord is not None
    return Fraction(EXACT.text(problem.chord(EXACT, u, step, problem.grad(EXACT, u), problem.grad(EXACT, u + step), side)))


def stored_matrix(problem: Problem) -> Any:
    """B, read off by the Hessian, in float64."""
    assert problem.hessian_vector is not None
    return problem.hessian_vector(FLOAT64.plain, np.zeros(problem.dimension), np.eye(problem.dimension))


@pytest.mark.parametrize(
    "name", ["quadratic-2d", "quadratic-3d", "quadratic-30d", "isotropic-4d", "rank-deficient-6d", "power-law-300d"]
)
def test_l_and_mu_of_a_quadratic_are_its_extreme_eigenvalues_rounded_outwards(name: str) -> None:
    problem = CATALOGUE[name]()
    eigenvalues = np.linalg.eigvalsh(stored_matrix(problem))
    assert problem.L is not None
    slack = 1e-9 * eigenvalues[-1]
    assert eigenvalues[-1] - 1e-14 * eigenvalues[-1] <= problem.L <= eigenvalues[-1] + slack
    assert eigenvalues[0] - slack <= problem.mu <= eigenvalues[0] + 1e-12 * eigenvalues[-1]


def test_l_and_mu_are_proved_against_exact_eigenvalues() -> None:
    """[[2, 1], [1, 2]] has eigenvalues 1 and 3: the bounds must not lie inside."""
    problem = quadratic([[2, 1], [1, 2]])
    assert problem.L is not None
    assert 3 <= problem.L < 3 + 1e-13 and 1 - 1e-13 < problem.mu <= 1
    thirds = quadratic([[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]])
    assert thirds.L is not None
    assert Fraction(thirds.L) >= 1 and Fraction(thirds.mu) <= Fraction(1, 3)


def test_a_diagonal_quadratic_has_exact_constants() -> None:
    problem = quadratic([[Fraction(1, 3), 0], [0, 7]])
    assert (problem.L, problem.mu, problem.rational) == (7, Fraction(1, 3), True)


def test_the_minimiser_of_a_quadratic_is_solved_exactly() -> None:
    problem = quadratic_from([[3, 1], [1, 2]], [1, 1])
    assert problem.minimiser is not None
    assert list(problem.minimiser.point) == [Fraction(1, 5), Fraction(2, 5)]
    assert problem.minimiser.value == Fraction(-3, 10)


def test_of_many_minimisers_the_shortest_is_taken() -> None:
    problem = quadratic_from([[1, 1], [1, 1]], [3, 3])
    assert problem.minimiser is not None
    assert list(problem.minimiser.point) == [1.5, 1.5] and "shortest" in problem.minimiser.which
    assert not problem.has(StronglyConvex) and problem.mu == 0


def test_a_power_law_spectrum_is_a_power_of_the_index() -> None:
    problem = power_law_quadratic(alpha=2.0, L=8.0, dimension=5, seed=1)
    np.testing.assert_allclose(np.linalg.eigvalsh(stored_matrix(problem))[::-1], 8.0 / np.arange(1, 6) ** 2, rtol=1e-12)


def test_seeds_repeat_and_differ() -> None:
    one, again, other = (random_quadratic(4, seed=seed) for seed in (1, 1, 2))
    assert one.start == again.start != other.start
    np.testing.assert_array_equal(stored_matrix(one), stored_matrix(again))


def test_every_chord_of_an_isotropic_quadratic_has_the_same_curvature_exactly() -> None:
    problem = isotropic(3, curvature=Fraction(2, 3))
    u, d = EXACT.vectors([1, 2, 3]), EXACT.vectors([1, -1, 5])
    assert problem.chord is not None
    answer = problem.chord(EXACT, u, d, problem.grad(EXACT, u), problem.grad(EXACT, u + d), "sup")
    assert EXACT.text(answer) == "2/3"


@pytest.mark.parametrize(
    ("problem", "x", "d", "sup", "inf"),
    [
        (huber(1), 3, -6, Fraction(1, 2), 0),  # from 3 over the bowl: best at the far knot, 2 / 4
        (huber(1), Fraction(1, 2), 1, 1, Fraction(1, 2)),
        (asymmetric(1, 4), -1, 3, 3, 1),  # 9 / 3 at the end, slope 1 at the start
        (asymmetric(1, 4), 0, -1, 1, 1),  # at a knot the side of d decides
        (asymmetric(1, 4), 0, 1, 4, 4),
        (flat_bottom(1), 2, -4, 1, Fraction(1, 3)),  # 1 at once; 1 / 3 at the knot -1; 2 / 4 at the end
        (quartic(), 1, -4, 28, 3),  # 4 (u^2 + u + 1) on [-3, 1]: 28 at -3, 3 at -1/2
        (cubic_quadratic(), -2, 3, 6, Fraction(8, 3)),  # 3 at 0, then down to 8 / 3 at the end
        (cubic_quadratic(), 1, Fraction(-5, 4), 2, Fraction(2 + Fraction(3, 32)) / Fraction(5, 4)),
    ],
    ids=lambda value: value.name if isinstance(value, Problem) else str(value),
)
def test_chord_quantities_are_exact_in_rationals(problem: Problem, x: Any, d: Any, sup: Any, inf: Any) -> None:
    assert (chord(problem, x, d, "sup"), chord(problem, x, d, "inf")) == (sup, inf)


def test_an_irrational_chord_quantity_is_undefined_in_rationals_and_known_in_float64() -> None:
    """From 1 across 0, the figure's objective has its least secant slope 3 w at w = sqrt(7/3) - 1."""
    problem = cubic_quadratic()
    answers = []
    for xp in (EXACT, FLOAT64):
        u, d = xp.vectors([1]), xp.vectors([-3])
        assert problem.chord is not None
        answers.append(problem.chord(xp, u, d, problem.grad(xp, u), problem.grad(xp, u + d), "inf"))
    assert math.isnan(EXACT.middle(answers[0]))
    assert FLOAT64.middle(answers[1]) == pytest.approx(3 * (math.sqrt(7 / 3) - 1), rel=1e-14)


def test_the_minimiser_of_a_piecewise_quadratic_is_where_its_gradient_crosses_zero() -> None:
    inner = piecewise_quadratic([0, 3], [-1, 1], left_slope=1, right_slope=2)
    before = piecewise_quadratic([0], [1], left_slope=Fraction(1, 7), right_slope=0)
    after = piecewise_quadratic([0, 1], [-4, -3], left_slope=0, right_slope=9)
    points = [problem.minimiser.point[0] for problem in (inner, before, after) if problem.minimiser]
    assert points == [Fraction(3, 2), -7, Fraction(4, 3)]
    assert (inner.L, inner.mu) == (2, Fraction(2, 3))


def test_an_interval_of_minimisers_says_which_one_is_used() -> None:
    problem = flat_bottom(1)
    ray = piecewise_quadratic([0], [0], left_slope=0, right_slope=1)
    chosen = piecewise_quadratic([-1, 1], [0, 0], left_slope=1, right_slope=1, xstar=Fraction(1, 2))
    assert problem.minimiser and ray.minimiser and chosen.minimiser
    assert (problem.minimiser.point[0], problem.minimiser.which) == (-1, "-1, of all of [-1, 1]")
    assert (ray.minimiser.point[0], ray.minimiser.which) == (0, "0, of all of [-inf, 0]")
    assert chosen.minimiser.point[0] == Fraction(1, 2)


def test_a_piecewise_quadratic_of_one_slope_is_a_quadratic() -> None:
    assert piecewise_quadratic([0, 1], [0, 3], left_slope=3, right_slope=3).has(IsQuadratic)
    assert not asymmetric().has(TwiceDifferentiable)


def test_without_smoothing_the_absolute_value_declares_convexity_only() -> None:
    problem = smooth_abs(0)
    assert problem.facts == {Convex()} and not problem.has(Differentiable)
    assert smooth_abs(Fraction(1, 4)).L == 4


@pytest.mark.parametrize("p", [Fraction(5, 4), Fraction(4, 3), Fraction(3, 2), 2, Fraction(5, 2), 3, 4, 6])
def test_powers_keep_the_contract(p: Any) -> None:
    problem = power(p)
    the_gradient_is_the_slope_of_f(problem)
    the_bregman_difference_is_its_definition(problem)
    the_chord_quantities_enclose_dense_samples(problem, loose=1e-3, count=24)


@pytest.mark.parametrize("seed", range(4))
def test_random_piecewise_quadratics_keep_the_contract(seed: int) -> None:
    rng = np.random.default_rng(seed)
    knots = np.cumsum(rng.integers(1, 4, 5)).tolist()
    slopes = [Fraction(int(a), 3) for a in rng.integers(0, 7, 6)]
    gradients = [Fraction(-5)]
    for a, b, slope in zip(knots, knots[1:], slopes[1:-1], strict=False):
        gradients.append(gradients[-1] + slope * (b - a))
    problem = piecewise_quadratic(knots, gradients, left_slope=slopes[0], right_slope=slopes[-1] + 1)
    the_gradient_is_the_slope_of_f(problem)
    the_minimiser_minimises(problem)
    the_gap_is_f_less_its_least_value(problem)
    the_bregman_difference_is_its_definition(problem)
    the_chord_quantities_enclose_dense_samples(problem, loose=3e-3, count=24)


def test_small_steps_lose_no_digits_in_the_gap_or_the_bregman_difference() -> None:
    """At d = 1e-12 the definition has no correct digit in float64."""
    plain, mp = FLOAT64.plain, MP
    for name in (
        "huber",
        "smooth-abs",
        "quartic",
        "abs-3/2",
        "figure-objective",
        "nonconvex",
        "logistic-40x5",
        "logistic-280x34",
    ):
        problem = CATALOGUE[name]()
        x = np.array([float(value) for value in problem.start]) / 4 + 0.1
        d = np.full_like(x, 1e-12)
        assert problem.bregman is not None
        answers = [float(problem.bregman(xp, xp.vectors(x), xp.vectors(d), None, None)) for xp in (plain, mp)]
        assert answers[0] == pytest.approx(answers[1], rel=1e-12), name


def test_l_of_logistic_regression_is_a_quarter_of_the_largest_eigenvalue() -> None:
    A = np.array([[3.0, 0.0], [0.0, 1.0], [-3.0, 0.0], [0.0, -1.0]])
    problem = logistic(A, [1, 1, 1, 1])
    assert problem.L is not None and 4.5 <= problem.L <= 4.5 * (1 + 1e-13)
    assert problem.minimiser is not None
    assert max(abs(Fraction(value)) for value in problem.minimiser.point) <= problem.minimiser.radius
    assert problem.minimiser.value == pytest.approx(4 * math.log(2), rel=1e-15)


@pytest.mark.parametrize("name", ["logistic-40x5", "logistic-280x34"])
def test_the_enclosed_minimiser_agrees_with_an_independent_solver(name: str) -> None:
    from scipy.optimize import minimize

    problem, plain = CATALOGUE[name](), FLOAT64.plain
    assert problem.minimiser is not None
    found = minimize(lambda x: problem.f(plain, x), np.zeros(problem.dimension), jac=lambda x: problem.grad(plain, x), tol=1e-10)
    assert found.fun == pytest.approx(float(problem.minimiser.value), rel=1e-10)
    np.testing.assert_allclose([float(value) for value in problem.minimiser.point], found.x, atol=1e-4)
    assert problem.minimiser.radius < 1e-60 and problem.minimiser.value_error < 1e-60


def test_separable_data_have_no_minimiser_and_say_so() -> None:
    problem = logistic([[1.0], [2.0], [-1.0]], [1, 1, -1])
    assert problem.minimiser is None and problem.gap is None
    assert "separable data: f* is not attained" in problem.about and "not proved" not in problem.about


def test_quasi_separable_data_have_no_minimiser() -> None:
    """One feature is undecided, the other separates what is left."""
    problem = logistic([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]], [1, 1, 1])
    assert problem.minimiser is None and "separable" in problem.about


def test_dependent_features_leave_one_minimiser_that_is_zero_on_them() -> None:
    rng = np.random.default_rng(0)
    A = rng.integers(-4, 5, (40, 2)).astype(float)
    problem = logistic(np.c_[A, A[:, 0] + A[:, 1]], np.where(rng.random(40) < 0.5, 1.0, -1.0))
    assert problem.minimiser is not None
    assert problem.minimiser.point[2] == 0 and "dependent" in problem.minimiser.which
    the_minimiser_minimises(problem)
    the_gap_is_f_less_its_least_value(problem)


BAD: list[tuple[Callable[[], Problem], str]] = [
    (lambda: quadratic([]), "not empty"),
    (lambda: quadratic([[1, 2]]), "square"),
    (lambda: quadratic([[1, 2], [3, 4]]), "not symmetric"),
    (lambda: quadratic([[1, 2], [2, 1]]), "semidefinite"),
    (lambda: quadratic([[-1, 0], [0, 1]]), "semidefinite"),
    (lambda: quadratic([[float("nan"), 0], [0, 1]]), "finite"),
    (lambda: quadratic(np.array([[np.nan, 0.0], [0.0, 1.0]])), "finite"),
    (lambda: quadratic([[1, 0], [0, 1]], xstar=[1]), "coordinates"),
    (lambda: quadratic([[1, 0], [0, 1]], start=[1]), "coordinates"),
    (lambda: quadratic_from([[1, 1], [1, 1]], [1, 2]), "unbounded below"),
    (lambda: quadratic_from([[1]], [1, 2]), "as many"),
    (lambda: quadratic_from(np.eye(100), [0] * 100), "dimension <= 60"),
    (lambda: random_quadratic(0), "at least 1"),
    (lambda: random_quadratic(2, spectrum=[1.0]), "one for each"),
    (lambda: rank_deficient(3, rank=3), "rank < dimension"),
    (lambda: piecewise_quadratic([], [], left_slope=1, right_slope=1), "at least one knot"),
    (lambda: piecewise_quadratic([1, 0], [0, 1], left_slope=1, right_slope=1), "sort them"),
    (lambda: piecewise_quadratic([0, 1], [1, 0], left_slope=1, right_slope=1), "convex"),
    (lambda: piecewise_quadratic([0], [1], left_slope=0, right_slope=1), "no minimiser"),
    (lambda: piecewise_quadratic([0], [0], left_slope=0, right_slope=0), "constant"),
    (lambda: piecewise_quadratic([0], [0], left_slope=1, right_slope=1, xstar=1), "no minimiser"),
    (lambda: huber(0), "positive"),
    (lambda: smooth_abs(-1), "eps >= 0"),
    (lambda: smooth_abs(float("inf")), "finite"),
    (lambda: power(1), "p > 1"),
    (lambda: power(math.pi), "simple fraction"),
    (lambda: logistic([], []), "at least one row"),
    (lambda: logistic([[1.0]], [0]), "+1 and -1"),
    (lambda: logistic([[1.0]], [1, 1]), "one label a sample"),
    (lambda: logistic([[math.nan]], [1]), "finite"),
    (lambda: logistic([[0.0]], [1]), "constant"),
    (lambda: synthetic_logistic(0, 3), "at least one"),
]


@pytest.mark.parametrize(("make", "says"), BAD, ids=[says for _, says in BAD])
def test_bad_data_get_one_line_that_says_what_is_needed(make: Callable[[], Problem], says: str) -> None:
    with pytest.raises(ValueError) as caught:
        make()
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_importing_the_problems_loads_neither_scipy_nor_flint_and_builds_nothing() -> None:
    code = "import sys, boundcheck.problems; print(sorted({'scipy', 'flint', 'mpmath'} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"

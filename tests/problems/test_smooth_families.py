"""Log-sum-exp, softplus, slope, ramp, valley and steepening: what single families promise."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import Problem
from boundcheck.problems import CATALOGUE
from boundcheck.problems.log_sum_exp import log_sum_exp
from boundcheck.problems.piecewise import ramp
from boundcheck.problems.slope import slope
from boundcheck.problems.softplus import softplus
from boundcheck.problems.steepening import steepening
from boundcheck.problems.valley import valley
from boundcheck.testing.contract import MP
from boundcheck.testing.oracles import the_chord_quantities_enclose_dense_samples

EXACT, FLOAT64 = arithmetic("rational"), arithmetic("float64")


def chord(problem: Problem, x: Any, d: Any, side: str) -> str:
    assert problem.chord is not None
    return EXACT.text(problem.chord(EXACT, EXACT.vectors([x]), EXACT.vectors([d]), None, None, side))


def test_log_sum_exp_agrees_with_an_independent_formula() -> None:
    from scipy.special import logsumexp

    problem = CATALOGUE["log-sum-exp"]()
    A, w = np.array([[1, 0], [-2, 2], [1, -3], [-1, -1]]), np.array([1 / 2, 1 / 4, 1 / 8, 1 / 8])
    x = np.random.default_rng(0).standard_normal((50, 2)) * 20
    wanted = logsumexp((x - [0.5, -1.0]) @ A.T, b=w, axis=-1)
    np.testing.assert_allclose(problem.f(FLOAT64.plain, x), wanted, rtol=1e-12)
    assert problem.L == Fraction(17, 2)


def test_log_sum_exp_far_away_does_not_overflow() -> None:
    problem = CATALOGUE["log-sum-exp"]()
    x, d = FLOAT64.vectors([[1e2, -2e2]]), FLOAT64.vectors([[-3e2, 1e2]])
    assert problem.bregman is not None and problem.gap is not None
    for value in (problem.f(FLOAT64, x), problem.gap(FLOAT64, x, None), problem.bregman(FLOAT64, x, d, None, None)):
        assert (FLOAT64.error(value) < 1e-4 * FLOAT64.middle(value)).all()


def test_log_sum_exp_near_its_minimiser_loses_no_digits() -> None:
    """At distance 1e-9 the gap is about 1e-18: the definition has no correct digit."""
    problem, mp = CATALOGUE["log-sum-exp"](), arithmetic("mp:50").plain
    x = np.array([0.5 + 1e-9, -1.0 + 2e-9])
    assert problem.gap is not None
    near, true = (float(problem.gap(xp, xp.vectors(x), None)) for xp in (FLOAT64.plain, mp))
    assert near == pytest.approx(true, rel=1e-12) and 0 < true < 1e-16


def test_two_terms_of_log_sum_exp_are_softplus() -> None:
    c = Fraction(1, 3)
    one, other = log_sum_exp([[-c], [1 - c]], weights=[1 - c, c], start=[1]), softplus(c)
    assert one.L == other.L == Fraction(1, 4)
    x = np.linspace(-30, 30, 13)[:, None]
    np.testing.assert_allclose(one.f(FLOAT64.plain, x), other.f(FLOAT64.plain, x), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("c", [Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)])
def test_softplus_is_its_formula_and_its_curvature_reaches_l(c: Fraction) -> None:
    problem, mp = softplus(c), MP
    for x in (-3.0, 0.5, 8.0):
        u = mp.vectors([x])
        wanted = mp.log(1 - mp.scalar(c) + mp.scalar(c) * mp.exp(mp.scalar(x))) - mp.scalar(c) * mp.scalar(x)
        assert abs(problem.f(mp, u) - wanted) < 1e-45
    assert problem.hessian_vector is not None
    peak = np.array([-math.log(float(c / (1 - c)))])
    assert float(problem.hessian_vector(FLOAT64.plain, peak, np.ones(1))[0]) == pytest.approx(0.25, rel=1e-15)
    the_chord_quantities_enclose_dense_samples(problem, loose=5e-4, count=16)


@pytest.mark.parametrize("make", [slope, ramp])
def test_a_slope_falls_for_ever_and_its_gradient_never_falls_to_half(make: Any) -> None:
    problem = make()
    assert problem.minimiser is None and problem.gap is None and problem.L == Fraction(1, 4)
    xp = FLOAT64.plain
    x = np.r_[-np.geomspace(1e-3, 1e8, 40)[::-1], 0.0, np.geomspace(1e-3, 1e8, 40)][:, None]
    gradients = problem.grad(xp, x)[:, 0]
    assert gradients.min() > gradients.max() / 2 and float(problem.f(xp, x[0])) < -7e7


@pytest.mark.parametrize(
    ("problem", "x", "d", "sup", "inf"),
    [
        (steepening(), -1, 3, "6", "2"),  # 2 at once; at the end (4 + 12 + 2) / 3
        (steepening(), 1, 1, "11", "8"),  # f'' = 8 at 1, 2 + 3 (1 + 2) at 2
        (steepening(), 2, -5, "14", "22/5"),  # (2 * 2 + 12 + 6) / 5
        (valley(1), 3, -2, "12", "6"),  # 6 * 2 at once, 12 / 2 at the floor
        (valley(1), 3, Fraction(-17, 4), "12", "195/68"),  # beyond the floor still falling: (12 + 3/16) / (17/4)
        (valley(1), 0, 3, "4", "0"),  # 12 / 3
        (valley(Fraction(1, 2)), Fraction(-7, 2), Fraction(9, 2), "18", "37/6"),  # likewise: (27 + 3/4) / (9/2)
        (valley(Fraction(1, 2)), Fraction(-7, 2), Fraction(11, 2), "18", "6"),  # the tangent touches at 3/2: 6 * 1 = (27 + 3) / 5
    ],
    ids=lambda value: value.name if isinstance(value, Problem) else str(value),
)
def test_chords_by_hand(problem: Problem, x: Any, d: Any, sup: str, inf: str) -> None:
    assert (chord(problem, x, d, "sup"), chord(problem, x, d, "inf")) == (sup, inf)


def test_an_irrational_touching_point_of_the_valley_is_undefined_in_rationals_and_enclosed_in_float64() -> None:
    problem = valley(1)
    assert "undefined" in chord(problem, 2, -8, "inf")
    assert chord(problem, 2, -8, "sup") == "39/4"  # 3 (1 + 25) / 8
    the_chord_quantities_enclose_dense_samples(problem, loose=5e-4)


def test_every_point_of_the_floor_is_a_minimiser() -> None:
    problem = valley(2)
    x = np.linspace(-2, 2, 9)[:, None]
    assert not problem.f(FLOAT64.plain, x).any() and not problem.grad(FLOAT64.plain, x).any()
    assert problem.minimiser is not None and problem.minimiser.which == "0, of all of [-2, 2]"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: log_sum_exp([[1]], start=[0]), "at least two"),
        (lambda: log_sum_exp([[1], [1, 2]], start=[0]), "one positive length"),
        (lambda: log_sum_exp([[1], [-2]], start=[0]), "the weighted mean of the rows is (-1/2)"),
        (lambda: log_sum_exp([[1], [-1]], weights=[1, 1], start=[0]), "with the sum 1"),
        (lambda: log_sum_exp([[1], [-1]], weights=[2, -1], start=[0]), "all positive"),
        (lambda: log_sum_exp([[0], [0]], start=[0]), "constant"),
        (lambda: log_sum_exp([[1], [-1]], xstar=[1, 2], start=[0]), "needs as many"),
        (lambda: softplus(1), "0 < c < 1"),
        (lambda: slope(1), "0 < c < 1"),
        (lambda: slope(Fraction(1, 4), 0), "eps > 0"),
        (lambda: valley(0), "a positive one"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_numbers_get_one_line(make: Any, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        make()
    assert says in str(caught.value) and "\n" not in str(caught.value)

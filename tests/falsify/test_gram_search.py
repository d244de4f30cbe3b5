"""Worst cases by semidefinite programs: known ones are met, what is false is refuted exactly, what does not fit is refused."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction as F
from importlib.util import find_spec
from itertools import permutations

import numpy as np
import pytest

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, Smooth, StronglyConvex
from boundcheck.falsify.candidate import InterpolationData
from boundcheck.falsify.exact_check import look
from boundcheck.falsify.gram_search.strategy import NoSolver, NotModelled, Setting, candidate, exact, solve, strategy, true_by_sdp
from boundcheck.gram import solver as gram_solver
from boundcheck.gram.algebra import Excluded
from boundcheck.gram.classes import inequalities
from boundcheck.language.letters import Delta, H, L, M, Min, delta, eta, f, gap, grad, i, k, mean, mu_f, norm, normsq, x
from boundcheck.model.function_classes import CONVEX, SMOOTH_CONVEX

pytestmark = pytest.mark.skipif(find_spec("clarabel") is None, reason="needs the extra: pip install 'boundcheck[pep]'")

ONE_OVER_L = Follows(eta[i] == 1 / L)
GD = (Convex, Smooth, GradientDescent(), ONE_OVER_L)
RATE = Bound(given=GD, states=delta[k] <= L * Delta[0] / (4 * k + 2), for_all=k >= 1)
CONTRACTION = Bound(
    given=(StronglyConvex, Smooth, GradientDescent(), ONE_OVER_L), states=Delta[k] <= ((1 - mu_f / L) ** 2) ** k * Delta[0]
)
GRADIENT = Bound(given=GD, states=normsq(grad(x[k])) <= L**2 * Delta[0] / (k + 1) ** 2)
POLYAK = Bound(
    given=(Convex, Differentiable, GradientDescent(), Follows(eta[i] == delta[i] / normsq(grad(x[i])))),
    states=Delta[k + 1] <= Delta[k],
)
ANY_STEP = Bound(
    given=(Convex, Differentiable, GradientDescent()),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M(x[k], x[k + 1]) / 2) * normsq(grad(x[k])),
)
STRONGLY_ADAPTED = Bound(
    given=(Convex, Differentiable, GradientDescent(), Follows(eta[i] == 1 / M(x[i], x[i + 1]))),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])) / 2,
)


def is_interpolable(data: InterpolationData) -> bool:
    """The n^2 inequalities of Taylor, Hendrickx and Glineur, written out."""
    rows = list(zip(data.points, data.gradients, data.values, strict=True))
    q = data.mu / data.L
    for (x_i, g_i, f_i), (x_j, g_j, f_j) in permutations(rows, 2):
        d, c = [a - b for a, b in zip(x_i, x_j, strict=True)], [a - b for a, b in zip(g_i, g_j, strict=True)]
        dot = lambda u, v: sum((a * b for a, b in zip(u, v, strict=True)), F(0))  # noqa: E731
        above = (dot(c, c) / data.L + data.mu * dot(d, d) - 2 * q * dot(c, d)) / (2 * (1 - q))
        if f_i < f_j + dot(g_j, d) + above:
            return False
    return True


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_the_worst_case_of_gradient_descent_is_the_known_one(steps):
    """left - c * Delta_0 is at most 0 exactly from c = L / (4k + 2) on."""
    without = replace(RATE, states=delta[k] <= 0 * Delta[0])
    worst = solve(without, Setting(k=steps))
    assert worst.value == pytest.approx(1 / (4 * steps + 2), abs=1e-5)
    assert worst.most == pytest.approx(1 / (4 * steps + 2), abs=1e-5)
    assert solve(RATE, Setting(k=steps)).value == pytest.approx(0, abs=1e-6)


def test_the_worst_case_is_a_run_of_the_method():
    worst = solve(replace(RATE, states=delta[k] <= 0 * Delta[0]), Setting(k=2))
    (star, x0, x1, x2), (zero, g0, g1, _) = worst.points, worst.gradients
    assert np.allclose(x1, x0 - g0, atol=1e-4) and np.allclose(x2, x1 - g1, atol=1e-4)
    assert np.allclose(star, 0) and np.allclose(zero, 0) and worst.values[-1] - worst.values[0] == pytest.approx(0.1, abs=1e-4)


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("claim", [RATE, CONTRACTION, GRADIENT], ids=["rate", "contraction", "gradient norm"])
def test_a_sharpened_claim_is_refuted_in_exact_numbers(claim, steps):
    sharper = claim.sharpened(F(95, 100))
    found = candidate(solve(sharper, Setting(k=steps)))
    assert found is not None and found.k == steps and look(sharper, found) is not None
    assert look(claim, found) is None
    assert is_interpolable(found.function)
    star = found.function.points[found.function.least]
    assert found.function.gradients[found.function.least] == tuple(F(0) for _ in star)
    at, (_, etas) = found.start, found.chosen[0][1][0]
    assert etas == (1,) * steps
    for eta_n in etas:
        g = found.function.gradients[found.function.points.index(at)]  # each point of the run is one of the data
        at = tuple(a - eta_n * b for a, b in zip(at, g, strict=True))


def test_data_that_were_changed_are_no_longer_accepted():
    sharper = RATE.sharpened(F(95, 100))
    found = candidate(solve(sharper, Setting(k=1)))
    higher = replace(found.function, values=(*found.function.values[:-1], found.function.values[-1] + 1))
    assert not is_interpolable(higher) and look(sharper, replace(found, function=higher)) is None


@pytest.mark.parametrize("claim", [RATE, CONTRACTION, GRADIENT], ids=["rate", "contraction", "gradient norm"])
def test_a_true_claim_is_not_refuted_and_is_explained(claim):
    assert next(strategy(claim), None) is None
    said = true_by_sdp(claim)
    assert (
        said.startswith("true for k = 1, 2, 3, 4") and "eta = 1/L" in said and said.endswith("(semidefinite program, numerical)")
    )
    assert true_by_sdp(claim.sharpened(F(95, 100))) == ""
    assert next(strategy(claim.sharpened(F(95, 100))), None) is not None


def test_polyak_steps_are_fixed_numbers_that_satisfy_their_formula():
    made = solve(POLYAK, Setting(k=2, steps=(F(1, 2), F(3, 4)))).program
    assert not made.has_own_steps and made.steps[:2] == (F(1, 2), F(3, 4)) and len(made.equal) == len(made.steps)
    assert list(strategy(POLYAK)) == [] and true_by_sdp(POLYAK).startswith("true for k = 1, 2, 3, 4")


def test_steps_that_no_run_has_show_nothing():
    """With five times Polyak's step on an L-smooth function, eta is at least 5/(2L): shorter ones are those of a minimum."""
    five = replace(POLYAK, given=(Convex, Smooth, GradientDescent(), Follows(eta[i] == 5 * delta[i] / normsq(grad(x[i])))))
    assert true_by_sdp(five) == ""


def test_a_false_claim_about_polyak_steps_is_refuted():
    """|x_{k+1} - x*|^2 falls by eta_k (f(x_k) - f*), and not always by three times as much."""
    false = replace(POLYAK, states=Delta[k + 1] <= Delta[k] - 3 * eta[k] * delta[k])
    assert true_by_sdp(false) == ""
    assert any(look(false, found) for found in strategy(false, seconds=20))


@pytest.mark.parametrize(
    ("states", "why"),
    [
        (norm(grad(x[k])) + delta[k] <= L * Delta[0], "norm"),
        (delta[k] * delta[0] <= Delta[0], "product"),
        (f(x[k]) <= Delta[0], "moves"),
    ],
)
def test_what_is_not_affine_is_refused_with_its_reason(states, why):
    with pytest.raises(NotModelled, match=why):
        solve(replace(RATE, states=states), Setting())


def test_a_minimum_is_a_variable_of_its_own():
    best = replace(RATE, states=Min(normsq(grad(x[i])), i, 0, k) <= F(1, 10) * L * delta[0])
    found = candidate(solve(best, Setting(k=2)))
    assert found is not None and look(best, found) is not None


def test_a_mean_is_a_point_of_the_data():
    at_mean = replace(RATE, states=gap(mean(x[i], over=(i, 0, k))) <= L * Delta[0] / 100)
    found = candidate(solve(at_mean, Setting(k=2)))
    assert found is not None and len(found.function.points) == 4  # x*, x_0, x_1 and the mean; f is not asked at x_2


@pytest.mark.parametrize("choice", ["D", "H", "L"])
def test_M_may_be_any_number_that_the_data_have(choice):
    at = Setting(smoothness=choice, chords=(F(3, 2),), bent=None)
    assert solve(ANY_STEP, at).most < 1e-6
    half = 1 - eta[k] * M(x[k], x[k + 1]) / 4
    too_much = replace(ANY_STEP, states=f(x[k + 1]) <= f(x[k]) - eta[k] * half * normsq(grad(x[k])))
    found = candidate(solve(too_much, replace(at, bent=F(8))))
    assert found is not None and found.smoothness == choice


@pytest.mark.parametrize("choice", ["D", "H"])
def test_steps_that_an_equation_ties_to_M_are_exact(choice):
    sharper = replace(STRONGLY_ADAPTED, states=f(x[k + 1]) <= f(x[k]) - F(51, 100) * eta[k] * normsq(grad(x[k])))
    if choice == "D":  # D is at least twice what a quadratic upper bound needs: the claim must ask for more
        sharper = replace(STRONGLY_ADAPTED, states=f(x[k + 1]) <= f(x[k]) - F(99, 100) * eta[k] * normsq(grad(x[k])))
    found = candidate(solve(sharper, Setting(smoothness=choice, chords=(F(1, 2), F(2)))))
    assert found is not None and look(sharper, found) is not None
    assert found.chosen[0][1][0][1] == (F(2), F(1, 2))


def test_steps_that_break_a_hypothesis_are_left_out():
    adapted = replace(ANY_STEP, given=(*ANY_STEP.given, eta[i] <= 1 / M(x[i], x[i + 1])))
    with pytest.raises(Excluded):
        solve(adapted, Setting(smoothness="H", chords=(F(3, 2),)))


def test_the_class_is_that_of_the_hypotheses():
    """Without convexity a gradient may grow; and no bound on the curvature is a larger class than any."""
    grows = Bound(given=(Smooth, GradientDescent(), ONE_OVER_L), states=normsq(grad(x[k + 1])) <= normsq(grad(x[k])))
    assert solve(grows, Setting(only_convex=False)).value > 0.1
    assert solve(grows, Setting()).value == pytest.approx(0, abs=1e-6) and true_by_sdp(grows) == ""
    data = (({}, {0: F(1)}), ({}, {1: F(1)}), None)
    (one, _), (none, _) = inequalities(SMOOTH_CONVEX, {"L": F(1)}, *data), inequalities(CONVEX, {}, *data)
    square = {("G", 1, 1): F(1, 2)}
    assert [a.plus(b, F(-1)).terms for a, b in zip(one, none, strict=True)] == [square, square]


def test_a_claim_about_chords_is_a_program_too():
    x_, y_ = x[0], x[1]
    bent = Bound(given=(Convex, Smooth, GradientDescent(), ONE_OVER_L), states=H(x_, y_) <= F(1, 2) * L)
    found = next(strategy(bent), None)
    assert found is not None and look(bent, found) is not None
    assert next(strategy(replace(bent, states=H(x_, y_) <= L)), None) is None


def test_what_is_missing_is_said_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "clarabel", None)
    gram_solver.clarabel.cache_clear()
    try:
        with pytest.raises(NoSolver, match=r"pip install 'boundcheck\[pep\]'"):
            next(strategy(RATE))
    finally:
        gram_solver.clarabel.cache_clear()


def test_the_same_seed_gives_the_same_candidates():
    sharper = RATE.sharpened(F(1, 2))
    assert next(strategy(sharper, 3)) == next(strategy(sharper, 3))
    assert all(is_interpolable(found.function) for found in exact(solve(sharper, Setting(k=1))))

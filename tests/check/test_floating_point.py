"""In floating point a true claim never comes out violated, and a false one still does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Follows, GradientDescent
from boundcheck.language.letters import M_, Delta, L, Sum, delta, eta, f, gap, grad, i, k, mean, mu_f, normsq, x
from boundcheck.library.catalogue import find_bounds
from boundcheck.model.problem import Convex, Differentiable, Smooth
from boundcheck.runners import constant, over_L, polyak

from .asking import ask

SMOOTH_GD = (Convex, Smooth, GradientDescent(), Follows(eta[i] == 1 / L))

TRUE = [
    Bound(states=delta[k] <= (1 - mu_f / L) ** k * delta[0], given=SMOOTH_GD),
    Bound(states=Delta[k] <= (1 - mu_f / L) ** k * Delta[0], given=SMOOTH_GD),
    Bound(states=f(x[k + 1]) <= f(x[k]) - normsq(grad(x[k])) / (2 * L), given=SMOOTH_GD),
    Bound(states=delta[k] <= L * Delta[0] / (2 * k), given=SMOOTH_GD, for_all=k >= 1),
    Bound(states=Delta[k + 1] <= Delta[k], given=SMOOTH_GD),
    Bound(states=normsq(grad(x[k + 1])) <= normsq(grad(x[k])), given=SMOOTH_GD),
    Bound(states=Sum(eta[i] * normsq(grad(x[i])), i, 0, k) <= 2 * delta[0], given=SMOOTH_GD),
    Bound(states=gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k))) <= Delta[0] / (2 * Sum(eta[i], i, 0, k)), given=SMOOTH_GD),
    Bound(states=normsq(grad(x[k])) <= 2 * L * delta[k], given=SMOOTH_GD),
    Bound(
        states=f(x[k + 1]) <= f(x[k]) - (eta[k] - eta[k] ** 2 * M_[k] / 2) * normsq(grad(x[k])), given=(Convex, Differentiable)
    ),
]


@pytest.mark.parametrize(("problem", "steps"), [("quadratic-30d", 20_000), ("logistic-40x5", 2500)])
def test_true_rates_are_never_violated_however_close_the_run_comes_to_the_minimum(problem: str, steps: int) -> None:
    verdicts = ask(TRUE, problem, over_L(1), steps, sides=True)
    for verdict in verdicts:
        assert verdict.counts[Outcome.VIOLATED] == 0, verdict.explain()
        assert verdict.counts[Outcome.VACUOUS] == 0, verdict.explain()
    for verdict in verdicts[:9]:
        assert verdict.outcome is Outcome.HOLDS, verdict.explain()


@pytest.mark.parametrize(("problem", "steps"), [("quadratic-30d", 20_000), ("quadratic-3d", 3000), ("logistic-40x5", 2500)])
def test_those_runs_do_come_close(problem: str, steps: int) -> None:
    (verdict,) = ask(Bound(states=delta[k] <= delta[0]), problem, over_L(1), steps, sides=True)
    assert verdict.left is not None
    assert np.nanmin(np.abs(verdict.left)) < 1e-16


@pytest.mark.parametrize(
    "problem", ["quadratic-3d", "quadratic-2d", "isotropic-4d", "parabola", "asymmetric", "huber", "rank-deficient-6d"]
)
def test_nor_where_it_comes_as_close_as_doubles_allow(problem: str) -> None:
    for rule in (over_L(1), over_L(Fraction(1, 2))):
        bounds = TRUE[-1:] if rule.name != "1/L" else TRUE
        for verdict in ask(bounds, problem, rule, 3000):
            assert verdict.counts[Outcome.VIOLATED] == 0, verdict.explain()


@pytest.mark.parametrize("problem", ["quadratic-30d", "logistic-40x5"])
@pytest.mark.parametrize("number", [2, 3, 7])
def test_a_sharpened_twin_is_violated_at_an_early_k(problem: str, number: int) -> None:
    (verdict,) = ask(TRUE[number], problem, over_L(1), 60)
    assert verdict.tightest is not None
    factor = Fraction(99, 100) * Fraction(verdict.tightest.ratio)
    if number == 2:  # f(x_{k+1}) <= f(x_k) - ...: the right side is not a positive number times something
        twin = Bound(states=f(x[k + 1]) <= f(x[k]) - 2 * normsq(grad(x[k])) / L, given=SMOOTH_GD)
    else:
        twin = TRUE[number].sharpened(factor)
    (red,) = ask(twin, problem, over_L(1), 60)
    assert red.outcome is Outcome.VIOLATED
    assert red.violation is not None
    assert red.violation.k <= 60


@pytest.mark.parametrize("problem", ["quadratic-3d", "quadratic-30d", "logistic-40x5", "huber", "quartic", "parabola"])
def test_an_identity_is_undecided_or_holds_and_never_violated(problem: str) -> None:
    """The descent lemma with M = H is an equality for convex f."""
    (bound,) = find_bounds("lemma:local-descent-lemma@printed")
    (verdict,) = ask(bound, problem, constant(2.0**-9), 400, smoothness=["H"])
    assert verdict.counts[Outcome.VIOLATED] == 0
    assert verdict.counts[Outcome.UNDECIDED] > 0
    assert "cannot be told apart" in verdict.explain() or verdict.outcome is Outcome.HOLDS


def test_the_same_identity_holds_in_exact_arithmetic_and_its_strict_twin_is_violated() -> None:
    (bound,) = find_bounds("lemma:local-descent-lemma@printed")
    (verdict,) = ask(bound, "quadratic-2d", over_L(1), 5, "rational", smoothness=["H"])
    assert verdict.label == "HOLDS, certified"
    strict = Bound(states=f(x[k + 1]) < f(x[k]) - eta[k] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k])))
    (verdict,) = ask(strict, "quadratic-2d", over_L(1), 5, "rational", smoothness=["H"])
    assert verdict.label == "VIOLATED, certified"


def test_polyak_near_convergence_is_never_violated() -> None:
    bounds = [
        b
        for label in ("thm:polyak@printed", "prop:polyak", "thm:polyak.one-step", "eq:12", "thm:polyak.telescoped")
        for b in find_bounds(label)
    ]
    for problem in ("quadratic-3d", "logistic-40x5", "huber", "quartic"):
        for verdict in ask(bounds, problem, polyak(Fraction(3, 2)), 600):
            assert verdict.counts[Outcome.VIOLATED] == 0, f"{verdict.cell}: {verdict.explain()}"

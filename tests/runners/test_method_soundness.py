"""Methods on which a careless engine gives a wrong verdict: each is compared with what is known by hand or in exact rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import By, GradientDescent
from boundcheck.language.letters import Numbers, eta, f, grad, k, norm, normsq, x, xstar, y
from boundcheck.language.scalars import NONE, VALUE, as_scalar
from boundcheck.library.catalogue import problems
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Convex
from boundcheck.problems.piecewise import huber
from boundcheck.runners import constant, given
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

H, V = Outcome.HOLDS, Outcome.VIOLATED
alpha, phi = Numbers("alpha", NONE), Numbers("phi", VALUE)


def outcome(claim: Bound, problem: Any, rule: Any, xp: str) -> Outcome:
    made = problems()[problem]() if isinstance(problem, str) else problem
    (verdict,) = GridSetting(made, xp, PROFILES["quick"], (rule,)).verdicts([claim])
    return verdict.outcome


def method(*updates: Update) -> Method:
    return Method(name="m", kind="gradient descent", each=updates)


DECAYING = method(Update(x[k + 1], x[k] - eta[k] / (k + 1) * grad(x[k])))
FROM_THE_START = method(Update(x[k + 1], x[0] - eta[k] * grad(x[0])))


@pytest.mark.parametrize("xp", ["rational", "float64"])
def test_a_factor_that_reads_k_is_read_at_every_step(xp: str) -> None:
    moved = norm(x[k + 1] - x[k])
    true = Bound(given=(By(DECAYING),), states=moved * (k + 1) <= 2 * eta[k] * norm(grad(x[k])))
    false = Bound(given=(By(DECAYING),), states=moved * 2 >= eta[k] * norm(grad(x[k])) * 2)
    assert outcome(true, "asymmetric", constant(Fraction(1, 8)), xp) is H
    assert outcome(false, "asymmetric", constant(Fraction(1, 8)), xp) is V


def test_a_step_from_the_start_is_not_one_from_the_point_before() -> None:
    same = Bound(given=(By(FROM_THE_START),), states=normsq(x[k + 1] - x[k]) == eta[k] ** 2 * normsq(grad(x[k])))
    assert outcome(same, "huber", given([1, 2, 1, 2, 1, 2, 1, 2]), "rational") is V


def test_a_claim_cannot_read_points_that_its_method_does_not_set() -> None:
    with pytest.raises(ValueError, match="y_k is no point of gradient descent, which has x"):
        Bound(given=(Convex, GradientDescent()), states=f(y[k]) <= f(x[k]))


@pytest.mark.parametrize("xp", ["rational", "float64"])
def test_an_update_that_moves_with_f_is_computed_with_f_itself(xp: str) -> None:
    recorded = method(Update(phi[k], f(x[k])), Update(x[k + 1], x[k] - eta[k] * grad(x[k])))
    positive = Bound(given=(By(recorded),), states=phi[k] >= -2)  # f* is -5, and f(x_0) = -5/2
    assert outcome(positive, "huber-lowered", constant(Fraction(1, 2)), xp) is V


def test_a_claim_that_reads_k_as_a_number_is_about_runs() -> None:
    """On the straight part of a Huber function each step has the same length: x_k is 100 - k eta."""
    claim = Bound(given=(Convex, GradientDescent()), states=norm(x[k] - xstar) <= 100 - k * eta[k])
    far = huber(1, start=100)
    assert outcome(claim, far, constant(Fraction(1, 8)), "rational") is H
    assert outcome(claim, far, given([0.1] * 200), "float64") is not V


def test_a_rounded_point_between_is_not_taken_for_exact() -> None:
    big = as_scalar(10**9)
    noisy = method(Update(y[k], big * x[k] - (big - 1) * x[k]), Update(x[k + 1], y[k] - eta[k] * grad(x[k])))
    claim = Bound(given=(By(noisy),), states=normsq(x[k + 1] - (x[k] - eta[k] * grad(x[k]))) <= as_scalar(Fraction(1, 10**40)))
    assert outcome(claim, "quadratic-2d", given([0.1] * 20), "float64") is not V


def test_a_step_uphill_stretches_the_error() -> None:
    """With mu = L = 1 and eta = 1, x - eta grad f(x) forgets x; x + eta grad f(x) doubles its error."""
    uphill = method(Update(alpha[k], as_scalar(Fraction(1, 3))), Update(x[k + 1], x[k] - -eta[k] * alpha[k] * grad(x[k])))
    claim = Bound(given=(By(uphill),), states=norm(x[k + 1] - xstar) == as_scalar(Fraction(4, 3)) * norm(x[k] - xstar))
    assert outcome(claim, "half-square", constant(1), "rational") is H
    assert outcome(claim, "half-square", constant(1), "float64") is not V


def test_two_methods_with_the_same_updates_and_other_names_are_both_asked() -> None:
    mine = Method(name="my gradient descent", kind="gradient descent", each=DECAYING.each)
    claims = [Bound(given=(By(m),), states=norm(x[k + 1] - xstar) <= norm(x[0] - xstar)) for m in (DECAYING, mine)]
    setting = GridSetting(problems()["huber"](), "rational", PROFILES["quick"], (constant(Fraction(1, 2)),))
    assert [v.outcome for v in setting.verdicts(claims)] == [H, H]

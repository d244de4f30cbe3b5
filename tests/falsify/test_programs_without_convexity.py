"""Semidefinite programs about functions that need not be convex: what they show, and what they must not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec

import pytest

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, Smooth
from boundcheck.claims.hypotheses import AtEachStep, Once
from boundcheck.falsify.gram_search.strategy import true_by_sdp
from boundcheck.language.letters import M_, Delta, L, Max, Min, Sum, any_number, delta, eta, f, grad, i, k, mu_f, normsq, x
from boundcheck.language.scalars import Parameter
from boundcheck.power.fates import WIDER, with_wider_letters

pytestmark = pytest.mark.skipif(find_spec("clarabel") is None, reason="needs the extra: pip install 'boundcheck[pep]'")

SMOOTH = (Smooth, GradientDescent(), Follows(eta[i] == 1 / L))
SMALLEST = Min(normsq(grad(x[i])), i, 0, k)
c = Parameter("c")
ARMIJO = Bound(
    given=(Differentiable, GradientDescent(), AtEachStep(f(x[i + 1]) <= f(x[i]) - c * eta[i] * normsq(grad(x[i]))), c > 0, c < 1),
    states=c * Sum(eta[i] * normsq(grad(x[i])), i, 0, k) <= delta[0],
    try_with={"c": (Fraction(1, 2),)},
)


def test_the_smallest_gradient_of_a_smooth_function():
    """The worst case is 4 L delta_0/(3k + 2): 4/5, 1/2, ... (Abbaszadehpeivasti, de Klerk and Zamani)."""
    assert true_by_sdp(Bound(given=SMOOTH, states=SMALLEST <= 4 * L * delta[0] / (3 * k + 2), for_all=k >= 1), ks=(1, 2))
    assert not true_by_sdp(Bound(given=SMOOTH, states=SMALLEST <= 4 * L * delta[0] / (3 * k + 3), for_all=k >= 1), ks=(1, 2))


def test_what_needs_convexity_is_not_shown_without_it():
    closer = Bound(given=(Convex, *SMOOTH), states=Delta[k + 1] <= Delta[k])
    assert true_by_sdp(closer, ks=(1,)) and not true_by_sdp(replace(closer, given=SMOOTH), ks=(1,))


def test_a_function_of_which_nothing_is_known_is_above_its_minimum():
    assert true_by_sdp(ARMIJO, ks=(1, 2))
    assert not true_by_sdp(replace(ARMIJO, states=2 * ARMIJO.states.left <= delta[0]), ks=(1, 2))
    assert not true_by_sdp(replace(ARMIJO, states=ARMIJO.states.left <= f(x[0]) - f(x[k])), ks=(1, 2))


def test_H_without_convexity_is_a_bound_from_both_sides():
    given = (Differentiable, GradientDescent())
    descent = f(x[k]) - eta[k] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k]))
    assert true_by_sdp(Bound(given=given, states=f(x[k + 1]) <= descent, smoothness=("H",)), ks=(1,))
    assert not true_by_sdp(Bound(given=given, states=f(x[k + 1]) == descent, smoothness=("H",)), ks=(1,))


def test_who_has_a_mu_is_convex_and_mu_may_be_0():
    given = (Smooth, GradientDescent(), AtEachStep(eta[i] <= 2 / L))
    assert true_by_sdp(Bound(given=given, states=(1 - mu_f / L) * Delta[k + 1] <= Delta[k]), ks=(1,))
    assert not true_by_sdp(Bound(given=given, states=Delta[k + 1] <= mu_f / L * Delta[k]), ks=(1,))


def test_a_k_where_the_claim_divides_by_0_need_not_be_shown():
    given = (Convex, *SMOOTH)
    assert "k = 2, 3" in true_by_sdp(Bound(given=given, states=delta[k] <= L * Delta[0] / (k - 1), for_all=k >= 1), ks=(1, 2, 3))
    assert not true_by_sdp(Bound(given=given, states=delta[k] <= L * Delta[0] / (20 * (k - 1)), for_all=k >= 1), ks=(1, 2, 3))


def test_a_hypothesis_that_looks_beyond_k_is_kept():
    same = Once(Max(eta[i], i, 0, k) == Min(eta[i], i, 0, k))
    small = Once(eta[0] * Sum(M_[i] * normsq(grad(x[i])), i, 0, k) <= Sum(normsq(grad(x[i])), i, 0, k))
    claim = Bound(given=(Convex, Smooth, GradientDescent(), same, small), states=delta[k] <= Delta[0] / eta[0], for_all=k >= 1)
    assert true_by_sdp(replace(claim, smoothness=("D",)), ks=(1,))
    assert not true_by_sdp(replace(claim, smoothness=("D",), given=claim.given[:3]), ks=(1,)), "steps of any size"


def test_a_letter_of_which_less_is_assumed_is_tried_with_more_values():
    dropped = replace(ARMIJO, given=ARMIJO.given[:-1])
    assert set(WIDER) <= set(with_wider_letters(ARMIJO, dropped).try_with["c"])
    assert with_wider_letters(ARMIJO, ARMIJO) is ARMIJO
    curved = replace(ARMIJO, given=ARMIJO.given[1:])
    assert with_wider_letters(ARMIJO, curved) is curved, "what was dropped says nothing of c"
    between = Bound(given=(*SMOOTH, c > 0), states=-c * delta[0] <= 0, try_with={"c": (1,)})
    loose = replace(between, given=(*SMOOTH, any_number(c)))
    assert true_by_sdp(between, ks=(1,)) and not true_by_sdp(with_wider_letters(between, loose), ks=(1,)), "false where c < 0"

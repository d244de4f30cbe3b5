"""Claims that are true of every program that is tried, and false: nothing may be said of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec

import pytest

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, Smooth
from boundcheck.claims.hypotheses import AtEachStep
from boundcheck.falsify.gram_search import strategy
from boundcheck.falsify.gram_search.long_runs import seems_to_fail_late
from boundcheck.falsify.gram_search.strategy import true_by_sdp
from boundcheck.language.letters import Delta, L, M, Min, any_number, delta, eta, f, grad, i, inner, k, norm, normsq, x, xstar
from boundcheck.language.scalars import Parameter
from boundcheck.language.vectors import Point
from boundcheck.library.catalogue import bounds
from boundcheck.power.fates import with_wider_letters

pytestmark = pytest.mark.skipif(find_spec("clarabel") is None, reason="needs the extra: pip install 'boundcheck[pep]'")

p, q, gamma = Point("x"), Point("y"), Parameter("gamma")
GD = (Convex, Smooth, GradientDescent())
ONE_OVER_L = Follows(eta[i] == 1 / L)
POLYAK = Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i])))
BEST = Bound(
    given=(*GD, POLYAK, gamma == 1),
    states=Min(delta[i], i, 0, k - 1) <= 2 * L * Delta[0] / k,
    for_all=k >= 1,
    try_with={"gamma": (1,)},
)


def test_a_rate_that_a_run_which_stands_still_has_too_is_not_shown() -> None:
    """delta_0 <= L Delta_0/2 is all that is needed up to k = 4. With a small gamma nothing happens, and it is false later."""
    assert not true_by_sdp(BEST, ks=(3, 4))
    assert true_by_sdp(replace(BEST, states=BEST.states.left <= L * Delta[0] / k), ks=(3, 4)), "here the steps matter"


def test_a_letter_may_be_small() -> None:
    tighter = replace(BEST, states=BEST.states.left <= L * Delta[0] / k)
    assert not true_by_sdp(
        with_wider_letters(tighter, replace(tighter, given=(*tighter.given[:-1], any_number(gamma)))), ks=(3, 4)
    )


def test_a_claim_that_holds_where_the_minimum_is_at_0_is_not_shown() -> None:
    closer = Bound(given=(*GD, ONE_OVER_L), states=Delta[k + 1] <= normsq(x[k] - xstar))
    assert true_by_sdp(closer, ks=(1,))
    assert not true_by_sdp(replace(closer, states=Delta[k + 1] <= normsq(x[k] + xstar)), ks=(1,))
    assert not true_by_sdp(replace(closer, states=normsq(x[k + 1]) <= Delta[k]), ks=(1,))


def test_what_is_not_so_for_M_that_is_A_is_not_shown() -> None:
    """Where f' rises in the first third of the chord only, A is three times its mean slope, and D twice."""
    states = M(p, q) * norm(q - p) <= 2 * norm(grad(q) - grad(p))
    steep = Bound(given=(Convex, Differentiable), states=states, smoothness=("D", "H"))
    assert true_by_sdp(steep) and not true_by_sdp(replace(steep, smoothness=("D", "A", "H")))
    below = f(q) <= f(p) + inner(grad(p), q - p) + M(p, q) / 2 * normsq(q - p)
    assert "A" in true_by_sdp(replace(steep, states=below, smoothness=("D", "A", "H")))


def test_a_longer_run_with_short_steps_breaks_a_rate() -> None:
    """At k = 1 to 4 the bound is above L Delta_0/2; at k = 8 it is not, and steps of 1/(20L) have done little."""
    slow = Bound(given=(*GD, AtEachStep(eta[i] <= 1 / L)), states=delta[k] <= 2 * L * Delta[0] / k, for_all=k >= 1)
    assert strategy._fails_later(slow, (3, 4), strategy.STEPS) and not true_by_sdp(slow, ks=(3, 4))
    true = replace(slow, given=(*GD, ONE_OVER_L), states=delta[k] <= L * Delta[0] / (4 * k))
    assert not strategy._fails_later(true, (3, 4), strategy.STEPS) and true_by_sdp(true, ks=(3, 4))


def test_a_run_that_stands_still_breaks_a_rate_at_last() -> None:
    slower = Bound(given=(*GD, AtEachStep(eta[i] <= 1 / L)), states=delta[k] <= 20 * L * Delta[0] / k, for_all=k >= 1)
    assert strategy._fails_later(slower, (3, 4), strategy.STEPS)


def test_a_rate_that_is_loose_at_first_and_tight_later() -> None:
    """9/10 of the bound is enough at k = 20 still; on Huber's function with a far start it is not at k = 100."""
    (rate,) = (b for b in bounds() if b.id == "directional-smoothness/eq:convex-accelerated-rate@proved")
    assert not seems_to_fail_late(rate)
    assert seems_to_fail_late(replace(rate, states=rate.states.left <= Fraction(9, 10) * rate.states.right))

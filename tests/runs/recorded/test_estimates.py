"""An estimated x* or f* is an enclosure: a verdict is right for every minimum that the data allow, or it is UNDECIDED."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boundcheck import Bound, Convex, Differentiable, GradientDescent, Outcome, Smooth, StronglyConvex, Trace, check
from boundcheck.arithmetic import arithmetic
from boundcheck.language.letters import Delta, delta, eta, f, grad, k, normsq, x
from boundcheck.runs.recorded.recording import NotARun
from boundcheck.runs.recorded.trace_source import seal

C = np.array([1.0, 4.0])  # f = (x_1^2 + 4 x_2^2)/2 + 3
BOWL, STRONG = (Convex(), Smooth(4)), (StronglyConvex(1), Smooth(4))
FALSE = Bound(given=(Convex, GradientDescent()), states=delta[k] <= delta[0] / 10**9, for_all=k >= 1)
TOO_FAR = Bound(given=(Convex, GradientDescent()), states=Delta[k] <= Delta[0] / 10**9, for_all=k >= 1)
TRUE = Bound(given=(Convex, GradientDescent()), states=delta[k] <= 2 * delta[0], for_all=k >= 1)
NO_MINIMUM = Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) - eta[k] / 4 * normsq(grad(x[k])))


def recorded(steps: int, step: float = 0.3, **more: Any) -> Trace:
    points = np.array([np.array([3.0, 1.0]) * (1 - step * C) ** n for n in range(steps + 1)])
    values = (C * points**2).sum(-1) / 2 + 3
    return Trace.from_arrays(x=points, f=values, grad=points * C, eta=np.full(steps, step), **more)


def one(claim: Bound, trace: Trace) -> Any:
    (verdict,) = check(claim, trace)
    return verdict


@pytest.mark.parametrize("claim", [FALSE, TOO_FAR], ids=["gaps", "distances"])
@pytest.mark.parametrize("facts", [BOWL, STRONG], ids=["convex", "strongly convex"])
@pytest.mark.parametrize("estimate", [True, "f_star"])
def test_a_false_claim_does_not_hold_by_an_estimate(claim: Bound, facts: Any, estimate: Any) -> None:
    """At the best recorded point, the last one, the gap was 0 by construction: there the false claim held."""
    assert one(claim, recorded(8, facts=facts, x_star=[0, 0], f_star=3.0)).counts[Outcome.VIOLATED] == 8
    given = {} if estimate is True else {"x_star": [0, 0]}
    verdict = one(claim, recorded(8, facts=facts, estimate=estimate, **given))
    assert verdict.counts[Outcome.HOLDS] == 0 and verdict.outcome is not Outcome.HOLDS


def test_without_strong_convexity_nothing_bounds_the_minimum_and_the_verdict_says_so() -> None:
    verdict = one(TRUE, recorded(8, facts=BOWL, estimate=True))
    assert verdict.outcome is Outcome.UNDECIDED
    assert "the run does not bound f* and x*, f* is any number up to" in verdict.reason and "StronglyConvex(mu)" in verdict.reason


def test_with_strong_convexity_both_true_and_false_claims_are_decided() -> None:
    long = recorded(60, facts=STRONG, estimate=True)
    assert one(TRUE, long).counts[Outcome.HOLDS] == 60
    assert one(FALSE, long).counts[Outcome.VIOLATED] >= 10
    assert any("estimated from the gradients and mu: f* within" in note for note in one(TRUE, long).notes)


def test_a_run_that_diverges_has_not_started_at_its_minimum() -> None:
    """x_0 is its best point: no gap or distance is 0 there."""
    away = recorded(6, step=3.0, facts=BOWL, estimate=True)
    zero_at_start = Bound(given=(Convex, GradientDescent()), states=delta[0] + Delta[0] <= delta[k] / 10**6, for_all=k >= 1)
    assert one(zero_at_start, away).outcome is Outcome.UNDECIDED


def test_a_claim_that_reads_no_minimum_is_decided_as_if_none_were_estimated() -> None:
    for facts in (BOWL, STRONG):
        assert one(NO_MINIMUM, recorded(8, facts=facts, estimate=True)).counts[Outcome.HOLDS] == 8


@pytest.mark.parametrize("steps", [1, 3, 8, 40])
@pytest.mark.parametrize("seed", range(6))
def test_the_enclosures_contain_the_minimum(steps: int, seed: int) -> None:
    """Of quadratics with any minimiser, from any start, with all that may be declared or given of it."""
    rng = np.random.default_rng(seed)
    curvatures, star, least = rng.uniform(0.5, 4, 3), rng.standard_normal(3), float(rng.standard_normal())
    points = star + rng.standard_normal(3) * (1 - 0.3 * curvatures) ** np.arange(steps + 1)[:, None]
    run = {"x": points, "f": (curvatures * (points - star) ** 2).sum(-1) / 2 + least, "grad": (points - star) * curvatures}
    for given in ({}, {"x_star": star, "estimate": "f_star"}, {"f_star": least, "estimate": "x_star"}):
        for facts in ((StronglyConvex(0.5), Smooth(4)), (StronglyConvex(0.25), Differentiable()), (Convex(), Smooth(5))):
            trace = Trace.from_arrays(**run, eta=0.3, facts=facts, **{"estimate": True, **given})
            assert trace.recorded is not None
            found = seal(trace.recorded).columns.star
            assert abs(found.value - least) <= found.value_error
            assert found.point is not None and np.linalg.norm(found.point - star) <= found.radius + 1e-15
            if isinstance(facts[0], StronglyConvex):
                assert np.isfinite(found.value_error) and np.isfinite(found.radius)


def test_a_mu_that_the_run_contradicts_is_refused() -> None:
    with pytest.raises(NotARun, match="contradicts"):
        recorded(8, facts=(StronglyConvex(100), Differentiable()), estimate=True)


def test_an_unbounded_radius_decides_nothing() -> None:
    xp = arithmetic("float64")
    assert not np.isfinite(xp.error(xp.normsq(xp.vectors(np.ones(2), np.inf)))).any()

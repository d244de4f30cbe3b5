"""Roots, what is undefined, and problems whose numbers no float64 holds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.base import Order
from boundcheck.check.answer import check
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.language.letters import Delta, L, f, grad, k, normsq, sqrt, x, xstar
from boundcheck.model.problem import Convex, Smooth, StronglyConvex
from boundcheck.problems.log_sum_exp import log_sum_exp
from boundcheck.problems.quadratic import quadratic
from boundcheck.problems.ridge import Ridge, ridge_sum
from boundcheck.runners import given, over_L, run
from tests.soundness.faults_of_runs import PROBLEM, STEPS

# -- roots and what is undefined ----------------------------------------------------------------------------------------

TINY = Fraction(1, 10**60)


@pytest.mark.parametrize("xp", ("rational", "ball:128", "float64", "ball:64", "ball:256", "mp:50"))
@pytest.mark.parametrize("exponent", (Fraction(1, 2), Fraction(3, 2), Fraction(1, 3), Fraction(-1, 2)), ids=str)
def test_a_root_of_a_tiny_negative_number_is_decided_in_no_arithmetic(xp: str, exponent: Fraction) -> None:
    below = (normsq(x[k]) + TINY * L * Delta[0]) - normsq(x[k]) - 2 * TINY * L * Delta[0]
    claim = Bound(states=below**exponent >= -L, given=(Convex, Smooth, GradientDescent()))
    (verdict,) = check([claim], run(PROBLEM, given(STEPS), steps=3, xp=xp))
    assert set(verdict.outcomes.tolist()) == {Outcome.UNDECIDED}


@pytest.mark.parametrize("xp", ("ball:128", "float64"))
def test_a_root_of_a_gap_is_a_number_to_the_end(xp: str) -> None:
    claim = Bound(states=sqrt(f(x[k]) - f(xstar)) <= sqrt(L * Delta[0]), given=(Convex, Smooth, GradientDescent()))
    (verdict,) = check([claim], run(PROBLEM, over_L(1), steps=400, xp=xp))
    assert set(verdict.outcomes.tolist()) == {Outcome.HOLDS}


@pytest.mark.parametrize("name", ("rational", "float64", "ball:128", "mp:50"))
def test_what_is_undefined_stays_undefined_whatever_is_done_with_it(name: str) -> None:
    xp = arithmetic(name)
    none, one, nil = xp.scalar(1) / xp.scalar(0), xp.scalar(1), xp.scalar(0)
    made = [
        *(xp.power(none, Fraction(p)) for p in (0, 1, -1, Fraction(1, 2))),
        *(none * nil, nil * none, nil / none, none - none, xp.abs(none)),
        *(xp.maximum(one, none), xp.maximum(none, one), xp.minimum(one, none), xp.minimum(none, one)),
        xp.undefined((1,), "nothing")[0] * nil,
    ]
    assert all(np.isinf(xp.error(number)) for number in made)
    assert all(xp.compare(number, number) == Order.UNKNOWN for number in made)
    row = xp.concatenate([xp.scalars([0]), xp.undefined((1,), "nothing"), xp.scalars([0])])
    for scan in (xp.cumsum, xp.cumprod, xp.cummin, xp.cummax):
        assert np.isinf(xp.error(scan(row))[1:]).all()
    vectors = xp.scale(xp.undefined((1,), "nothing"), xp.vectors([[0.0, 0.0]]))
    assert np.isinf(xp.error(xp.normsq(vectors))).all() and np.isinf(xp.error(xp.dot(vectors, xp.vectors([[0.0, 0.0]])))).all()


# -- problems beyond the range of float64 -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "t",
    (Fraction(1, 10**400), Fraction(1, 10**200), Fraction(10**200), Fraction(10**400)),
    ids=lambda t: f"{t.numerator.bit_length()}/{t.denominator.bit_length()}",
)
def test_a_quadratic_of_any_size_has_the_right_constants(t: Fraction) -> None:
    flat, round_ = quadratic([[t, t], [t, t]]), quadratic([[2 * t, t], [t, 2 * t]])
    assert 2 * t <= Fraction(flat.L) <= 2 * t * (1 + Fraction(1, 10**9)) and not flat.has(StronglyConvex)  # type: ignore[arg-type]
    assert 3 * t <= Fraction(round_.L) <= 3 * t * (1 + Fraction(1, 10**9))  # type: ignore[arg-type]
    assert t * (1 - Fraction(1, 10**9)) <= Fraction(round_.mu) <= t
    with pytest.raises(ValueError, match="not proved positive semidefinite"):
        quadratic([[t, 2 * t], [2 * t, t]])


@pytest.mark.parametrize("t", (Fraction(1, 10**400), Fraction(10**400)), ids=("tiny", "huge"))
def test_ridges_and_rows_of_any_size_span_what_they_span(t: Fraction) -> None:
    ridges = [Ridge(direction=[a, 1], knots=[-1, 1], gradients=[-t, t], left_slope=t, right_slope=2 * t) for a in (0, 1)]
    sums = ridge_sum(ridges, xstar=[0, 0], start=[1, 2])
    usual = ridge_sum([replace(r, gradients=[-1, 1], left_slope=1, right_slope=2) for r in ridges], xstar=[0, 0], start=[1, 2])
    for made, known in ((sums.L, usual.L), (sums.mu, usual.mu)):
        assert abs(Fraction(made) / t / Fraction(known) - 1) < Fraction(1, 10**9)  # type: ignore[arg-type]
    assert sums.minimiser is not None and sums.minimiser.which == "the only one"
    rows = log_sum_exp([[t, 0], [0, t], [-t, -t]], start=[1, 2])
    assert rows.minimiser is not None and rows.minimiser.which == "the only one"


def test_a_flat_quadratic_of_tiny_curvature_satisfies_the_descent_lemma() -> None:
    t = Fraction(1, 10**400)
    claim = Bound(states=f(x[k + 1]) <= f(x[k]) - normsq(grad(x[k])) / (2 * L), given=(Convex, Smooth, GradientDescent()))
    (verdict,) = check([claim], run(quadratic([[t, t], [t, t]]), over_L(1), steps=3, xp="rational"))
    assert Outcome.VIOLATED not in verdict.outcomes.tolist()

"""Why a mutant is true: by itself, by a sum of what is known, by another claim. And near misses, which are not explained."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Follows, GradientDescent, Once
from boundcheck.language.letters import (
    M_,
    A,
    D,
    Delta,
    H,
    L,
    M,
    Prod,
    Sum,
    eta,
    f,
    gap,
    grad,
    i,
    inner,
    k,
    mu,
    mu_f,
    normsq,
    x,
    xstar,
)
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Constant, Parameter
from boundcheck.language.vectors import Point
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Smooth, StronglyConvex
from boundcheck.power.fates import explain_mutant
from boundcheck.power.mutant import Mutant

p, q = Point("x"), Point("y")
C, eps = Parameter("C"), Constant("eps")
STEP, GD = normsq(q - p), (Convex(), Differentiable(), GradientDescent())
LINE = f(p) + inner(grad(p), q - p)


def claim(states: Relation, *given: object, **more: object) -> Bound:
    return Bound(states=states, given=given, try_with={"C": (1,)}, **more)


def why(original: Bound, *library: Bound, **changes: object) -> str:
    return explain_mutant(original, Mutant(replace(original, **changes), "by hand", "changed", False), library)


NOTHING = claim(f(q) >= f(p) + 7, Convex(), Differentiable())  # says nothing of use: what follows, follows without it
RUN = claim(f(x[k]) >= f(x[0]) + 7, *GD)


@pytest.mark.parametrize(
    ("states", "given", "kinds"),
    [
        (f(q) <= LINE + M(p, q) / 2 * STEP, (Differentiable(),), ("D", "A", "H", "L")),
        (f(q) >= LINE + mu(p, q) / 2 * STEP, (Differentiable(),), ()),
        (D(p, q) <= 2 * L, (Smooth,), ()),
        (A(p, q) <= L, (Smooth,), ()),
        (mu(p, q) >= mu_f, (Differentiable(),), ()),  # who has a mu is convex
        (H(p, q) <= C, (Convex(), Differentiable(), Once(f(q) <= LINE + C / 2 * STEP)), ()),
        (normsq(grad(q) - grad(p)) == L**2 * STEP, (Convex(), Smooth, Once(mu_f >= L)), ()),
        (f(q) >= LINE, (Differentiable(), Once(eps > 0)), ()),
    ],
)
def test_what_holds_of_every_chord_needs_no_claim(states: Relation, given: tuple[object, ...], kinds: tuple[str, ...]) -> None:
    assert why(NOTHING, states=states, given=given, smoothness=kinds or NOTHING.smoothness)


@pytest.mark.parametrize(
    ("states", "given"),
    [
        (f(q) <= LINE + M(q, p) / 2 * STEP, (Differentiable(),)),
        (f(q) >= LINE + mu(q, p) / 2 * STEP, (Differentiable(),)),
        (D(p, q) <= L, (Smooth,)),
        (A(p, q) < L, (Smooth,)),
        (A(p, q) <= D(p, q), (Convex(), Differentiable())),
        (H(p, q) <= C, (Differentiable(), Once(f(q) <= LINE + C / 2 * STEP))),
        (normsq(grad(q) - grad(p)) == L**2 * STEP, (Convex(), Smooth, Once(mu_f <= L))),
        (f(q) >= LINE, (Differentiable(),)),
    ],
)
def test_near_misses_about_chords(states: Relation, given: tuple[object, ...]) -> None:
    assert why(NOTHING, states=states, given=given) == ""


ONE_OVER_L = (*GD, Smooth, Follows(eta[i] == 1 / L))
FACTOR = 1 - mu(x[i], xstar) * (2 - M_[i] / L) / L


@pytest.mark.parametrize(
    ("states", "given"),
    [
        (Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)) <= L * Delta[0] / (2 * (k + 1)), (*GD, Smooth)),
        (Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)) <= L * Delta[0] / (2 * (k + 1)), (Smooth, GradientDescent())),  # M >= 0
        (Prod(FACTOR, i, 0, k) <= Prod(1 - mu_f / L, i, 0, k), (*GD, Smooth)),
        (f(x[k + 1]) < f(x[k]), (Smooth, GradientDescent(), AtEachStep(eta[i] < 2 / L), normsq(grad(x[i])) > 0)),
        (f(x[k + 1]) < f(x[k]), (Differentiable(), GradientDescent(), AtEachStep(eta[i] < 2 / M_[i]))),
        (eta[k + 1] * L == eta[k] * L, ONE_OVER_L),
        (
            f(x[k]) - (eta[k] - eta[k] ** 2 * M_[k] / 2) * normsq(grad(x[k])) < f(x[k]) - eta[k] / 2 * normsq(grad(x[k])),
            (*ONE_OVER_L, AtEachStep(M_[i] < L)),
        ),
    ],
)
def test_what_holds_of_every_run_needs_no_claim(states: Relation, given: tuple[object, ...]) -> None:
    assert why(RUN, states=states, given=given, smoothness=("A", "H"))


@pytest.mark.parametrize(
    ("states", "given"),
    [
        (Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)) <= L * Delta[0] / (2 * (k + 2)), (*GD, Smooth)),
        (Delta[0] / (2 * Sum(1 / A(x[i], x[i + 1]), i, 0, k)) <= L * Delta[0] / (2 * (k + 1)), (Smooth, GradientDescent())),
        (Prod(FACTOR, i, 0, k) < Prod(1 - mu_f / L, i, 0, k), (*GD, Smooth)),
        (Prod(2 * FACTOR, i, 0, k) <= Prod(1 - mu_f / L, i, 0, k), (*GD, Smooth)),
        (f(x[k + 1]) < f(x[k]), (Smooth, GradientDescent(), AtEachStep(eta[i] < 2 / L))),
        (f(x[k + 1]) < f(x[k]), (Differentiable(), GradientDescent(), AtEachStep(eta[i] < 3 / M_[i]), normsq(grad(x[i])) > 0)),
        (eta[k + 1] * L == eta[k] * L, (*GD, Smooth, Follows(eta[i] == 1 / M_[i]))),
        (
            f(x[k]) - (eta[k] - eta[k] ** 2 * M_[k] / 2) * normsq(grad(x[k])) < f(x[k]) - eta[k] / 2 * normsq(grad(x[k])),
            (*ONE_OVER_L, AtEachStep(M(x[i + 1], x[i]) < L)),
        ),
    ],
)
def test_near_misses_about_runs(states: Relation, given: tuple[object, ...]) -> None:
    assert why(RUN, states=states, given=given, smoothness=("A", "H")) == ""


def test_two_steps_of_descent_make_one() -> None:
    descent = claim(f(x[k + 1]) < f(x[k]), *GD)
    assert why(descent, states=f(x[k + 2]) < f(x[k]))
    assert why(descent, states=f(x[k + 2]) < f(x[k + 1]) - normsq(grad(x[k]))) == ""
    once = replace(descent, given=(*GD, Once(eta[k] * L <= 1)))
    assert why(once, states=f(x[k + 2]) < f(x[k])) == "", "nothing is known of the step k + 1"


def test_each_choice_of_M_may_have_its_own_reason() -> None:
    both = claim(gap(x[k]) <= M_[k] * Delta[0], *GD, smoothness=("D", "A"))
    of_A = claim(gap(x[k]) <= A(x[k], x[k + 1]) * Delta[0], *GD[1:], reading="another")
    assert why(both, of_A, given=GD[1:]), "D needs convexity anyway, and A has a claim of its own"
    assert why(both, given=GD[1:]) == ""
    assert why(both, replace(both, given=GD[1:], smoothness=("D",), reading="another"), given=GD[1:]) == "", (
        "that claim says nothing of A"
    )


def test_a_claim_of_every_M_says_something_of_each_that_it_names_only() -> None:
    of_M = claim(gap(x[k]) <= M_[k] * Delta[0], *GD, smoothness=("A", "H"), reading="another")
    assert why(RUN, of_M, states=gap(x[k]) <= A(x[k], x[k + 1]) * Delta[0])
    assert why(RUN, replace(of_M, smoothness=("D",)), states=gap(x[k]) <= A(x[k], x[k + 1]) * Delta[0]) == ""


def test_longer_products_of_numbers_between_0_and_1_are_smaller() -> None:
    rate = claim(gap(x[k]) <= Prod(1 - mu_f / L, i, 0, k) * gap(x[0]), *GD, Smooth, StronglyConvex)
    assert why(rate, states=gap(x[k]) <= Prod(1 - mu_f / L, i, 0, k - 1) * gap(x[0]), for_all=k >= 1)
    assert why(rate, states=gap(x[k]) <= Prod(1 - mu_f / L, i, 0, k + 1) * gap(x[0])) == ""
    odd = replace(rate, states=gap(x[k]) <= Prod(1 - 2 * mu_f / L, i, 0, k) * gap(x[0]))
    assert why(odd, states=gap(x[k]) <= Prod(1 - 2 * mu_f / L, i, 0, k - 1) * gap(x[0]), for_all=k >= 1) == ""


def test_of_a_quadratic_the_ends_of_a_chord_in_a_rule_do_not_matter() -> None:
    cauchy = claim(gap(x[k + 1]) <= gap(x[k]) - normsq(grad(x[k])) * eta[k] / 3, IsQuadratic, GradientDescent())
    one, other = Follows(eta[i] == 1 / A(x[i + 1], x[i])), Follows(eta[i] == 1 / H(x[i], x[i + 1]))
    ruled = replace(cauchy, given=(*cauchy.given, one))
    assert why(ruled, given=(*cauchy.given, other))
    curved = replace(ruled, given=(Convex(), Differentiable(), GradientDescent(), one), states=gap(x[k + 2]) <= gap(x[0]))
    assert why(curved, given=(Convex(), Differentiable(), GradientDescent(), other)) == ""


def test_a_root_of_a_number_between_0_and_1_is_no_smaller_than_it() -> None:
    rate = claim(gap(x[k]) <= (1 - (mu_f / L) ** Fraction(1, 2)) * gap(x[0]), *GD, Smooth, StronglyConvex)
    assert why(rate, states=gap(x[k]) <= (1 - mu_f / L) * gap(x[0]))
    assert why(rate, states=gap(x[k]) <= (1 - 2 * mu_f / L) * gap(x[0])) == ""
    assert why(rate, states=gap(x[k]) <= (1 - (2 * mu_f / L) ** Fraction(1, 2)) * gap(x[0])) == ""

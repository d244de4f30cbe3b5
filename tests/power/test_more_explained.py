"""More reasons why a mutant is true, each with near misses that it must not explain."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import By, GradientDescent, Once
from boundcheck.language.letters import (
    M_,
    A,
    Delta,
    L,
    M,
    Numbers,
    any_number,
    eta,
    f,
    gap,
    grad,
    i,
    inner,
    k,
    log,
    mean,
    mu_f,
    norm,
    normsq,
    x,
    xstar,
)
from boundcheck.language.relations import Relation, chain
from boundcheck.language.scalars import CURVATURE, LENGTH, NONE, SLOPE, STEP, Constant, Parameter, Scalar
from boundcheck.language.vectors import Point
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Smooth
from boundcheck.power.fates import explain_mutant
from boundcheck.power.mutant import Mutant

p, q, C = Point("x"), Point("y"), Parameter("C")
ANY_C = any_number(C)
GD = (Convex(), Differentiable(), GradientDescent())
LINE = f(p) + inner(grad(p), q - p)


def claim(states: Relation, *given: object, **more: object) -> Bound:
    return Bound(states=states, given=given, try_with={"C": (1,)}, **more)


def why(original: Bound, **changes: object) -> str:
    return explain_mutant(original, Mutant(replace(original, **changes), "by hand", "changed", False), ())


def test_a_mean_has_no_unit_of_weight() -> None:
    plain = claim(gap(mean(x[i], over=(i, 0, k))) <= Delta[0], *GD)
    assert why(plain, states=gap(mean(x[i], weight=Fraction(9, 10), over=(i, 0, k))) <= Delta[0])
    assert why(plain, states=gap(mean(x[i], weight=eta[i], over=(i, 0, k))) <= Delta[0]) == ""
    weighted = replace(plain, states=gap(mean(x[i], weight=eta[i] + 1, over=(i, 0, k))) <= Delta[0])
    assert why(weighted, states=gap(mean(x[i], weight=2 * eta[i] + 2, over=(i, 0, k))) <= Delta[0])
    assert why(weighted, states=gap(mean(x[i], weight=2 * eta[i] + 1, over=(i, 0, k))) <= Delta[0]) == ""


def test_every_step_of_gradient_descent_begins_with_a_gradient() -> None:
    """A zero gradient ends a run. Of the point where a step ends, and of a gradient of some size, nothing is known."""
    descends = f(x[k + 1]) < f(x[k])
    given = (*GD, Smooth(1), eta[i] <= 1 / L)
    for asked in (normsq(grad(x[i])) > 0, 0 < norm(grad(x[i]))):
        assert "ends where its gradient is zero" in why(claim(descends, *given, asked), given=given)
    for asked in (
        normsq(grad(x[i + 1])) > 0,
        normsq(grad(x[i])) > normsq(grad(x[0])) / 2,
        normsq(x[i] - xstar) > normsq(x[0] - xstar) / 2,
    ):
        assert why(claim(descends, *given, asked), given=given) == ""
    other = (Convex(), Differentiable(), NESTEROV, ANY_C)
    assert why(claim(descends, *other, normsq(grad(x[i])) > 0), given=other) == ""


def test_a_point_that_is_the_minimum_has_no_gradient() -> None:
    at_least = Once(normsq(q - xstar) == 0)
    bent = claim(f(p) - f(q) - inner(grad(q), p - q) >= C, Convex(), Differentiable(), ANY_C, at_least)
    turned = f(p) - f(q) + inner(grad(q), p - q) >= C
    assert why(bent, states=turned)
    assert why(replace(bent, given=bent.given[:3]), states=turned) == ""
    assert why(replace(bent, given=(*bent.given[:3], Once(normsq(q - xstar) <= 1))), states=turned) == ""
    assert why(replace(bent, given=(*bent.given[:3], Once(normsq(p - xstar) == 0))), states=turned) == "", "of the other point"


def test_the_gradient_of_a_quadratic_is_affine() -> None:
    there, back = norm(grad(xstar + grad(x[k]))), norm(grad(xstar - grad(x[k])))
    quadratic = claim(there <= C, IsQuadratic, GradientDescent(), ANY_C)
    assert why(quadratic, states=back <= C)
    assert why(quadratic, states=norm(grad(xstar + 2 * grad(x[k]))) <= C) == ""
    assert why(quadratic, states=norm(grad(x[k] - grad(x[k]))) <= C) == "", "about another point"
    assert why(replace(quadratic, given=(*GD, ANY_C)), states=back <= C) == "", "no quadratic"


def test_A_is_not_negative_where_M_is_A_and_only_there() -> None:
    nothing = claim(f(x[k]) >= f(x[0]) + 7, Differentiable(), GradientDescent())
    loose = f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M_[k]) * normsq(grad(x[k]))
    assert why(nothing, states=loose, smoothness=("A", "H"))
    by_hand = f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * A(x[k], x[k + 1])) * normsq(grad(x[k]))
    assert why(nothing, states=by_hand) == "", "A itself may be negative, where f is not convex"


@pytest.mark.parametrize(
    ("states", "given", "start", "is_true"),
    [
        (log(k) >= 0, (), 1, True),
        (log(k) >= 0, (), 0, False),
        (log(k) > 0, (), 1, False),
        (f(x[k]) / C - f(xstar) / C >= 0, (Once(C > 0),), 0, True),
        (f(x[k]) / C - f(xstar) / C >= 0, (ANY_C,), 0, False),
        (f(x[k]) / (2 * C) - f(xstar) / C >= 0, (Once(C > 0),), 0, False),
        (f(x[0]) / C - f(x[k]) / C >= 0, (Once(C > 0),), 0, False),
    ],
)
def test_signs(states: Relation, given: tuple[object, ...], start: int, is_true: bool) -> None:
    nothing = claim(f(x[k]) >= f(x[0]) + 7, *GD)
    assert bool(why(nothing, states=states, given=(*GD, *given), for_all=k >= start)) is is_true


def test_who_has_a_mu_is_convex_and_who_has_an_L_need_not_be() -> None:
    nothing = claim(f(q) >= f(p) + 7, Convex(), Differentiable())
    assert why(nothing, states=f(q) >= LINE, given=(Differentiable(), Once(mu_f <= C)))
    assert why(nothing, states=f(q) >= LINE, given=(Smooth(1), Once(L <= C))) == ""


alpha, gamma, rho = Numbers("alpha", NONE), Numbers("gamma", CURVATURE), Numbers("rho", STEP)
HALF = Fraction(1, 2)
ROOT = eta[k] / 2 * (mu_f - gamma[k] + ((gamma[k] - mu_f) ** 2 + 4 * gamma[k] / eta[k]) ** HALF)
NESTEROV = By(
    Method(
        name="numbers",
        first=(Update(gamma[0], C), Update(rho[0], C)),
        each=(
            Update(alpha[k], ROOT),
            Update(gamma[k + 1], (1 - alpha[k]) * gamma[k] + alpha[k] * mu_f),
            Update(rho[k], eta[k] * C),
            Update(x[k + 1], x[k] - eta[k] * grad(x[k])),
        ),
    )
)


@pytest.mark.parametrize(
    ("states", "is_true"),
    [
        (alpha[k] ** 2 == eta[k] * ((1 - alpha[k]) * gamma[k] + alpha[k] * mu_f), True),
        (gamma[k + 1] == alpha[k] ** 2 / eta[k], True),
        (gamma[k + 2] == alpha[k + 1] ** 2 / eta[k + 1], True),
        ((alpha[k] * gamma[k] + gamma[k + 1]) / (gamma[k] + alpha[k] * mu_f) == 1, True),
        (gamma[k] == alpha[k] ** 2 / eta[k], False),
        (alpha[k] ** 2 == eta[k] * ((1 + alpha[k]) * gamma[k] + alpha[k] * mu_f), False),
        (alpha[k] == eta[k] / 2 * (mu_f - gamma[k]), False),
        (alpha[k + 1] == alpha[k], False),
        (rho[k] == eta[k] * C, False),
    ],
)
def test_what_a_method_makes_of_its_numbers_is_so_whatever_they_were(states: Relation, is_true: bool) -> None:
    """rho_0 is set apart: what is made of rho_k later says nothing of it."""
    nothing = claim(f(x[k]) >= f(x[0]) + 7, Convex(), Differentiable(), NESTEROV, ANY_C)
    assert bool(why(nothing, states=states)) is is_true


eps, slope = Constant("eps", LENGTH), Constant("slope", SLOPE)


@pytest.mark.parametrize(
    ("right", "is_true"),
    [
        (slope * (norm(p - q) - 2 * eps), True),
        (slope * (norm(p - q) - eps), True),
        (slope * (norm(p - q) - eps / 2), False),
        (slope * (2 * norm(p - q) - 4 * eps), False),
    ],
)
def test_a_smoothed_absolute_value_is_at_least_the_distance_less_eps(right: Scalar, is_true: bool) -> None:
    given = (Convex(), Differentiable(), Once(normsq(q - xstar) == 0), Once(eps > 0), Once(slope > 0))
    nothing = claim(f(p) >= f(q) + 7 * slope * eps, *given)
    assert bool(why(nothing, states=f(p) - f(q) >= right)) is is_true
    assert why(nothing, states=f(p) - f(q) >= right, given=(*given[:2], *given[3:])) == "", "not from any other point"


def test_the_slope_of_a_closed_form_is_positive_and_no_more_is_known_of_it() -> None:
    states = norm(grad(p)) <= slope
    for asked, is_so in ((slope > 0, True), (slope >= 0, True), (slope > C, False), (C > 0, False)):
        original = claim(states, Convex(), Differentiable(), Once(asked))
        assert bool(why(original, given=(Convex(), Differentiable()))) is is_so, str(asked)


def test_a_claim_about_M_that_is_A_says_nothing_where_A_is_negative() -> None:
    """f need not be convex: A(x, y) < 0 on a dent, where M cannot be A. The mutants speak of such chords too."""
    taken = Bound(states=-M(p, q) * normsq(q - p) <= 0, given=(Differentiable(),), smoothness=("A",))
    assert why(taken, states=-2 * M(p, q) * normsq(q - p) <= 0)
    assert why(taken, states=-A(p, q) * normsq(q - p) <= 0) == ""
    assert why(replace(taken, given=(Convex(), Differentiable())), states=-A(p, q) * normsq(q - p) <= 0)


def test_formulas_of_a_chain_that_ends_in_0_are_0_and_so_are_their_multiples() -> None:
    step, other = normsq(x[k + 1] - x[k]), normsq(grad(x[k]))
    original = claim(chain(step - other, "==", eta[k] * step - other, "==", 0), *GD)
    assert (
        why(original, states=chain(step - other, "==", (eta[k] * step - other) / 2, "==", 0)) == "both sides are 0 by the claim"
    )
    assert why(original, states=chain(step - other, "==", eta[k] * step - other / 2, "==", 0)) == ""
    open_end = replace(original, states=chain(step - other, "==", eta[k] * step - other, "==", gap(x[k])))
    assert why(open_end, states=chain(step - other, "==", (eta[k] * step - other) / 2, "==", gap(x[k]))) == "", "nothing says 0"
    undefined = replace(original, states=chain(step - other, "==", (step - other) / eta[k] / (L - eta[k] * other), "==", 0))
    assert why(undefined, states=(step - other) / 2 == 0) == "", "where L is eta |grad f|^2 the claim says nothing"

"""What is called implied must be true: false mutants are never explained, and exact runs break none that are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice

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
    Max,
    Min,
    Prod,
    Sum,
    any_number,
    eta,
    f,
    gap,
    grad,
    i,
    inner,
    k,
    mean,
    mu,
    mu_f,
    norm,
    normsq,
    x,
    xstar,
)
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Parameter
from boundcheck.language.vectors import Point
from boundcheck.library.catalogue import bounds, problems
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Smooth, StronglyConvex
from boundcheck.power.mutant import Mutant, mutants
from boundcheck.power.prover.implication import why_implied
from boundcheck.suite.grid import settings
from boundcheck.suite.profiles import Profile

gamma = Parameter("gamma")
p, q = Point("x"), Point("y")
GD = (Convex(), Differentiable(), GradientDescent())
TRIED = {"gamma": (1,)}


def claim(states: Relation, *given: object, **more: object) -> Bound:
    return Bound(states=states, given=given or GD, try_with=TRIED, **more)


def why(original: Bound, **changes: object) -> str:
    return why_implied(original, Mutant(replace(original, **changes), "by hand", "changed", False))


RATE = claim(gap(x[k]) <= Delta[0] / (2 * Sum(eta[i], i, 0, k)))
LEMMA = claim(f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k])))
CHORD = claim(f(q) <= f(p) + inner(grad(p), q - p) + M(p, q) / 2 * normsq(q - p), Convex(), Differentiable())
BEST = claim(Min(gap(x[i]), i, 0, k) <= Delta[0] / (k + 1), for_all=k >= 1)


@pytest.mark.parametrize(
    ("original", "states"),
    [
        (RATE, gap(x[k]) <= Delta[0] / (Fraction(9, 5) * Sum(eta[i], i, 0, k))),
        (RATE, gap(x[k]) <= 2 * Delta[0] / (2 * Sum(eta[i], i, 0, k))),
        (RATE, gap(x[k]) - eta[0] * normsq(grad(x[0])) <= Delta[0] / (2 * Sum(eta[i], i, 0, k))),
        (RATE, Min(gap(x[i]), i, 0, k) <= Delta[0] / (2 * Sum(eta[i], i, 0, k))),
        (RATE, Delta[0] / (2 * Sum(eta[i], i, 0, k)) >= gap(x[k])),
        (RATE, 2 * gap(x[k]) * Sum(eta[i], i, 0, k) <= Delta[0]),
        (BEST, Min(gap(x[i]), i, 0, k + 1) <= Delta[0] / (k + 1)),
        (LEMMA, f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M_[k]) * normsq(grad(x[k]))),
        (RATE, 0 <= normsq(grad(x[k])) + Sum(eta[i], i, 0, k)),
        (
            RATE,
            normsq(x[k + 1] - xstar)
            == Delta[k] - 2 * eta[k] * inner(grad(x[k]), x[k] - xstar) + eta[k] ** 2 * normsq(grad(x[k])),
        ),
    ],
)
def test_what_follows_is_explained(original: Bound, states: Relation) -> None:
    assert why(original, states=states)


@pytest.mark.parametrize(
    ("original", "states"),
    [
        (RATE, gap(x[k]) <= Fraction(9, 10) * (Delta[0] / (2 * Sum(eta[i], i, 0, k)))),
        (RATE, gap(x[k]) <= Delta[0] / (3 * Sum(eta[i], i, 0, k))),
        (RATE, gap(x[k]) < Delta[0] / (2 * Sum(eta[i], i, 0, k))),
        (RATE, gap(x[k]) == Delta[0] / (2 * Sum(eta[i], i, 0, k))),
        (RATE, gap(x[k]) <= Delta[0] / (2 * Sum(eta[i], i, 0, k + 1))),
        (RATE, gap(x[k + 1]) <= Delta[0] / (2 * Sum(eta[i], i, 0, k + 1)) - Delta[k]),
        (RATE, Max(gap(x[i]), i, 0, k) <= Delta[0] / (2 * Sum(eta[i], i, 0, k))),
        (RATE, gap(mean(x[i], over=(i, 0, k))) <= Delta[0] / (2 * Sum(eta[i], i, 0, k))),
        (RATE, gap(x[k]) <= norm(x[0] - xstar) / (2 * Sum(eta[i], i, 0, k))),
        (RATE, f(x[k]) <= Delta[0] / (2 * Sum(eta[i], i, 0, k))),
        (BEST, Min(gap(x[i]), i, 1, k) <= Delta[0] / (k + 1)),
        (BEST, gap(x[k]) <= Delta[0] / (k + 1)),
        (LEMMA, f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M(x[k + 1], x[k]) / 2) * normsq(grad(x[k]))),
        (LEMMA, f(x[k + 1]) <= f(x[k]) - eta[k + 1] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k]))),
        (RATE, normsq(grad(x[k])) > 0),
        (
            RATE,
            normsq(x[k + 1] - xstar) == Delta[k] - eta[k] * inner(grad(x[k]), x[k] - xstar) + eta[k] ** 2 * normsq(grad(x[k])),
        ),
    ],
)
def test_what_does_not_follow_is_not_explained(original: Bound, states: Relation) -> None:
    assert why(original, states=states) == ""


def test_an_equation_of_zeros_says_nothing_of_another() -> None:
    still = claim(normsq(x[k + 2] - x[k]) == 0)
    assert why(still, states=normsq(x[k + 2] + x[k]) == 0) == ""
    assert why(still, states=norm(x[k + 2] - x[k]) == 0)


def test_a_claim_says_nothing_where_it_has_no_value() -> None:
    """At M_k = 0 the claim divides by zero, and what leaves M_k out does not."""
    rate = claim(gap(x[k]) <= Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)) + eta[k] * normsq(grad(x[k + 1])))
    fewer = gap(x[k]) <= Delta[0] / (2 * Sum(1 / M_[i], i, 0, k - 1)) + eta[k] * normsq(grad(x[k + 1]))
    assert why(replace(rate, for_all=k >= 1), states=fewer) == ""
    known = replace(rate, for_all=k >= 1, given=(*GD, Follows(eta[i] == 1 / M_[i])))
    assert why(known, states=fewer), "here M_k is not zero, for the steps are 1/M_k"


def test_a_mutant_that_reads_fewer_steps_assumes_less_of_them() -> None:
    assumed = (*GD, eta[i] <= 1 / L)
    rate = claim(gap(x[k]) <= Delta[0] + eta[k] * normsq(grad(x[k])), *assumed)
    assert why(rate, states=gap(x[k]) <= 2 * Delta[0] + eta[k] * normsq(grad(x[k])))
    cut = claim(gap(x[k]) - eta[k] * normsq(grad(x[k])) <= Delta[0], *assumed)
    assert why(cut, states=gap(x[k]) - Delta[0] <= normsq(grad(x[0]))) == ""


def test_the_claim_one_step_later_is_the_same_claim_unless_it_assumes_something_of_k() -> None:
    small = claim(norm(grad(x[k])) <= L * norm(x[0] - xstar))
    later = norm(grad(x[k + 1])) <= L * norm(x[0] - xstar)
    assert why(small, states=later)
    assert why(replace(small, given=(*GD, Once(eta[k] <= 1 / L))), states=later) == ""


@pytest.mark.parametrize("kinds", [("D",), ("L",), ("D", "L")])
def test_swapped_ends_of_M_say_the_same_where_M_is_symmetric(kinds: tuple[str, ...]) -> None:
    swapped = f(q) <= f(p) + inner(grad(p), q - p) + M(q, p) / 2 * normsq(q - p)
    assert why(replace(CHORD, smoothness=kinds), states=swapped)
    for other in ("A", "H"):
        assert why(replace(CHORD, smoothness=(*kinds, other)), states=swapped) == ""
        assert why(replace(CHORD, smoothness=(*kinds, other), given=(*CHORD.given, IsQuadratic)), states=swapped)


def test_chord_numbers_are_ordered_for_convex_functions_only() -> None:
    below = claim(mu(p, q) * normsq(q - p) <= H(p, q) * normsq(q - p), Convex(), Differentiable())
    assert why(below, states=mu(p, q) * normsq(q - p) <= A(p, q) * normsq(q - p))
    assert why(below, states=mu(p, q) * normsq(q - p) <= D(p, q) * normsq(q - p))
    other = claim(mu(p, q) * normsq(q - p) <= A(p, q) * normsq(q - p), Convex(), Differentiable())
    assert why(other, states=2 * mu(p, q) * normsq(q - p) <= D(p, q) * normsq(q - p)) == ""
    lower = claim(f(q) >= f(p) + inner(grad(p), q - p) + A(p, q) * normsq(q - p), Differentiable())
    weaker = f(q) >= f(p) + inner(grad(p), q - p) + A(p, q) / 2 * normsq(q - p)
    assert why(lower, states=weaker) == "" and why(replace(lower, given=(Convex(), Differentiable())), states=weaker)


def test_dropped_hypotheses_that_the_others_give() -> None:
    strong = claim(gap(x[k]) <= L * Delta[0], Convex(), Differentiable(), Smooth, StronglyConvex, GradientDescent(), eta[i] > 0)
    given = strong.hypotheses

    def without(*gone: int) -> tuple[object, ...]:
        return tuple(h for n, h in enumerate(given) if n not in gone)

    assert "f is convex" in why(strong, given=without(0))
    assert "f is differentiable" in why(strong, given=without(1))
    assert "L-smooth" in why(strong, given=without(2))
    assert why(strong, given=without(3)) == "" and why(strong, given=without(0, 3)) == ""
    assert "always so" in why(strong, given=without(5))
    assert why(replace(strong, states=gap(x[k]) <= Delta[0]), given=without(2)) == ""


def test_weakened_hypotheses_are_explained_only_where_equality_divides_by_zero() -> None:
    follows = Follows(eta[i] == gamma * gap(x[i]) / normsq(grad(x[i])))
    polyak = claim(gap(x[k]) <= L * Delta[0] / (2 - gamma), *GD, follows, gamma > 0, gamma < 2)
    assert "divides by zero" in why(polyak, given=(*GD, follows, gamma > 0, gamma <= 2))
    assert "always so" in why(polyak, given=(*GD, follows, gamma < 2)), "a positive step makes gamma positive"
    assert why(polyak, given=(*GD, follows, gamma > 0, gamma < 4)) == ""
    product = claim(gap(x[k]) <= L * Delta[0] * (3 - gamma), *GD, follows, gamma > 0, gamma < 2)
    assert why(product, given=(*GD, follows, gamma > 0, gamma <= 2)) == ""
    adapted = claim(f(x[k + 1]) < f(x[k]), *GD, AtEachStep(eta[i] < 2 / M_[i]))
    assert why(adapted, given=(*GD, AtEachStep(eta[i] <= 2 / M_[i]))) == ""
    assert why(adapted, given=(*GD, AtEachStep(eta[i] < 4 / M_[i]))) == ""


def test_a_division_inside_a_sum_that_may_be_empty_does_not_count() -> None:
    inside = claim(gap(x[k]) <= L * Delta[0] + Sum(Delta[i] / (2 - gamma), i, 0, k - 1), *GD, gamma < 2)
    assert why(inside, given=(*GD, gamma <= 2)) == ""


def test_a_parameter_called_L_may_be_negative() -> None:
    own = Parameter("L")
    named = Bound(states=gap(x[k]) - Delta[0] <= own * Delta[0], given=(*GD, any_number(own)), try_with={"L": (1,)})
    assert why(named, states=gap(x[k]) - Delta[0] <= 2 * own * Delta[0]) == ""
    assert why(replace(named, given=(*GD, own >= 0)), states=gap(x[k]) - Delta[0] <= 2 * own * Delta[0])
    assert why(claim(gap(x[k]) <= L * Delta[0]), states=gap(x[k]) <= 2 * L * Delta[0])


def test_products_of_factors_of_unknown_sign_are_left_alone() -> None:
    linear = claim(gap(x[k]) <= Prod(1 - mu_f * eta[i], i, 0, k - 1) * gap(x[0]), for_all=k >= 1)
    assert why(linear, states=gap(x[k]) <= Prod(1 - mu_f * eta[i] / 2, i, 0, k - 1) * gap(x[0])) == ""
    lower = replace(linear, states=gap(x[k]) - gap(x[0]) <= Prod(1 - mu_f * eta[i], i, 0, k - 1) * gap(x[0]))
    assert why(lower, states=gap(x[k]) - gap(x[0]) <= 2 * Prod(1 - mu_f * eta[i], i, 0, k - 1) * gap(x[0])) == ""


SMALL = Profile(name="small", largest=3, steps=5, exact_steps={1: 5, 2: 3}, method_steps=4, chords=40)
PROBLEMS = ("huber", "asymmetric", "dented", "ridge-2d")


def broken(explained: dict[str, str], claims: list[Bound], names: tuple[str, ...]) -> list[str]:
    """The explained mutants that some exact run violates."""
    chosen = [problems()[name]() for name in names]
    found, decided = [], 0
    for setting in settings(SMALL, only_problems=chosen, in_arithmetic="rational"):
        for verdict in setting.verdicts(claims):
            decided += verdict.outcome.name == "HOLDS"
            if verdict.violation is not None:
                found.append(f"{verdict.cell.claim} on {verdict.cell.problem}: {explained[verdict.cell.claim]}")
    assert decided > len(claims) / 4, "too few were tried for this to say anything"
    return found


def explained_mutants(every: int) -> tuple[dict[str, str], list[Bound]]:
    library = [b for b in bounds() if not b.is_refuted and not b.untested]
    pairs = [(m.bound, reason) for b in islice(library, 0, None, every) for m in mutants(b) if (reason := why_implied(b, m))]
    return {b.id: reason for b, reason in pairs}, [b for b, _ in pairs]


def test_no_exact_run_breaks_an_explained_mutant_of_the_sample() -> None:
    reasons, claims = explained_mutants(50)
    assert len(claims) > 8 and broken(reasons, claims, ("asymmetric",)) == []


def test_exact_runs_do_break_mutants_that_are_not_explained() -> None:
    library = [b for b in bounds() if b.label == "eq:local-descent-lemma" and not b.is_refuted]
    false = [m.bound for b in library for m in mutants(b) if not why_implied(b, m) and not m.lint]
    assert len(broken({b.id: "" for b in false}, false, ("asymmetric",))) > 2


@pytest.mark.slow
def test_no_exact_run_breaks_an_explained_mutant_of_the_library() -> None:
    reasons, claims = explained_mutants(1)
    assert len(claims) > 400 and broken(reasons, claims, PROBLEMS) == []

"""What is known of a method's own numbers by induction, and what is not where a hypothesis is missing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.falsify.search import search
from boundcheck.language.letters import Min, Numbers, eta, i, k, mu_f
from boundcheck.language.scalars import CURVATURE, NONE
from boundcheck.library.catalogue import find_bounds
from boundcheck.model.problem import Convex
from boundcheck.power.fates import explain_mutant
from boundcheck.power.mutant import Mutant
from boundcheck.power.prover.facts import Facts, facts_of
from boundcheck.power.prover.order import at_least
from boundcheck.power.prover.polynomial import Poly
from boundcheck.power.prover.sequences import add_sequence_facts, has_no_run_where_zero
from boundcheck.power.prover.span import NONNEGATIVE, Span

UNIT = Span(Fraction(0), Fraction(1))
alpha, lam, gamma = Numbers("alpha", NONE), Numbers("lambda", NONE), Numbers("gamma", CURVATURE)


def without(bound: Bound, *dropped: str) -> Bound:
    return replace(bound, given=tuple(h for h in bound.hypotheses if str(h) not in dropped))


def known(bound: Bound) -> Facts:
    return add_sequence_facts(facts_of(bound, ""), bound)


@pytest.fixture
def convex() -> Bound:
    (bound,) = find_bounds("eq:lambda-convex")
    return bound


def test_estimating_sequences_stay_where_the_paper_says(convex: Bound) -> None:
    facts = known(convex)
    assert facts.span(alpha[k]) == facts.span(lam[k]) == UNIT
    assert facts.span(gamma[k]) == NONNEGATIVE and facts.nonincreasing == {"lambda"}
    assert at_least(lam[k], lam[k + 1], facts) and not at_least(lam[k + 1], lam[k], facts)


@pytest.mark.parametrize("dropped", ["gamma_0 > 0", "eta_i mu <= 1 for every step"])
def test_without_a_hypothesis_nothing_is_said_of_them(convex: Bound, dropped: str) -> None:
    """Without the first alpha_k may be above 1, without the second lambda_k changes its sign."""
    facts = known(without(convex, dropped))
    assert facts.span(lam[k]) == Span() and not facts.nonincreasing


def test_the_numbers_of_long_steps_do_leave_that_range() -> None:
    """The same by search: lambda_k >= 0 is false where eta mu may be more than 1."""
    (claimed,) = find_bounds("lemma:valid-sequences.not-negative")
    assert search(without(claimed, "eta_i mu <= 1 for every step"), budget=30, first_k=1).found is not None


def mutant(bound: Bound, states: object) -> Mutant:
    return Mutant(replace(bound, states=states), "by hand", "changed", False)


def test_a_rate_above_a_number_that_is_not_negative_says_the_sign_of_its_divisor(convex: Bound) -> None:
    def rate(count: object) -> object:
        return lam[k] <= 4 / (Min(eta[i], i, 0, k) * (gamma[0] - mu_f) * count)

    assert "a divisor" in explain_mutant(convex, mutant(convex, rate(k + 1)), ())
    assert explain_mutant(convex, mutant(convex, rate((k + 2) ** 2)), ()) == "", "that is more than the claim says"
    loose = without(convex, "eta_i mu <= 1 for every step")
    assert explain_mutant(loose, mutant(loose, rate(k + 1)), ()) == "", "lambda_k may be negative, and gamma_0 below mu"


def test_squares() -> None:
    a, b = Poly.atom("a"), Poly.atom("b")
    assert ((a - b) * (a - b)).is_square and (a * a + b * b - a * b).is_square
    assert not (a * a + b * b - (a * b).scale(Fraction(3))).is_square
    assert not (a - b * b).is_square and not (a + b - (a * b).scale(Fraction(2))).is_square


def test_a_method_that_divides_by_mu_has_no_run_where_mu_is_0() -> None:
    """gamma_0 = mu makes alpha_0 and the weight of y_0 0; gamma_0 = mu + c_0 / eta_0 does not."""
    (from_mu,), (above,) = find_bounds("lemma:valid-sequences.only-if"), find_bounds("lemma:valid-sequences.positive")
    assert has_no_run_where_zero("mu", from_mu.runs.main) and not has_no_run_where_zero("mu", above.runs.main)
    assert not has_no_run_where_zero("L", from_mu.runs.main)
    convex = without(from_mu, "f is strongly convex")
    assert "divides by zero" in explain_mutant(from_mu, Mutant(replace(convex, given=(Convex, *convex.given)), "", "", False), ())

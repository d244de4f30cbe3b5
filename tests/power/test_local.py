"""Claims about one step: hypotheses that their divisors make needless, and longer chords. With near misses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from boundcheck import AtEachStep, Bound, Convex, Differentiable, GradientDescent, Smooth
from boundcheck.claims.hypotheses import Follows
from boundcheck.language.letters import M_, A, D, L, Sum, any_number, eta, f, grad, i, inner, k, norm, normsq, x, xstar
from boundcheck.language.scalars import NONE, Parameter
from boundcheck.power.fates import explain_mutant
from boundcheck.power.mutant import Mutant
from boundcheck.power.prover.facts import facts_of
from boundcheck.power.prover.normal_form import Normaliser
from boundcheck.power.prover.single_step import is_about_one_step, longer_chord_lemmas, nonzero_where_defined

GD = (Convex, Differentiable, GradientDescent())
DIFFER = AtEachStep(normsq(grad(x[i + 1]) - grad(x[i])) > 0)
TURN = AtEachStep(inner(grad(x[i]) - grad(x[i + 1]), grad(x[i])) > 0)
RATIO = eta[k] * normsq(grad(x[k])) / inner(grad(x[k]) - grad(x[k + 1]), grad(x[k]))


def why(original: Bound, **changes: object) -> str:
    return explain_mutant(original, Mutant(replace(original, **changes), "by hand", "changed", False), ())


def test_what_a_claim_about_one_step_divides_by_need_not_be_called_positive() -> None:
    claimed = Bound(states=eta[k] <= 9 * RATIO, given=(*GD, TURN))
    assert "divides by zero" in why(claimed, given=GD)
    assert why(claimed, given=GD[1:]) == "", "without convexity it may be negative"
    assert why(replace(claimed, states=eta[k] <= 9), given=GD) == "", "nothing is divided by it"
    assert why(replace(claimed, states=eta[0] <= 9 * RATIO), given=GD) == "", "the first step has a part in it"
    assert why(replace(claimed, states=eta[k] <= 9 * RATIO + normsq(x[k + 2])), given=GD) == "", "at the next step it may be 0"


def test_where_D_is_divided_by_the_gradients_differ() -> None:
    claimed = Bound(states=eta[k] <= 7 / D(x[k], x[k + 1]), given=(*GD, DIFFER))
    assert "divides by zero" in why(claimed, given=GD)
    assert why(replace(claimed, states=eta[k] <= 7 * D(x[k], x[k + 1])), given=GD) == ""


def test_sums_and_starts_are_not_local() -> None:
    assert is_about_one_step(Bound(states=eta[k] <= RATIO, given=GD))
    assert not is_about_one_step(Bound(states=Sum(eta[i], i, 0, k) <= 1, given=GD))
    assert not is_about_one_step(Bound(states=eta[k] <= (k + 1) * RATIO, given=GD))
    assert not is_about_one_step(Bound(states=norm(x[k] - x[0]) <= 1, given=GD))


def test_a_longer_chord_has_no_smaller_A() -> None:
    def far(times: int) -> object:
        return A(x[k], x[k] - times * eta[k] * grad(x[k]))

    def known(goal: object) -> list[str]:
        case = Bound(states=goal, given=GD)
        return [str(r) for r in longer_chord_lemmas(case.states, Normaliser(facts_of(case, "")), lambda v: v)]

    assert known(far(1) <= far(2)) == ["A(x_k, x_k - 1 eta_k grad f(x_k)) <= A(x_k, x_k - 2 eta_k grad f(x_k))"]
    assert known(far(1) <= far(-2)) == [], "the other way"
    assert known(A(x[k], x[k + 1]) <= A(x[k + 1], x[k])) == [], "from the other end"
    bound = Bound(states=1 / (2 * far(2)) <= 1 / A(x[k], x[k + 1]), given=GD)
    assert "without the claim" in why(bound, states=1 / far(2) <= 1 / A(x[k], x[k + 1]))
    assert why(bound, states=1 / far(2) <= (1 / A(x[k], x[k + 1])) / 2) == ""


def test_what_is_read_at_another_step_too_is_not_called_a_divisor() -> None:
    goal = Bound(states=eta[k] <= 1 / D(x[k], x[k + 1]), given=GD).states
    assert any('"D"' in text and "Chord" in text for text in nonzero_where_defined(goal, ()))
    summed = Bound(states=Sum(D(x[i], x[i + 1]), i, 0, k) <= 1, given=GD).states
    assert not any('"D"' in text and "Chord" in text for text in nonzero_where_defined(goal, (summed,)))


gamma = Parameter("gamma", NONE)
POLYAK = Follows(eta[i] == gamma * (f(x[i]) - f(xstar)) / normsq(grad(x[i])))


def test_what_a_rule_makes_a_positive_step_of_is_not_zero() -> None:
    """gamma - gamma eta M / 2 <= 1 is f(x_{k+1}) >= f* over the gap at x_k, which is not 0 since eta_k is not."""
    states = gamma - gamma * eta[k] * M_[k] / 2 <= 1
    claimed = Bound(states=states, given=(*GD, POLYAK, gamma < 2), try_with={"gamma": (Fraction(3, 2),)})
    assert "without the claim" in why(claimed, given=(*GD, POLYAK, any_number(gamma)))
    assert why(claimed, given=(*GD, any_number(gamma))) == "", "of steps that follow no rule nothing is known"
    assert (
        why(claimed, given=(*GD, POLYAK, any_number(gamma)), states=gamma - gamma * eta[k] * M_[k] / 2 <= Fraction(9, 10)) == ""
    )


def test_chords_may_be_replaced_by_the_constants_that_bound_them_under_a_hypothesis() -> None:
    short = AtEachStep(eta[i] < 1 / L)
    claimed = Bound(states=eta[k] < 2 / M_[k], given=(*GD, Smooth, short))
    assert "without the claim" in why(claimed, given=(*GD[1:], Smooth, short))
    assert why(claimed, given=(*GD, Smooth), states=eta[k] < 3 / M_[k]) == ""
    assert why(claimed, given=(*GD[1:], Smooth, short), states=eta[k] < 1 / M_[k]) == "", "D may be 2 L"

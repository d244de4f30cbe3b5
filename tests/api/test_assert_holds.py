"""assert_holds, and what has no truth value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import boundcheck
from boundcheck import Bound, Convex, GradientDescent, Outcome, Verdicts, assert_holds, check, run
from boundcheck.check.verdict import Cell, Verdict
from boundcheck.language.letters import eta, f, grad, i, k, normsq, x

ANY_STEPS = "prop:convex-any-stepsize"
TOO_BOLD = Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])))
LONG_STEPS = Bound(given=(Convex, GradientDescent(), eta[i] >= 100), states=f(x[k]) <= f(x[0]))


def verdict(*outcomes: Outcome, certified: bool = False, reason: str = "") -> Verdict:
    cell = Cell(claim="user/claim@printed", problem="a problem", method="a rule", arithmetic="float64")
    return Verdict(cell=cell, first_k=1, outcomes=np.array(outcomes, dtype=np.int8), certified=certified, reason=reason)


@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize(
    "made", [lambda o: o, verdict, lambda o: Verdicts((verdict(o),))], ids=["outcome", "verdict", "verdicts"]
)
def test_bool_raises_with_a_line_that_says_what_to_write(outcome: Outcome, made: Any) -> None:
    with pytest.raises(TypeError, match=r"has no truth value: write .*outcome is Outcome\.HOLDS, or assert_holds") as wrong:
        bool(made(outcome))
    assert "\n" not in str(wrong.value) and outcome.name in str(wrong.value)


def test_no_verdicts_have_no_truth_value_either() -> None:
    with pytest.raises(TypeError, match="has no truth value"):
        bool(Verdicts(()))


def test_a_tie_at_0_does_not_hide_that_a_hypothesis_failed_from_1_on() -> None:
    """f(x_0) <= f(x_0) is a tie in floating point: k = 0 counts neither for nor against."""
    (found,) = check(LONG_STEPS, run("parabola", "1/L", steps=3))
    assert found.outcomes[0] == Outcome.UNDECIDED and found.outcome is Outcome.VACUOUS


def test_outcomes_keep_their_numbers_in_arrays() -> None:
    assert [int(outcome) for outcome in Outcome] == [0, 1, 2, 3, 4]
    assert np.array(list(Outcome), dtype=np.int8).tolist() == [0, 1, 2, 3, 4]
    assert (np.array([0, 1], dtype=np.int8) == Outcome.VIOLATED).tolist() == [False, True]


def test_what_holds_passes_in_every_form_that_check_returns() -> None:
    verdicts = check(ANY_STEPS, run("parabola", "1/(2L)", steps=5, arithmetic="rational"))
    for found in (verdicts, verdicts[0], list(verdicts), iter(verdicts)):
        assert_holds(found, certified=True)


def test_it_is_offered_where_people_look() -> None:
    from boundcheck import testing

    assert boundcheck.assert_holds is testing.assert_holds is assert_holds


def failure(found: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as wrong:
        assert_holds(found, **options)
    return str(wrong.value)


def test_a_violation_shows_claim_k_both_sides_and_the_next_step() -> None:
    told = failure(check([ANY_STEPS, TOO_BOLD], run("parabola", "1/(2L)", steps=3), smoothness="D"))
    assert told.startswith("1 of 2 verdicts is not HOLDS")
    assert "VIOLATED, numerical: user/claim@printed on parabola by 1/(2L)" in told
    for row in ("k  ", "left  ", "right  ", "what to do  certify it: run(..., arithmetic="):
        assert row in told
    exact = failure(check(TOO_BOLD, run("parabola", "1/(2L)", steps=3, arithmetic="rational")))
    assert "VIOLATED, certified" in exact and "correct the statement" in exact


def test_vacuous_is_no_pass_and_says_which_hypothesis_failed() -> None:
    told = failure(check(LONG_STEPS, run("parabola", "1/L", steps=3)))
    assert "VACUOUS: user/claim@printed" in told and "fails at step 0 (" in told and "what to do" in told


def test_undecided_is_no_pass_and_says_why() -> None:
    told = failure(verdict(Outcome.UNDECIDED, reason="k = 1: 0 and 0 cannot be told apart"))
    assert "UNDECIDED" in told and "cannot be told apart" in told and "decide it: run(..., arithmetic=" in told


def test_nothing_asked_is_no_pass() -> None:
    assert "nothing was asked" in failure([]) and "nothing was asked" in failure(Verdicts(()))


def test_certified_asks_for_a_proof() -> None:
    verdicts = check(ANY_STEPS, run("parabola", "1/(2L)", steps=5))
    assert_holds(verdicts)
    assert "HOLDS, numerical" in failure(verdicts, certified=True)


def test_every_k_asks_for_each() -> None:
    partly = verdict(Outcome.HOLDS, Outcome.UNDECIDED, reason="k = 2: too wide")
    assert_holds(partly)
    assert "1 holds, 1 undecided" in failure(partly, every_k=True)


@pytest.mark.parametrize("given", [3, "HOLDS", Outcome.HOLDS, [True]])
def test_what_is_no_verdict_is_refused_in_one_line(given: Any) -> None:
    with pytest.raises(TypeError, match="needs what check") as wrong:
        assert_holds(given)
    assert "\n" not in str(wrong.value)

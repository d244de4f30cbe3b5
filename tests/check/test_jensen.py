"""Bounds on f at a mean, decided through Jensen's inequality."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from boundcheck.bound import Bound
from boundcheck.check import answer
from boundcheck.decide import JENSEN, decide
from boundcheck.problems import CATALOGUE
from boundcheck.question import Question, needs, questions
from boundcheck.registry import find_bounds
from boundcheck.runners import about, polyak, run
from boundcheck.verdict import Outcome, Verdict

RULE = polyak(Fraction(3, 2))


def _both(bound: Bound, smoothness: str = "H") -> tuple[list[Verdict], list[Verdict]]:
    problem = CATALOGUE["quadratic-2d"]()
    asked: list[Question] = list(questions([bound], about(problem), exact=True, fixed=RULE.parameters, smoothness=[smoothness]))
    cheap = needs([q.through_jensen() or q for q in asked], "gradient descent")
    trace = run(problem, RULE, steps=5, columns=cheap, xp="rational")
    return decide(asked, trace), answer(asked, trace)


def test_a_true_bound_is_decided_without_the_mean_and_says_so() -> None:
    (quick,), (whole,) = _both(find_bounds("thm:polyak@printed")[0])
    assert quick.outcome is whole.outcome is Outcome.HOLDS
    assert JENSEN in quick.notes and quick.tightest is None


def test_where_jensen_is_not_enough_the_mean_itself_is_computed() -> None:
    """A right side between f at the mean and the mean of f: the stronger claim is false, the claim itself is true."""
    bound = find_bounds("thm:polyak@printed")[0]
    (_,), (whole,) = _both(bound)
    assert whole.tightest is not None
    sharper = bound.sharpened(Fraction(whole.tightest.ratio) * Fraction(101, 100))
    (quick,), (again,) = _both(sharper)
    assert quick.outcome is again.outcome
    assert np.array_equal(quick.outcomes, again.outcomes)


def test_a_false_bound_is_violated_either_way() -> None:
    bound = find_bounds("thm:polyak@printed")[0]
    (_,), (whole,) = _both(bound)
    assert whole.tightest is not None
    (quick,), (again,) = _both(bound.sharpened(Fraction(whole.tightest.ratio) * Fraction(99, 100)))
    assert quick.outcome is again.outcome is Outcome.VIOLATED

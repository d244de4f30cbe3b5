"""Bounds on f at a mean through Jensen's inequality: the stronger claim, about the mean of f."""

from __future__ import annotations

from fractions import Fraction

from boundcheck.check.answer import answer
from boundcheck.check.question import Question, needs, questions
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import find_bounds
from boundcheck.problems import CATALOGUE
from boundcheck.runners import about, polyak, run

RULE = polyak(Fraction(3, 2))


def _both(bound: Bound, smoothness: str = "H") -> tuple[list[Verdict], list[Verdict]]:
    problem = CATALOGUE["quadratic-2d"]()
    asked: list[Question] = list(questions([bound], about(problem), exact=True, fixed=RULE.parameters, smoothness=[smoothness]))
    cheap = needs([q.through_jensen() or q for q in asked], "gradient descent")
    trace = run(problem, RULE, steps=5, columns=cheap, xp="rational")
    return answer([q.through_jensen() or q for q in asked], trace), answer(asked, trace)


def test_a_true_bound_may_hold_for_the_mean_of_f_and_then_holds_at_the_mean() -> None:
    (stronger,), (itself,) = _both(find_bounds("thm:polyak@printed")[0])
    assert stronger.outcome is itself.outcome is Outcome.HOLDS
    assert stronger.tightest is not None and itself.tightest is not None
    assert stronger.tightest.ratio >= itself.tightest.ratio


def test_wherever_the_stronger_claim_holds_the_claim_holds() -> None:
    """Also with a right side between f at the mean and the mean of f, and with one below both."""
    bound = find_bounds("thm:polyak@printed")[0]
    (_,), (whole,) = _both(bound)
    assert whole.tightest is not None
    for factor in (Fraction(101, 100), Fraction(99, 100)):
        (stronger,), (itself,) = _both(bound.sharpened(Fraction(whole.tightest.ratio) * factor))
        assert (itself.outcomes[stronger.outcomes == Outcome.HOLDS] == Outcome.HOLDS).all()
        assert (itself.outcome is Outcome.VIOLATED) == (factor < 1)
        assert (stronger.outcomes[itself.outcomes == Outcome.VIOLATED] == Outcome.VIOLATED).all()

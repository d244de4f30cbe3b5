"""Two ways in which a checker goes wrong near convergence, and that this one does not.

A float64 iterate is not the iterate of the theorem. Taken as exact, it stalls where the true run goes on (a linear rate looks
violated), and its stored successor is not its image (the descent lemma looks violated).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from boundcheck.check.precision_ladder import AUTO
from boundcheck.check.question import Question
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.evaluate.columns import in_gaps
from boundcheck.language.letters import L, eta, f, grad, k, mu_f, normsq, x, xstar
from boundcheck.language.relations import Relation
from boundcheck.library.catalogue import problems, rules
from boundcheck.model.problem import IsQuadratic, Smooth, StronglyConvex
from boundcheck.problems.quadratic import random_quadratic
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import Profile

from .deciding import decide_cell, in_float64
from .numbers import working
from .runs import TrueRun
from .truth import Truth

# theorems for eta = 1/L, whatever the start: the first on quadratics, where no smaller rate is true
LINEAR_RATE = Bound(
    states=f(x[k]) - f(xstar) <= ((1 - mu_f / L) ** 2) ** k * (f(x[0]) - f(xstar)),
    given=(GradientDescent(), Smooth, StronglyConvex, IsQuadratic),
)
DESCENT = Bound(
    states=f(x[k + 1]) <= f(x[k]) - eta[k] / 2 * normsq(grad(x[k])),
    given=(GradientDescent(), Smooth),
)
NEAR = 1e-16

RUNS = {
    "a well-conditioned quadratic": lambda: (random_quadratic(4, condition=3, seed=1, name="well-conditioned"), 150),
    "a quadratic in ten dimensions": lambda: (random_quadratic(10, condition=5, seed=2, name="ten-dimensional"), 250),
    "logistic-40x5": lambda: (problems()["logistic-40x5"](), 200),
}


class OnOneRun:
    """Gradient descent with eta = 1/L, and one claim."""

    def __init__(self, bound: Bound, run: str) -> None:
        problem, steps = RUNS[run]()
        profile = Profile(name="trap", largest=400, steps=steps)
        self.setting = GridSetting(problem, AUTO, profile, (rules()["1/L"],))
        ((self.experiment, asked),) = self.setting.experiments([bound], rules()["1/L"])
        (self.question,) = asked

    def decided(self, decide: Any) -> Verdict:
        ((verdict, self.trace),) = decide(self.setting, self.experiment, [self.question])
        return verdict

    @property
    def truth(self) -> TrueRun:
        return TrueRun(self.setting.problem, self.experiment, self.trace, 0)

    def near(self) -> list[int]:
        """The k with a gap below 1e-16."""
        run = self.truth
        return [n for n in range(int(self.trace.steps[0])) if 0 < run.gap(n) < NEAR]


def on_stored_points(run: TrueRun, q: Question, ks: Sequence[int]) -> list[int]:
    """The k at which the claim fails if the stored points are taken for the points of the run."""
    points = {("", "x", n): point for n, point in enumerate(run.stored[""])}
    steps = {name: value for name, value in run.entries.items() if name[1] == "eta"}
    truth = Truth(run.oracle, {**points, **steps}, run.letters)
    relation = in_gaps(_relation(q))
    return [n for n in ks if not (lambda sides: sides[0] <= sides[1])(truth.sides(relation, "k", n))]


def on_the_run(run: TrueRun, q: Question, ks: Sequence[int]) -> list[int]:
    """The k at which the claim fails on the run itself."""
    return [n for n in ks if not (lambda sides: sides[0] <= sides[1])(run.sides(q, in_gaps(_relation(q)), "k", n))]


def _relation(q: Question) -> Relation:
    assert isinstance(q.bound.states, Relation)
    return q.bound.states


@pytest.mark.parametrize("run", ["a well-conditioned quadratic", "a quadratic in ten dimensions"])
@pytest.mark.parametrize("decide", [decide_cell, in_float64])
def test_a_true_linear_rate_is_not_violated_though_stored_iterates_violate_it(run: str, decide: Any) -> None:
    asked = OnOneRun(LINEAR_RATE, run)
    verdict = asked.decided(decide)
    assert not (verdict.outcomes == Outcome.VIOLATED).any()
    asked.decided(in_float64)  # the trap is in float64's own points
    with working():
        near = asked.near()
        fails = on_stored_points(asked.truth, asked.question, near)
        assert not on_the_run(asked.truth, asked.question, near[::10])
    assert len(near) > 20
    assert len(fails) > len(near) / 10, "the trap is not there: nothing was tested"


@pytest.mark.parametrize("run", list(RUNS))
@pytest.mark.parametrize("decide", [decide_cell, in_float64])
def test_the_descent_lemma_is_not_violated_though_stored_successors_violate_it(run: str, decide: Any) -> None:
    asked = OnOneRun(DESCENT, run)
    verdict = asked.decided(decide)
    assert not (verdict.outcomes == Outcome.VIOLATED).any()
    asked.decided(in_float64)
    with working():
        near = asked.near()
        run_ = asked.truth
        near = [n for n in near if n + 1 < len(run_.stored[""])]
        fails = on_stored_points(run_, asked.question, near)
        assert not on_the_run(run_, asked.question, near)  # its exact image in place of the stored successor
    assert len(near) > 10
    assert fails, "the trap is not there: nothing was tested"


@pytest.mark.parametrize("run", list(RUNS))
def test_the_ladder_certifies_the_descent_lemma_down_to_the_end(run: str) -> None:
    verdict = OnOneRun(DESCENT, run).decided(decide_cell)
    assert verdict.certified
    assert (verdict.outcomes == Outcome.HOLDS).all()

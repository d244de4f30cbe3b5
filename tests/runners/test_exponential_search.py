"""Exponential search: what it returns has the properties that its proof relies on, and its count is that of the algorithm."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import EXPONENTIAL_SEARCH, Runs
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import K, M, Points, Sum, eta, grad, i, normsq, x
from boundcheck.language.scalars import NONE, STEP, Parameter
from boundcheck.library.catalogue import problems
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import Convex, Smooth
from boundcheck.runners import constant, exponential_search, run
from boundcheck.runners.exponential_search import Search
from boundcheck.suite.grid import PROFILES, Setting

prime, eta_prime = Points("x").of("prime"), eta.of("prime")
eta_0, evaluations = Parameter("eta0", STEP), Parameter("searches", NONE)
BOTH = Runs.together({"": GRADIENT_DESCENT, "prime": GRADIENT_DESCENT}, EXPONENTIAL_SEARCH)


def weighted(points, step):  # type: ignore[no-untyped-def]
    """eta times the sum of M_i |g_i|^2, and the sum of |g_i|^2."""
    return (
        step[0] * Sum(M(points[i], points[i + 1]) * normsq(grad(points[i])), i, 0, K - 1),
        Sum(normsq(grad(points[i])), i, 0, K - 1),
    )


def claim(states):  # type: ignore[no-untyped-def]
    return Bound(
        given=(Convex, Smooth, BOTH, eta[0] < eta_0),
        states=states,
        for_all=K >= 1,
        try_with={"eta0": (1,), "searches": (1,)},
        smoothness=("A", "H", "L"),
    )


low, high = weighted(x, eta), weighted(prime, eta_prime)
TRUE = [claim(low[0] <= low[1]), claim(high[0] > high[1]), claim(eta_prime[0] <= 2 * eta[0]), claim(eta[0] < eta_prime[0])]
FALSE = [claim(low[0] > low[1]), claim(high[0] <= high[1]), claim(eta_prime[0] <= eta[0])]


@pytest.mark.parametrize("name", ["quadratic-2d", "asymmetric", "huber"])
def test_the_loop_invariant_holds_where_the_search_did_not_return_eta_0(name: str) -> None:
    setting = Setting(problems()[name](), "rational", PROFILES["quick"], (exponential_search(64),))
    held = [v.outcome for v in setting.verdicts(TRUE) if v.outcome is not Outcome.VACUOUS]
    assert held and set(held) == {Outcome.HOLDS}
    assert Outcome.HOLDS not in {v.outcome for v in setting.verdicts(FALSE)}


def test_a_small_first_step_is_returned_at_once() -> None:
    xp = arithmetic("rational")
    search = Search(problems()["quadratic-2d"](), "L", 4, xp)
    step = xp.plain.scalar(Fraction(1, 20))  # L is 10
    assert search.go(step) == (step, step)
    assert search.evaluations == 1


def test_the_step_found_is_within_a_factor_of_two_of_the_best_constant() -> None:
    """With M = L, phi(eta) <= 0 exactly where eta <= 1/L: the search must end with 1/(2L) < eta <= 1/L."""
    xp = arithmetic("rational")
    for numerator in (1, 3, 5, 64, 1000):
        search = Search(problems()["quadratic-2d"](), "L", 3, xp)
        found, above = (Fraction(str(step)) for step in search.go(xp.plain.scalar(Fraction(numerator, 10))))
        assert Fraction(1, 20) < found <= Fraction(1, 10)
        assert above <= 2 * found
    assert search.evaluations == 12  # phi(eta_0) and phi(eta_lo) in each of 4 rounds, then 4 bisections of [2^-16, 1] eta_0


def test_the_two_runs_are_gradient_descents_with_those_steps() -> None:
    problem = problems()["quadratic-2d"]()
    setting = Setting(problem, "rational", PROFILES["quick"], (exponential_search(64),))
    ((experiment, asked),) = setting.experiments(TRUE[:1], setting.rules[0], ("H",))
    made = setting.trace(experiment, asked)
    steps = {name: value[0] for name, value in made.parameters.items()}
    assert steps["N"] == steps["searches"] * setting.steps_for(experiment)
    again = made.with_columns([as_column(eta[i])[0]])
    step = Fraction(str(again.columns[as_column(eta[i])[0]].data[0][0]))
    alone = run(
        problem, constant(step), steps=setting.steps_for(experiment), columns=[as_column(normsq(grad(x[i])))[0]], xp="rational"
    )
    column = as_column(normsq(grad(x[i])))[0]
    assert list(map(str, alone.columns[column].data[0])) == list(map(str, made.with_columns([column]).columns[column].data[0]))

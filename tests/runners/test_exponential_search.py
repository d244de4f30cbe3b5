"""Exponential search: what it returns has the properties that its proof relies on, and its count is that of the algorithm."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Runs
from boundcheck.evaluate.columns import as_column
from boundcheck.falsify.counterexample import refuse_what_cannot_be_searched
from boundcheck.falsify.search import CannotFail
from boundcheck.language.letters import K, M, Points, Sum, eta, grad, i, normsq, x
from boundcheck.language.scalars import NONE, STEP, Parameter
from boundcheck.library.catalogue import problems
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import Convex, Smooth
from boundcheck.model.step_search import StepSearch
from boundcheck.runners import constant, exponential_search, run, trace
from boundcheck.runners.rules.exponential_search import Search, _exact, halvings
from boundcheck.runs.trace import Experiment
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES
from boundcheck.support.errors import UserError

prime, eta_prime = Points("x").of("prime"), eta.of("prime")
eta_0, evaluations = Parameter("eta0", STEP), Parameter("searches", NONE)
BOTH = Runs.together({"": GRADIENT_DESCENT, "prime": GRADIENT_DESCENT}, StepSearch("exponential search", ("", "prime")))


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
    setting = GridSetting(problems()[name](), "rational", PROFILES["quick"], (exponential_search(64),))
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
    setting = GridSetting(problem, "rational", PROFILES["quick"], (exponential_search(64),))
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


GOLDEN = StepSearch("golden section", ("", "prime"))
TWO = {"": GRADIENT_DESCENT, "prime": GRADIENT_DESCENT}


@pytest.mark.parametrize("steps", ["the same step", "exponential search", ""])
def test_a_search_is_an_object_so_that_no_slip_of_the_pen_is_one(steps):
    with pytest.raises(UserError, match="or those of a StepSearch"):
        Runs.together(TWO, steps)


def test_a_search_ends_with_the_runs_that_it_says():
    with pytest.raises(UserError, match=r"golden section ends with the runs \['', 'prime'\]; found \['', 'other'\]"):
        Runs.together({"": GRADIENT_DESCENT, "other": GRADIENT_DESCENT}, GOLDEN)


def test_a_claim_may_name_a_search_that_nobody_makes_and_is_told_so():
    runs = Runs.together(TWO, GOLDEN)
    assert runs.searched and runs.kind == runs.method == "golden section" and Runs.from_json(runs.to_json()).searched
    with pytest.raises(UserError, match="'golden section' is no search that is known here"):
        trace(problems()["huber"](), Experiment(exponential_search(1), runs, (), "L"), steps=2, count=1, columns=(), xp="float64")
    with pytest.raises(CannotFail, match="'golden section', a search that no installed method declares"):
        refuse_what_cannot_be_searched(Bound(given=(Convex, Smooth, runs), states=eta[0] <= eta_prime[0], for_all=K >= 1))


@pytest.mark.parametrize("passing", range(17))
def test_halving_finds_what_the_search_with_runs_finds(passing):
    class Known(Search):
        def is_small(self, step):
            self.evaluations += 1
            return step * 2**passing <= 1

    search = Known(problems()["huber"](), "L", 1, arithmetic("rational"))
    low, high = search.go(search.xp.plain.scalar(Fraction(1)))
    found = halvings(lambda m: m >= passing, 16)
    assert [Fraction(1, 2**m) for m in found[:2]] == [_exact(v) for v in (low, high)]
    assert found[2] == search.evaluations


def test_halving_says_where_no_step_passes():
    assert halvings(lambda m: False, 16)[0] == -1

"""Exact line search and Armijo's backtracking: the steps solve what they should, in every arithmetic, and say where none does."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.check.answer import check
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import eta, f, grad, inner, k, normsq, x
from boundcheck.language.scalars import Parameter
from boundcheck.library.catalogue import NotFound, rules
from boundcheck.library.names import problem_named, rule_named
from boundcheck.model.problem import Differentiable, Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.problems.piecewise import huber, piecewise_quadratic
from boundcheck.problems.quadratic import quadratic
from boundcheck.runners import armijo, cauchy, exact_line_search, run

ETA = as_column(eta[k])[0]
TURN = [as_column(leaf)[0] for leaf in (inner(grad(x[k]), grad(x[k + 1])), normsq(grad(x[k])))]
TWO = quadratic([[1, 0], [0, 10]], start=[10, 1], name="two")
c = Parameter("c")


def steps_of(problem: Problem, rule: Rule, steps: int, xp: str = "float64") -> Any:
    trace = run(problem, rule, steps=steps, columns=[ETA], xp=xp)
    column = trace.columns[ETA]
    return [Fraction(str(value)) for value in column.data[0]] if xp == "rational" else trace.xp.middle(column)[0]


def cosines(problem: Problem, steps: int, xp: str) -> Any:
    """<g_{k+1}, g_k> / |g_k|^2 along an exact line search, as far as the run goes."""
    trace = run(problem, exact_line_search(), steps=steps, columns=TURN, xp=xp)
    made = int(trace.steps[0])
    assert made >= 1, trace.ended
    with trace.xp.working():
        across, square = (trace.columns[column][0] for column in TURN)
        return np.abs(trace.xp.middle(across[:made] / square[:made]))


# -- exact ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("xp", ["float64", "rational", "ball:128"])
def test_on_a_quadratic_it_is_cauchys_step(xp):
    found, wanted = (steps_of(TWO, rule, 4, xp) for rule in (exact_line_search(), cauchy()))
    assert list(found) == pytest.approx(list(wanted), rel=1e-15) if xp == "float64" else list(found) == list(wanted)


@pytest.mark.parametrize("name", ["logistic-40x5", "ridge-2d", "log-sum-exp"])
def test_the_next_gradient_is_orthogonal(name):
    assert (cosines(problem_named(name), 6, "float64") < 1e-9).all()


@pytest.mark.parametrize(("xp", "small"), [("mp:50", 1e-40), ("ball:256", 1e-60)])
def test_more_digits_make_it_more_orthogonal(xp, small):
    assert (cosines(problem_named("logistic-40x5"), 2, xp) < small).all()


def test_it_lowers_f_more_than_any_other_step():
    problem = problem_named("logistic-40x5")
    best = float(steps_of(problem, exact_line_search(), 1)[0])
    start, xp = np.zeros(problem.dimension), run(problem, exact_line_search(), steps=0).xp.plain
    g = problem.grad(xp, start)
    lowest = problem.f(xp, start - best * g)
    for other in (best * 0.5, best * 0.99, best * 1.01, best * 2):
        assert problem.f(xp, start - other * g) > lowest


def test_in_rationals_the_root_is_exact_where_pieces_meet():
    assert steps_of(huber(1, start=3), exact_line_search(), 1, "rational") == [3]
    valley = piecewise_quadratic([-1, 1], [-2, 1], left_slope=3, right_slope=5, start=4, name="valley")
    assert run(valley, exact_line_search(), steps=3, xp="rational").ended == ("the gradient is exactly zero at x_1",)


def test_it_ends_where_f_falls_for_ever():
    made = run(problem_named("slope"), exact_line_search(), steps=3)
    assert made.steps[0] == 0 and "has no root up to eta" in made.ended[0] and "f still falls there" in made.ended[0]


def test_a_flat_direction_ends_it_on_a_quadratic():
    made = run(quadratic([[1, 0], [0, 0]], start=[1, 1], name="flat"), exact_line_search(), steps=5)
    assert made.steps[0] == 1 and made.ended == ("the gradient is exactly zero at x_1",)


def test_a_batch_is_searched_run_by_run():
    starts = [[10, 1], [3, 4], [1, 1]]
    trace = run(TWO, exact_line_search(), steps=3, columns=[ETA], starts=starts)
    for row, start in enumerate(starts):
        alone = run(TWO, exact_line_search(), steps=3, columns=[ETA], starts=[start])
        assert trace.xp.middle(trace.columns[ETA])[row] == pytest.approx(alone.xp.middle(alone.columns[ETA])[0], rel=1e-14)


# -- Armijo --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["two", "logistic-40x5", "quartic", "huber"])
@pytest.mark.parametrize("decrease", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_the_step_is_the_first_that_falls_enough(name, decrease):
    problem = TWO if name == "two" else problem_named(name)
    rule = armijo(decrease, Fraction(1, 3), 2)
    xp = run(problem, rule, steps=0).xp.plain
    point = xp.vector(problem.start)
    for step in steps_of(problem, rule, 4):
        g = problem.grad(xp, point)

        def falls(size, point=point, g=g):
            return problem.f(xp, point - size * g) <= problem.f(xp, point) - float(decrease) * size * (g @ g)

        assert falls(step)
        assert step == 2 or not falls(3 * step)
        tried = np.log(step / 2) / np.log(1 / 3)
        assert tried == pytest.approx(round(float(tried)), abs=1e-9)
        point = point - step * g


def test_armijo_on_a_parabola_by_hand():
    """f = x^2 from 1: f(1 - 2 eta) <= 1 - 4 c eta exactly if eta <= 1 - c."""
    parabola = problem_named("parabola")
    assert steps_of(parabola, armijo(Fraction(1, 2), Fraction(1, 2), 1), 1, "rational") == [Fraction(1, 2)]
    assert steps_of(parabola, armijo(Fraction(3, 4), Fraction(1, 2), 1), 1, "rational") == [Fraction(1, 4)]
    assert steps_of(parabola, armijo(Fraction(1, 4), Fraction(2, 3), 1), 1, "rational") == [Fraction(2, 3)]
    assert steps_of(parabola, armijo(Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)), 1, "rational") == [Fraction(3, 4)]


@pytest.mark.parametrize("xp", ["float64", "ball:128", "rational"])
def test_its_steps_satisfy_what_it_declares_and_no_more(xp):
    rule = armijo(Fraction(1, 4))
    assert rule.follows is not None and rule.parameters == {"c": Fraction(1, 4), "beta": Fraction(1, 2), "s": 1}
    kept = Bound(
        given=(Differentiable, GradientDescent(), c > 0, c < 1),
        states=f(x[k + 1]) <= f(x[k]) - c * eta[k] * normsq(grad(x[k])),
        try_with={"c": (Fraction(99, 100),)},  # of no use here: the rule fixes c
    )
    more = Bound(
        given=(Differentiable, GradientDescent()),
        states=f(x[k + 1]) <= f(x[k]) - Fraction(9, 10) * eta[k] * normsq(grad(x[k])),
    )
    trace = run(TWO, rule, steps=4, xp=xp)
    assert [verdict.outcome for verdict in check([kept, more], trace)] == [Outcome.HOLDS, Outcome.VIOLATED]


def test_a_function_without_a_bregman_distance_is_searched_by_its_values():
    from dataclasses import replace

    bare = replace(TWO, bregman=None, gap=None)
    assert np.array_equal(steps_of(bare, armijo(), 6), steps_of(TWO, armijo(), 6))


@pytest.mark.parametrize("wrong", [(0,), (1,), (Fraction(1, 2), 1), (Fraction(1, 2), 0), (Fraction(1, 2), Fraction(1, 2), 0)])
def test_numbers_that_make_no_search_are_refused(wrong):
    with pytest.raises(RuleError):
        armijo(*wrong)


# -- names ---------------------------------------------------------------------------------------------------------------------


def test_they_are_found_by_name_and_are_not_among_the_rules_that_everything_is_tried_with():
    assert rule_named("exact-line-search").name == "exact-line-search"
    assert rule_named("armijo").name == "armijo(1/2, 1/2, 1)"
    assert rule_named("armijo(1/4, 1/3, 2)").parameters == {"c": Fraction(1, 4), "beta": Fraction(1, 3), "s": 2}
    assert rule_named("adgd").name == "adgd(1/1000)"
    assert not {"exact-line-search", "armijo(1/2, 1/2, 1)"} & set(rules())
    with pytest.raises(NotFound, match=r"no method 'armijo\(2\)'; armijo\(c, beta, s\) needs c < 1"):
        rule_named("armijo(2)")
    with pytest.raises(NotFound, match="no method 'constant'"):
        rule_named("constant")

"""Certificates made by hand, of claims about any method: other points, numbers that it carries, two runs, roots, searches."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from boundcheck.certificates.script import script
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import THE_SAME_STEPS, By, Follows, GradientDescent, Once, Runs
from boundcheck.language.letters import (
    CURVATURE,
    STEP,
    D,
    K,
    Numbers,
    Sum,
    delta,
    eta,
    eta_length,
    f,
    grad,
    i,
    k,
    log,
    mu_f,
    norm,
    normsq,
    sqrt,
    tends,
    x,
    xstar,
    y,
)
from boundcheck.language.scalars import NONE, Parameter
from boundcheck.language.vectors import Point
from boundcheck.model.method import GRADIENT_DESCENT, Method, Update
from boundcheck.model.problem import Convex, Smooth, StronglyConvex
from boundcheck.model.step_search import StepSearch

from .making import code, made, one_run

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

HUBER = {
    "kind": "piecewise quadratic",
    "knots": ["-1", "1"],
    "gradients": ["-1", "1"],
    "left_slope": "0",
    "right_slope": "0",
    "value_at": ["0", "0"],
}
ROUND = {"kind": "quadratic", "matrix": [["1", "0"], ["0", "1"]], "minimiser": ["0", "0"]}
RIDGES = {
    "kind": "ridge sum",
    "terms": [{"direction": ["1", "1"], "function": HUBER}, {"direction": ["1", "-1"], "function": HUBER}],
}


OPEN: list[Any] = [None, None]  # steps that come from their equation

alpha, lam = Numbers("alpha", NONE), Numbers("lambda", CURVATURE)
ALPHA_0 = Parameter("alpha0")
MOMENTUM = Method(
    name="momentum",
    first=(Update(alpha[0], ALPHA_0), Update(y[0], x[0])),
    each=(
        Update(alpha[k], alpha[k - 1] / 2),
        Update(y[k], x[k] + alpha[k] * (x[k] - x[k - 1])),
        Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
    ),
)


def test_a_method_with_points_and_numbers_of_its_own_is_run_by_its_updates(tmp_path):
    never_grows = Bound(given=(By(MOMENTUM), ALPHA_0 > 0), states=normsq(x[k + 1]) < alpha[k], try_with={"alpha0": (1,)})
    # y_0 = x_0 = 3, x_1 = 2, alpha_1 = 1/4, y_1 = 2 - 1/4, x_2 = 3/4
    run = one_run(["3"], ["1", "1"])
    good = made(never_grows, "9/16", "1/4", function=HUBER, run=run, parameters={"alpha0": "1/2"}, at=1)
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "parameters": {"alpha0": "1"}}, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "run": one_run(["3"], ["1", "1"], alpha=["1", "1"])}, tmp_path) == verify.MALFORMED


def test_what_first_sets_comes_before_the_rest_where_no_update_sets_it(tmp_path):
    carries = Method(
        name="carries",
        first=(Update(lam[0], 2 / eta[0]),),
        each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k])), Update(lam[k + 1], lam[k] / 2)),
    )
    bound = Bound(given=(By(carries),), states=lam[k] <= 1 / eta[k])
    assert code(made(bound, "2", "1", function=HUBER, run=one_run(["3"], ["1"]), at=0), tmp_path) == verify.REFUTES
    at_2 = made(bound, "1/2", "1", function=HUBER, run=one_run(["3"], ["1", "1", "1"]), at=2)
    assert code(at_2, tmp_path) == verify.DOES_NOT_REFUTE


TOGETHER = Runs.together({"": GRADIENT_DESCENT, "momentum": MOMENTUM}, steps=THE_SAME_STEPS)
EQUAL = Bound(given=(TOGETHER, ALPHA_0 > 0), states=normsq(x[k] - x.of("momentum")[k]) <= 0, try_with={"alpha0": (1,)})


def two_runs(steps: list[str], other: list[str], start: str = "3") -> dict[str, Any]:
    return {"roles": {"": {"start": ["3"], "eta": steps}, "momentum": {"start": [start], "eta": other}}}


def test_two_runs_have_one_start_and_the_same_steps(tmp_path):
    # gradient descent: 3, 2, 1; momentum: 3, 2, 2 - alpha_1 - 1 with alpha_1 = 1/2
    good = made(EQUAL, "1/4", "0", function=HUBER, run=two_runs(["1", "1"], ["1", "1"]), parameters={"alpha0": "1"}, at=2)
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "run": two_runs(["1", "1"], ["1", "1/2"])}, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "run": two_runs(["1", "1"], ["1", "1"], start="4")}, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "run": {"roles": {"": {"start": ["3"], "eta": ["1"]}}}}, tmp_path) == verify.MALFORMED


NORMALIZED = Method(
    name="normalized", each=(Update(x[k + 1], x[k] - eta_length[k] / norm(grad(x[k])) * grad(x[k])),), kind="normalized"
)


def test_a_run_that_is_not_rational_is_enclosed_in_balls(tmp_path):
    bound = Bound(given=(Convex, By(NORMALIZED)), states=norm(x[k]) <= log(2))
    # |x_1| = sqrt(2) - 1/3 = 1.0808..., log 2 = 0.6931...
    run = one_run(["1", "1"], ["1/3"])
    good = made(bound, ["108/100", "109/100"], ["69/100", "7/10"], function=ROUND, run=run, at=1)
    good["left"][0] = str(Fraction(good["left"][0]))
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "left": ["11/10", "2"]}, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "left": "27/25"}, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "left": ["2", "1"]}, tmp_path) == verify.DOES_NOT_REFUTE


def test_an_equation_between_balls_is_never_proved_so_it_serves_as_no_hypothesis(tmp_path):
    equal = Once(sqrt(normsq(grad(x[0]))) == norm(x[0]))
    bound = Bound(given=(Convex, GradientDescent(), equal), states=f(x[k]) <= 0)
    good = made(bound, "1", "0", function=ROUND, run=one_run(["1", "1"], ["1"]), at=0)
    assert code(good, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "run": one_run(["3", "4"], ["1"]), "left": "25/2"}, tmp_path) == verify.REFUTES


def test_ridge_sums_have_exact_chords_facts_and_minimisers(tmp_path):
    bound = Bound(given=(Convex, GradientDescent()), states=delta[k] <= D(x[0], xstar) * normsq(x[0] - xstar) / 8)
    # at (1, 0): f = 1/2 + 1/2, gradient (2, 0), D = 2 * 2 / 1
    good = made(bound, "1", "1/2", function=RIDGES, run=one_run(["1", "0"], ["1/2"]), minimiser=["0", "0"], at=0)
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "minimiser": ["1", "1"]}, tmp_path) == verify.DOES_NOT_REFUTE
    strongly = Bound(given=(StronglyConvex, GradientDescent()), states=bound.states)
    again = made(strongly, "1", "1/2", function=RIDGES, run=one_run(["1", "0"], ["1/2"]), minimiser=["0", "0"], at=0)
    assert code(again, tmp_path) == verify.DOES_NOT_REFUTE


@pytest.mark.parametrize(("mu", "expected"), [("1", 0), ("1/2", 1), ("2", 1), ("0", 1), ("-1", 1)])
def test_mu_must_be_a_constant_of_the_function(mu, expected, tmp_path):
    bound = Bound(given=(StronglyConvex, GradientDescent()), states=f(x[k]) < mu_f / 2 * normsq(x[k]))
    good = made(bound, "1", "1", function=ROUND, run=one_run(["1", "1"], ["1"]), constants={"mu": mu}, at=0)
    assert code(good, tmp_path) == expected


def test_a_relation_at_each_step_is_checked_at_every_step_of_the_run(tmp_path):
    bound = Bound(given=(GradientDescent(), eta[i + 1] <= eta[i]), states=f(x[k]) <= 0)
    good = made(bound, "5/2", "0", function=HUBER, run=one_run(["3"], ["1", "1/2"]), at=0)
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "run": one_run(["3"], ["1", "2"])}, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "run": one_run(["3"], ["1"])}, tmp_path) == verify.DOES_NOT_REFUTE  # it was never checked
    looks_back = Bound(given=(GradientDescent(), eta[i] <= eta[i - 1]), states=f(x[k]) <= 0)
    back = made(looks_back, "5/2", "0", function=HUBER, run=one_run(["3"], ["1", "1/2"]), at=0)
    assert code(back, tmp_path) == verify.REFUTES
    assert code({**back, "run": one_run(["3"], ["1/2", "1"])}, tmp_path) == verify.DOES_NOT_REFUTE


def test_a_hypothesis_at_the_claims_own_k_is_read_there(tmp_path):
    bound = Bound(given=(GradientDescent(), Once(Sum(eta[i], i, 0, k) >= 2)), states=f(x[k]) <= 0, for_all=k >= 0)
    run = one_run(["3"], ["1", "1"])
    assert code(made(bound, "3/2", "0", function=HUBER, run=run, at=1), tmp_path) == verify.REFUTES
    assert code(made(bound, "5/2", "0", function=HUBER, run=run, at=0), tmp_path) == verify.DOES_NOT_REFUTE


def test_sequences_that_a_rule_notes_are_data(tmp_path):
    low = Numbers("eta_lo", STEP)
    bound = Bound(given=(GradientDescent(),), states=low[k] >= eta[k])
    good = made(bound, "1/2", "1", function=HUBER, run=one_run(["3"], ["1"], eta_lo=["1/2"]), at=0)
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "run": one_run(["3"], ["1"])}, tmp_path) == verify.MALFORMED
    assert code({**good, "run": one_run(["3"], ["1"], eta_lo=["1/2", "1"])}, tmp_path) == verify.MALFORMED


SEARCH = Runs.together({"": GRADIENT_DESCENT, "prime": GRADIENT_DESCENT}, steps=StepSearch("exponential search", ("", "prime")))
evaluations, eta_0 = Parameter("searches", NONE), Parameter("eta0", STEP)
COUNTED = Bound(
    given=(Convex, Smooth, SEARCH, eta_0 > 0),
    states=evaluations <= Sum(D(x[i], x[i + 1]), i, 0, K - 1) * eta_0 / 8,
    for_all=K >= 1,
    try_with={"searches": (1,), "eta0": (1,)},
)


def test_exponential_search_is_run_by_the_checker(tmp_path):
    # on x^2/2 with M = D = 2 phi(eta) <= 0 where eta <= 1/2: from eta_0 = 4 the rounds ask 4, 1, 4, 1/4, and the bisection 1, 1/2
    parabola = {"kind": "quadratic", "matrix": [["1"]], "minimiser": ["0"]}
    run = {"roles": {"": {"start": ["1"], "eta": ["1/2"]}, "prime": {"start": ["1"], "eta": ["1"]}}}
    good = made(COUNTED, "6", "1", function=parabola, run=run, smoothness="D", parameters={"searches": "6", "eta0": "4"}, at=1)
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "parameters": {"searches": "7", "eta0": "4"}, "left": "7"}, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "parameters": {"searches": "6", "eta0": "16"}, "right": "4"}, tmp_path) == verify.DOES_NOT_REFUTE
    other = {"roles": {"": {"start": ["1"], "eta": ["1/4"]}, "prime": {"start": ["1"], "eta": ["1/2"]}}}
    assert code({**good, "run": other}, tmp_path) == verify.DOES_NOT_REFUTE


def test_steps_that_are_not_rational_come_from_the_equation_that_they_follow(tmp_path):
    follows = Follows(eta_length[i] == 1 / sqrt(i + 1))
    bound = Bound(given=(Convex, By(NORMALIZED), follows), states=f(x[k]) <= 1)
    # 3 - 1 - 1/sqrt(2) = 1.2928..., and f = 0.7928...
    good = made(bound, ["79/100", "4/5"], "1", function=HUBER, run=one_run(["3"], OPEN), at=2)
    assert code(good, tmp_path) == verify.DOES_NOT_REFUTE  # it holds there
    at_1 = made(bound, ["149/100", "151/100"], "1", function=HUBER, run=one_run(["3"], OPEN), at=1)
    assert code(at_1, tmp_path) == verify.REFUTES
    assert code({**at_1, "run": one_run(["3"], ["1", None, "", "1"])}, tmp_path) == verify.MALFORMED
    assert code({**at_1, "run": one_run(["3"], [True, None])}, tmp_path) == verify.MALFORMED
    assert code({**at_1, "run": one_run(["3"], ["1", None])}, tmp_path) == verify.DOES_NOT_REFUTE  # x_1 is exactly 2 then
    assert code({**at_1, "run": one_run(["3"], ["1", None]), "left": "3/2"}, tmp_path) == verify.REFUTES
    assert code({**at_1, "run": one_run(["3"], ["1/2", None])}, tmp_path) == verify.DOES_NOT_REFUTE  # it breaks the equation
    assert code({**at_1, "run": one_run([None], OPEN)}, tmp_path) == verify.MALFORMED
    free = Bound(given=(Convex, By(NORMALIZED)), states=f(x[k]) <= 1)
    run = one_run(["3"], OPEN)
    assert code(made(free, ["149/100", "151/100"], "1", function=HUBER, run=run, at=1), tmp_path) == verify.MALFORMED
    turned = Bound(given=(Convex, By(NORMALIZED), Follows(1 / sqrt(i + 1) == eta_length[i])), states=f(x[k]) <= 1)
    assert code(made(turned, ["149/100", "151/100"], "1", function=HUBER, run=run, at=1), tmp_path) == verify.MALFORMED


def test_a_script_of_such_steps_runs_in_floats():
    follows = Follows(eta_length[i] == 1 / sqrt(i + 1))
    bound = Bound(given=(Convex, By(NORMALIZED), follows), states=f(x[k]) <= 1)
    run = one_run(["3"], OPEN)
    exec(script(bound, made(bound, ["149/100", "151/100"], "1", function=HUBER, run=run, at=1)), {})


def test_the_logistic_pair_is_enclosed(tmp_path):
    bound = Bound(given=(Convex, Smooth), states=f(Point("x")) <= norm(Point("x")))
    # f(1) = 1.6265..., and f(x) > |x| everywhere
    good = made(bound, ["162/100", "163/100"], "1", function={"kind": "logistic pair"}, chord={"x": ["1"]})
    good["left"] = [str(Fraction(end)) for end in good["left"]]
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "left": ["0", "1"]}, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**good, "function": {"kind": "logistic pair", "eps": "1"}}, tmp_path) == verify.MALFORMED
    exec(script(bound, good), {})


def test_a_limit_is_no_matter_for_a_certificate(tmp_path):
    bound = Bound(given=(GradientDescent(),), states=tends(f(x[k]), 0))
    assert code(made(bound, "5/2", "0", function=HUBER, run=one_run(["3"], ["1"]), at=0), tmp_path) == verify.MALFORMED


def test_a_step_that_follows_a_formula_follows_it_exactly(tmp_path):
    bound = Bound(given=(GradientDescent(), Follows(eta_length[i] == norm(grad(x[i])))), states=f(x[k]) <= 0)
    good = made(bound, "5/2", "0", function=HUBER, run=one_run(["3"], ["1"]), at=0)
    assert code(good, tmp_path) == verify.REFUTES
    nearly = one_run(["3"], [str(1 + Fraction(1, 10**40))])
    assert code({**good, "run": nearly}, tmp_path) == verify.DOES_NOT_REFUTE

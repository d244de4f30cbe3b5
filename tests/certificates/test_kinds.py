"""Powers and ridges of closed forms: true certificates are accepted, and each corruption is rejected."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.language.letters import A, L, M, delta, eta, f, grad, k, normsq, x
from boundcheck.language.vectors import Point
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Smooth, StronglyConvex, TwiceDifferentiable

from .making import Change, Data, code, drop, made, of, one_run, put

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

DESCENT = f(x[k + 1]) <= f(x[k]) - eta[k] / 2 * normsq(grad(x[k]))
STEP = GradientDescent()


def descends(*given: Any) -> Bound:
    return Bound(given=(Convex, *given, STEP), states=DESCENT)


# -- |u|^p ------------------------------------------------------------------------------------------------------------------


def power() -> Data:
    """x_0 = 1/4, f = 1/8, f' = 3/4; x_1 = 1/4 - 5/3 * 3/4 = -1, f = 1; and 1/8 - 5/6 * 9/16 = -11/32."""
    function = {"kind": "power", "p": "3/2"}
    return made(descends(Differentiable), "1", "-11/32", function=function, run=one_run(["1/4"], ["5/3"]), at=0)


POWER: dict[str, tuple[Change, int]] = {
    "p is 1": (put("function", "p", value="1"), 2),
    "p is below 1": (put("function", "p", value="1/2"), 2),
    "p is negative": (put("function", "p", value="-3/2"), 2),
    "p is 0": (put("function", "p", value="0"), 2),
    "p is huge": (put("function", "p", value="1000"), 2),
    "p has a huge denominator": (put("function", "p", value=str(Fraction(3, 2) + Fraction(1, 10**30))), 2),
    "p is not a number": (put("function", "p", value="nan"), 2),
    "p is infinite": (put("function", "p", value="inf"), 2),
    "p is a float": (put("function", "p", value=1.5), 2),
    "p is not in lowest terms": (put("function", "p", value="6/4"), 2),
    "p is missing": (drop("function", "p"), 2),
    "more data": (put("function", "L", value="1"), 2),
    "p is another": (put("function", "p", value="2"), 1),
    "p is nearly the same": (put("function", "p", value="1501/1000"), 1),
    "a smooth function is demanded": (of(descends(Differentiable, Smooth)), 1),
    "a strongly convex function is demanded": (of(descends(Differentiable, StronglyConvex)), 1),
    "a second derivative is demanded": (of(descends(TwiceDifferentiable)), 1),
    "a quadratic is demanded": (of(descends(IsQuadratic)), 1),
    "it is said to have an L": (put("constants", value={"L": "1000000"}), 1),
    "it is said to have a mu": (put("constants", value={"mu": "1/1000000"}), 1),
    "it is said to have a negative mu": (put("constants", value={"mu": "-1"}), 1),
    "it is said to have a slope": (put("constants", value={"slope": "1"}), 2),
    "p as a constant": (put("constants", value={"p": "3/2"}), 2),
    "x* is no minimiser": (put("minimiser", value=["1"]), 1),
    "the step is another": (put("run", value=one_run(["1/4"], ["1"])), 1),
}


def test_a_power_refutes_a_claim_that_only_smooth_functions_satisfy(tmp_path):
    assert code(power(), tmp_path) == verify.REFUTES
    assert code({**power(), "minimiser": ["0"]}, tmp_path) == verify.REFUTES


@pytest.mark.parametrize(("change", "expected"), [pytest.param(*case, id=title) for title, case in POWER.items()])
def test_a_corrupted_power_is_rejected(change, expected, tmp_path):
    assert code(change(power()), tmp_path) == expected


def test_a_power_of_2_or_more_has_a_second_derivative_and_its_chords_are_not_known(tmp_path):
    # x_0 = 1, f' = 3, x_1 = -2, f = 8
    cubic = {"function": {"kind": "power", "p": "3"}, "run": one_run(["1"], ["1"]), "at": 0}
    assert code(made(descends(TwiceDifferentiable), "8", "-7/2", **cubic), tmp_path) == verify.REFUTES
    reads_a_chord = Bound(given=(Convex, STEP), states=f(x[k + 1]) <= f(x[k]) - A(x[k], x[k + 1]))
    assert code(made(reads_a_chord, "8", "-2", **cubic), tmp_path) == verify.MALFORMED
    square = {**cubic, "function": {"kind": "power", "p": "2"}, "run": one_run(["1"], ["2"]), "constants": {"L": "2"}}
    assert code(made(descends(Smooth), "9", "-3", **square), tmp_path) == verify.REFUTES
    assert code(made(descends(Smooth), "9", "-3", **{**square, "constants": {"L": "3/2"}}), tmp_path) == verify.DOES_NOT_REFUTE


def test_a_power_that_is_not_rational_is_enclosed(tmp_path):
    # |2|^(3/2) = 2.828...
    bound = Bound(given=(Convex,), states=f(Point("x")) <= 2)
    good = made(bound, ["282/100", "283/100"], "2", function={"kind": "power", "p": "3/2"}, chord={"x": ["2"]})
    good["left"] = ["141/50", "283/100"]
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "left": ["283/100", "3"]}, tmp_path) == verify.DOES_NOT_REFUTE
    equal = Bound(given=(Convex,), states=f(Point("x")) == f(Point("x")))  # true, and between balls never decided
    assert code(made(equal, good["left"], good["left"], function=good["function"], chord={"x": ["2"]}), tmp_path) == 1


# -- ridges of closed forms ----------------------------------------------------------------------------------------------------


def ridges() -> Data:
    """|x|^3 + sqrt(y^2 + (9/40)^2), and a straight line: (1, 1) goes by -(3, 40/41) to (-2, 1/41)."""
    flat = {"kind": "piecewise quadratic", "knots": ["0"], "gradients": ["0"], "left_slope": "0", "right_slope": "0"}
    terms = [
        {"direction": ["1", "0"], "function": {"kind": "power", "p": "3"}},
        {"direction": ["0", "1"], "function": {"kind": "smooth abs", "eps": "9/40"}},
        {"direction": ["1", "1"], "function": {**flat, "value_at": ["0", "0"]}},
    ]
    bound = Bound(given=(Convex, Differentiable, STEP), states=normsq(grad(x[k + 1])) <= 144)
    # grad at x_1 is (-12, something): its square is larger than 144
    return made(
        bound, ["144", "145"], "144", function={"kind": "ridge sum", "terms": terms}, run=one_run(["1", "1"], ["1"]), at=0
    )


def term(n: int, **function: Any) -> Change:
    return put("function", "terms", n, "function", value=function)


def gradient_claim(*given: Any) -> Bound:
    return Bound(given=(*given, STEP), states=normsq(grad(x[k + 1])) <= 144)


RIDGES: dict[str, tuple[Change, int]] = {
    "eps is 0": (term(1, kind="smooth abs", eps="0"), 2),
    "eps is negative": (term(1, kind="smooth abs", eps="-1"), 2),
    "eps is missing": (term(1, kind="smooth abs"), 2),
    "eps belongs to another kind": (term(1, kind="logistic pair", eps="1"), 2),
    "p is 1": (term(0, kind="power", p="1"), 2),
    "p is huge": (term(0, kind="power", p="101"), 2),
    "a ridge that is a sum of ridges": (term(0, kind="ridge sum", terms=[]), 2),
    "a ridge that is a quadratic": (term(0, kind="quadratic", matrix=[["1"]], minimiser=["0"]), 2),
    "a ridge that is an interpolation": (
        term(0, kind="interpolation", points=[["0"]], gradients=[["0"]], values=["0"], L="1", mu="0"),
        2,
    ),
    "an unknown kind": (term(0, kind="oracle"), 2),
    "a ridge that falls": (
        term(2, kind="piecewise quadratic", knots=["0"], gradients=["0"], left_slope="-1", right_slope="-1", value_at=["0", "0"]),
        1,
    ),
    "directions of two dimensions": (put("function", "terms", 0, "direction", value=["1"]), 2),
    "no terms": (put("function", "terms", value=[]), 2),
    "a smooth function is demanded": (of(gradient_claim(Convex, Smooth)), 1),
    "strong convexity is demanded": (of(gradient_claim(StronglyConvex)), 1),
    "a quadratic is demanded": (of(gradient_claim(IsQuadratic)), 1),
    "L of a sum with a power": (put("constants", value={"L": "1000"}), 1),
    "eps of a sum": (put("constants", value={"eps": "9/40"}), 2),
    "slope of a sum": (put("constants", value={"slope": "1"}), 2),
    "A is read": (of(Bound(given=(Convex, STEP), states=A(x[0], x[1]) <= 0)), 2),
}


def test_ridges_of_closed_forms_refute(tmp_path):
    assert code(ridges(), tmp_path) == verify.REFUTES
    assert code(of(gradient_claim(Convex, TwiceDifferentiable))(ridges()), tmp_path) == verify.REFUTES


@pytest.mark.parametrize(("change", "expected"), [pytest.param(*case, id=title) for title, case in RIDGES.items()])
def test_corrupted_ridges_are_rejected(change, expected, tmp_path):
    assert code(change(deepcopy(ridges())), tmp_path) == expected


def test_the_smoothness_of_smooth_ridges_is_that_of_their_sum(tmp_path):
    pair = {"direction": ["2", "0"], "function": {"kind": "logistic pair"}}  # curvature at most 1/2 * 4
    other = {"direction": ["0", "1"], "function": {"kind": "smooth abs", "eps": "1/3"}}  # at most 3
    bound = Bound(given=(Convex, Smooth, STEP), states=normsq(grad(x[0])) <= L / 100)
    parts = {"function": {"kind": "ridge sum", "terms": [pair, other]}, "run": one_run(["1", "1"], ["1"]), "at": 0}
    good = made(bound, ["3", "4"], "3/100", constants={"L": "3"}, **parts)
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "constants": {"L": "299/100"}, "right": "299/10000"}, tmp_path) == verify.DOES_NOT_REFUTE


def test_a_fake_constant_of_a_piecewise_quadratic_is_none(tmp_path):
    from boundcheck.language.scalars import Constant, Dimension

    huber: dict[str, Any] = {
        "kind": "piecewise quadratic",
        "knots": ["-1", "1"],
        "gradients": ["-1", "1"],
        "left_slope": "0",
        "right_slope": "0",
    }
    slope = Constant("slope", Dimension(f=Fraction(1)))
    bound = Bound(given=(Convex,), states=f(Point("x")) <= slope)
    huber |= {"value_at": ["0", "0"]}
    data = made(bound, "5/2", "1", function=huber, chord={"x": ["3"]}, constants={"slope": "1"})
    assert code(data, tmp_path) == verify.DOES_NOT_REFUTE
    assert code({**data, "function": {**huber, "slope": "1"}}, tmp_path) == verify.MALFORMED


def test_D_of_a_power_as_M(tmp_path):
    bound = Bound(given=(Convex, STEP), states=M(x[k], x[k + 1]) <= 1)
    # f' goes from 3/4 at 1/4 to -3/2 at -1: 2 * (9/4) / (5/4) = 18/5
    parts = {"function": {"kind": "power", "p": "3/2"}, "run": one_run(["1/4"], ["5/3"]), "at": 0}
    assert code(made(bound, "18/5", "1", smoothness="D", **parts), tmp_path) == verify.REFUTES
    assert code(made(bound, "18/5", "1", smoothness="L", constants={"L": "18/5"}, **parts), tmp_path) == verify.DOES_NOT_REFUTE


def test_the_minimum_of_the_logistic_pair_is_exact(tmp_path):
    bound = Bound(given=(Convex, STEP), states=delta[k] <= 0)
    parts = {"function": {"kind": "logistic pair"}, "run": one_run(["1"], ["1"]), "at": 0}
    good = made(bound, ["6/25", "1/4"], "0", minimiser=["0"], **parts)  # log(1 + e) + log(1 + 1/e) - 2 log 2 = 0.2402...
    assert code(good, tmp_path) == verify.REFUTES
    assert code({**good, "minimiser": ["1/1000000"]}, tmp_path) == verify.DOES_NOT_REFUTE
    steps = {**good, "run": one_run(["0"], ["1"]), "left": "0"}
    assert code(steps, tmp_path) == verify.DOES_NOT_REFUTE  # delta_0 is 0 there, and the claim holds

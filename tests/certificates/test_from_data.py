"""Problems made from the data of a certificate are the function that the checker computes with."""

from __future__ import annotations

from fractions import Fraction as F
from importlib import import_module
from typing import Any

import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.certificates.write import kept
from boundcheck.library.catalogue import from_function
from boundcheck.model.problem import Convex, IsQuadratic, StronglyConvex
from boundcheck.verify.fields import rational
from boundcheck.verify.functions import Function

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

XP = arithmetic("rational")
HUBER = {"kind": "piecewise quadratic", "knots": ["-1", "1"], "gradients": ["-1", "1"], "left_slope": "0", "right_slope": "0"}
RAISED: dict[str, Any] = {**HUBER, "value_at": ["2", "5"]}
DENTED: dict[str, Any] = {**RAISED, "left_slope": "-1"}
RIDGES: dict[str, Any] = {
    "kind": "ridge sum",
    "terms": [{"direction": ["1", "2"], "function": RAISED}, {"direction": ["0", "1"], "function": RAISED}],
}
QUADRATIC: dict[str, Any] = {"kind": "quadratic", "matrix": [["2", "1"], ["1", "3"]], "minimiser": ["1", "-1"]}
PLACES = [F(-3), F(-1), F(-1, 2), F(0), F(1), F(7, 3)]


@pytest.mark.parametrize(
    ("data", "minimiser"),
    [(RAISED, ["0"]), (RAISED, None), (DENTED, None), (RIDGES, ["0", "0"]), (RIDGES, None), (QUADRATIC, ["1", "-1"])],
)
def test_its_values_and_gradients_are_those_of_the_checker(data, minimiser):
    checker = Function(data)
    points = [[p] if checker.dimension == 1 else [p, q] for p in PLACES for q in PLACES]
    problem = from_function(data, start=[str(c) for c in points[0]], minimiser=minimiser)
    for point in points:
        own = [rational(str(c)) for c in point]
        there = XP.vectors(XP.plain.vector(point)[None])
        assert str(problem.f(XP, there).data[0]) == str(checker.value(own))
        assert [str(c) for c in problem.grad(XP, there).data[0]] == [str(c) for c in checker.grad(own)]


def test_its_facts_are_those_of_the_data_and_its_constants_those_that_are_given():
    assert not from_function(DENTED, start=["1"]).has(Convex)
    problem = from_function(RAISED, start=["1"], minimiser=["0"], constants={"L": "7", "mu": "0"})
    assert problem.L == 7 and problem.mu == 0 and problem.minimiser is not None and problem.minimiser.value == F(7, 2)
    assert from_function(QUADRATIC, start=["0", "0"], constants={"mu": "1/2"}).mu == F(1, 2)
    straight = {**RAISED, "left_slope": "1", "right_slope": "1"}
    assert from_function(straight, start=["1"]).has(IsQuadratic) and from_function(straight, start=["1"]).has(StronglyConvex)
    sums = {"kind": "ridge sum", "terms": [{"direction": ["1", "0"], "function": straight}]}
    assert from_function(sums, start=["1", "1"], minimiser=["0", "0"]).has(IsQuadratic)


@pytest.mark.parametrize(
    ("data", "minimiser", "why"),
    [
        (RAISED, ["1/2"], "no minimiser"),
        (DENTED, ["0"], "no minimiser"),
        (RIDGES, ["1", "1"], "gradient at x"),
        (QUADRATIC, ["0", "0"], "another minimiser"),
        ({"kind": "power", "p": "3/2"}, None, "of the kind 'power'"),
        ({"kind": "logistic pair"}, None, "of the kind 'logistic pair'"),
        ({"kind": "ridge sum", "terms": [{"direction": ["1"], "function": {"kind": "power", "p": "2"}}]}, None, "a 'power'"),
    ],
)
def test_what_no_problem_is_or_no_minimiser_is_refused(data, minimiser, why):
    dimension = len(minimiser) if minimiser else 1
    with pytest.raises(ValueError, match=why):
        from_function(data, start=["1"] * dimension, minimiser=minimiser)


def test_every_kept_piecewise_function_makes_a_problem():
    for name, data in kept().items():
        if data["function"]["kind"] == "piecewise quadratic":
            start = next(iter(data["run"]["roles"].values()))["start"] if "run" in data else next(iter(data["chord"].values()))
            assert from_function(data["function"], start=start, minimiser=data["minimiser"]).dimension == 1, name

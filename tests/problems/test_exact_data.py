"""`Problem.data` is the function: read by the plain meaning of docs/problems.md, it gives the oracles' own values, exactly."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import Any

import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import Problem
from boundcheck.problems import CATALOGUE

EXACT = arithmetic("rational")
GIVEN = [name for name, make in CATALOGUE.items() if not hasattr(make, "needs") and make().rational and make().data is not None]


def value_and_gradient(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]] | None:
    """f and its gradient by the definition; None where a root is not rational."""
    return {
        "piecewise quadratic": piecewise_quadratic,
        "quadratic": quadratic,
        "ridge sum": ridge_sum,
        "smooth abs": smooth_abs,
        "slope": slope,
        "power": power,
        "piecewise polynomial": piecewise_polynomial,
        "rational function": rational_function,
    }[data["kind"]](data, x)


def piecewise_quadratic(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]]:
    knots, gradients = ([Fraction(n) for n in data[key]] for key in ("knots", "gradients"))

    def slope_at(u: Fraction) -> Fraction:
        if u <= knots[0]:
            return gradients[0] + Fraction(data["left_slope"]) * (u - knots[0])
        if u >= knots[-1]:
            return gradients[-1] + Fraction(data["right_slope"]) * (u - knots[-1])
        j = max(j for j, knot in enumerate(knots) if knot <= u)
        return gradients[j] + (gradients[j + 1] - gradients[j]) / (knots[j + 1] - knots[j]) * (u - knots[j])

    (u,), (anchor, value) = x, [Fraction(n) for n in data["value_at"]]
    stops = [anchor, *sorted((k for k in knots if min(u, anchor) < k < max(u, anchor)), reverse=u < anchor), u]
    for a, b in pairwise(stops):
        value += (slope_at(a) + slope_at(b)) / 2 * (b - a)
    return value, [slope_at(u)]


def quadratic(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]]:
    away = [u - Fraction(n) for u, n in zip(x, data["minimiser"], strict=True)]
    gradient = [sum((Fraction(n) * v for n, v in zip(row, away, strict=True)), Fraction(0)) for row in data["matrix"]]
    return sum((g * v for g, v in zip(gradient, away, strict=True)), Fraction(0)) / 2, gradient


def ridge_sum(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]]:
    value, gradient = Fraction(0), [Fraction(0)] * len(x)
    for term in data["terms"]:
        a = [Fraction(n) for n in term["direction"]]
        more, (slope,) = piecewise_quadratic(term["function"], [sum((p * q for p, q in zip(a, x, strict=True)), Fraction(0))])
        value, gradient = value + more, [g + slope * p for g, p in zip(gradient, a, strict=True)]
    return value, gradient


def root(square: Fraction) -> Fraction | None:
    made = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return made if made * made == square else None


def smooth_abs(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]] | None:
    r = root(x[0] ** 2 + Fraction(data["eps"]) ** 2)
    return None if r is None else (r, [x[0] / r])


def slope(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]] | None:
    r, c = root(x[0] ** 2 + Fraction(data["eps"]) ** 2), Fraction(data["c"])
    return None if r is None else (x[0] + c * r, [1 + c * x[0] / r])


def power(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]] | None:
    p, size = Fraction(data["p"]), abs(x[0])
    if p.denominator == 2:
        half = root(size)
        return None if half is None else (half**p.numerator, [p * half ** (p.numerator - 2) * (1 if x[0] > 0 else -1)])
    sign = 1 if x[0] > 0 else -1
    return size**p.numerator, [p * sign * size ** (p.numerator - 1)]


def polynomial(coefficients: list[Fraction], u: Fraction) -> tuple[Fraction, Fraction]:
    value = sum((c * u**n for n, c in enumerate(coefficients)), Fraction(0))
    return value, sum((n * c * u ** (n - 1) for n, c in enumerate(coefficients) if n), Fraction(0))


def piecewise_polynomial(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]]:
    piece = data["pieces"][sum(Fraction(knot) <= x[0] for knot in data["knots"])]
    value, slope = polynomial([Fraction(c) for c in piece], x[0])
    return value, [slope]


def rational_function(data: Any, x: list[Fraction]) -> tuple[Fraction, list[Fraction]]:
    (p, dp), (q, dq) = (polynomial([Fraction(c) for c in data[key]], x[0]) for key in ("numerator", "denominator"))
    return p / q, [(dp * q - p * dq) / q**2]


def differs(problem: Problem) -> bool:
    """Does the data give another value or gradient than the oracles at any of these points, or nothing rational at all?"""
    asked = 0
    for n in (-19, -7, -4, -1, 0, 1, 2, 5, 16, 40, 91):
        for over in (1, 4, 40):
            x = [Fraction(n * (j + 1) - 3 * j, over) for j in range(problem.dimension)]
            wanted = value_and_gradient(problem.data, x)
            if wanted is None:
                continue
            asked += 1
            u = EXACT.vectors(x)
            gradient = problem.grad(EXACT, u)
            found = [EXACT.text(EXACT.coordinate(gradient, j)) for j in range(problem.dimension)]
            if EXACT.text(problem.f(EXACT, u)) != str(wanted[0]) or found != [str(g) for g in wanted[1]]:
                return True
    return asked == 0


@pytest.mark.parametrize("name", GIVEN)
def test_the_data_is_the_function(name: str) -> None:
    problem = CATALOGUE[name]()
    assert json.loads(json.dumps(problem.data)) == problem.data
    assert not differs(problem)


@pytest.mark.parametrize("name", [name for name in CATALOGUE if not hasattr(CATALOGUE[name], "needs")])
def test_every_rational_problem_with_least_value_zero_has_data(name: str) -> None:
    problem = CATALOGUE[name]()
    if problem.rational and (problem.minimiser is None or problem.minimiser.value == 0):
        assert problem.data is not None


def numbers_in(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the numbers are."""
    if isinstance(data, str):
        return [] if path[-1] == "kind" else [path]
    parts = data.items() if isinstance(data, dict) else enumerate(data)
    return [place for key, part in parts for place in numbers_in(part, (*path, key))]


@pytest.mark.parametrize(
    "name", ["huber", "dented", "ramp", "ridge-2d", "quadratic-2d", "smooth-abs-9/40", "quartic", "nonconvex", "valley", "slope"]
)
def test_a_changed_number_is_another_function(name: str) -> None:
    problem = CATALOGUE[name]()
    for path in numbers_in(problem.data):
        changed: Any = deepcopy(problem.data)
        holder = changed
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = str(Fraction(holder[path[-1]]) + 1)
        assert differs(replace(problem, data=changed)), path

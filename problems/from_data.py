"""Problems from a function's data, as certificates carry them: piecewise quadratics, sums of ridges of these, quadratics."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import (
    Convex,
    Differentiable,
    Fact,
    IsQuadratic,
    Minimiser,
    Problem,
    Smooth,
    StronglyConvex,
    TwiceDifferentiable,
)
from boundcheck.problems._numerics.pieces import Pieces, Shape, shape
from boundcheck.problems.piecewise import PiecewiseQuadratic
from boundcheck.problems.quadratic import quadratic
from boundcheck.problems.ridge import Ridge, ridge_sum
from boundcheck.support.errors import UserError

QUADRATIC = frozenset({TwiceDifferentiable(), IsQuadratic()})


def from_function(
    data: Mapping[str, Any],
    *,
    start: Sequence[str],
    minimiser: Sequence[str] | None = None,
    constants: Mapping[str, str] | None = None,
    name: str = "counterexample",
) -> Problem:
    """The function of these data, with f as it is there. `constants` replaces the L and mu that would be found.

    The sum of ridges needs a minimiser: without one, 0 is tried. ValueError for a function that no problem here is.
    """
    make = KINDS.get(data["kind"])
    if make is None:
        raise UserError(f"no problem is made of the data of a function of the kind '{data['kind']}'; needs {', '.join(KINDS)}")
    origin = [Fraction(value) for value in start]
    centre = None if minimiser is None else [Fraction(value) for value in minimiser]
    return _with_constants(make(data, origin, centre, name), constants or {})


def _piecewise(data: Mapping[str, Any], start: list[Fraction], centre: list[Fraction] | None, name: str) -> Problem:
    """One that need be neither convex nor have a minimiser."""
    drawn = shape(*_numbers(data), name, convex=False)
    pieces = drawn.around(start[0] if centre is None else centre[0])
    facts: set[Fact] = {Differentiable(), Smooth(max(abs(slope) for slope in drawn.slopes))}
    if min(drawn.slopes) >= 0:
        facts.add(Convex())
    if min(drawn.slopes) > 0:
        facts.add(StronglyConvex(min(drawn.slopes)))
    if _is_quadratic(drawn):
        facts |= QUADRATIC
    if centre is not None and (Convex() not in facts or pieces.gradients[pieces.knots.index(centre[0])] != 0):
        raise UserError(f"{name}: x* = {centre[0]} is no minimiser; f must be convex, and its gradient 0 there")
    unknown: dict[str, Any] = {} if centre is not None else {"gap": None}
    problem = PiecewiseQuadratic(
        name=name,
        pieces=pieces,
        **unknown,
        facts=frozenset(facts),
        start=tuple(start),
        minimiser=None if centre is None else Minimiser(point=tuple(centre), which="the given one, perhaps of many"),
        data=data,
    )
    return _lifted(problem, _level(pieces, data))


def _ridges(data: Mapping[str, Any], start: list[Fraction], centre: list[Fraction] | None, name: str) -> Problem:
    shapes = [term["function"] for term in data["terms"]]
    if other := [own["kind"] for own in shapes if own["kind"] != "piecewise quadratic"]:
        raise UserError(f"{name}: a ridge is a '{other[0]}'; a problem here needs piecewise quadratics")
    rows = [[Fraction(value) for value in term["direction"]] for term in data["terms"]]
    point = [Fraction(0)] * len(start) if centre is None else centre
    ridges = [
        Ridge(direction=row, knots=knots, gradients=gradients, left_slope=left, right_slope=right)
        for row, (knots, gradients, left, right) in zip(rows, map(_numbers, shapes), strict=True)
    ]
    problem = ridge_sum(ridges, xstar=point, start=start, name=name)
    if all(_is_quadratic(shape(*_numbers(own), name)) for own in shapes):
        problem = problem.replace(facts=problem.facts | QUADRATIC)
    at = [sum((a * b for a, b in zip(row, point, strict=True)), Fraction(0)) for row in rows]
    parts = [shape(*_numbers(own), name).around(place) for own, place in zip(shapes, at, strict=True)]
    return _lifted(problem, sum((_level(part, own) for part, own in zip(parts, shapes, strict=True)), Fraction(0)))


def _quadratic(data: Mapping[str, Any], start: list[Fraction], centre: list[Fraction] | None, name: str) -> Problem:
    rows = [[Fraction(value) for value in row] for row in data["matrix"]]
    problem = quadratic(rows, xstar=[Fraction(value) for value in data["minimiser"]], start=start, name=name)
    if centre is None or centre == [Fraction(value) for value in data["minimiser"]]:
        return problem
    raise UserError(f"{name}: x* is another minimiser than the centre of the quadratic")


KINDS: dict[str, Callable[..., Problem]] = {
    "piecewise quadratic": _piecewise,
    "ridge sum": _ridges,
    "quadratic": _quadratic,
}


def _is_quadratic(drawn: Shape) -> bool:
    return min(drawn.slopes) == max(drawn.slopes)


def _numbers(data: Mapping[str, Any]) -> tuple[list[Fraction], list[Fraction], Fraction, Fraction]:
    knots, gradients = ([Fraction(value) for value in data[key]] for key in ("knots", "gradients"))
    return knots, gradients, Fraction(data["left_slope"]), Fraction(data["right_slope"])


def _level(pieces: Pieces, data: Mapping[str, Any]) -> Fraction:
    """What f is at the centre of the pieces, where these are 0."""
    place, value = (Fraction(number) for number in data["value_at"])
    piece = pieces.pieces[bisect_right(pieces.knots, place)]
    step = place - piece.anchor
    return value - (piece.value + piece.gradient * step + piece.slope * step * step / 2)


def _lifted(problem: Problem, by: Fraction) -> Problem:
    """The same with f + by."""
    if not by:
        return problem
    least = None if problem.minimiser is None else replace(problem.minimiser, value=Fraction(problem.minimiser.value) + by)
    return problem.replace(f=partial(_plus, problem.f, by), minimiser=least)


def _plus(f: Any, by: Exact, xp: Any, x: Vectors) -> Scalars:
    return f(xp, x) + xp.scalar(by)


def _with_constants(problem: Problem, constants: Mapping[str, str]) -> Problem:
    """With these L and mu in the place of its own; a mu of 0 says no more than convexity."""
    facts = set(problem.facts)
    if "L" in constants:
        facts = {fact for fact in facts if not isinstance(fact, Smooth)} | {Smooth(Fraction(constants["L"]))}
    if "mu" in constants:
        mu = Fraction(constants["mu"])
        facts = {fact for fact in facts if not isinstance(fact, StronglyConvex)} | ({StronglyConvex(mu)} if mu > 0 else set())
    return problem.replace(facts=frozenset(facts))

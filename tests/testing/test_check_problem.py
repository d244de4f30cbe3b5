"""check_problem says no: each planted mistake is found by the check that should find it, and an honest problem passes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.model.problem import (
    Convex,
    Differentiable,
    IsQuadratic,
    Minimiser,
    Problem,
    Smooth,
    StronglyConvex,
    TwiceDifferentiable,
)
from boundcheck.problems import CATALOGUE
from boundcheck.testing import ContractError, check_problem
from boundcheck.testing.problem import enclosures_of_a_ball_hold_for_its_points

C1 = frozenset({Convex(), Differentiable()})


def _f(xp: Any, x: Any) -> Any:
    u, v = xp.coordinate(x, 0), xp.coordinate(x, 1)
    return u * u / 2 + v * v


def _grad(xp: Any, x: Any) -> Any:
    return xp.from_coordinates([xp.coordinate(x, 0), 2 * xp.coordinate(x, 1)])


HONEST = Problem(
    name="honest",
    dimension=2,
    f=_f,
    grad=_grad,
    facts=C1 | {TwiceDifferentiable(), IsQuadratic(), Smooth(2), StronglyConvex(1)},
    start=[3, 2],
    minimiser=Minimiser(point=[0, 0]),
    rational=True,
)


def _line(value: Callable[[Any, Any], Any], slope: Callable[[Any, Any], Any], facts: frozenset[Any] = C1, **more: Any) -> Problem:
    """A function of one variable."""
    return Problem(
        name="line",
        dimension=1,
        f=lambda xp, x: value(xp, xp.coordinate(x, 0)),
        grad=lambda xp, x: xp.from_coordinates([slope(xp, xp.coordinate(x, 0))]),
        facts=facts,
        start=[3],
        **more,
    )


def _with(**changes: Any) -> Problem:
    return replace(HONEST, **changes)


def _scaled(oracle: Any, factor: Fraction = Fraction(1000001, 1000000)) -> Any:
    return lambda xp, *args: xp.scalar(factor) * oracle(xp, *args)


def _counting() -> Any:
    asked: list[int] = []

    def f(xp: Any, x: Any) -> Any:
        asked.append(1)
        return _f(xp, x) + len(asked) % 2

    return f


def _clears(xp: Any, x: Any) -> Any:
    g = np.array(x) if isinstance(x, np.ndarray) else x
    if isinstance(x, np.ndarray) and x.ndim > 1:
        x *= 1.5
    return _grad(xp, g)


def _over_all(xp: Any, x: Any) -> Any:
    """Right for one point; for a stack it adds up all of them."""
    f = _f(xp, x)
    return f.sum() + 0 * f if isinstance(f, np.ndarray) else f


def _in_float64_only(xp: Any, x: Any) -> Any:
    return _f(xp, x) * (1 + 1e-9 if getattr(xp, "name", "") == "float64" else 1)


def _without_radius(xp: Any, x: Any) -> Any:
    return xp.scalars(xp.middle(_f(xp, x))) if hasattr(xp, "certified") else _f(xp, x)


def _sign(xp: Any, u: Any) -> Any:
    return u / xp.abs(u)


def _catalogue(name: str, **changes: Any) -> Problem:
    return replace(CATALOGUE[name](), **changes)


def _in_coordinate_1(xp: Any, x: Any) -> Any:
    return xp.from_coordinates([xp.coordinate(x, 0), (2 + 2.0**-30) * xp.coordinate(x, 1)])


def _ends_only(problem: Problem) -> Problem:
    """The sup and inf of secant slopes taken at the ends of a chord, though they may lie between."""

    def chord(xp: Any, x: Any, d: Any, gx: Any, gy: Any, side: str) -> Any:
        return xp.dot(gy - gx, d) / xp.normsq(d)

    return replace(problem, chord=chord)


PLANTED: dict[str, tuple[Callable[[], Problem], str]] = {
    "a gradient wrong in one coordinate": (lambda: _with(grad=_in_coordinate_1), "correct coordinate 1 of grad"),
    "L too small": (lambda: _with(facts=C1 | {Smooth(Fraction(199, 100))}), "the gradient is lipschitz"),
    "mu too large": (lambda: _with(facts=C1 | {StronglyConvex(Fraction(101, 100))}), "the gradient is strongly monotone"),
    "a minimiser off by 1e-6": (lambda: _with(minimiser=Minimiser(point=[Fraction(1, 10**6), 0])), "the minimiser minimises"),
    "a radius too small": (lambda: _with(minimiser=Minimiser(point=[1e-6, 0], radius=1e-9)), "the minimiser minimises"),
    "a wrong least value": (lambda: _with(minimiser=Minimiser(point=[0, 0], value=1)), "the minimiser minimises"),
    "a local minimiser": (
        lambda: _line(
            lambda xp, u: u * u * u * u / 4 - u * u * u / 3 - u * u,
            lambda xp, u: u * (u - 2) * (u + 1),
            frozenset({Differentiable()}),
            minimiser=Minimiser(point=[-1], value=Fraction(-5, 12)),
        ),
        "the minimiser minimises",
    ),
    "convex, it says": (lambda: _catalogue("dented", facts=CATALOGUE["dented"]().facts | {Convex()}), "f is convex"),
    "no quadratic": (
        lambda: _line(lambda xp, u: u * u * u * u, lambda xp, u: 4 * u * u * u, C1 | {IsQuadratic()}),
        "the gradient is affine",
    ),
    "a kink of the gradient": (lambda: _catalogue("huber", facts=C1 | {TwiceDifferentiable()}), "the hessian is continuous"),
    "a jump of the gradient": (lambda: _line(lambda xp, u: xp.abs(u), _sign), "the gradient is continuous"),
    "a wrong gap": (lambda: _with(gap=lambda xp, x, g: _scaled(_f)(xp, x)), "the gap is f less its least value"),
    "a wrong Bregman difference": (
        lambda: _with(bregman=lambda xp, x, d, gx, gy: _scaled(_f)(xp, d)),
        "the bregman difference is its definition",
    ),
    "a wrong Hessian": (
        lambda: _with(hessian_vector=lambda xp, x, v: xp.scale(xp.scalar(Fraction(1000001, 1000000)), _grad(xp, v))),
        "the hessian is the slope of the gradient",
    ),
    "a wrong constant Hessian": (
        lambda: _with(hessian=lambda xp: xp.matrix([[1, 0], [0, 3]])),
        "the hessian is the slope of the gradient",
    ),
    "a chord's ends only": (lambda: _ends_only(CATALOGUE["huber"]()), "the chord quantities enclose dense samples"),
    "a local smoothness too small": (
        lambda: _catalogue("quartic", local_smoothness=lambda points, radius: 0 * radius + 1e-3),
        "the gradient is locally lipschitz",
    ),
    "sums over a stack": (lambda: _with(f=_over_all), "a stack of points is its points one by one"),
    "x changed in place": (lambda: _with(grad=_clears), "inputs are left alone"),
    "memory of earlier questions": (lambda: _with(f=_counting()), "answers do not depend on earlier ones"),
    "rational, it says": (lambda: _catalogue("softplus", rational=True), "exact rationals agree"),
    "floats only": (lambda: _line(lambda xp, u: math.cosh(u), lambda xp, u: math.sinh(u)), "f and grad answer"),
    "a gradient of another shape": (lambda: _with(grad=lambda xp, x: xp.coordinate(x, 0)), "f and grad answer"),
    "a mistake in float64 only": (lambda: _with(f=_in_float64_only), "float64 with bounds encloses the truth"),
    "balls without a radius": (lambda: _with(f=_without_radius), "enclosures of a ball hold for its points"),
    "a start at the minimiser": (lambda: _with(start=[0, 0]), "the start is no stationary point"),
    "data of another function": (
        lambda: _with(data={"kind": "quadratic", "matrix": [["1", "0"], ["0", "3"]], "minimiser": ["0", "0"]}),
        "the data are the function",
    ),
    "data that are no JSON": (lambda: _with(data={"kind": "quadratic", "matrix": Fraction(1, 2)}), "the data are the function"),
    "data of an unknown kind": (lambda: _with(data={"kind": "bowl"}), "of the kind 'bowl'"),
}


def test_an_honest_problem_passes() -> None:
    assert check_problem(HONEST) == []


@pytest.mark.parametrize("mistake", PLANTED)
def test_a_planted_mistake_is_found(mistake: str) -> None:
    make, words = PLANTED[mistake]
    found = [str(finding) for finding in check_problem(make(), raise_error=False)]
    assert any(words in line for line in found), found


def test_all_findings_come_at_once_one_line_each() -> None:
    three = _with(grad=_in_coordinate_1, minimiser=Minimiser(point=[1, 0]), start=[0, 0])
    with pytest.raises(ContractError) as caught:
        check_problem(three)
    lines = str(caught.value).splitlines()
    assert len(lines) == 1 + len(caught.value.findings) >= 4
    assert lines[0].startswith("problem 'honest' breaks its contract")
    assert all("found " in line and "; needs " in line for line in lines[1:])


def test_a_function_that_makes_a_problem_will_do_and_anything_else_is_refused() -> None:
    assert check_problem(lambda: HONEST, raise_error=False) == []
    for wrong, found in (
        (3, "; found 3"),
        (_in_coordinate_1, "; found _in_coordinate_1, which needs arguments"),
        (lambda: 3, "; found <lambda>, which returns 3"),
    ):
        with pytest.raises(TypeError, match="needs a Problem, a name of the catalogue, or a function") as caught:
            check_problem(wrong)  # type: ignore[arg-type]
        assert str(caught.value).endswith(found)


def test_a_problem_may_be_named() -> None:
    assert check_problem("huber", raise_error=False) == []
    with pytest.raises(ValueError, match="no problem 'hubber'; did you mean 'huber'"):
        check_problem("hubber")


def _log_cosh(xp: Any, x: Any) -> Any:
    u, v = xp.coordinate(x, 0), xp.coordinate(x, 1)
    along = [xp.log((xp.exp(w) + xp.exp(-w)) / 2) for w in (u, u + v - 1)]
    return along[0] + (v - 1) * (v - 1) / 2 + along[1]


def test_a_ball_on_which_nothing_is_known_is_no_mistake() -> None:
    facts = C1 | {TwiceDifferentiable(), Smooth(3)}
    curved = Problem(name="log cosh", f=_log_cosh, facts=facts, start=[2, -1], minimiser=Minimiser(point=[0, 1]))
    enclosures_of_a_ball_hold_for_its_points(curved)

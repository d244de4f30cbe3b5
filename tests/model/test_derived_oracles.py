"""A problem that is f and its facts: gradients, Hessians, chord quantities and local smoothness follow, in every arithmetic."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.base import Order
from boundcheck.arithmetic.derivatives.reverse import NoReverseDerivative, gradient
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Minimiser, Problem, Smooth, TwiceDifferentiable
from boundcheck.testing import check_problem

C2 = frozenset({Convex(), Differentiable(), TwiceDifferentiable()})


def _quartic(xp: Any, x: Any) -> Any:
    u, v = xp.coordinate(x, 0), xp.coordinate(x, 1)
    return u * u * u * u + u * u + 2 * v * v + u * v


def _log_cosh(xp: Any, x: Any) -> Any:
    u = xp.coordinate(x, 0)
    return xp.log((xp.exp(u) + xp.exp(-u)) / 2)


def _quadratic(xp: Any, x: Any) -> Any:
    u, v = xp.coordinate(x, 0), xp.coordinate(x, 1)
    return (3 * u * u + v * v) / 2 + u * v


def _hinge(xp: Any, x: Any) -> Any:
    u = xp.coordinate(x, 0)
    rest = xp.maximum(u - 1, u * 0)
    return rest * rest


def _made(f: Any, facts: Any, start: list[int], **more: Any) -> Problem:
    return Problem(name=f.__name__, f=f, facts=facts, start=start, minimiser=Minimiser(point=[0] * len(start)), **more)


QUARTIC = _made(_quartic, C2, [1, 2], rational=True)
LOG_COSH = _made(_log_cosh, C2 | {Smooth(1)}, [2])
QUADRATIC = _made(_quadratic, C2 | {IsQuadratic(), Smooth(4)}, [1, -2], rational=True)
HINGE = _made(_hinge, {Convex(), Differentiable(), Smooth(2)}, [4], rational=True)


@pytest.mark.parametrize("problem", [QUADRATIC, HINGE], ids=lambda problem: problem.name)
def test_f_and_its_facts_pass_every_check(problem: Problem) -> None:
    check_problem(problem)


@pytest.mark.slow
@pytest.mark.parametrize("problem", [QUARTIC, LOG_COSH], ids=lambda problem: problem.name)
def test_f_and_its_facts_pass_every_check_with_chords_by_branch_and_bound(problem: Problem) -> None:
    check_problem(problem)


def test_a_check_finds_the_fact_that_is_wrong_of_a_derived_gradient() -> None:
    found = check_problem(replace(QUADRATIC, facts=QUADRATIC.facts - {Smooth(4)} | {Smooth(1)}), raise_error=False)
    assert any("lipschitz" in str(one).lower() for one in found)


@pytest.mark.parametrize("name", ["float64", "rational", "ball:128", "mp:50"])
def test_the_gradient_encloses_or_is_the_true_one(name: str) -> None:
    xp = arithmetic(name)
    x = xp.vectors([[1, 2], [-3, Fraction(1, 2)]])
    g = QUARTIC.grad(xp, x)
    for j, wanted in enumerate([[8, -113.5], [9, -1]]):  # 4 u^3 + 2 u + v, 4 v + u
        order = np.asarray(xp.compare(xp.coordinate(g, j), xp.scalars(wanted)))
        assert np.isin(order, [Order.EQUAL] if name == "rational" else [Order.EQUAL, Order.UNKNOWN]).all()
        assert (xp.error(xp.coordinate(g, j)) < 1e-11).all()


def test_a_tie_takes_both_branches_so_that_a_kink_has_no_gradient() -> None:
    xp = arithmetic("rational")
    one = xp.vector([0])
    smooth = gradient(xp, lambda xp, x: xp.power(xp.abs(xp.coordinate(x, 0)), Fraction(3)), one)
    kink = gradient(xp, lambda xp, x: xp.abs(xp.coordinate(x, 0)), one)
    assert xp.text(xp.coordinate(smooth, 0)) == "0"
    assert xp.text(xp.coordinate(kink, 0)).startswith("undefined")


@pytest.mark.parametrize("name", ["float64", "ball:128"])
def test_chord_bounds_hold_the_sup_and_the_inf(name: str) -> None:
    """log cosh from -1 to 2: f'' = 1 / cosh^2 rises to 0 and falls."""
    xp = arithmetic(name)
    x, d = xp.vectors([[-1]]), xp.vectors([[3]])
    t = np.linspace(0, 1, 200_001)[1:]
    secants = (np.tanh(-1 + 3 * t) - np.tanh(-1)) / (3 * t)
    for side, wanted in (("sup", secants.max()), ("inf", min(secants.min(), 1 / np.cosh(1) ** 2))):
        made = LOG_COSH.chord(xp, x, d, LOG_COSH.grad(xp, x), LOG_COSH.grad(xp, x + d), side)  # type: ignore[misc]
        assert abs(float(xp.middle(made)[0]) - wanted) < 1e-9 and float(xp.error(made)[0]) < 1e-9


def test_local_smoothness_bounds_the_hessian_on_the_ball() -> None:
    bound = QUARTIC.local_smoothness(np.array([[1.0, 2.0]]), np.array([0.5]))  # type: ignore[misc]
    largest = np.linalg.norm(np.array([[12 * 1.5**2 + 2, 1], [1, 4]]), 2)
    assert largest <= bound[0] < 1.1 * largest


def test_another_f_derives_its_oracles_anew_and_pickles_keep_them() -> None:
    other = replace(QUARTIC, f=_quadratic)
    xp = arithmetic("rational")
    assert xp.text(xp.coordinate(other.grad(xp, xp.vector([1, 0])), 0)) == "3"
    assert pickle.loads(pickle.dumps(QUARTIC)) == QUARTIC


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"f": 3}, "needs a function f"),
        ({"facts": Convex()}, "needs a set"),
        ({"facts": {Convex}}, "write Convex"),
        ({"start": ["a"]}, "a coordinate of the start is 'a'"),
    ],
)
def test_what_is_no_problem_is_refused_in_one_line(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        Problem(**{"name": "wrong", "f": _quadratic, "facts": C2, "start": [1, 2], **wrong})
    assert "\n" not in str(refused.value)


def test_a_formula_that_slices_is_told_to_read_coordinates() -> None:
    with pytest.raises(NoReverseDerivative, match=r"xp\.coordinate"):
        gradient(arithmetic("float64"), lambda xp, x: x[0], arithmetic("float64").vector([1]))


def test_a_run_ends_where_f_less_its_least_value_is_lost_in_a_difference_and_its_rule_is_not_blamed() -> None:
    import boundcheck

    trace = boundcheck.run(LOG_COSH, "polyak(7/4)", steps=40)
    assert "too small" in trace.ended[0]

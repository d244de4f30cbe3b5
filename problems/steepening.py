"""A parabola that steepens on one side: f(x) = x^2 + max(x, 0)^3. Convex and C^2, with f'' = 2 + 6 max(x, 0).

Strongly convex with mu = 2 exactly, and not L-smooth: on the right the curvature grows without bound, on the left it is 2.
f* = 0 at 0, the only minimiser. Write a = max(x, 0), and b = max(y, 0) for y = x + d:

    f(y) - f(x) - f'(x) d = d^2 + d^2 (b + 2 a)           for x, y >= 0
                          = d^2 + b^3                     for x < 0
                          = d^2 + 2 a^3 - 3 a^2 y         for y < 0 <= x

f'' never falls, so the secant slope from x is monotone: both its extrema over a chord are at the ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Minimiser, Problem, StronglyConvex, TwiceDifferentiable
from boundcheck.problems._numerics.scalars import as_fraction, both, is_at_most, is_less, nonzero_or_one


def _right(xp: Any, u: Scalars) -> Scalars:
    return xp.maximum(u, u * 0)


def _f(xp: Any, x: Vectors) -> Scalars:
    u = xp.coordinate(x, 0)
    a = _right(xp, u)
    return u * u + a * a * a


def _grad(xp: Any, x: Vectors) -> Vectors:
    u = xp.coordinate(x, 0)
    a = _right(xp, u)
    return xp.from_coordinates([2 * u + 3 * a * a])


def _gap(xp: Any, x: Vectors, g: Vectors) -> Scalars:
    return _f(xp, x)


def _bregman(xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
    u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
    y, zero = u + step, u * 0
    a, b = _right(xp, u), _right(xp, y)
    from_right = xp.choose(is_at_most(xp, zero, y), step * step * (b + 2 * a), 2 * a * a * a - 3 * a * a * y)
    return step * step + xp.choose(is_less(xp, u, zero), b * b * b, from_right)


def _chord(xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
    """The mean of 2 + 6 max(u, 0) over the chord: 2 + 3 (a + b) on the right of 0, 2 + 3 |b^2 - a^2| / |d| across it."""
    u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
    y, zero = u + step, u * 0
    a, b = _right(xp, u), _right(xp, y)
    across = 3 * xp.maximum(a, b) * xp.maximum(a, b) / nonzero_or_one(xp, xp.abs(step))  # one of a and b is 0
    on_the_right = both(is_at_most(xp, zero, u), is_at_most(xp, zero, y))
    end = 2 + xp.choose(on_the_right, 3 * (a + b), across)
    return (xp.minimum if side == "inf" else xp.maximum)(2 + 6 * a, end)


def _hessian_vector(xp: Any, x: Vectors, v: Vectors) -> Vectors:
    return xp.scale(2 + 6 * _right(xp, xp.coordinate(x, 0)), v)


def _local_smoothness(points: Any, radius: Any) -> Any:
    """f'' at the right end of the ball; rounded up."""
    return (2 + 6 * np.maximum(points[..., 0] + radius, 0.0)) * (1 + 2.0**-40)


def steepening(*, start: Exact = 2, name: str = "steepening") -> Problem:
    """x^2 + max(x, 0)^3."""
    return Problem(
        name=name,
        dimension=1,
        f=_f,
        grad=_grad,
        gap=_gap,
        bregman=_bregman,
        chord=_chord,
        hessian_vector=_hessian_vector,
        local_smoothness=_local_smoothness,
        facts=frozenset({Convex(), Differentiable(), TwiceDifferentiable(), StronglyConvex(2)}),
        start=(as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(0,)),
        rational=True,
        about="x^2 + max(x, 0)^3: strongly convex, asymmetric, not L-smooth; all exact in rationals",
        data={"kind": "piecewise polynomial", "knots": ["0"], "pieces": [["0", "0", "1"], ["0", "0", "1", "1"]]},
    )

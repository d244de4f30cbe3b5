"""The objective drawn in the paper's first figure: f(x) = (-x)^3 / 2 for x <= 0, and x^2 for x > 0.

f'(x) = -3 x^2 / 2 on the left and 2 x on the right: convex and C^1. f'' tends to 0 at 0 from the left and is 2 on the right, so
f is not C^2; on the left it grows without bound, so f is not L-smooth. f* = 0 at 0, the only minimiser; not strongly convex.
Write a = max(-x, 0), p = max(x, 0) for x and b, q likewise for y = x + d. Then f(y) - f(x) - f'(x) d is
d^2 for x, y >= 0; d^2 (2a + b) / 2 for x, y <= 0; p^2 + 2 p b + b^3 / 2 for x > 0 > y; q^2 + 3 a^2 q / 2 + a^3 for x < 0 < y.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Minimiser, Problem
from boundcheck.problems._numerics.scalars import as_fraction, both, is_at_most, is_less, nonzero_or_one


def _parts(xp: Any, u: Scalars) -> tuple[Scalars, Scalars]:
    """max(-u, 0) and max(u, 0)."""
    return xp.maximum(-u, u * 0), xp.maximum(u, u * 0)


def _f(xp: Any, x: Vectors) -> Scalars:
    left, right = _parts(xp, xp.coordinate(x, 0))
    return left * left * left / 2 + right * right


def _grad(xp: Any, x: Vectors) -> Vectors:
    left, right = _parts(xp, xp.coordinate(x, 0))
    return xp.from_coordinates([2 * right - 3 * left * left / 2])


def _gap(xp: Any, x: Vectors, g: Vectors) -> Scalars:
    return _f(xp, x)


def _bregman(xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
    u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
    (a, p), (b, q) = _parts(xp, u), _parts(xp, u + step)
    zero = u * 0
    leftwards, rightwards = p * p + 2 * p * b + b * b * b / 2, q * q + 3 * a * a * q / 2 + a * a * a
    from_right = xp.choose(is_at_most(xp, zero, u + step), step * step, leftwards)
    from_left = xp.choose(is_less(xp, zero, u + step), rightwards, step * step * (2 * a + b) / 2)
    return xp.choose(is_at_most(xp, zero, u), from_right, from_left)


def _chord(xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
    """The secant slope from x, the mean of f'' over [x, u], moves towards the f'' that it takes in.

    So on the left of 0 and on the right of 0 it is monotone, with ends: f'' at x on the side of d, the value at 0 when the
    chord crosses it, and the value at y. The one exception: from x > 0 to the left of 0, where it falls from 2 until it meets
    f'' = 3 w at u = -w with 3 w^2 / 2 + 3 x w - 2 x = 0, and rises from there.
    """
    u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
    zero = u * 0
    (a, p), (b, q) = _parts(xp, u), _parts(xp, u + step)
    from_left, from_right = is_less(xp, u, zero), is_less(xp, zero, u)
    to_left, to_right = is_less(xp, u + step, zero), is_less(xp, zero, u + step)
    two = zero + 2
    first = xp.choose(from_left, 3 * a, xp.choose(from_right, two, xp.choose(is_less(xp, zero, step), two, zero)))
    across = (2 * (p + q) + 3 * (a * a + b * b) / 2) / nonzero_or_one(xp, xp.abs(step))
    rightwards, leftwards = both(from_left, to_right), both(from_right, to_left)
    one_side = xp.choose(from_left, 3 * (a + b) / 2, xp.choose(to_left, 3 * (a + b) / 2, two))
    last = xp.choose(rightwards, across, xp.choose(leftwards, across, one_side))
    pick = xp.minimum if side == "inf" else xp.maximum
    ends = pick(first, last)
    ends = xp.choose(rightwards, pick(ends, 3 * a / 2), ends)
    if side == "sup":
        return ends
    root = xp.sqrt(p * p + xp.scalar(Fraction(4, 3)) * p)
    w = xp.scalar(Fraction(4, 3)) * p / nonzero_or_one(xp, p + root)
    still_falling = is_at_most(xp, 3 * b * b / 2 + 3 * p * b, 2 * p)
    interior = xp.choose(still_falling, across, 3 * w)
    return xp.choose(leftwards, interior, ends)


def _local_smoothness(points: Any, radius: Any) -> Any:
    """f'' is at most 2 on the right and 3 |x| on the left, largest at the left end of the ball; rounded up."""
    return np.maximum(2.0, 3 * (radius - points[..., 0])) * (1 + 2.0**-40)


def cubic_quadratic(*, start: Exact = -2, name: str = "figure-objective") -> Problem:
    """(-x)^3 / 2 on the left of 0, x^2 on the right."""
    return Problem(
        name=name,
        dimension=1,
        f=_f,
        grad=_grad,
        gap=_gap,
        bregman=_bregman,
        chord=_chord,
        local_smoothness=_local_smoothness,
        facts=frozenset({Convex(), Differentiable()}),
        start=(as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(0,)),
        rational=True,
        data={
            "kind": "piecewise polynomial",
            "knots": ["0"],
            "pieces": [["0", "0", "0", "-1/2"], ["0", "0", "1"]],
        },
        about="the figure's objective; in rationals its inf over a chord from the right across 0 may be irrational: undefined",
    )

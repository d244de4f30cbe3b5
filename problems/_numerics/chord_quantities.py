"""Chord quantities along a line: the sup (A) and the inf (mu) of the secant slope of the gradient over u between x and x + d,

    sigma(u) = (f'(u) - f'(x)) / (u - x), which is the mean of f'' over [x, u], and f''(x) at u = x.

Every enclosure here is proved for any guess of where the extremum is; the guess only makes it tight.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Scalars
from boundcheck.problems._numerics.scalars import both, hull, is_at_most, is_less, nonzero_or_one

Slope = Callable[[Scalars], Scalars]
Secant = Callable[[Scalars, Scalars], Scalars]
Difference = Callable[[int], Scalars]


def even_chord(xp: Any, x: Scalars, d: Scalars, side: str, *, slope: Slope, secant: Secant, touch: Slope, peak: bool) -> Scalars:
    """For an even f whose f'' falls away from 0 (`peak`) or grows away from 0 (a valley). `slope` is f'', `secant` is sigma.

    A mean moves towards what it takes in: sigma' has the sign of f'' - sigma. So at a peak sigma rises, at most once, and then
    falls: its inf is at an end. At a valley its sup is. The other extremum is at an end too unless the chord crosses 0, where
    it may be at the u whose tangent of f' passes through (x, f'(x)); `touch(x)` is a guess of that u, with the sign of -x.
    """
    x = xp.choose(is_less(xp, d * 0, d), x, -x)  # f is even, so the chord may be reflected: from here on the displacement is |d|
    y = x + xp.abs(d)
    end = secant(x, y)
    pick = xp.minimum if side == "inf" else xp.maximum
    if side == "inf" and peak:
        # moving away from 0 the inf is at the far end; then f''(x), which may be infinite at 0, is not needed
        return xp.choose(is_at_most(xp, x * 0, x), end, pick(slope(nonzero_or_one(xp, x)), end))
    at_an_end = pick(slope(x), end)
    if (side == "sup") != peak:
        return at_an_end
    crosses = both(is_less(xp, x, x * 0), is_less(xp, y * 0, y))
    return xp.choose(crosses, _across_zero(xp, x, y, touch(x), slope, secant, pick), at_an_end)


def _across_zero(xp: Any, x: Scalars, y: Scalars, guess: Scalars, slope: Slope, secant: Secant, pick: Any) -> Scalars:
    """The extremum of sigma over a chord with x < 0 < y, where f' bends to one side only on [0, y].

    At a peak f' is concave on [0, y], so it lies under its tangent at any v there, and with c = sigma(v) - f''(v)
        sigma(u) <= sigma(v) + c (v - u) / (u - x) for all u in [0, y].
    The right side is monotone in u: its largest value is at u = 0 or u = y. And sigma(v) itself is a lower bound. Before 0,
    sigma is below sigma(0). At a valley all signs turn.
    """
    v = xp.minimum(xp.maximum(guess, x * 0), y)
    value = secant(x, v)
    c = value - slope(v)
    at_zero = value - c * v / nonzero_or_one(xp, x)
    at_y = value - c * (y - v) / nonzero_or_one(xp, y - x)
    return hull(xp, pick(at_zero, at_y), value)


def grid_chord(xp: Any, x: Scalars, d: Scalars, side: str, *, secant: Secant, fourth: Exact, pieces: int = 128) -> Scalars:
    """For any f with |f''''| <= fourth, from sigma at equally spaced points, both ends among them.

    |sigma''| <= fourth / 3. An extremum that is not at an end has sigma' = 0 there and is at most half a spacing h from a point
    of the grid, so it exceeds the best of the grid by at most (h / 2)^2 / 2 * fourth / 3 = fourth h^2 / 24.
    """
    pick = xp.minimum if side == "inf" else xp.maximum
    best = secant(x, x)
    for i in range(1, pieces + 1):
        best = pick(best, secant(x, x + xp.scalar(Fraction(i, pieces)) * d))
    remainder = xp.scalar(Fraction(fourth) / (24 * pieces * pieces)) * d * d
    return hull(xp, best - remainder if side == "inf" else best + remainder, best)


PIECES = 64


def line_chord(xp: Any, side: str, *, there: Difference, back: Difference, fourth: Scalars) -> Scalars:
    """For phi(t) = f(x + t d): the sup or inf over t in (0, 1] of (phi'(t) - phi'(0)) / t, |d|^2 times the chord quantity.

    With m = PIECES, `there(i)` is phi(i/m) - phi(0) - phi'(0) i/m for i = -1, 1, 2, ..., m, and `back(i)` is the same difference
    from i/m to 0; |phi''''| is at most `fourth` on the whole line. There and back add up to t (phi'(t) - phi'(0)) without
    cancellation. The differences by 1/m and -1/m add up to phi''(0) / m^2, within fourth / (12 m^4). Between the m points
    the extremum is off by at most fourth / (24 m^2), as in `grid_chord`.
    """
    m = PIECES
    pick = xp.minimum if side == "inf" else xp.maximum
    centred = (there(1) + there(-1)) * m * m
    slack = fourth / (12 * m * m)
    best = hull(xp, hull(xp, centred - slack, centred + slack), centred)
    for i in range(1, m + 1):
        best = pick(best, (there(i) + back(i)) * xp.scalar(Fraction(m * m, i * i)))
    remainder = fourth / (24 * m * m)
    return hull(xp, best - remainder if side == "inf" else best + remainder, best)


def parts_of(xp: Any, whole: Scalars) -> Scalars:
    """i/m times each number for i = -1, 1, 2, ..., m along a new first axis: all differences of `line_chord` in one call."""
    times = np.array([-1.0, *range(1, PIECES + 1)]) / PIECES
    return xp.scalars(times.reshape(-1, *[1] * np.ndim(xp.middle(whole)))) * whole


def from_stack(stack: Scalars) -> Difference:
    """The difference of index i from a stack computed with `parts_of`."""
    return lambda i: stack[max(i, 0)]

"""Chord quantities in one dimension: the sup (A) and the inf (mu) of the secant slope of the gradient over u between x and x + d,

    sigma(u) = (f'(u) - f'(x)) / (u - x), which is the mean of f'' over [x, u], and f''(x) at u = x.

Every enclosure here is proved for any guess of where the extremum is; the guess only makes it tight.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact, Scalars
from boundcheck.problems._shared import both, hull, is_at_most, is_less, nonzero_or_one

Slope = Callable[[Scalars], Scalars]
Secant = Callable[[Scalars, Scalars], Scalars]


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

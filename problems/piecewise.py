"""One-dimensional C^1 piecewise quadratics: the gradient is piecewise linear. For a convex one it never falls.

It is given by its values at the knots and by its slopes before the first and after the last. Such functions are dense among
convex C^1 functions of one variable, and everything about them is exact in rationals: f, its minimiser (where the gradient is 0),
L (the largest slope), mu (the smallest), and both chord quantities.

With f'' = s_j on the piece [a_j, b_j], and everything seen from x (so that no digits are lost for small d):
f(x + d) - f(x) - f'(x) d is the sum over j of s_j (q - p) (d - (p + q) / 2), where p and q are 0 and d clipped to
[a_j - x, b_j - x].
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.problem import (
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
from boundcheck.problems._shared import as_fraction, both, is_at_most, is_less, nonzero_or_one


@dataclass(frozen=True)
class _Piece:
    """f - f* = value + gradient (x - anchor) + slope (x - anchor)^2 / 2 on one piece. The anchor is its end next to x*."""

    anchor: Fraction
    value: Fraction
    gradient: Fraction
    slope: Fraction


@dataclass(frozen=True)
class _Piecewise:
    knots: tuple[Fraction, ...]  # x* among them
    gradients: tuple[Fraction, ...]
    pieces: tuple[_Piece, ...]  # one more than the knots

    def oracles(self) -> dict[str, Any]:
        """What every problem of this family has."""
        formulas = {name: getattr(self, name) for name in ("f", "grad", "gap", "bregman", "chord")}
        return {"dimension": 1, "rational": True, **formulas}

    def f(self, xp: Any, x: Vectors) -> Scalars:
        return self.gap(xp, x, None)

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        return xp.from_coordinates([self._gradient(xp, xp.coordinate(x, 0))])

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        """No cancellation: away from x* each of the three terms is non-negative."""
        u = xp.coordinate(x, 0)
        values = []
        for piece in self.pieces:
            step = u - xp.scalar(piece.anchor)
            values.append(xp.scalar(piece.value) + xp.scalar(piece.gradient) * step + xp.scalar(piece.slope / 2) * step * step)
        return self._select(xp, u, values, is_less)

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
        stops = [xp.scalar(knot) - u for knot in self.knots]
        total = step * 0
        for j, piece in enumerate(self.pieces):
            p, q = step * 0, step
            if j > 0:
                p, q = xp.maximum(p, stops[j - 1]), xp.maximum(q, stops[j - 1])
            if j < len(stops):
                p, q = xp.minimum(p, stops[j]), xp.minimum(q, stops[j])
            total = total + xp.scalar(piece.slope) * (q - p) * (step - (p + q) / 2)
        return total

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """On a piece, (secant slope - slope of the piece) * (u - x) is constant, so the secant slope is monotone there.

        So sup and inf are among: the slope at x on the side of d, the secant slopes at knots strictly between and at the end.
        """
        u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
        pick = xp.minimum if side == "inf" else xp.maximum
        slopes = [xp.scalar(piece.slope) + u * 0 for piece in self.pieces]
        forward = is_less(xp, step * 0, step)
        best = xp.choose(forward, self._select(xp, u, slopes, is_less), self._select(xp, u, slopes, is_at_most))
        here = self._gradient(xp, u)
        best = pick(best, (self._gradient(xp, u + step) - here) / step)
        for knot, gradient in zip(self.knots, self.gradients, strict=True):
            to_knot = xp.scalar(knot) - u
            after = both(is_less(xp, u * 0, to_knot), is_less(xp, to_knot, step))
            before = both(is_less(xp, to_knot, u * 0), is_less(xp, step, to_knot))
            secant = (xp.scalar(gradient) - here) / nonzero_or_one(xp, to_knot)
            better = pick(best, secant)
            best = xp.choose(forward, xp.choose(after, better, best), xp.choose(before, better, best))
        return best

    def _gradient(self, xp: Any, u: Scalars) -> Scalars:
        values = [xp.scalar(piece.gradient) + xp.scalar(piece.slope) * (u - xp.scalar(piece.anchor)) for piece in self.pieces]
        return self._select(xp, u, values, is_less)

    def _select(self, xp: Any, u: Scalars, values: Sequence[Scalars], belongs_left: Any) -> Scalars:
        """values[j] where u is on piece j. At a knot: the piece on its right with `is_less`, on its left with `is_at_most`."""
        chosen = values[-1]
        for knot, value in zip(reversed(self.knots), reversed(values[:-1]), strict=True):
            chosen = xp.choose(belongs_left(xp, u, xp.scalar(knot)), value, chosen)
        return chosen


def piecewise_quadratic(
    knots: Sequence[Exact],
    gradients: Sequence[Exact],
    *,
    left_slope: Exact,
    right_slope: Exact,
    xstar: Exact | None = None,
    name: str = "piecewise quadratic",
    start: Exact | None = None,
    about: str = "",
) -> Problem:
    """The convex f with f' linear between the given values at the knots and with the given slopes outside, and f* = 0."""
    points, values, slopes = _checked(knots, gradients, left_slope, right_slope, name)
    low, high = _minimisers(points, values, slopes, name)
    if xstar is None:
        centre = low if low is not None else high
        assert centre is not None  # f' is 0 somewhere and its zeros are not all of R, or `_minimisers` has chosen
    else:
        centre = as_fraction(xstar, f"{name}: x*")
        if (low is not None and centre < low) or (high is not None and centre > high):
            raise ValueError(f"{name}: x* = {centre} is no minimiser; the minimisers are [{low}, {high}]")
    holder = _from_centre(points, values, slopes, centre)
    facts: set[Fact] = {Convex(), Differentiable(), Smooth(max(slopes))}
    if min(slopes) > 0:
        facts.add(StronglyConvex(min(slopes)))
    if min(slopes) == max(slopes):
        facts |= {TwiceDifferentiable(), IsQuadratic()}
    span = f"[{'-inf' if low is None else low}, {'inf' if high is None else high}]"
    return Problem(
        name=name,
        **holder.oracles(),
        facts=frozenset(facts),
        start=(centre + 2 if start is None else as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(centre,), which="the only one" if low == high else f"{centre}, of all of {span}"),
        about=about
        or f"a convex piecewise quadratic with {len(slopes)} pieces, curvature between {min(slopes)} and {max(slopes)}",
    )


def huber(threshold: Exact = 1, *, name: str = "huber", start: Exact | None = None) -> Problem:
    """x^2 / 2 up to the threshold, then a straight line: L = 1, not strongly convex."""
    if as_fraction(threshold, f"{name}: the threshold") <= 0:
        raise ValueError(f"{name}: found threshold {threshold}; needs a positive one")
    return piecewise_quadratic(
        [-threshold, threshold],
        [-threshold, threshold],
        left_slope=0,
        right_slope=0,
        name=name,
        start=3 * threshold if start is None else start,
    )


def asymmetric(left: Exact = 1, right: Exact = 4, *, name: str = "asymmetric", start: Exact = -2) -> Problem:
    """left * x^2 / 2 before 0 and right * x^2 / 2 after it: the curvature that a step sees depends on its direction."""
    return piecewise_quadratic([0], [0], left_slope=left, right_slope=right, name=name, start=start)


def flat_bottom(half_width: Exact = 1, *, name: str = "flat-bottom", start: Exact = 4) -> Problem:
    """Half the squared distance to [-half_width, half_width]: an interval of minimisers; its left end is used."""
    return piecewise_quadratic([-half_width, half_width], [0, 0], left_slope=1, right_slope=1, name=name, start=start)


def steep_then_flat(*, name: str = "steep-then-flat", start: Exact = Fraction(9, 2)) -> Problem:
    """Huber with a wall beyond 4: f' climbs from 1 to 10 within half a unit, so steps begin short and are long after it."""
    return piecewise_quadratic([-1, 1, 4, Fraction(9, 2)], [-1, 1, 1, 10], left_slope=0, right_slope=18, name=name, start=start)


def dented(*, name: str = "dented", start: Exact = Fraction(5, 2)) -> Problem:
    """Not convex: f' rises to 1 at 1 and to 11/10 at 2, falls to 1/10 at 3, then rises again. Its only stationary point is 0."""
    points = [Fraction(n) for n in range(4)]
    values = [Fraction(0), Fraction(1), Fraction(11, 10), Fraction(1, 10)]
    slopes = [Fraction(1), Fraction(1), Fraction(1, 10), Fraction(-1), Fraction(1)]
    holder = _from_centre(points, values, slopes, Fraction(0))
    return Problem(
        name=name,
        **holder.oracles(),
        facts=frozenset({Differentiable(), Smooth(Fraction(1))}),
        start=(as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(Fraction(0),)),
        about="a piecewise quadratic whose gradient falls between 2 and 3, so not convex; f* is attained at 0 only",
    )


def _checked(
    knots: Any, gradients: Any, left: Any, right: Any, name: str
) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    points = [as_fraction(value, f"{name}: a knot") for value in knots]
    values = [as_fraction(value, f"{name}: a gradient") for value in gradients]
    if not points or len(points) != len(values):
        raise ValueError(
            f"{name}: found {len(points)} knots and {len(values)} gradients; needs one gradient for each of at least one knot"
        )
    for a, b in pairwise(points):
        if a >= b:
            raise ValueError(f"{name}: knot {b} comes after {a}; needs strictly increasing knots: sort them and drop repeats")
    inner = [(h - g) / (b - a) for (a, b), (g, h) in zip(pairwise(points), pairwise(values), strict=True)]
    slopes = [as_fraction(left, f"{name}: the left slope"), *inner, as_fraction(right, f"{name}: the right slope")]
    if min(slopes) < 0:
        raise ValueError(
            f"{name}: the gradient falls, with slope {min(slopes)} on piece {slopes.index(min(slopes))}; convex needs slopes >= 0"
        )
    return points, values, slopes


def _minimisers(
    points: list[Fraction], values: list[Fraction], slopes: list[Fraction], name: str
) -> tuple[Fraction | None, Fraction | None]:
    """The ends of the interval where the gradient is 0; None for an end at infinity."""
    if (values[0] > 0 and slopes[0] == 0) or (values[-1] < 0 and slopes[-1] == 0):
        raise ValueError(
            f"{name}: the gradient, {values[0]} to {values[-1]} at the knots and constant outside, is never 0: no minimiser; "
            "give the side where it should reach 0 a positive slope"
        )
    if max(slopes) == 0:
        raise ValueError(f"{name}: every slope is 0, so f is constant; give one piece a positive slope")
    if values[0] > 0:
        only = points[0] - values[0] / slopes[0]
        return only, only
    if values[-1] < 0:
        only = points[-1] - values[-1] / slopes[-1]
        return only, only
    zeros = [p for p, g in zip(points, values, strict=True) if g == 0]
    if zeros:
        return (
            None if values[0] == 0 and slopes[0] == 0 else zeros[0],
            None if values[-1] == 0 and slopes[-1] == 0 else zeros[-1],
        )
    j = bisect_right(values, Fraction(0))
    only = points[j - 1] - values[j - 1] / slopes[j]
    return only, only


def _from_centre(points: list[Fraction], values: list[Fraction], slopes: list[Fraction], centre: Fraction) -> _Piecewise:
    """The pieces, anchored so that the gap is a sum of non-negative terms: x* becomes a knot, values grow outwards from it."""
    points, values, slopes = list(points), list(values), list(slopes)
    if centre not in points:
        j = bisect_right(points, centre)
        points.insert(j, centre)
        values.insert(j, Fraction(0))
        slopes.insert(j, slopes[j])
    middle = points.index(centre)
    heights = {middle: Fraction(0)}
    for j in range(middle + 1, len(points)):
        heights[j] = heights[j - 1] + (values[j - 1] + values[j]) / 2 * (points[j] - points[j - 1])
    for j in range(middle - 1, -1, -1):
        heights[j] = heights[j + 1] - (values[j] + values[j + 1]) / 2 * (points[j + 1] - points[j])
    anchors = [j if j <= middle else j - 1 for j in range(len(slopes))]
    pieces = tuple(_Piece(points[a], heights[a], values[a], slope) for a, slope in zip(anchors, slopes, strict=True))
    return _Piecewise(tuple(points), tuple(values), pieces)

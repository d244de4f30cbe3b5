"""One-dimensional C^1 piecewise quadratics: the gradient is piecewise linear. For a convex one it never falls.

It is given by its values at the knots and by its slopes before the first and after the last. Such functions are dense among
convex C^1 functions of one variable, and everything about them is exact in rationals: f, its minimiser (where the gradient is 0),
L (the largest slope), mu (the smallest), and both chord quantities.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
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
from boundcheck.problems._numerics.scalars import as_fraction, both, is_less, is_plain_ball, nonzero_or_one
from boundcheck.support.errors import UserError


class PiecewiseQuadratic(Problem):
    """A C^1 piecewise quadratic of one variable, with f = 0 where its pieces say: at a minimiser, if it has one."""

    pieces: Pieces
    dimension = 1
    rational = True

    def f(self, xp: Any, x: Vectors) -> Scalars:
        return self.pieces.value(xp, xp.coordinate(x, 0))

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        return xp.from_coordinates([self.pieces.gradient(xp, xp.coordinate(x, 0))])

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        return self.f(xp, x)

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        return self.pieces.difference(xp, xp.coordinate(x, 0), xp.coordinate(d, 0))

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """On a piece, (secant slope - slope of the piece) * (u - x) is constant, so the secant slope is monotone there.

        So sup and inf are among: the slope at x on the side of d, the secant slopes at knots strictly between and at the end.
        """
        u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
        if is_plain_ball(xp):
            from boundcheck.problems._numerics.ball_pieces import each_ball, extreme_secant

            part = self.pieces.in_balls(xp)
            return each_ball(xp, lambda start, way: extreme_secant(part, start, way, side), u, step)
        pick = xp.minimum if side == "inf" else xp.maximum
        forward = is_less(xp, step * 0, step)
        best = self.pieces.slope(xp, u, step)
        here = self.pieces.gradient(xp, u)
        best = pick(best, (self.pieces.gradient(xp, u + step) - here) / step)
        for knot, gradient in zip(self.pieces.knots, self.pieces.gradients, strict=True):
            to_knot = xp.scalar(knot) - u
            after = both(is_less(xp, u * 0, to_knot), is_less(xp, to_knot, step))
            before = both(is_less(xp, to_knot, u * 0), is_less(xp, step, to_knot))
            secant = (xp.scalar(gradient) - here) / nonzero_or_one(xp, to_knot)
            better = pick(best, secant)
            best = xp.choose(forward, xp.choose(after, better, best), xp.choose(before, better, best))
        return best


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
    drawn = shape(knots, gradients, left_slope, right_slope, name)
    slopes = drawn.slopes
    low, high = _minimisers(drawn, name)
    if xstar is None:
        centre = low if low is not None else high
        assert centre is not None  # f' is 0 somewhere and its zeros are not all of R, or `_minimisers` has chosen
    else:
        centre = as_fraction(xstar, f"{name}: x*")
        if (low is not None and centre < low) or (high is not None and centre > high):
            raise UserError(f"{name}: x* = {centre} is no minimiser; the minimisers are [{low}, {high}]")
    facts: set[Fact] = {Convex(), Differentiable(), Smooth(max(slopes))}
    if min(slopes) > 0:
        facts.add(StronglyConvex(min(slopes)))
    if min(slopes) == max(slopes):
        facts |= {TwiceDifferentiable(), IsQuadratic()}
    span = f"[{'-inf' if low is None else low}, {'inf' if high is None else high}]"
    return PiecewiseQuadratic(
        name=name,
        pieces=drawn.around(centre),
        facts=frozenset(facts),
        start=(centre + 2 if start is None else as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(centre,), which="the only one" if low == high else f"{centre}, of all of {span}"),
        about=about
        or f"a convex piecewise quadratic with {len(slopes)} pieces, curvature between {min(slopes)} and {max(slopes)}",
        data=drawn.data(centre),
    )


def huber(threshold: Exact = 1, *, name: str = "huber", start: Exact | None = None) -> Problem:
    """x^2 / 2 up to the threshold, then a straight line: L = 1, not strongly convex."""
    if as_fraction(threshold, f"{name}: the threshold") <= 0:
        raise UserError(f"{name}: found threshold {threshold}; needs a positive one")
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


def tilted(*, name: str = "tilted", start: Exact = Fraction(21, 20)) -> Problem:
    """Nearly |x|, with slope -2/5 on the left and 1 on the right of a short bend: a long step to the left costs little."""
    knots, gradients = [Fraction(-1, 50), Fraction(1, 20)], [Fraction(-2, 5), Fraction(1)]
    return piecewise_quadratic(knots, gradients, left_slope=0, right_slope=0, name=name, start=start)


def lowered(problem: Problem, by: Exact, *, name: str) -> Problem:
    """The same piecewise quadratic with f* = -by: a claim that f + C moves may be true of one and false of the other."""
    depth = as_fraction(by, f"{name}: the depth")
    assert problem.minimiser is not None and problem.data is not None
    centre, _ = problem.data["value_at"]
    return problem.replace(
        name=name,
        f=partial(_less, problem.f, depth),
        minimiser=replace(problem.minimiser, value=-depth),
        about=f"{problem.about}; less {depth}",
        data={**problem.data, "value_at": [centre, str(-depth)]},
    )


def _less(f: Any, depth: Fraction, xp: Any, x: Vectors) -> Scalars:
    return f(xp, x) - xp.scalar(depth)


def dented(*, name: str = "dented", start: Exact = Fraction(5, 2)) -> Problem:
    """Not convex: f' rises to 1 at 1 and to 11/10 at 2, falls to 1/10 at 3, then rises again. Its only stationary point is 0."""
    drawn = shape([0, 1, 2, 3], [0, 1, Fraction(11, 10), Fraction(1, 10)], 1, 1, name, convex=False)
    return PiecewiseQuadratic(
        name=name,
        pieces=drawn.around(Fraction(0)),
        facts=frozenset({Differentiable(), Smooth(Fraction(1))}),
        start=(as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(Fraction(0),)),
        about="a piecewise quadratic whose gradient falls between 2 and 3, so not convex; f* is attained at 0 only",
        data=drawn.data(Fraction(0)),
    )


def ramp(*, name: str = "ramp", start: Exact = 0) -> Problem:
    """No minimiser: f' climbs from 3/4 at -1 to 5/4 at 1 and is constant outside, so f falls for ever to the left.

    Wherever one starts, the gradient never changes by half of itself.
    """
    drawn = shape([-1, 1], [Fraction(3, 4), Fraction(5, 4)], 0, 0, name)
    return PiecewiseQuadratic(
        name=name,
        pieces=drawn.around(Fraction(0)),
        gap=None,
        facts=frozenset({Convex(), Differentiable(), Smooth(max(drawn.slopes))}),
        start=(as_fraction(start, f"{name}: the start"),),
        about="a piecewise quadratic whose slope stays between 3/4 and 5/4: convex, unbounded below, no minimiser; f(0) = 0",
        data=drawn.data(Fraction(0)),
    )


def _minimisers(drawn: Shape, name: str) -> tuple[Fraction | None, Fraction | None]:
    """The ends of the interval where the gradient is 0; None for an end at infinity."""
    points, values, slopes = drawn.knots, drawn.gradients, drawn.slopes
    if (values[0] > 0 and slopes[0] == 0) or (values[-1] < 0 and slopes[-1] == 0):
        raise UserError(
            f"{name}: the gradient, {values[0]} to {values[-1]} at the knots and constant outside, is never 0: no minimiser; "
            "give the side where it should reach 0 a positive slope"
        )
    if max(slopes) == 0:
        raise UserError(f"{name}: every slope is 0, so f is constant; give one piece a positive slope")
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

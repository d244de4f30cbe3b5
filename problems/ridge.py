"""Sums of ridge functions: f(x) = sum of phi_j(<a_j, x>), each phi_j a convex C^1 piecewise quadratic of one variable.

Convex, C^1, neither quadratic nor separable, and exact in rationals. At a minimiser x* the sum of phi_j'(<a_j, x*>) a_j is 0, so
with phi_j normalised to 0 at <a_j, x*> we have f* = 0 and

    f(x) - f*                        = sum of the Bregman differences of phi_j at <a_j, x*> along <a_j, x - x*>
    f(x + d) - f(x) - <grad f(x), d> = sum of the Bregman differences of phi_j at <a_j, x> along <a_j, d>,

terms that are never negative. f'' is a sum of s_j a_j a_j' with s_j a slope of phi_j', so it lies between the same sums of the
smallest and of the largest slopes. Along a chord f is a piecewise quadratic of t, with knots where some <a_j, x + t d> is a knot
of phi_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Fact, Minimiser, Problem, Smooth, StronglyConvex
from boundcheck.problems._numerics import eigenvalues
from boundcheck.problems._numerics.pieces import Pieces, Shape, shape
from boundcheck.problems._numerics.scalars import Constants, as_fraction, both, is_less, is_plain_ball, nonzero_or_one
from boundcheck.support.errors import UserError


@dataclass(frozen=True, kw_only=True)
class Ridge:
    """phi(<direction, x>), where phi' is linear between its values at the knots and has the given slopes outside."""

    direction: Sequence[Exact]
    knots: Sequence[Exact]
    gradients: Sequence[Exact]
    left_slope: Exact
    right_slope: Exact


@dataclass(frozen=True)
class _RidgeSum:
    constants: Constants  # the directions, row by row, and x*
    parts: tuple[Pieces, ...]  # phi_j, 0 at its centre <a_j, x*>

    def f(self, xp: Any, x: Vectors) -> Scalars:
        if is_plain_ball(xp):
            parts = self._in_balls(xp)
            return _each_row(xp, lambda u: _total(part.value(v) for part, v in zip(parts, u, strict=True)), self._products(xp, x))
        products = self._along(xp, x)
        return _total(part.value(xp, u) for part, u in zip(self.parts, products, strict=True))

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        slopes = [part.gradient(xp, u) for part, u in zip(self.parts, self._along(xp, x), strict=True)]
        return xp.matvec(self.constants.matrix(xp).T, xp.from_coordinates(slopes))

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        if is_plain_ball(xp):
            parts = self._in_balls(xp)
            from_centre = self._products(xp, x - self.constants.vector(xp, "xstar"))
            return _each_row(xp, lambda w: _total(p.difference(p.centre, v) for p, v in zip(parts, w, strict=True)), from_centre)
        away = self._along(xp, x - self.constants.vector(xp, "xstar"))
        return _total(part.difference(xp, xp.scalar(part.centre) + w * 0, w) for part, w in zip(self.parts, away, strict=True))

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        if is_plain_ball(xp):
            parts = self._in_balls(xp)
            at, along = self._products(xp, x), self._products(xp, d)
            return _each_row(xp, lambda u, w: _total(p.difference(a, b) for p, a, b in zip(parts, u, w, strict=True)), at, along)
        products, steps = self._along(xp, x), self._along(xp, d)
        return _total(part.difference(xp, u, w) for part, u, w in zip(self.parts, products, steps, strict=True))

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """Between knots the secant slope is monotone in t: sup and inf are among those at 0, at the knots inside, and at 1."""
        if is_plain_ball(xp):
            from boundcheck.problems._numerics.ball_pieces import extreme_secants

            parts = self._in_balls(xp)
            found = _each_row(xp, lambda u, w: extreme_secants(parts, u, w, side), self._products(xp, x), self._products(xp, d))
            return found / xp.normsq(d)
        pick = xp.minimum if side == "inf" else xp.maximum
        lines = list(zip(self.parts, self._along(xp, x), self._along(xp, d), strict=True))

        def rise(t: Scalars) -> Scalars:
            """<grad f(x + t d) - grad f(x), d>."""
            return _total(part.rise(xp, u, t * w) * w for part, u, w in lines)

        one = xp.scalar(1)
        best = pick(_total(part.slope(xp, u, w) * w * w for part, u, w in lines), rise(one))
        for part, u, w in lines:
            for knot in part.knots:
                to_knot, zero = xp.scalar(knot) - u, u * 0
                after = both(is_less(xp, zero, to_knot), is_less(xp, to_knot, w))
                before = both(is_less(xp, to_knot, zero), is_less(xp, w, to_knot))
                t = to_knot / nonzero_or_one(xp, w)
                better = pick(best, rise(t) / nonzero_or_one(xp, t))
                best = xp.choose(after, better, xp.choose(before, better, best))
        return best / xp.normsq(d)

    def _along(self, xp: Any, x: Vectors) -> list[Scalars]:
        """<a_j, x> for each j."""
        products = self._products(xp, x)
        return [xp.coordinate(products, j) for j in range(len(self.parts))]

    def _products(self, xp: Any, x: Vectors) -> Vectors:
        return self.constants.image(xp, x)

    def _in_balls(self, xp: Any) -> list[Any]:
        return [part.in_balls(xp) for part in self.parts]


def _each_row(xp: Any, function: Any, *given: Vectors) -> Scalars:
    """python-flint is imported when balls are asked for."""
    from boundcheck.problems._numerics.ball_pieces import each_row

    return each_row(xp, function, *given)


def ridge_sum(
    ridges: Sequence[Ridge], *, xstar: Sequence[Exact], start: Sequence[Exact], name: str = "ridge sum", about: str = ""
) -> Problem:
    """The sum of these ridge functions. x* is checked: the gradient there must be exactly 0; f* = 0."""
    shapes = [shape(r.knots, r.gradients, r.left_slope, r.right_slope, f"{name}: ridge {j}") for j, r in enumerate(ridges)]
    directions = [[as_fraction(value, f"{name}: a direction") for value in r.direction] for r in ridges]
    point = [as_fraction(value, f"{name}: a coordinate of x*") for value in xstar]
    lengths = sorted({len(direction) for direction in directions})
    if lengths != [len(point)]:
        raise UserError(f"{name}: found directions of lengths {lengths} and an x* of length {len(point)}; needs all the same")
    centres = [_inner(direction, point) for direction in directions]
    parts = tuple(drawn.around(centre) for drawn, centre in zip(shapes, centres, strict=True))
    _needs_zero_gradient(directions, parts, name)
    low, high = _constants(directions, shapes)
    facts: set[Fact] = {Convex(), Differentiable(), Smooth(high)}
    if low > 0:
        facts.add(StronglyConvex(low))
    only = low > 0 or _only_minimiser(directions, shapes, centres)
    holder = _RidgeSum(Constants(matrix=directions, xstar=point), parts)
    return Problem(
        name=name,
        dimension=len(point),
        f=holder.f,
        grad=holder.grad,
        gap=holder.gap,
        bregman=holder.bregman,
        chord=holder.chord,
        facts=frozenset(facts),
        start=tuple(as_fraction(value, f"{name}: a coordinate of the start") for value in start),
        minimiser=Minimiser(point=tuple(point), which="the only one" if only else "the given one, perhaps of many"),
        rational=True,
        about=about or f"a sum of {len(parts)} ridge functions in {len(point)} dimensions, each a convex piecewise quadratic",
        data={
            "kind": "ridge sum",
            "terms": [
                {"direction": [str(value) for value in direction], "function": drawn.data(centre)}
                for direction, drawn, centre in zip(directions, shapes, centres, strict=True)
            ],
        },
    )


def ridge_2d(*, name: str = "ridge-2d") -> Problem:
    """Strongly convex: mu = 1/2 and L = 7 exactly, reached where all three slopes are smallest, or largest, at once."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    return ridge_sum(
        [
            Ridge(direction=(1, 0), knots=[0, 2], gradients=[-2, 6], left_slope=1, right_slope=1),
            Ridge(direction=(0, 1), knots=[-1, 3], gradients=[-1, 3], left_slope=quarter, right_slope=quarter),
            Ridge(direction=(1, 1), knots=[1, 5], gradients=[-6, 2], left_slope=half, right_slope=half),
        ],
        xstar=[1, 2],
        start=[-4, 5],
        name=name,
    )


def ridge_3d(*, name: str = "ridge-3d") -> Problem:
    """L = 10, not strongly convex: a Huber function, half a parabola, a dead zone and an uneven Huber function.

    The minimisers are x* = 0 and others: x_1 = 0, x_2 = 2 x_3, -1 <= x_3 <= 0.
    """
    return ridge_sum(
        [
            Ridge(direction=(1, 0, 0), knots=[-1, 1], gradients=[-2, 2], left_slope=0, right_slope=0),
            Ridge(direction=(1, 1, 0), knots=[0], gradients=[0], left_slope=0, right_slope=3),
            Ridge(direction=(0, 1, -1), knots=[-1, 1], gradients=[0, 0], left_slope=1, right_slope=2),
            Ridge(direction=(1, -1, 2), knots=[-2, 2, 3], gradients=[-1, 1, 2], left_slope=0, right_slope=0),
        ],
        xstar=[0, 0, 0],
        start=[3, -1, 2],
        name=name,
    )


def _total(terms: Any) -> Scalars:
    first, *rest = terms
    for term in rest:
        first = first + term
    return first


def _inner(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def _needs_zero_gradient(directions: list[list[Fraction]], parts: tuple[Pieces, ...], name: str) -> None:
    slopes = [part.gradients[part.knots.index(part.centre)] for part in parts]
    gradient = [_inner(slopes, column) for column in zip(*directions, strict=True)]
    if any(gradient):
        raise UserError(
            f"{name}: the gradient at x* is ({', '.join(str(value) for value in gradient)}); needs 0: give a minimiser of the sum"
        )


def _constants(directions: list[list[Fraction]], shapes: list[Shape]) -> tuple[Exact, Exact]:
    """mu from the smallest slopes and L from the largest: proved bounds of the extreme eigenvalues."""

    def summed(slopes: list[Fraction]) -> list[list[Fraction]]:
        columns = list(zip(*directions, strict=True))
        return [[sum((s * p * q for s, p, q in zip(slopes, a, b, strict=True)), Fraction(0)) for a in columns] for b in columns]

    low, _ = eigenvalues.rational_bounds(summed([min(drawn.slopes) for drawn in shapes]))
    _, high = eigenvalues.rational_bounds(summed([max(drawn.slopes) for drawn in shapes]))
    return max(low, 0), high


def _only_minimiser(directions: list[list[Fraction]], shapes: list[Shape], centres: list[Fraction]) -> bool:
    """At x* the ridges that curve on both sides have directions that span the space, so f grows strictly every way."""
    curved = [
        direction
        for direction, drawn, centre in zip(directions, shapes, centres, strict=True)
        if all(piece.slope > 0 for piece in drawn.around(centre).beside_centre)
    ]
    return bool(curved) and len(eigenvalues.independent_columns(curved)) == len(directions[0])


def slippery_floor(*, waits: int = 16, name: str = "slippery-floor") -> Problem:
    """Polyak's step halves its distance to a point that is no minimiser, `waits` times, and then slips into a wall.

    f = H(x - y) + (y_+)^2 / 2 + w(z). While it waits, f - f* = (z^2 + (x - y - t_c)^2 / 2) / 128 is an isotropic quadratic, so
    the step is 32 and everything halves. Then w' = 0, H' is tiny, and the step goes all the way down H: 1/2 in x, and 1/2 into
    the wall in y.
    """
    a, theta, z_0 = Fraction(1, 64), Fraction(1, 64), Fraction(1, 8)
    z = z_0 / 2**waits  # where waiting ends
    e = a * z * z / 4  # the slope of H on its long straight piece
    end = 1 + theta / 2  # x - y when it slips
    bend = end + e / a  # above it H curves by a / 2
    t_0 = bend - 2 * e / a + 2 * e * 2**waits / a
    y_0 = -(t_0 - end) / 2  # so that y = 0 when it slips
    return ridge_sum(
        [
            Ridge(direction=(1, -1, 0), knots=[-theta, theta, bend], gradients=[-e, e, e], left_slope=0, right_slope=a / 2),
            Ridge(direction=(0, 1, 0), knots=[0], gradients=[0], left_slope=0, right_slope=1),
            Ridge(direction=(0, 0, 1), knots=[z / 2, z], gradients=[0, a * z], left_slope=0, right_slope=a),
        ],
        xstar=[0, 0, 0],
        start=[t_0 + y_0, y_0, z_0],
        name=name,
    )

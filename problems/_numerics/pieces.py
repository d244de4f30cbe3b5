"""A C^1 piecewise quadratic of one variable, given by its piecewise linear gradient: its formulas, number by number.

With f'' = s_j on the piece [a_j, b_j], and everything seen from u (so that no digits are lost for small steps):
f(u + step) - f(u) - f'(u) step is the sum over j of s_j (q - p) (step - (p + q) / 2), and f'(u + step) - f'(u) is the sum of
s_j (q - p), where p and q are 0 and step clipped to [a_j - u, b_j - u].

Balls go one by one, each through the pieces that it may lie on and no others (`ball_pieces`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from boundcheck.arithmetic.base import Scalars
from boundcheck.problems._numerics.scalars import Constants, as_fraction, is_at_most, is_less, is_plain_ball
from boundcheck.support.errors import UserError

if TYPE_CHECKING:
    from boundcheck.problems._numerics.ball_pieces import BallPieces


@dataclass(frozen=True)
class Piece:
    """f = value + gradient (u - anchor) + slope (u - anchor)^2 / 2 on one piece. The anchor is its end next to the centre."""

    anchor: Fraction
    value: Fraction
    gradient: Fraction
    slope: Fraction


@dataclass(frozen=True)
class Pieces:
    """The function, with f = 0 at the centre."""

    knots: tuple[Fraction, ...]  # the centre among them
    gradients: tuple[Fraction, ...]
    pieces: tuple[Piece, ...]  # one more than the knots
    centre: Fraction
    lifted: Constants = field(default_factory=Constants, compare=False, repr=False)

    @property
    def beside_centre(self) -> tuple[Piece, Piece]:
        """The pieces on the left and on the right of the centre."""
        middle = self.knots.index(self.centre)
        return self.pieces[middle], self.pieces[middle + 1]

    def in_balls(self, xp: Any) -> BallPieces:
        """Its formulas for single balls, lifted once for each arithmetic. python-flint is imported when they are asked for."""
        from boundcheck.problems._numerics.ball_pieces import BallPieces

        made: BallPieces = self.lifted.once(xp, "", lambda: BallPieces(self, xp))
        return made

    def _each_ball(self, xp: Any, formula: str, *given: Scalars) -> Scalars:
        from boundcheck.problems._numerics.ball_pieces import each_ball

        return each_ball(xp, getattr(self.in_balls(xp), formula), *given)

    def value(self, xp: Any, u: Scalars) -> Scalars:
        """No cancellation where the centre is the minimiser: away from it each of the three terms is non-negative."""
        if is_plain_ball(xp):
            return self._each_ball(xp, "value", u)
        values = []
        for piece in self.pieces:
            step = u - xp.scalar(piece.anchor)
            values.append(xp.scalar(piece.value) + xp.scalar(piece.gradient) * step + xp.scalar(piece.slope / 2) * step * step)
        return self._select(xp, u, values, is_less)

    def gradient(self, xp: Any, u: Scalars) -> Scalars:
        if is_plain_ball(xp):
            return self._each_ball(xp, "gradient", u)
        values = [xp.scalar(piece.gradient) + xp.scalar(piece.slope) * (u - xp.scalar(piece.anchor)) for piece in self.pieces]
        return self._select(xp, u, values, is_less)

    def difference(self, xp: Any, u: Scalars, step: Scalars) -> Scalars:
        """f(u + step) - f(u) - f'(u) step."""
        if is_plain_ball(xp):
            return self._each_ball(xp, "difference", u, step)
        total = step * 0
        for slope, p, q in self._clipped(xp, u, step):
            total = total + slope * (q - p) * (step - (p + q) / 2)
        return total

    def rise(self, xp: Any, u: Scalars, step: Scalars) -> Scalars:
        """f'(u + step) - f'(u)."""
        if is_plain_ball(xp):
            return self._each_ball(xp, "rise", u, step)
        total = step * 0
        for slope, p, q in self._clipped(xp, u, step):
            total = total + slope * (q - p)
        return total

    def slope(self, xp: Any, u: Scalars, step: Scalars) -> Scalars:
        """f'' next to u, on the side of the step."""
        if is_plain_ball(xp):
            return self._each_ball(xp, "slope", u, step)
        slopes = [xp.scalar(piece.slope) + u * 0 for piece in self.pieces]
        forward = is_less(xp, step * 0, step)
        return xp.choose(forward, self._select(xp, u, slopes, is_less), self._select(xp, u, slopes, is_at_most))

    def _clipped(self, xp: Any, u: Scalars, step: Scalars) -> Iterator[tuple[Scalars, Scalars, Scalars]]:
        stops = [xp.scalar(knot) - u for knot in self.knots]
        for j, piece in enumerate(self.pieces):
            p, q = step * 0, step
            if j > 0:
                p, q = xp.maximum(p, stops[j - 1]), xp.maximum(q, stops[j - 1])
            if j < len(stops):
                p, q = xp.minimum(p, stops[j]), xp.minimum(q, stops[j])
            yield xp.scalar(piece.slope), p, q

    def _select(self, xp: Any, u: Scalars, values: Sequence[Scalars], belongs_left: Any) -> Scalars:
        """values[j] where u is on piece j. At a knot: the piece on its right with `is_less`, on its left with `is_at_most`."""
        chosen = values[-1]
        for knot, value in zip(reversed(self.knots), reversed(values[:-1]), strict=True):
            chosen = xp.choose(belongs_left(xp, u, xp.scalar(knot)), value, chosen)
        return chosen


@dataclass(frozen=True)
class Shape:
    """What one writes down: increasing knots, the gradient at each, and the slopes of all the pieces, left to right."""

    knots: tuple[Fraction, ...]
    gradients: tuple[Fraction, ...]
    slopes: tuple[Fraction, ...]

    def around(self, centre: Fraction) -> Pieces:
        """The function that is 0 at the centre, which becomes a knot; values grow outwards from it."""
        points, values, slopes = list(self.knots), list(self.gradients), list(self.slopes)
        if centre not in points:
            j = bisect_right(points, centre)
            near = max(j - 1, 0)
            points.insert(j, centre)
            values.insert(j, values[near] + slopes[j] * (centre - self.knots[near]))
            slopes.insert(j, slopes[j])
        middle = points.index(centre)
        heights = {middle: Fraction(0)}
        for j in range(middle + 1, len(points)):
            heights[j] = heights[j - 1] + (values[j - 1] + values[j]) / 2 * (points[j] - points[j - 1])
        for j in range(middle - 1, -1, -1):
            heights[j] = heights[j + 1] - (values[j] + values[j + 1]) / 2 * (points[j + 1] - points[j])
        anchors = [j if j <= middle else j - 1 for j in range(len(slopes))]
        pieces = tuple(Piece(points[a], heights[a], values[a], slope) for a, slope in zip(anchors, slopes, strict=True))
        return Pieces(tuple(points), tuple(values), pieces, centre)

    def data(self, centre: Fraction) -> dict[str, Any]:
        """The function that is 0 at the centre, as docs/problems.md describes it."""
        return {
            "kind": "piecewise quadratic",
            "knots": [str(knot) for knot in self.knots],
            "gradients": [str(gradient) for gradient in self.gradients],
            "left_slope": str(self.slopes[0]),
            "right_slope": str(self.slopes[-1]),
            "value_at": [str(centre), "0"],
        }


def shape(knots: Any, gradients: Any, left: Any, right: Any, name: str, *, convex: bool = True) -> Shape:
    """The shape of these numbers, or one line that says what is wrong with them."""
    points = [as_fraction(value, f"{name}: a knot") for value in knots]
    values = [as_fraction(value, f"{name}: a gradient") for value in gradients]
    if not points or len(points) != len(values):
        raise UserError(
            f"{name}: found {len(points)} knots and {len(values)} gradients; needs one gradient for each of at least one knot"
        )
    for a, b in pairwise(points):
        if a >= b:
            raise UserError(f"{name}: knot {b} comes after {a}; needs strictly increasing knots: sort them and drop repeats")
    inner = [(h - g) / (b - a) for (a, b), (g, h) in zip(pairwise(points), pairwise(values), strict=True)]
    slopes = [as_fraction(left, f"{name}: the left slope"), *inner, as_fraction(right, f"{name}: the right slope")]
    if convex and min(slopes) < 0:
        raise UserError(
            f"{name}: the gradient falls, with slope {min(slopes)} on piece {slopes.index(min(slopes))}; convex needs slopes >= 0"
        )
    return Shape(tuple(points), tuple(values), tuple(slopes))

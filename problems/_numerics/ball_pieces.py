"""Piecewise quadratics in balls: one by one, each through the pieces that it may lie on and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.arithmetic.balls.ball import Ball
from boundcheck.arithmetic.balls.plain import NAN, ZERO, lift
from boundcheck.arithmetic.base import Scalars, Vectors
from boundcheck.arithmetic.wrapped_numbers import WrappedScalars

if TYPE_CHECKING:
    from boundcheck.problems._numerics.pieces import Pieces


def each_ball(xp: Any, function: Callable[..., Any], *given: Scalars) -> Scalars:
    """A function of single balls at every place."""
    arrays = [_bare(xp, a) for a in given]
    with xp.working():
        return _as_scalars(xp, np.frompyfunc(function, len(arrays), 1)(*arrays))


def each_row(xp: Any, function: Callable[..., Any], *given: Vectors) -> Scalars:
    """A function of lists of balls, the coordinates of each vector, at every place of the stack."""
    arrays = [_bare(xp, v) for v in given]
    if any(other.shape != arrays[0].shape for other in arrays[1:]):
        arrays = list(np.broadcast_arrays(*arrays))
    *stack, dimension = arrays[0].shape
    rows = zip(*(a.reshape(-1, dimension).tolist() for a in arrays), strict=True)
    with xp.working():
        made = [function(*row) for row in rows]
    answers = np.empty(len(made), dtype=object)
    answers[:] = made
    return _as_scalars(xp, answers.reshape(stack))


_lift_each = np.frompyfunc(lift, 1, 1)


def _bare(xp: Any, a: Any) -> Any:
    """An array of balls; bare ones may have plain numbers among them."""
    return xp.bare(a) if isinstance(xp, Ball) else np.asarray(_lift_each(a), dtype=object)


def _as_scalars(xp: Any, made: Any) -> Scalars:
    return WrappedScalars(xp, made) if isinstance(xp, Ball) else np.asarray(made, dtype=object)


class BallPieces:
    """The formulas for single balls, at the precision in force. Comparisons are certain; what is not finite gives NaN."""

    def __init__(self, pieces: Pieces, xp: Any) -> None:
        with xp.working():
            self.knots = [lift(knot) for knot in pieces.knots]
            self.gradients = [lift(gradient) for gradient in pieces.gradients]
            self.centre = lift(pieces.centre)
            self._parts = [tuple(map(lift, (p.anchor, p.value, p.gradient, p.slope / 2))) for p in pieces.pieces]
            self._slopes = [lift(piece.slope) for piece in pieces.pieces]

    def value(self, u: Any) -> Any:
        return self._united(u, self._value_on)

    def gradient(self, u: Any) -> Any:
        return self._united(u, self._gradient_on)

    def difference(self, u: Any, step: Any) -> Any:
        if (way := self._way(u, step)) is None:
            return NAN
        here, there, first, last = way
        if last <= first:
            return self._parts[first][3] * step * step
        total = ZERO
        for slope, p, q in self._clipped(u, step, here, there):
            rest = step - p
            total = total + slope * (rest * rest / 2 if q is step else (q - p) * (step - (p + q) / 2))
        return total

    def rise(self, u: Any, step: Any) -> Any:
        if (way := self._way(u, step)) is None:
            return NAN
        here, there, first, last = way
        if last <= first:
            return self._slopes[first] * step
        total = ZERO
        for slope, p, q in self._clipped(u, step, here, there):
            total = total + slope * (q - p)
        return total

    def mean_slope(self, u: Any, step: Any, w: Any, t: Any) -> Any:
        """The mean of f'' from u to u + step, times w^2, where step = t w: it is (f'(u + step) - f'(u)) w / t."""
        if (way := self._way(u, step)) is None:
            return NAN
        _, _, first, last = way
        if last <= first:
            return self._slopes[first] * w * w
        made = self.rise(u, step) * w / t
        return made if made.is_finite() else _hull(self._slopes[first : last + 1]) * w * w

    def slope(self, u: Any, step: Any) -> Any:
        if not (u.is_finite() and step.is_finite()):
            return NAN
        found = []
        if not step <= 0:  # perhaps forward: at a knot, the piece on its right
            first = sum(1 for knot in self.knots if u >= knot)
            found += self._slopes[first : sum(1 for knot in self.knots if not u < knot) + 1]
        if not step > 0:
            first = sum(1 for knot in self.knots if u > knot)
            found += self._slopes[first : sum(1 for knot in self.knots if not u <= knot) + 1]
        return _hull(found)

    def _way(self, u: Any, step: Any) -> tuple[tuple[int, int], tuple[int, int], int, int] | None:
        """Around u and around u + step, and the first and the last piece that may lie between them. None: no finite end."""
        end = u + step
        if not end.is_finite():
            return None
        here, there = self._around(u), self._around(end)
        return here, there, min(here[0], there[0]), max(here[1], there[1])

    def _around(self, u: Any) -> tuple[int, int]:
        """How many knots are certainly at or before u, and how many are not certainly at or after it.

        Both are j inside piece j; the first is less where u may be on either side of a knot, and more where it is exactly a knot.
        """
        first = last = 0
        for knot in self.knots:
            if u >= knot:
                first += 1
            if u <= knot:
                break
            last += 1
        return first, last

    def _united(self, u: Any, formula: Callable[[Any, int], Any]) -> Any:
        """The hull of a formula over the pieces that u may lie on."""
        if not u.is_finite():
            return NAN
        first, last = self._around(u)
        return formula(u, first) if last <= first else _hull([formula(u, j) for j in range(first, last + 1)])

    def _value_on(self, u: Any, j: int) -> Any:
        anchor, value, gradient, half = self._parts[j]
        step = u - anchor
        return value + gradient * step + half * step * step

    def _gradient_on(self, u: Any, j: int) -> Any:
        anchor, _, gradient, _ = self._parts[j]
        return gradient + self._slopes[j] * (u - anchor)

    def _clipped(self, u: Any, step: Any, here: tuple[int, int], there: tuple[int, int]) -> Iterator[tuple[Any, Any, Any]]:
        """The parts of the way from u to u + step, which are known by `_around` these two: slope, p and q on each piece."""
        first, last = min(here[0], there[0]), max(here[1], there[1])
        if here[1] <= here[0] and there[1] <= there[0]:  # both ends are surely on one piece: from knot to knot
            forward, p = here[0] < there[1], ZERO
            for j in range(first, last) if forward else range(last, first, -1):
                q = (self.knots[j] if forward else self.knots[j - 1]) - u
                yield self._slopes[j], p, q
                p = q
            yield self._slopes[last if forward else first], p, step
            return
        for j in range(first, last + 1):  # nothing is before the first piece or after the last
            p, q = ZERO, step
            if j > first:
                stop = self.knots[j - 1] - u
                p, q = _larger(p, stop), _larger(q, stop)
            if j < last:
                stop = self.knots[j] - u
                p, q = _smaller(p, stop), _smaller(q, stop)
            yield self._slopes[j], p, q


def extreme_secants(parts: Sequence[BallPieces], u: Sequence[Any], w: Sequence[Any], side: str) -> Any:
    """The sup or inf over t in (0, 1] of the sum of (phi_j'(u_j + t w_j) - phi_j'(u_j)) w_j / t, for single balls.

    Between knots the secant slope is monotone in t: it is among those at 0, at the knots inside, and at 1.
    """
    pick = _smaller if side == "inf" else _larger
    lines = list(zip(parts, u, w, strict=True))
    at_0, at_1 = ZERO, ZERO
    for part, start, step in lines:
        at_0 = at_0 + part.slope(start, step) * step * step
        at_1 = at_1 + part.rise(start, step) * step
    best = pick(at_0, at_1)
    for part, start, step in lines:
        for knot in part.knots:
            way = knot - start
            if _outside(way, step):
                continue
            t, there = way / step, ZERO
            for other, a, b in lines:
                there = there + other.mean_slope(a, way if other is part else t * b, b, t)
            better = pick(best, there)
            best = better if _inside(way, step) else best.union(better)
    return best


def extreme_secant(part: BallPieces, u: Any, step: Any, side: str) -> Any:
    """The sup or inf of (f'(v) - f'(u)) / (v - u) over v between u and u + step, in the same way."""
    pick = _smaller if side == "inf" else _larger
    here = part.gradient(u)
    best = pick(part.slope(u, step), (part.gradient(u + step) - here) / step)
    for knot, gradient in zip(part.knots, part.gradients, strict=True):
        way = knot - u
        if not _outside(way, step):
            better = pick(best, (gradient - here) / way)
            best = better if _inside(way, step) else best.union(better)
    return best


def _inside(way: Any, step: Any) -> bool:
    """Whether way is surely strictly between 0 and step."""
    return bool((way > 0 and way < step) or (way < 0 and way > step))


def _outside(way: Any, step: Any) -> bool:
    """Whether way is surely not strictly between 0 and step."""
    return bool((way <= 0 or way >= step) and (way >= 0 or way <= step))


def _hull(balls: Sequence[Any]) -> Any:
    made = balls[0]
    for ball in balls[1:]:
        made = made.union(ball)
    return made


def _smaller(a: Any, b: Any) -> Any:
    return a if a <= b else b if b <= a else a.min(b) if a.is_finite() and b.is_finite() else NAN


def _larger(a: Any, b: Any) -> Any:
    return a if a >= b else b if b >= a else a.max(b) if a.is_finite() and b.is_finite() else NAN

"""The sup or inf over t in (0, 1] of q(t) = (phi'(t) - phi'(0)) / t, in balls, by branch and bound.

q(t) is the mean of phi'' over [0, t]. For t in [a, b] with a > 0 it is (a/t) q(a) + (1 - a/t) m for some m between the least and
the largest phi'' on [a, b], so that

    q(t) <= max(q(a), (a/b) q(a) + (1 - a/b) sup phi''),

and on [0, b] it is at most sup phi''. Where phi'' is near q, as at an extremum of q inside, the excess falls with the square of
b - a. phi' must be continuous; at a kink of phi' the enclosure of phi'' is the hull of both sides.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.arithmetic.base import Floats, Namespace, NotInThisArithmetic, Scalars, Vectors
from boundcheck.arithmetic.derivatives.reverse import gradient
from boundcheck.arithmetic.plain import PlainFloat64

if TYPE_CHECKING:
    from boundcheck.arithmetic.balls.plain import PlainBall

Ball = Any  # flint.arb
MOST = 400  # boxes; a smooth function needs about a hundred for 40 bits
CLOSE = 40  # bits, relatively, after which to stop: less than what rounding costs a float64 run


def extremum(rise: Callable[[Ball], Ball], slope: Callable[[Ball], Ball], side: str, bits: int) -> Ball:
    """`rise(t)` is phi'(t) - phi'(0) and `slope(t)` is phi''(t), for balls t. The answer is a ball that holds the extremum."""
    from flint import arb

    sign = 1 if side == "sup" else -1
    zero, one = arb(0), arb(1)

    def q(t: Ball) -> Ball:
        return sign * rise(t) / t

    def above(a: Ball, b: Ball, at_a: Ball | None) -> Ball:
        """An upper bound of q on [a, b], as an exact number."""
        top = (sign * slope(a.union(b))).upper()
        if at_a is None:
            return top
        share = a / b
        return at_a.max(share * at_a + (1 - share) * top).upper()

    at_one = q(one)
    if not at_one.is_finite():
        return arb.nan()
    best, lowest = at_one, at_one.lower()
    first = above(zero, one, None)
    waiting = [(-float(first) if first.is_finite() else float("-inf"), 0, zero, one, None, first)]
    count, done = 1, []
    tolerance = arb(2) ** -min(CLOSE, bits // 2)
    while waiting and count < MOST:
        _, _, a, b, at_a, top = heapq.heappop(waiting)
        if top.is_finite() and (top <= lowest or top - lowest <= tolerance * abs(lowest)):
            done.append(top)
            break
        middle = ((a + b) / 2).mid() if not a.is_zero() else (b / 4).mid()
        at_middle = q(middle)
        if at_middle.is_finite() and at_middle.lower() > lowest:
            best, lowest = at_middle, at_middle.lower()
        for low, high, known in ((a, middle, at_a), (middle, b, at_middle)):
            bound = above(low, high, known)
            count += 1
            heapq.heappush(waiting, (-float(bound) if bound.is_finite() else float("-inf"), count, low, high, known, bound))
    tops = [*done, *(one[5] for one in waiting)]
    most = best.upper()
    for top in tops:
        if not top.is_finite():
            return arb.nan()
        most = most.max(top)
    answer = lowest.union(most)
    return answer if side == "sup" else -answer


Value = Callable[[Namespace, Vectors], Scalars]
VectorField = Callable[[Namespace, Vectors], Vectors]
BITS = 96  # for chords that float64 asks for: enough that rounding does not widen a result of 53 bits


@dataclass(frozen=True)
class Gradient:
    """grad f, by the chain rule."""

    f: Value

    def __call__(self, xp: Any, x: Vectors) -> Vectors:
        return gradient(xp, self.f, x)


@dataclass(frozen=True)
class HessianVector:
    """The Hessian at x times v: the gradient of <grad f(x), v>."""

    grad: VectorField

    def __call__(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        return gradient(xp, lambda traced, at: traced.dot(self.grad(traced, at), traced.vectors(v)), x)


@dataclass(frozen=True)
class LocalSmoothness:
    """The Frobenius norm of the Hessian over a box about each point, in balls: an upper bound of the Lipschitz constant there."""

    grad: VectorField

    def __call__(self, points: Floats, radius: Any) -> Floats:
        stack = np.asarray(points, dtype=np.float64)
        reach = np.broadcast_to(np.asarray(radius, dtype=np.float64), stack.shape[:-1])
        made = np.empty(stack.shape[:-1])
        from boundcheck.arithmetic.balls.plain import PlainBall, precision

        xp = PlainBall(BITS)
        with precision(BITS):
            for place in np.ndindex(*made.shape):
                made[place] = self._over(xp, stack[place], float(reach[place]))
        return made

    def _over(self, xp: PlainBall, point: Floats, radius: float) -> float:
        if not (np.isfinite(point).all() and np.isfinite(radius)):
            return np.inf
        box, total, product = _box(point, np.full(len(point), radius)), 0.0, HessianVector(self.grad)
        for j in range(len(point)):
            column = product(xp, box, xp.vector([int(n == j) for n in range(len(point))]))
            total += sum(float(entry.abs_upper()) ** 2 if entry.is_finite() else np.inf for entry in column)
        return float(np.sqrt(total)) * (1 + 2.0**-40)


@dataclass(frozen=True)
class ChordBounds:
    """The sup (A) and the inf (mu) along a chord, by branch and bound; for a quadratic they are one number, by definition.

    In exact rationals they are undefined unless f is quadratic: where the extremum is inside the chord it need not be rational.
    """

    grad: VectorField
    is_quadratic: bool = False

    def __call__(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        if self.is_quadratic:
            return xp.dot(gy - gx, d) / xp.normsq(d)
        if getattr(xp, "exact", False) or type(xp).__name__ == "PlainRational":
            raise NotInThisArithmetic(
                "a sup or inf along a chord is not known exactly; use --arithmetic ball:128, or give chord="
            )
        bits = getattr(xp, "bits", None) or BITS
        starts, steps = _as_balls(xp, x), _as_balls(xp, d)
        starts, steps = np.broadcast_arrays(starts, steps)
        answers = np.empty(starts.shape[:-1], dtype=object)
        from boundcheck.arithmetic.balls.plain import PlainBall, precision

        balls, product = PlainBall(bits), HessianVector(self.grad)
        with precision(bits):
            for place in np.ndindex(*answers.shape):
                start, step = starts[place], steps[place]

                def slope(t: Any, start: Any = start, step: Any = step) -> Any:  # phi''
                    return balls.dot(product(balls, start + step * t, step), step)

                def rise(t: Any, start: Any = start, step: Any = step) -> Any:  # phi' less its value at 0
                    moved = self.grad(balls, start + step * t) - self.grad(balls, start)
                    return balls.dot(moved, step)

                answers[place] = extremum(rise, slope, side, bits) / balls.normsq(step)
        return _from_balls(xp, answers)


def _box(middle: Any, radius: Any) -> Any:
    from flint import arb

    made = np.empty(np.shape(middle), dtype=object)
    for place in np.ndindex(*made.shape):
        made[place] = arb(float(middle[place]), float(radius[place])) if np.isfinite(radius[place]) else arb.nan()
    return made


def _as_balls(xp: Any, v: Vectors) -> Any:
    """The coordinates of each vector as balls that hold them."""
    if _is_ball(xp):
        return np.asarray(v, dtype=object)
    if getattr(xp, "bits", None) is not None:
        return np.asarray(xp.bare(v), dtype=object)
    plain = isinstance(v, np.ndarray)
    if plain:
        middle = np.asarray(xp.middle(v), dtype=np.float64)
        return _box(middle, np.zeros(middle.shape))
    middle = np.stack([np.asarray(xp.middle(xp.coordinate(v, j))) for j in range(v.dimension)], axis=-1)
    radius = np.stack([np.asarray(xp.error(xp.coordinate(v, j))) for j in range(v.dimension)], axis=-1)
    rounded = 0.0 if isinstance(getattr(xp, "plain", None), PlainFloat64) else 2.0**-52 * np.abs(middle)
    return _box(middle, radius + rounded)


def _from_balls(xp: Any, answers: Any) -> Scalars:
    if _is_ball(xp):
        return answers
    if getattr(xp, "bits", None) is not None:
        return xp.scalars(answers)
    middle = np.array([float(one.mid()) for one in answers.reshape(-1)]).reshape(answers.shape)
    radius = np.array([float(one.rad()) for one in answers.reshape(-1)]).reshape(answers.shape)
    return xp.scalars(middle, (radius + np.abs(middle) * 2.0**-52) * (1 + 2.0**-40) + 2.0**-1060)


def _is_ball(xp: Any) -> bool:
    """Whether a namespace computes with balls; one that does has imported python-flint already."""
    from boundcheck.arithmetic.balls.plain import PlainBall

    return isinstance(xp, PlainBall)

"""The oracles of a problem that its author did not write: gradients by the chain rule, chord quantities by branch and bound.

Each is a value: equal for equal functions, and pickled with them. They need a formula that is written with `xp` throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.arithmetic.base import Floats, Namespace, NotInThisArithmetic, Scalars, Vectors
from boundcheck.arithmetic.derivatives.reverse import gradient
from boundcheck.arithmetic.plain import PlainFloat64
from boundcheck.model.chord_search import extremum

if TYPE_CHECKING:  # python-flint is imported when an oracle is asked in balls, not when a problem is declared
    from boundcheck.arithmetic.balls.plain import PlainBall

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

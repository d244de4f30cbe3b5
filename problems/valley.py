"""A valley with a flat floor: f(x) = (|x| - w)^3 for |x| > w, and 0 between. Convex and C^2; f'' = 6 (|x| - w) is unbounded.

Every point of [-w, w] is a minimiser, and f'' vanishes there: D, A and mu all tend to 0 on the way to it.
Take x >= 0 (f is even) and y = x + d, and write a, b, c, g for the positive parts of x - w, y - w, -y - w, w - y:

    f(y) - f(x) - f'(x) d = (b - a)^2 (b + 2 a)      for y >= w
                          = c^3 + 2 a^3 + 3 a^2 g    for y < w
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Minimiser, Problem, TwiceDifferentiable
from boundcheck.problems._numerics.chord_quantities import even_chord
from boundcheck.problems._numerics.scalars import as_fraction, both, is_at_most, is_less, nonzero_or_one
from boundcheck.support.errors import UserError


@dataclass(frozen=True)
class _Valley:
    w: Fraction

    def f(self, xp: Any, x: Vectors) -> Scalars:
        a = self._beyond(xp, xp.abs(xp.coordinate(x, 0)))
        return a * a * a

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        u = xp.coordinate(x, 0)
        right, left = self._beyond(xp, u), self._beyond(xp, -u)
        return xp.from_coordinates([3 * right * right - 3 * left * left])

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        return self.f(xp, x)

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
        left = is_less(xp, u, u * 0)
        u, step = xp.choose(left, -u, u), xp.choose(left, -step, step)
        y, w = u + step, xp.scalar(self.w)
        a, b, c, g = self._beyond(xp, u), self._beyond(xp, y), self._beyond(xp, -y), xp.maximum(w - y, y * 0)
        apart = xp.choose(is_at_most(xp, w, u), step, b)  # b - a
        return xp.choose(is_at_most(xp, w, y), apart * apart * (b + 2 * a), c * c * c + 2 * a * a * a + 3 * a * a * g)

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """f'' grows away from 0. The tangent of f' at w + b passes through (-w - a, -3 a^2) where b^2 + 2 b (2 w + a) = a^2;
        a chord that ends before that point has its inf there: then no root is needed.
        """
        u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)

        def touch(u: Scalars) -> Scalars:
            w = xp.scalar(self.w)
            a = self._beyond(xp, xp.abs(u))
            reach = 2 * w + a
            size = w + a * a / (reach + xp.sqrt(reach * reach + a * a))
            return xp.choose(is_less(xp, u, u * 0), size, -size)

        answer = even_chord(
            xp,
            u,
            step,
            side,
            slope=lambda u: 6 * self._beyond(xp, xp.abs(u)),
            secant=lambda u, v: self._secant(xp, u, v),
            touch=touch,
            peak=False,
        )
        if side == "sup":
            return answer
        y = u + step
        a, b = self._beyond(xp, xp.abs(u)), self._beyond(xp, xp.abs(y))
        still_falling = is_at_most(xp, b * b + 2 * b * (2 * xp.scalar(self.w) + a), a * a)
        return xp.choose(both(is_less(xp, u * y, u * 0), still_falling), self._secant(xp, u, y), answer)

    def hessian_vector(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        return xp.scale(6 * self._beyond(xp, xp.abs(xp.coordinate(x, 0))), v)

    def local_smoothness(self, points: Any, radius: Any) -> Any:
        """f'' at the point of the ball farthest from 0; rounded up."""
        return 6 * np.maximum((np.abs(points[..., 0]) + radius) * (1 + 2.0**-40) - float(self.w) * (1 - 2.0**-50), 0.0)

    def _beyond(self, xp: Any, u: Scalars) -> Scalars:
        return xp.maximum(u - xp.scalar(self.w), u * 0)

    def _secant(self, xp: Any, u: Scalars, v: Scalars) -> Scalars:
        """3 (a + b) between points beyond the floor on one side; else 3 (a^2 + b^2) / |v - u|."""
        w = xp.scalar(self.w)
        a, b = self._beyond(xp, xp.abs(u)), self._beyond(xp, xp.abs(v))
        apart = 3 * (a * a + b * b) / nonzero_or_one(xp, xp.abs(v - u))
        right, left = both(is_at_most(xp, w, u), is_at_most(xp, w, v)), both(is_at_most(xp, u, -w), is_at_most(xp, v, -w))
        together = 3 * (a + b)
        return xp.choose(right, together, xp.choose(left, together, apart))


def valley(half_width: Exact = 1, *, start: Exact = 3, name: str = "valley") -> Problem:
    """max(|x| - half_width, 0)^3."""
    w = as_fraction(half_width, f"{name}: the half width")
    if w <= 0:
        raise UserError(f"{name}: found half width {half_width}; needs a positive one (for |x|^3 itself use power(3))")
    holder = _Valley(w)
    return Problem(
        name=name,
        dimension=1,
        f=holder.f,
        grad=holder.grad,
        gap=holder.gap,
        bregman=holder.bregman,
        chord=holder.chord,
        hessian_vector=holder.hessian_vector,
        local_smoothness=holder.local_smoothness,
        facts=frozenset({Convex(), Differentiable(), TwiceDifferentiable()}),
        start=(as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(0,), which=f"0, of all of [{-w}, {w}]"),
        rational=True,
        about="max(|x| - w, 0)^3: flat between -w and w; in rationals its inf over a chord across may be irrational: undefined",
        data={
            "kind": "piecewise polynomial",
            "knots": [str(-w), str(w)],
            "pieces": [
                [str(value) for value in (-(w**3), -3 * w**2, -3 * w, Fraction(-1))],
                ["0"],
                [str(value) for value in (-(w**3), 3 * w**2, -3 * w, Fraction(1))],
            ],
        },
    )

"""A smooth function that is not convex: f(x) = x^2 / (1 + x^2) = 1 - 1 / (1 + x^2).

f'(x) = 2x / (1 + x^2)^2 and f''(x) = (2 - 6 x^2) / (1 + x^2)^3. 1 / (1 + x^2) is the imaginary part of 1 / (x - i), so its n-th
derivative is at most n!: hence |f''| <= 2, attained at 0, and L = 2 exactly; |f''''| <= 24. f* = 0 at 0, the only stationary
point. With y = x + d:

    f(y) - f(x) - f'(x) d = d^2 (1 - 3 x^2 - 2 x d) / ((1 + x^2)^2 (1 + y^2))
    (f'(y) - f'(x)) / d   = 2 (1 - x y (2 + x^2 + x y + y^2)) / ((1 + x^2)^2 (1 + y^2)^2)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, NotInThisArithmetic, Scalars, Vectors
from boundcheck.model.problem import Differentiable, Minimiser, Problem, Smooth, TwiceDifferentiable
from boundcheck.problems._numerics.branch_and_bound import Known, up
from boundcheck.problems._numerics.chord_quantities import grid_chord
from boundcheck.problems._numerics.line_chords import ball_chord, is_ball
from boundcheck.problems._numerics.line_functions import ByFormula, above, end_of, rounded
from boundcheck.problems._numerics.scalars import as_fraction


def _f(xp: Any, x: Vectors) -> Scalars:
    u = xp.coordinate(x, 0)
    return u * u / (1 + u * u)


def _grad(xp: Any, x: Vectors) -> Vectors:
    u = xp.coordinate(x, 0)
    w = 1 + u * u
    return xp.from_coordinates([2 * u / (w * w)])


def _gap(xp: Any, x: Vectors, g: Vectors) -> Scalars:
    return _f(xp, x)


def _bregman(xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
    u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
    w, y = 1 + u * u, u + step
    return step * step * (1 - 3 * u * u - 2 * u * step) / (w * w * (1 + y * y))


def _chord(xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
    if getattr(xp, "exact", False):
        raise NotInThisArithmetic("the extreme secant slopes of x^2 / (1 + x^2) are enclosed, not rational; use float64 or mp:50")

    if is_ball(xp):
        return ball_chord(xp, side, _Line, x, d) / xp.normsq(d)

    def secant(u: Scalars, v: Scalars) -> Scalars:
        both = (1 + u * u) * (1 + v * v)
        return 2 * (1 - u * v * (2 + u * u + u * v + v * v)) / (both * both)

    return grid_chord(xp, xp.coordinate(x, 0), xp.coordinate(d, 0), side, secant=secant, fourth=24)


class _Line(ByFormula):
    """phi(t) = f(x + t d) in balls. f''' = 24 u (u^2 - 1) / (1 + u^2)^4, and |f''''| <= 24 / (1 + u^2)^(5/2)."""

    def __init__(self, x: list[Any], d: list[Any]) -> None:
        end = end_of(d)
        self.start, self.step = x[0], d[0] / end
        square = up(above(self.step) * above(self.step))
        super().__init__(self._values, end=end, reach=above(self.step), fourth=float(24 * up(square * square)))

    def _values(self, t: Any) -> tuple[Any, Any, Any]:
        u, step = self.start, self.step
        v = u + t * step
        square = 1 + v * v
        around = (1 + u * u) * square
        secant = 2 * (1 - u * v * (2 + u * u + u * v + v * v)) / (around * around)
        second = (2 - 6 * v * v) / (square * square * square)
        third = 24 * v * (v * v - 1) / (square * square * square * square)
        return step * step * (second if t.is_zero() else secant), step * step * second, step * step * step * third

    def bend(self, t: Any, known: Known) -> Any:
        """From the smallest |u| in each box."""
        (start, step), (start_error, step_error) = rounded([self.start, self.step])
        u = start + t * step
        size = np.maximum(np.abs(u) - up(up(start_error + t * step_error) + (np.abs(u) + np.abs(start)) * 2.0**-50), 0.0)
        least = np.where(u[:-1] * u[1:] > 0, np.minimum(size[:-1], size[1:]), 0.0)
        base = 1 + least * least * (1 - 2.0**-50)
        return up(up(self.fourth) / (base * base * np.sqrt(base)) * (1 + 2.0**-45))


def _hessian_vector(xp: Any, x: Vectors, v: Vectors) -> Vectors:
    u = xp.coordinate(x, 0)
    w = 1 + u * u
    return xp.scale((2 - 6 * u * u) / (w * w * w), v)


def nonconvex(*, start: Exact = 2, name: str = "nonconvex") -> Problem:
    """x^2 / (1 + x^2)."""
    return Problem(
        name=name,
        dimension=1,
        f=_f,
        grad=_grad,
        gap=_gap,
        bregman=_bregman,
        chord=_chord,
        hessian_vector=_hessian_vector,
        facts=frozenset({Differentiable(), TwiceDifferentiable(), Smooth(2)}),
        start=(as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(0,)),
        rational=True,
        data={"kind": "rational function", "numerator": ["0", "0", "1"], "denominator": ["1", "0", "1"]},
        about="x^2 / (1 + x^2): L = 2, not convex; in rationals its chord quantities are not known exactly",
    )

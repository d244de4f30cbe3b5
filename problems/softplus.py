"""Softplus, tilted: f(x) = s(x + v) - c x - s(v) with s = log(1 + exp), 0 < c < 1 and v = log(c / (1 - c)).

s(u) - c u has its minimiser at u = v, where s'(v) = c. Shifting by v puts it at exactly 0, with f* = 0, for any rational c:
f(x) = log(1 - c + c e^x) - c x is the Bregman difference of s at v along x. f' goes from -c to 1 - c, f'' = s''(x + v) is at most
1/4, attained at -v: L = 1/4 exactly. Not strongly convex; asymmetric unless c = 1/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Minimiser, Problem, Smooth, TwiceDifferentiable
from boundcheck.problems._numerics.chord_quantities import from_stack, line_chord, parts_of
from boundcheck.problems._numerics.line_chords import ball_chord, is_ball
from boundcheck.problems._numerics.line_functions import SoftplusBalls
from boundcheck.problems._numerics.scalars import as_fraction
from boundcheck.support.errors import UserError


@dataclass(frozen=True)
class _Softplus:
    c: Fraction

    def f(self, xp: Any, x: Vectors) -> Scalars:
        v = self._shift(xp)
        return xp.softplus_sum(x + v) - xp.scalar(self.c) * xp.coordinate(x, 0) - xp.softplus_sum(v)

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        return xp.sigmoid(x + self._shift(xp)) - xp.vector([self.c])

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        return xp.softplus_bregman_sum(self._shift(xp), x)

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        return xp.softplus_bregman_sum(x + self._shift(xp), d)

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """|s''''| <= 1/8."""
        z, step, square = xp.coordinate(x + self._shift(xp), 0), xp.coordinate(d, 0), xp.normsq(d)
        if is_ball(xp):
            return ball_chord(xp, side, SoftplusBalls, x + self._shift(xp), d) / square
        parts = parts_of(xp, step)
        there = xp.softplus_bregman_sum(xp.from_coordinates([z + parts * 0]), xp.from_coordinates([parts]))
        back = xp.softplus_bregman_sum(xp.from_coordinates([z + parts]), xp.from_coordinates([-parts]))
        fourth = square * square / 8
        return line_chord(xp, side, there=from_stack(there), back=from_stack(back), fourth=fourth) / square

    def hessian_vector(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        z = x + self._shift(xp)
        return xp.scale(xp.coordinate(xp.sigmoid(z), 0) * xp.coordinate(xp.sigmoid(-z), 0), v)

    def _shift(self, xp: Any) -> Vectors:
        return xp.from_coordinates([xp.log(xp.scalar(self.c / (1 - self.c)))])


def softplus(c: Exact = Fraction(1, 4), *, start: Exact = 5, name: str = "softplus") -> Problem:
    """log(1 - c + c e^x) - c x."""
    tilt = as_fraction(c, f"{name}: c")
    if not 0 < tilt < 1:
        raise UserError(f"{name}: found c = {c}; needs 0 < c < 1, or there is no minimiser")
    holder = _Softplus(tilt)
    return Problem(
        name=name,
        dimension=1,
        f=holder.f,
        grad=holder.grad,
        gap=holder.gap,
        bregman=holder.bregman,
        chord=holder.chord,
        hessian_vector=holder.hessian_vector,
        facts=frozenset({Convex(), Differentiable(), TwiceDifferentiable(), Smooth(Fraction(1, 4))}),
        start=(as_fraction(start, f"{name}: the start"),),
        minimiser=Minimiser(point=(0,)),
        constants={"c": tilt},
        about=f"log(1 - c + c e^x) - c x with c = {tilt}: the slope goes from {-tilt} to {1 - tilt}, L = 1/4",
    )

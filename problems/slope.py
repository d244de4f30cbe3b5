"""A slope without a bottom: f(x) = x + c sqrt(x^2 + eps^2) with 0 < c < 1. Convex, C^2, unbounded below: no minimiser.

f' goes from 1 - c to 1 + c. For c <= 1/3 the gradient never falls to half of what it is anywhere: 1 - c >= (1 + c) / 2.
Differences are those of sqrt(x^2 + eps^2) times c, and L = c / eps exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Problem, Smooth, TwiceDifferentiable
from boundcheck.problems._numerics.scalars import as_fraction
from boundcheck.problems.smooth_abs import smooth_abs
from boundcheck.support.errors import UserError


class Slope(Problem):
    """x + c sqrt(x^2 + eps^2), which falls for ever to the left."""

    bend: Problem
    c: Fraction
    dimension = 1

    def f(self, xp: Any, x: Vectors) -> Scalars:
        return xp.coordinate(x, 0) + xp.scalar(self.c) * self.bend.f(xp, x)

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        return xp.scale(xp.scalar(self.c), self.bend.grad(xp, x)) + xp.vector([1])

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        return xp.scalar(self.c) * self.bend.bregman(xp, x, d, None, None)

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        return xp.scalar(self.c) * self.bend.chord(xp, x, d, None, None, side)

    def hessian_vector(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        return xp.scale(xp.scalar(self.c), self.bend.hessian_vector(xp, x, v))


def slope(c: Exact = Fraction(1, 4), eps: Exact = 1, *, start: Exact = 0, name: str = "slope") -> Problem:
    """x + c sqrt(x^2 + eps^2)."""
    weight, width = as_fraction(c, f"{name}: c"), as_fraction(eps, f"{name}: eps")
    if not 0 < weight < 1 or width <= 0:
        raise UserError(f"{name}: found c = {c} and eps = {eps}; needs 0 < c < 1 and eps > 0")
    return Slope(
        name=name,
        bend=smooth_abs(width),
        c=weight,
        facts=frozenset({Convex(), Differentiable(), TwiceDifferentiable(), Smooth(weight / width)}),
        start=(as_fraction(start, f"{name}: the start"),),
        about=f"x + {weight} sqrt(x^2 + {width**2}): the slope stays between {1 - weight} and {1 + weight}; no minimiser",
        data={"kind": "slope", "c": str(weight), "eps": str(width)},
    )

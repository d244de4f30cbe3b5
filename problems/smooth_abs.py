"""The smoothed absolute value: f(x) = sqrt(x^2 + eps^2).

f'(x) = x / r and f''(x) = eps^2 / r^3 with r = sqrt(x^2 + eps^2); L = 1 / eps, f* = eps at 0, not strongly convex. With y = x +
d and s = sqrt(y^2 + eps^2), the identity (r s)^2 - (x y + eps^2)^2 = eps^2 d^2 gives every difference without cancellation:

    f(x) - f*                  = x^2 / (r + eps)
    f(y) - f(x) - f'(x) d      = eps^2 d^2 / (r (r s + x y + eps^2))
    (f'(y) - f'(x)) / d        = (r s - x y + eps^2) / (r s (r + s))

where r s - |x y| = eps^2 (x^2 + y^2 + eps^2) / (r s + |x y|). With eps = 0 this is |x|: convex, no gradient at 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Scalars, Vectors
from boundcheck.model.problem import Convex, Differentiable, Minimiser, Problem, Smooth, TwiceDifferentiable
from boundcheck.problems._numerics.chord_quantities import even_chord
from boundcheck.problems._numerics.line_chords import is_ball
from boundcheck.problems._numerics.scalars import as_fraction, is_less, nonzero_or_one
from boundcheck.support.errors import UserError


class SmoothAbs(Problem):
    """The convex function sqrt(x^2 + eps^2)."""

    eps: Exact
    dimension = 1
    about = "sqrt(x^2 + eps^2): flat far away, curvature 1/eps at its minimiser"

    def f(self, xp: Any, x: Vectors) -> Scalars:
        return self._root(xp, xp.coordinate(x, 0))

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        u = xp.coordinate(x, 0)
        return xp.from_coordinates([u / self._root(xp, u)])

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        u = xp.coordinate(x, 0)
        return u * u / (self._root(xp, u) + xp.scalar(self.eps))

    def bregman(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        u, step = xp.coordinate(x, 0), xp.coordinate(d, 0)
        eps2 = self._eps2(xp)
        return eps2 * step * step / (self._root(xp, u) * (self._rs_plus(xp, u, u + step) + eps2))

    def chord(self, xp: Any, x: Vectors, d: Vectors, gx: Vectors, gy: Vectors, side: str) -> Scalars:
        """f'' has its peak at 0."""

        def slope(u: Scalars) -> Scalars:
            r = self._root(xp, u)
            return self._eps2(xp) / (r * r * r)

        def secant(u: Scalars, v: Scalars) -> Scalars:
            r, s = self._root(xp, u), self._root(xp, v)
            return (self._rs_plus(xp, u, -v) + self._eps2(xp)) / (r * s * (r + s))

        def touch(u: Scalars) -> Scalars:
            guess = xp.scalars(_touching_point(xp.middle(u), float(self.eps)))
            return self._sharpened(xp, u, guess) if is_ball(xp) else guess

        return even_chord(xp, xp.coordinate(x, 0), xp.coordinate(d, 0), side, slope=slope, secant=secant, touch=touch, peak=True)

    def _sharpened(self, xp: Any, u: Scalars, v: Scalars) -> Scalars:
        """Newton's method for |v|^3 + (v^2 + eps^2)^(3/2) |u| / r = |u| eps^2, the equation of the touching point."""
        eps2, size, bare = self._eps2(xp), xp.abs(u), getattr(xp, "plain", xp)
        sine = size / self._root(xp, u)
        v = xp.minimum(xp.abs(v), size)  # it is nearer to 0 than u is
        for _ in range(xp.bits.bit_length()):
            s = self._root(xp, v)
            value, slope = v * v * v + sine * s * s * s - size * eps2, 3 * v * v + 3 * sine * s * v
            better = v - value / nonzero_or_one(xp, slope)
            v = xp.scalars(bare.stored(xp.bare(xp.minimum(better, size))))
        return xp.choose(is_less(xp, u, u * 0), v, -v)

    def hessian_vector(self, xp: Any, x: Vectors, v: Vectors) -> Vectors:
        r = self._root(xp, xp.coordinate(x, 0))
        return xp.scale(self._eps2(xp) / (r * r * r), v)

    def _eps2(self, xp: Any) -> Scalars:
        return xp.scalar(as_fraction(self.eps, "eps") ** 2)

    def _root(self, xp: Any, u: Scalars) -> Scalars:
        return xp.sqrt(u * u + self._eps2(xp))

    def _rs_plus(self, xp: Any, u: Scalars, v: Scalars) -> Scalars:
        """r s + u v, where the product may be near -r s."""
        eps2, product = self._eps2(xp), u * v
        total = self._root(xp, u) * self._root(xp, v) + xp.abs(product)
        return xp.choose(is_less(xp, product, product * 0), eps2 * (u * u + v * v + eps2) / total, total)


class Absolute(Problem):
    """|x|, which has no gradient at its minimiser."""

    dimension = 1
    facts = frozenset({Convex()})
    minimiser = Minimiser(point=(0,))
    rational = True
    about = "|x|: convex, and not differentiable at its minimiser"

    def f(self, xp: Any, x: Vectors) -> Scalars:
        return xp.abs(xp.coordinate(x, 0))

    def grad(self, xp: Any, x: Vectors) -> Vectors:
        """x / |x|: undefined at 0."""
        u = xp.coordinate(x, 0)
        return xp.from_coordinates([u / xp.abs(u)])

    def gap(self, xp: Any, x: Vectors, g: Vectors) -> Scalars:
        return self.f(xp, x)


def smooth_abs(eps: Exact = 1, *, start: Exact = 3, name: str | None = None, rational: bool = False) -> Problem:
    """sqrt(x^2 + eps^2), eps >= 0. `rational`: try it in exact rationals too, which decide where the root is rational."""
    exact = as_fraction(eps, "smooth_abs: eps")
    name = f"smooth-abs eps={eps}" if name is None else name
    origin = (as_fraction(start, f"{name}: the start"),)
    if exact < 0:
        raise UserError(f"smooth_abs: found eps = {eps}; needs eps >= 0")
    if exact == 0:
        return Absolute(name=name, start=origin, constants={"eps": 0}, data={"kind": "smooth abs", "eps": "0"})
    return SmoothAbs(
        name=name,
        eps=eps,
        facts=frozenset({Convex(), Differentiable(), TwiceDifferentiable(), Smooth(1 / exact)}),
        start=origin,
        minimiser=Minimiser(point=(0,), value=eps),
        constants={"eps": eps, "slope": 1},
        rational=rational,
        data={"kind": "smooth abs", "eps": str(exact)},
    )


def _touching_point(x: Any, eps: float) -> Any:
    """A float64 guess of the u on the other side of 0 where the tangent of f' passes through (x, f'(x)), by bisection.

    With u = eps tan(theta) and |x| = eps tan(phi): sin(theta) + sin(phi) = cos(theta)^3 (tan(theta) + tan(phi)).
    """
    tangent = np.minimum(np.abs(np.where(np.isfinite(x), x, 0.0)) / eps, 1e100)
    sine = tangent / np.hypot(1.0, tangent)
    low, high = np.zeros_like(tangent), np.full_like(tangent, np.pi / 2)
    for _ in range(55):
        theta = (low + high) / 2
        still_rising = np.cos(theta) ** 3 * (np.tan(theta) + tangent) > np.sin(theta) + sine
        low, high = np.where(still_rising, theta, low), np.where(still_rising, high, theta)
    # for small x the two sides differ by less than rounding; there f' bends like -x^3, and the point is -x / 2
    return -np.sign(x) * eps * np.where(tangent < 1e-3, tangent / 2, np.tan(low))

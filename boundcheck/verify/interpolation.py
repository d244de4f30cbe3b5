"""A function known at some points only: values and gradients there, and the theorem that says that some function has them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from .arithmetic import dot, minus
from .budgets import DIMENSION, Number, Vector
from .fields import keys, rational, rationals
from .refusals import NotRefuted, must, need


class Interpolation:
    """Some L-smooth, mu-strongly convex f has these values and gradients at these points; no more is known of it.

    A claim that is false for the numbers read at these points is false for that f, whichever it is.
    """

    is_smooth, is_twice, is_quadratic = True, False, False

    def __init__(self, data: Any) -> None:
        keys(data, ("kind", "points", "gradients", "values", "L", "mu"), "an interpolation")
        points, gradients = data["points"], data["gradients"]
        need(isinstance(points, list) and points and isinstance(points[0], list), "an interpolation needs points")
        need(isinstance(gradients, list), "an interpolation needs gradients")
        self.dimension = len(points[0])
        self.constants: dict[str, str] = {}
        self.mu, self.L = rational(data["mu"]), rational(data["L"])
        need(0 < self.dimension <= DIMENSION and 0 <= self.mu < self.L, "an interpolation needs 0 <= mu < L, and a dimension")
        self.points = [rationals(point, self.dimension) for point in points]
        gradients = [rationals(gradient, self.dimension) for gradient in gradients]
        values = rationals(data["values"], len(points))
        need(len(gradients) == len(points), "an interpolation needs a gradient for each point")
        self.rows = list(zip(self.points, gradients, values, strict=True))
        self._check_that_one_exists()

    def _check_that_one_exists(self) -> None:
        """Raise NotRefuted unless such an f exists.

        Taylor, Hendrickx, Glineur 2017, Theorem 4: one exists if and only if for all pairs of points (x, g, f) and (y, h, e),
        with d = x - y, c = g - h and q = mu/L, f >= e + <h, d> + (|c|^2 / L + mu |d|^2 - 2 q <c, d>) / (2 (1 - q)).
        """
        q = self.mu / self.L
        for (x, g, f), (y, h, e) in permutations(self.rows, 2):
            d, c = minus(x, y), minus(g, h)
            above = (dot(c, c) / self.L + self.mu * dot(d, d) - 2 * q * dot(c, d)) / (2 - 2 * q)
            good = x != y and f >= e + dot(h, d) + above
            must(good, "no L-smooth, mu-strongly convex function has these values and gradients")

    def _row(self, x: Vector) -> tuple[Vector, Vector, Number]:
        must(x in self.points, "f is read at a point where the interpolation does not say what it is")
        return self.rows[self.points.index(x)]

    def value(self, x: Vector) -> Number:
        """Return f(x), at one of the points."""
        return self._row(x)[2]

    def grad(self, x: Vector) -> Vector:
        """Return the gradient at one of the points."""
        return self._row(x)[1]

    def curved(self, by: Number, sign: int = 1, strictly: bool = False) -> bool:
        """Decide whether the Hessian is known to be at least `by` (sign 1), or at most (sign -1): it is from mu to L."""
        if sign > 0:
            return bool(by < self.mu or (by == self.mu and not strictly))
        return bool(by >= self.L)

    def secants(self, x: Vector, y: Vector) -> Vector:
        """Refuse: see Function.secants."""
        raise NotRefuted("A and mu along a chord are not known from values and gradients")

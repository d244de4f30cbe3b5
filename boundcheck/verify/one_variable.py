"""Functions phi of one variable, of which functions of several are made: piecewise quadratics and three closed forms.

Each has `at(u)`, its value and gradient; `low` and `high`, the bounds of its second derivative (`high` is None where it has no
bound); `is_twice`, whether it is twice differentiable; and `knots`, the places where its gradient bends (None for closed forms).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from .arithmetic import HALF, ZERO, holds, power
from .budgets import Number, sized, spend
from .fields import keys, rational, rationals
from .refusals import need, shown


class Piecewise:
    """phi is C^1: its gradient has given values at the knots, is linear between them, and has given slopes outside."""

    def __init__(self, data: Any) -> None:
        keys(data, ("kind", "knots", "gradients", "left_slope", "right_slope", "value_at"), "a piecewise quadratic")
        self.knots = rationals(data["knots"])
        self.gradients = rationals(data["gradients"], len(self.knots))
        increase = all(a < b for a, b in pairwise(self.knots))
        need(self.knots and increase, "a piecewise quadratic needs knots that increase")
        self.slopes = [rational(data["left_slope"])]  # of the gradient: before the first knot, between knots, after the last
        self.heights = [ZERO]  # phi at the knots, but for a constant: the integral of the gradient, by trapezoids
        for j in range(len(self.knots) - 1):
            width, before, after = self.knots[j + 1] - self.knots[j], self.gradients[j], self.gradients[j + 1]
            self.slopes.append(sized((after - before) / width))
            self.heights.append(sized(self.heights[j] + width * (before + after) / 2))
        self.slopes.append(rational(data["right_slope"]))
        self.low, self.high = min(self.slopes), max(self.slopes)
        self.is_twice = self.low == self.high
        place, value = rationals(data["value_at"], 2)
        self.shift = ZERO
        self.shift = value - self.at(place)[0]  # the constant that gives phi the value that the file says

    def at(self, u: Number) -> tuple[Number, Number]:
        """Return value and gradient, by the quadratic that starts at the nearest knot on the left, or at the first."""
        spend(len(self.knots))
        passed = sum(1 for knot in self.knots if holds(">=", u, knot))
        j = max(passed - 1, 0)
        step, gradient, slope = u - self.knots[j], self.gradients[j], self.slopes[passed]
        value = self.shift + self.heights[j] + gradient * step + slope * step * step / 2
        return sized(value), sized(gradient + slope * step)


CLOSED: dict[str, list[str]] = {"smooth abs": ["eps"], "power": ["p"], "logistic pair": []}  # the number that each has


class Closed:
    """phi is sqrt(u^2 + eps^2), log(1 + e^u) + log(1 + e^-u), or |u|^p: convex and C^1.

    Its second derivative is at least 0, and at most 1/eps, at most 1/2, or unbounded (but 2 for |u|^2). It has no bends to go by,
    so A and mu along a chord are not known here.
    """

    knots = None
    low = ZERO

    def __init__(self, data: Any) -> None:
        self.kind = data["kind"]
        need(isinstance(self.kind, str) and self.kind in CLOSED, f"a function {shown(self.kind)} is not known here")
        keys(data, ("kind", *CLOSED[self.kind]), f"a function {self.kind}")
        self.is_twice = True
        self.high: fmpq | None
        if self.kind == "power":
            self.n = rational(data["p"])
            need(1 < self.n <= 100, "a power needs 1 < p <= 100")
            self.is_twice = self.n >= 2
            self.high = fmpq(2) if self.n == 2 else None
        elif self.kind == "smooth abs":
            self.n = rational(data["eps"])
            need(self.n > 0, "a smooth abs needs eps > 0")
            self.high = 1 / self.n
        else:
            self.high = HALF

    def at(self, u: Number) -> tuple[Number, Number]:
        """Return value and gradient."""
        if self.kind == "power":
            size = sized(power(abs(u), self.n - 1))
            return sized(size * abs(u)), sized(self.n * (size if holds(">=", u, ZERO) else -size))
        if self.kind == "smooth abs":
            root = sized(power(sized(u * u + self.n * self.n), HALF))
            return root, sized(u / root)
        value = sized((arb(u).exp() + 2 + arb(-u).exp()).log())  # (1 + e^u)(1 + e^-u) = e^u + 2 + e^-u
        is_zero = isinstance(u, fmpq) and u == 0  # there the gradient is 0 exactly, which no ball can say
        return value, ZERO if is_zero else sized((arb(u) / 2).tanh())


def of_one_variable(data: Any) -> Piecewise | Closed:
    """Return the phi that a file describes."""
    need(isinstance(data, dict) and "kind" in data, f"a function must be an object with a kind; found {shown(data)}")
    return Piecewise(data) if data["kind"] == "piecewise quadratic" else Closed(data)

"""Functions: the f of a certificate, its values, its gradients, and what its data prove of it (convex, smooth, its minimum)."""

from __future__ import annotations

from typing import Any

from .arithmetic import ONE, ZERO, along, definite, dot, holds, minus, total
from .budgets import DIMENSION, Number, Vector, sized
from .fields import keys, rationals
from .interpolation import Interpolation
from .one_variable import Closed, Piecewise, of_one_variable
from .refusals import must, need, need_object


class Function:
    """f is the sum of phi(<a, x>) over ridges (a, phi), and of (x - c)' B (x - c) / 2.

    A function of one variable is the ridge sum of one ridge with a = 1. B is None, and c is 0, but for quadratics.
    """

    def __init__(self, data: Any) -> None:
        need_object(data, "a function")
        kind = data.get("kind")
        self.terms: list[tuple[Vector, Piecewise | Closed]] = []
        self.centre: Vector = []
        self.B: list[Vector] | None = None
        self.constants: dict[str, str] = {}  # numbers of the function itself that a claim may read
        if kind == "quadratic":
            self._read_quadratic(data)
        elif kind == "ridge sum":
            self._read_ridges(data)
        else:
            self._read_one_variable(data)
        need(0 < self.dimension <= DIMENSION, f"a function has from 1 to {DIMENSION} variables")
        if kind != "quadratic":
            self.centre = [ZERO] * self.dimension
        self.is_smooth = all(phi.high is not None for _, phi in self.terms)
        self.is_twice = all(phi.is_twice for _, phi in self.terms)
        self.is_quadratic = all(phi.low == phi.high for _, phi in self.terms)

    def _read_quadratic(self, data: Any) -> None:
        keys(data, ("kind", "matrix", "minimiser"), "a quadratic")
        self.centre = rationals(data["minimiser"])
        self.dimension = len(self.centre)
        need(isinstance(data["matrix"], list), "a quadratic needs a matrix")
        rows, d = [rationals(row, self.dimension) for row in data["matrix"]], range(self.dimension)
        need(len(rows) == self.dimension, "a quadratic needs a square matrix")
        need(all(rows[i][j] == rows[j][i] for i in d for j in d), "a quadratic needs a symmetric matrix")
        self.B = rows

    def _read_ridges(self, data: Any) -> None:
        keys(data, ("kind", "terms"), "a ridge sum")
        need(isinstance(data["terms"], list) and data["terms"], "a ridge sum needs terms")
        for term in data["terms"]:
            keys(term, ("direction", "function"), "a term of a ridge sum")
            self.terms.append((rationals(term["direction"]), of_one_variable(term["function"])))
        self.dimension = len(self.terms[0][0])
        need(all(len(a) == self.dimension for a, _ in self.terms), "the directions of a ridge sum have one dimension")

    def _read_one_variable(self, data: Any) -> None:
        self.terms, self.dimension = [([ONE], of_one_variable(data))], 1
        if data["kind"] == "smooth abs":
            self.constants = {"slope": "1", "eps": data["eps"]}
        elif data["kind"] == "logistic pair":
            self.constants = {"slope": "1", "gram": "2"}

    def _bowl(self, x: Vector) -> tuple[Vector, Vector]:
        """Return x - c and B (x - c)."""
        r = minus(x, self.centre)
        return r, [ZERO] * self.dimension if self.B is None else [dot(row, r) for row in self.B]

    def value(self, x: Vector) -> Number:
        """Return f(x)."""
        r, Br = self._bowl(x)
        return sized(dot(r, Br) / 2 + total(phi.at(dot(a, x))[0] for a, phi in self.terms))

    def grad(self, x: Vector) -> Vector:
        """Return the gradient at x."""
        _, found = self._bowl(x)
        for a, phi in self.terms:
            found = along(found, phi.at(dot(a, x))[1], a)
        return found

    def curved(self, by: Number, sign: int = 1, strictly: bool = False) -> bool:
        """Decide whether the Hessian, wherever it is taken, is known to be at least `by` times the identity; sign -1: at most.

        The Hessian is B + sum of phi''(<a, x>) a a', so it is at least the same with the lowest phi'', at most with the highest.
        """
        d = range(self.dimension)
        H = [[(ZERO if self.B is None else self.B[i][j]) - (by if i == j else ZERO) for j in d] for i in d]
        for a, phi in self.terms:
            slope = phi.low if sign > 0 else phi.high
            for i in d:
                H[i] = along(H[i], slope * a[i], a)
        return definite([[sign * entry for entry in row] for row in H], strictly)

    def lowest(self, x: Vector) -> bool:
        """Decide whether f, a piecewise quadratic of one variable, is nowhere less than at x, though it may not be convex.

        It has its least value where f' is 0 or at a knot, unless it falls for ever on one side: so it is compared there.
        """
        is_one = len(self.terms) == 1 and self.terms[0][0] == [ONE]
        must(is_one and self.terms[0][1].knots, "x* needs a convex f, or a piecewise quadratic of one variable")
        phi: Any = self.terms[0][1]
        # It falls for ever where its gradient, towards the outside, goes to -infinity, or is a constant below 0.
        leftwards, rightwards = (phi.slopes[0], -phi.gradients[0]), (phi.slopes[-1], phi.gradients[-1])
        if min(leftwards, rightwards) < (ZERO, ZERO):
            return False
        places = list(phi.knots)
        for u, g in zip(phi.knots, phi.gradients, strict=True):
            places += [sized(u - g / s) for s in phi.slopes if s]  # all places where f' is 0, and others, which do no harm
        return all(phi.at(u)[0] >= phi.at(x[0])[0] for u in places)

    def secants(self, x: Vector, y: Vector) -> Vector:
        """Return the mean slope of the gradient along the chord, from x up to y and up to each bend on the way.

        Between bends <grad f(x + t d) - grad f(x), d> / (t |d|^2) is b + c/t with constants b and c: monotone in t. So its
        largest and its least value on the chord are among these.
        """
        d, here, times = minus(y, x), self.grad(x), [ONE]
        for a, phi in self.terms:
            need(phi.knots is not None, "A and mu along a chord are not known here for this function")
            speed = dot(a, d)
            if not holds("==", speed, ZERO):
                times += [sized((knot - dot(a, x)) / speed) for knot in phi.knots or []]
        times = [t for t in times if holds("<", ZERO, t) and holds("<=", t, ONE)]
        return [sized(dot(minus(self.grad(along(x, t, d)), here), d) / (t * dot(d, d))) for t in times]


def function_of(data: Any) -> Function | Interpolation:
    """Return the function that a file describes."""
    is_table = isinstance(data, dict) and data.get("kind") == "interpolation"
    return Interpolation(data) if is_table else Function(data)

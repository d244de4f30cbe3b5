"""Functions in plain fractions: convex piecewise quadratics of one variable, and quadratics in one to three.

Each knows its value, gradient, chord numbers, L, mu, a minimiser, and the boundcheck problem that should be the same function.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from .enclosures import (
    ONE,
    ZERO,
    Real,
    Undefined,
    Unknown,
    absolute,
    add,
    div,
    ends,
    inexact,
    largest,
    mul,
    order,
    power,
    smallest,
    sub,
)

HALF = Fraction(1, 2)
Vector = tuple[Real, ...]


def dot(u: Vector, v: Vector) -> Real:
    total: Real = ZERO
    for a, b in zip(u, v, strict=True):
        total = add(total, mul(a, b))
    return total


def normsq(u: Vector) -> Real:
    """A sum of squares: never below 0."""
    total: Real = ZERO
    for a in u:
        total = add(total, power(a, Fraction(2)))
    return total


def minus(u: Vector, v: Vector) -> Vector:
    return tuple(sub(a, b) for a, b in zip(u, v, strict=True))


class Function:
    """What both families share: the numbers of a chord that need values and gradients alone."""

    dimension: int
    minimiser: tuple[Fraction, ...]

    def value(self, x: Vector) -> Real:
        raise NotImplementedError

    def grad(self, x: Vector) -> Vector:
        raise NotImplementedError

    def chord(self, kind: str, x: Vector, y: Vector) -> Real:
        d = minus(y, x)
        length = normsq(d)
        if length == 0:
            raise Undefined("a chord of no length")
        if kind == "D":
            inexact[0] += self.dimension > 1  # a quotient of roots, which need not be rational where it is
            return mul(Fraction(2), power(div(normsq(minus(self.grad(y), self.grad(x))), length), HALF))
        if kind == "H":
            bent = sub(sub(self.value(y), self.value(x)), dot(self.grad(x), d))
            return div(mul(Fraction(2), absolute(bent)), length)
        slopes = self.secants(x, y)
        return largest(slopes) if kind == "A" else smallest(slopes)

    def secants(self, x: Vector, y: Vector) -> list[Real]:
        """Mean slopes of the gradient from x towards y, at the places where they are extreme."""
        raise NotImplementedError


@dataclass(frozen=True)
class Piecewise(Function):
    """The gradient is `gradients` at `knots`, linear between, with slopes `left` and `right` outside; f(minimiser) = `least`."""

    knots: tuple[Fraction, ...]
    gradients: tuple[Fraction, ...]
    left: Fraction
    right: Fraction
    star: Fraction
    least: Fraction
    dimension = 1

    @property
    def minimiser(self) -> tuple[Fraction, ...]:  # type: ignore[override]
        return (self.star,)

    @cached_property
    def slopes(self) -> list[Fraction]:
        inner = [
            (self.gradients[n + 1] - self.gradients[n]) / (self.knots[n + 1] - self.knots[n]) for n in range(len(self.knots) - 1)
        ]
        return [self.left, *inner, self.right]

    @property
    def L(self) -> Fraction:
        return max(self.slopes)

    @property
    def mu(self) -> Fraction:
        return min(self.slopes)

    def _piece(self, u: Real) -> int:
        """How many knots are at or below u."""
        low, high = ends(u)
        count = sum(1 for knot in self.knots if knot <= low)
        if any(low < knot < high for knot in self.knots):
            raise Unknown("a point that may be on either side of a knot")
        return count

    def _slope(self, u: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """A knot, the gradient there and the slope that leads from it to u."""
        after = self._piece(u)
        at = max(after - 1, 0)
        return self.knots[at], self.gradients[at], self.slopes[after]

    def grad(self, x: Vector) -> Vector:
        knot, gradient, slope = self._slope(x[0])
        return (add(gradient, mul(slope, sub(x[0], knot))),)

    @cached_property
    def _heights(self) -> list[Fraction]:
        """f at each knot, up to a constant: trapezoids under the gradient."""
        found = [ZERO]
        for n in range(len(self.knots) - 1):
            found.append(found[-1] + (self.knots[n + 1] - self.knots[n]) * (self.gradients[n] + self.gradients[n + 1]) / 2)
        return found

    @cached_property
    def _shift(self) -> Fraction:
        return self.least - self._bare(self.star)

    def _bare(self, u: Real) -> Real:
        after = self._piece(u)
        at = max(after - 1, 0)
        step = sub(u, self.knots[at])
        curved = mul(self.slopes[after] / 2, power(step, Fraction(2)))
        return add(add(self._heights[at], mul(self.gradients[at], step)), curved)

    def value(self, x: Vector) -> Real:
        return add(self._bare(x[0]), self._shift)

    def secants(self, x: Vector, y: Vector) -> list[Real]:
        a, b = x[0], y[0]
        if not isinstance(a, Fraction) or not isinstance(b, Fraction):
            raise Unknown("a chord between enclosed points")
        at = sum(1 for knot in self.knots if knot < a or (knot == a and b > a))  # the piece that the chord begins in
        here = self.grad(x)[0]
        inside = [knot for knot in self.knots if min(a, b) < knot < max(a, b)]
        return [self.slopes[at], *((self.grad((u,))[0] - here) / (u - a) for u in (*inside, b))]

    def problem(self, start: tuple[Fraction, ...]) -> Any:
        from boundcheck.problems.piecewise import lowered, piecewise_quadratic

        made = piecewise_quadratic(
            list(self.knots),
            list(self.gradients),
            left_slope=self.left,
            right_slope=self.right,
            xstar=self.star,
            name="fuzzed piecewise",
            start=start[0],
        )
        return made if self.least == 0 else lowered(made, -self.least, name="fuzzed piecewise, shifted")


@dataclass(frozen=True)
class Quadratic(Function):
    """(x - star)' B (x - star) / 2 + least, with L and mu given: eigenvalues are not asked for here."""

    rows: tuple[tuple[Fraction, ...], ...]
    star: tuple[Fraction, ...]
    least: Fraction

    @property
    def dimension(self) -> int:  # type: ignore[override]
        return len(self.rows)

    @property
    def minimiser(self) -> tuple[Fraction, ...]:  # type: ignore[override]
        return self.star

    @property
    def L(self) -> Fraction | None:
        """The largest entry of a diagonal matrix; None where eigenvalues would be needed."""
        return max(self._diagonal) if self._diagonal else None

    @property
    def mu(self) -> Fraction | None:
        return min(self._diagonal) if self._diagonal else None

    @cached_property
    def _diagonal(self) -> list[Fraction]:
        d = range(len(self.rows))
        off = any(self.rows[i][j] for i in d for j in d if i != j)
        return [] if off else [self.rows[i][i] for i in d]

    def grad(self, x: Vector) -> Vector:
        away = minus(x, self.star)
        return tuple(dot(row, away) for row in self.rows)

    def value(self, x: Vector) -> Real:
        return add(mul(HALF, dot(minus(x, self.star), self.grad(x))), self.least)

    def secants(self, x: Vector, y: Vector) -> list[Real]:
        d = minus(y, x)
        return [div(dot(d, minus(self.grad(y), self.grad(x))), normsq(d))]

    def problem(self, start: tuple[Fraction, ...]) -> Any:
        from boundcheck.problems.quadratic import quadratic

        rows = [list(row) for row in self.rows]
        return quadratic(rows, xstar=list(self.star), fstar=self.least, start=list(start), name="fuzzed quadratic")


__all__ = ["ONE", "Function", "Piecewise", "Quadratic", "Vector", "dot", "minus", "normsq", "order"]

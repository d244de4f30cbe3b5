"""Functions and sets with a prox in closed form: what problems have beside f. Exact in rationals, but for balls of R^d.

Each prox is made of +, -, *, / and of minima and maxima, which enclosures keep narrow: a projection does not expand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Order, Scalars, Truth, Vectors
from boundcheck.model.facts import Diameter, Indicator, Lipschitz, Support
from boundcheck.model.part import Part
from boundcheck.model.problem import Convex, Fact, Smooth, StronglyConvex


def coordinates(xp: Any, x: Vectors, dimension: int) -> list[Scalars]:
    """The coordinates of a point."""
    return [xp.coordinate(x, j) for j in range(dimension)]


def dot(xp: Any, x: Vectors, a: Sequence[Fraction]) -> Scalars:
    """<a, x> for a constant a."""
    terms = [xp.scalar(c) * u for c, u in zip(a, coordinates(xp, x, len(a)), strict=True)]
    return sum(terms[1:], terms[0])


def along(xp: Any, factor: Scalars, a: Sequence[Fraction]) -> Vectors:
    """A number times a constant vector."""
    return xp.from_coordinates([factor * xp.scalar(c) for c in a])


def away(xp: Any, x: Vectors, b: Sequence[Fraction]) -> Vectors:
    """x - b for a constant b."""
    return xp.from_coordinates([u - xp.scalar(c) for c, u in zip(b, coordinates(xp, x, len(b)), strict=True)])


def clipped(xp: Any, a: Scalars, low: Scalars, high: Scalars) -> Scalars:
    """The nearest number between two."""
    return xp.maximum(xp.minimum(a, high), low)


def sign(xp: Any, a: Scalars) -> Scalars:
    """-1, 0 or 1."""
    zero = a * 0
    orders = xp.compare(a, zero)
    return xp.choose(truths(orders, Order.GREATER), zero + 1, xp.choose(truths(orders, Order.LESS), zero - 1, zero))


def truths(orders: Any, wanted: Order) -> Any:
    """Whether a comparison came out as wanted, at each place."""
    orders = np.asarray(orders)
    return np.where(orders == Order.UNKNOWN, Truth.UNKNOWN, np.where(orders == wanted, Truth.YES, Truth.NO)).astype(np.int8)


@dataclass(frozen=True)
class AbsoluteValue:
    """w |<a, x> - b|: of one coordinate, of a difference of two (total variation in two points)."""

    a: tuple[Fraction, ...]
    weight: Fraction
    b: Fraction = Fraction(0)

    def _along(self, xp: Any, x: Vectors) -> Scalars:
        return dot(xp, x, self.a) - xp.scalar(self.b)

    def value(self, xp: Any, x: Vectors) -> Scalars:
        return xp.scalar(self.weight) * xp.abs(self._along(xp, x))

    def image(self, xp: Any, x: Vectors) -> Vectors:
        return along(xp, xp.scalar(self.weight) * sign(xp, self._along(xp, x)), self.a)

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        limit = t * xp.scalar(self.weight)
        moved = clipped(xp, self._along(xp, p) / xp.scalar(squares(self.a)), -limit, limit)
        return p - along(xp, moved, self.a)


def absolute(a: Sequence[Exact] = (1,), weight: Exact = 1, b: Exact = 0) -> Part:
    """The part w |<a, x> - b|."""
    holder = AbsoluteValue(exact(a), Fraction(weight), Fraction(b))
    facts: set[Fact] = {Convex(), Lipschitz(Fraction(weight) * root_above(squares(holder.a)))}
    if b == 0:
        facts.add(Support())
    return Part(facts=facts, value=holder.value, image=holder.image, prox=holder.prox, about="w |<a, x> - b|")


@dataclass(frozen=True)
class OneNorm:
    """w (|x_1| + ... + |x_d|)."""

    weight: Fraction
    dimension: int

    def value(self, xp: Any, x: Vectors) -> Scalars:
        each = [xp.abs(c) for c in coordinates(xp, x, self.dimension)]
        return xp.scalar(self.weight) * sum(each[1:], each[0])

    def image(self, xp: Any, x: Vectors) -> Vectors:
        w = xp.scalar(self.weight)
        return xp.from_coordinates([w * sign(xp, c) for c in coordinates(xp, x, self.dimension)])

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        limit = t * xp.scalar(self.weight)
        return xp.from_coordinates([c - clipped(xp, c, -limit, limit) for c in coordinates(xp, p, self.dimension)])


def one_norm(dimension: int, weight: Exact = 1) -> Part:
    """The part w |x|_1, whose prox is the soft threshold."""
    holder = OneNorm(Fraction(weight), dimension)
    facts = {Convex(), Support(), Lipschitz(Fraction(weight) * root_above(Fraction(dimension)))}
    return Part(facts=facts, value=holder.value, image=holder.image, prox=holder.prox, about="w |x|_1")


@dataclass(frozen=True)
class Hinge:
    """w max(0, b - <a, x>)."""

    a: tuple[Fraction, ...]
    b: Fraction
    weight: Fraction

    def _short(self, xp: Any, x: Vectors) -> Scalars:
        return xp.scalar(self.b) - dot(xp, x, self.a)

    def value(self, xp: Any, x: Vectors) -> Scalars:
        short = self._short(xp, x)
        return xp.scalar(self.weight) * xp.maximum(short, short * 0)

    def image(self, xp: Any, x: Vectors) -> Vectors:
        short = self._short(xp, x)
        slope = xp.choose(truths(xp.compare(short, short * 0), Order.GREATER), short * 0 - xp.scalar(self.weight), short * 0)
        return along(xp, slope, self.a)

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        short = self._short(xp, p)
        moved = clipped(xp, short / xp.scalar(squares(self.a)), short * 0, t * xp.scalar(self.weight))
        return p + along(xp, moved, self.a)


def hinge(a: Sequence[Exact], b: Exact = 1, weight: Exact = 1) -> Part:
    """The part w max(0, b - <a, x>)."""
    holder = Hinge(exact(a), Fraction(b), Fraction(weight))
    slope = Fraction(weight) * root_above(squares(holder.a))
    return Part(facts={Convex(), Lipschitz(slope)}, value=holder.value, image=holder.image, prox=holder.prox, about="hinge loss")


@dataclass(frozen=True)
class TotalVariation:
    """w (|x_1 - x_2| + |x_2 - x_3|) in R^3. Its prox is p - D'u for the u in a square that is best, found in two steps."""

    weight: Fraction

    def value(self, xp: Any, x: Vectors) -> Scalars:
        a, b, c = coordinates(xp, x, 3)
        return xp.scalar(self.weight) * (xp.abs(a - b) + xp.abs(b - c))

    def image(self, xp: Any, x: Vectors) -> Vectors:
        a, b, c = coordinates(xp, x, 3)
        w = xp.scalar(self.weight)
        u, v = w * sign(xp, a - b), w * sign(xp, b - c)
        return xp.from_coordinates([u, v - u, -v])

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        a, b, c = coordinates(xp, p, 3)
        first, second, limit = a - b, b - c, t * xp.scalar(self.weight)
        inside = xp.minimum((first + limit) / 2, (2 * first + second) / 3)
        u = clipped(xp, xp.maximum((first - limit) / 2, inside), -limit, limit)
        v = clipped(xp, (second + u) / 2, -limit, limit)
        return xp.from_coordinates([a - u, b + u - v, c + v])


def total_variation(weight: Exact = 1) -> Part:
    """The part w (|x_1 - x_2| + |x_2 - x_3|)."""
    holder = TotalVariation(Fraction(weight))
    facts = {Convex(), Support(), Lipschitz(Fraction(weight) * root_above(Fraction(6)))}
    return Part(facts=facts, value=holder.value, image=holder.image, prox=holder.prox, about="total variation of three points")


@dataclass(frozen=True)
class AffineFunction:
    """<c, x>."""

    c: tuple[Fraction, ...]

    def value(self, xp: Any, x: Vectors) -> Scalars:
        return dot(xp, x, self.c)

    def image(self, xp: Any, x: Vectors) -> Vectors:
        return along(xp, xp.coordinate(x, 0) * 0 + 1, self.c)

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        return p - along(xp, t, self.c)


def affine(c: Sequence[Exact], L: Exact = 1) -> Part:
    """The part <c, x>: smooth for any L, also 0."""
    holder = AffineFunction(exact(c))
    facts: set[Fact] = {Convex(), Smooth(L), Lipschitz(root_above(squares(holder.c)))}
    return Part(facts=facts, value=holder.value, image=holder.image, prox=holder.prox, about="<c, x>")


@dataclass(frozen=True)
class Square:
    """c |x - b|^2 / 2."""

    c: Fraction
    b: tuple[Fraction, ...]

    def value(self, xp: Any, x: Vectors) -> Scalars:
        return xp.scalar(self.c) * xp.normsq(away(xp, x, self.b)) / 2

    def image(self, xp: Any, x: Vectors) -> Vectors:
        return xp.scale(xp.scalar(self.c), away(xp, x, self.b))

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        factor = t * xp.scalar(self.c)
        return xp.scale(xp.scalar(1) / (factor + 1), p + along(xp, factor, self.b))

    def inverse(self, xp: Any, w: Vectors) -> Vectors:
        return away(xp, xp.scale(xp.scalar(1 / self.c), w), [-c for c in self.b])


def square(b: Sequence[Exact], c: Exact = 1) -> Part:
    """The part c |x - b|^2 / 2."""
    holder = Square(Fraction(c), exact(b))
    facts = {Convex(), Smooth(c), StronglyConvex(c)}
    return Part(facts=facts, value=holder.value, image=holder.image, prox=holder.prox, inverse=holder.inverse, about="a square")


@dataclass(frozen=True)
class SquaredResidual:
    """(<a, x> - b)^2 / 2."""

    a: tuple[Fraction, ...]
    b: Fraction

    def _residual(self, xp: Any, x: Vectors) -> Scalars:
        return dot(xp, x, self.a) - xp.scalar(self.b)

    def value(self, xp: Any, x: Vectors) -> Scalars:
        r = self._residual(xp, x)
        return r * r / 2

    def image(self, xp: Any, x: Vectors) -> Vectors:
        return along(xp, self._residual(xp, x), self.a)

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        moved = t * self._residual(xp, p) / (t * xp.scalar(squares(self.a)) + 1)
        return p - along(xp, moved, self.a)


def row(a: Sequence[Exact], b: Exact) -> Part:
    """The part (<a, x> - b)^2 / 2: one sample of least squares."""
    holder = SquaredResidual(exact(a), Fraction(b))
    L = squares(holder.a)
    facts: set[Fact] = {Convex(), Smooth(L), *([StronglyConvex(L)] if len(holder.a) == 1 else [])}
    return Part(facts=facts, value=holder.value, image=holder.image, prox=holder.prox, about="a sample of least squares")


# -- sets ----------------------------------------------------------------------------------------------------------------------


class ConvexSetPart:
    """A closed convex set by its projection: its indicator is 0 on it, and 0 is a normal vector at each of its points."""

    def project(self, xp: Any, p: Vectors) -> Vectors:
        """The nearest point."""
        raise NotImplementedError

    def prox(self, xp: Any, t: Any, p: Vectors) -> Vectors:
        return self.project(xp, p)

    def value(self, xp: Any, x: Vectors) -> Scalars:
        """0 where the point is surely in the set; undefined elsewhere."""
        away = xp.normsq(x - self.project(xp, x))
        inside = truths(xp.compare(away, away * 0), Order.EQUAL)
        return xp.choose(inside, away * 0, nowhere(xp, away))

    def image(self, xp: Any, x: Vectors) -> Vectors:
        return xp.scale(self.value(xp, x), x)


def nowhere(xp: Any, like: Scalars) -> Scalars:
    """What has no value."""
    return xp.log(like * 0 - 1)


@dataclass(frozen=True)
class Box(ConvexSetPart):
    """low <= x <= high."""

    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]

    def project(self, xp: Any, p: Vectors) -> Vectors:
        each = coordinates(xp, p, len(self.low))
        return xp.from_coordinates(
            [clipped(xp, c, xp.scalar(a), xp.scalar(b)) for c, a, b in zip(each, self.low, self.high, strict=True)]
        )

    def value(self, xp: Any, x: Vectors) -> Scalars:
        """0 in the box, also where an enclosure of a coordinate lies in it."""
        made = None
        for c, a, b in zip(coordinates(xp, x, len(self.low)), self.low, self.high, strict=True):
            low, high = xp.compare(xp.scalar(a), c), xp.compare(c, xp.scalar(b))
            zero = c * 0
            inside = xp.choose(at_most(low), xp.choose(at_most(high), zero, nowhere(xp, zero)), nowhere(xp, zero))
            made = inside if made is None else made + inside
        return made

    def minimise_linear(self, xp: Any, v: Vectors) -> Vectors:
        made = []
        for c, a, b in zip(coordinates(xp, v, len(self.low)), self.low, self.high, strict=True):
            low, high = c * 0 + xp.scalar(a), c * 0 + xp.scalar(b)
            made.append(xp.choose(truths(xp.compare(c, c * 0), Order.LESS), high, low))
        return xp.from_coordinates(made)


def at_most(orders: Any) -> Any:
    """Whether a <= b, from how a and b compare."""
    orders = np.asarray(orders)
    yes = (orders == Order.LESS) | (orders == Order.EQUAL)
    return np.where(yes, Truth.YES, np.where(orders == Order.UNKNOWN, Truth.UNKNOWN, Truth.NO)).astype(np.int8)


def box(low: Sequence[Exact], high: Sequence[Exact]) -> Part:
    """The part low <= x <= high."""
    holder = Box(exact(low), exact(high))
    across = squares(tuple(b - a for a, b in zip(holder.low, holder.high, strict=True)))
    return Part(
        facts={Indicator(), Convex(), Diameter(root_above(across))},
        value=holder.value,
        image=holder.image,
        prox=holder.prox,
        minimise_linear=holder.minimise_linear,
        about="a box",
    )


@dataclass(frozen=True)
class HalfSpace(ConvexSetPart):
    """<a, x> <= b."""

    a: tuple[Fraction, ...]
    b: Fraction

    def project(self, xp: Any, p: Vectors) -> Vectors:
        over = dot(xp, p, self.a) - xp.scalar(self.b)
        moved = xp.maximum(over, over * 0) / xp.scalar(squares(self.a))
        return p - along(xp, moved, self.a)

    def value(self, xp: Any, x: Vectors) -> Scalars:
        over = dot(xp, x, self.a) - xp.scalar(self.b)
        return xp.choose(at_most(xp.compare(over, over * 0)), over * 0, nowhere(xp, over))


def half_space(a: Sequence[Exact], b: Exact) -> Part:
    """The part <a, x> <= b."""
    holder = HalfSpace(exact(a), Fraction(b))
    return Part(facts={Indicator(), Convex()}, value=holder.value, image=holder.image, prox=holder.prox, about="a half-space")


@dataclass(frozen=True)
class Simplex(ConvexSetPart):
    """x >= 0 and x_1 + ... + x_d = 1. The threshold of its projection is the largest over all subsets of coordinates."""

    dimension: int

    def project(self, xp: Any, p: Vectors) -> Vectors:
        each = coordinates(xp, p, self.dimension)
        threshold = None
        for count in range(1, self.dimension + 1):
            for some in combinations(each, count):
                one = (sum(some[1:], some[0]) - 1) / count
                threshold = one if threshold is None else xp.maximum(threshold, one)
        return xp.from_coordinates([xp.maximum(c - threshold, c * 0) for c in each])

    def minimise_linear(self, xp: Any, v: Vectors) -> Vectors:
        """A vertex: the first coordinate of v that is least."""
        each = coordinates(xp, v, self.dimension)
        one, zero = each[0] * 0 + 1, each[0] * 0
        best, made = each[0], [one, *([zero] * (self.dimension - 1))]
        for j in range(1, self.dimension):
            less = truths(xp.compare(each[j], best), Order.LESS)
            made = [xp.choose(less, one if n == j else zero, made[n]) for n in range(self.dimension)]
            best = xp.minimum(best, each[j])
        return xp.from_coordinates(made)


def simplex(dimension: int) -> Part:
    """The part of all x >= 0 whose coordinates add up to 1."""
    holder = Simplex(dimension)
    return Part(
        facts={Indicator(), Convex(), Diameter(root_above(Fraction(2)))},
        value=holder.value,
        image=holder.image,
        prox=holder.prox,
        minimise_linear=holder.minimise_linear,
        about="the simplex",
    )


@dataclass(frozen=True)
class BallSet(ConvexSetPart):
    """|x| <= R. Its projection has a root: rational where the norm is."""

    radius: Fraction

    def project(self, xp: Any, p: Vectors) -> Vectors:
        squared = xp.maximum(xp.normsq(p), xp.normsq(p) * 0 + xp.scalar(self.radius**2))
        return xp.scale(xp.scalar(self.radius) / xp.sqrt(squared), p)

    def value(self, xp: Any, x: Vectors) -> Scalars:
        over = xp.normsq(x) - xp.scalar(self.radius**2)
        return xp.choose(at_most(xp.compare(over, over * 0)), over * 0, nowhere(xp, over))

    def minimise_linear(self, xp: Any, v: Vectors) -> Vectors:
        return xp.scale(-xp.scalar(self.radius) / xp.norm(v), v)


def ball(radius: Exact) -> Part:
    """The part |x| <= R."""
    holder = BallSet(Fraction(radius))
    return Part(
        facts={Indicator(), Convex(), Diameter(2 * Fraction(radius))},
        value=holder.value,
        image=holder.image,
        prox=holder.prox,
        minimise_linear=holder.minimise_linear,
        about="a ball",
    )


# -- numbers -------------------------------------------------------------------------------------------------------------------


def exact(numbers: Sequence[Exact]) -> tuple[Fraction, ...]:
    """The numbers as fractions."""
    return tuple(Fraction(number) for number in numbers)


def squares(numbers: Sequence[Fraction]) -> Fraction:
    """The sum of their squares."""
    return sum((number * number for number in numbers), Fraction(0))


def root_above(number: Fraction) -> Fraction:
    """The root, where it is rational; else a fraction just above it."""

    scale = 10**6
    n, d = isqrt(number.numerator), isqrt(number.denominator)
    if n * n == number.numerator and d * d == number.denominator:
        return Fraction(n, d)
    return Fraction(isqrt(number.numerator * scale * scale // number.denominator) + 1, scale)

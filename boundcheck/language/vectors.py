"""Formulas whose value is a point or a direction of R^d."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from boundcheck.language.scalars import LENGTH, SLOPE, Dimension, Scalar, ScalarLike, as_scalar
from boundcheck.language.tree import Index, Node, Part


@dataclass(frozen=True, eq=False, repr=False)
class Vector(Node):
    def __add__(self, other: Vector) -> Vector:
        return Plus(self, _vector(other))

    def __sub__(self, other: Vector) -> Vector:
        return Minus(self, _vector(other))

    def __neg__(self) -> Vector:
        return Scaled(as_scalar(-1), self)

    def __rmul__(self, factor: ScalarLike) -> Vector:
        return Scaled(as_scalar(factor), self)

    def __mul__(self, factor: ScalarLike) -> Vector:
        if isinstance(factor, Vector):
            raise TypeError(f"{self} times {factor}: the product of two vectors is inner(u, v); a factor is a number")
        return Scaled(as_scalar(factor), self)

    def __truediv__(self, divisor: ScalarLike) -> Vector:
        return Scaled(1 / as_scalar(divisor), self)


def _vector(value: object) -> Vector:
    if isinstance(value, Vector):
        return value
    raise TypeError(f"{value!r} is not a point; points are x[i], xstar, grad(x[i]), mean(...) and their sums")


@dataclass(frozen=True, eq=False, repr=False)
class Point(Vector):
    """A named point of a run, x[i]; or, without an index, any point: one end of a chord."""

    name: str
    index: Index | None = None
    run: str = ""
    part: Part | None = None
    dimension: Dimension = LENGTH  # of a sequence of vectors that are no points, such as errors of gradients


@dataclass(frozen=True, eq=False, repr=False)
class Minimum(Vector):
    """x*: a minimiser of f, whichever the problem gives."""


@dataclass(frozen=True, eq=False, repr=False)
class Grad(Vector):
    at: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Image(Vector):
    """The gradient of a named function at a point, or the value of an operator; of a set of them, the one that a run records.

    `kind`: "gradient", "subgradient", "operator", or "adjoint" of a linear operator, which says how it is written.
    `part`: of which component.
    """

    at: Vector
    of: str
    kind: str = "gradient"
    part: Part | None = None
    dimension: Dimension = SLOPE


@dataclass(frozen=True, eq=False, repr=False)
class Prox(Vector):
    """The z with (p - z)/t in the subdifferential of h at z, p being `at` and t `step`.

    `kind` says how it is written, and what h is: "prox" of a function, "resolvent" of an operator, "project" on a set (t = 1).
    """

    at: Vector
    step: Scalar
    of: str
    kind: str = "prox"
    part: Part | None = None


@dataclass(frozen=True, eq=False, repr=False)
class LinearMinimum(Vector):
    """A point z of the set `of` that minimises <v, z>: -v is in the normal cone at z."""

    towards: Vector
    of: str


@dataclass(frozen=True, eq=False, repr=False)
class Block(Vector):
    """One block of coordinates of a vector, the others 0."""

    whole: Vector
    part: Part


@dataclass(frozen=True, eq=False, repr=False)
class Pick(Vector):
    """One vector where the component `part` is the component `drawn`, and another elsewhere."""

    part: Part
    drawn: Part
    then: Vector
    otherwise: Vector


@dataclass(frozen=True, eq=False, repr=False)
class PartsMean(Vector):
    """The mean of a vector over all components: (1/n) sum_i v_i."""

    of: Vector
    letter: str

    ranged = True

    @cached_property
    def free(self) -> frozenset[str]:
        return self.of.free - {self.letter}


@dataclass(frozen=True, eq=False, repr=False)
class Plus(Vector):
    left: Vector
    right: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Minus(Vector):
    left: Vector
    right: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Scaled(Vector):
    factor: Scalar
    of: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Mean(Vector):
    """The mean of `of` over letter = low..high with weights: sum w_i x_i / sum w_i."""

    of: Vector
    weight: Scalar
    letter: str
    low: Index
    high: Index

    ranged = True

    @cached_property
    def free(self) -> frozenset[str]:
        bounds = {b.letter for b in (self.low, self.high) if b.letter is not None}
        return frozenset(((self.of.free | self.weight.free) - {self.letter}) | bounds)

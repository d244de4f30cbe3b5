"""Formulas whose value is a point or a direction of R^d."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from boundcheck.language.scalars import Scalar, ScalarLike, as_scalar
from boundcheck.language.tree import Index, Node


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


@dataclass(frozen=True, eq=False, repr=False)
class Minimum(Vector):
    """x*: a minimiser of f, whichever the problem gives."""


@dataclass(frozen=True, eq=False, repr=False)
class Grad(Vector):
    at: Vector


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

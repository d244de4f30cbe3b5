"""Gradients of a formula in any arithmetic, by reverse accumulation of the chain rule.

A formula F(xp, x) is read once with the namespace `reverse(xp)`: its numbers remember how they were made. The derivatives are
then computed by operations of `xp` itself, so they are exact in rationals, enclosed in balls and in float64 with error bounds,
and rounded in the plain namespaces. A `reverse` of a `reverse` gives second derivatives.

Kinks. Where two numbers are equal, `compare` answers UNKNOWN here, and `choose`, abs, minimum and maximum then take the hull of
the derivatives of both branches. So at a tie the answer is right for a function that is C^1 there, whichever branch the formula
takes, and where the branches differ it is wide, or undefined in rationals; it is never the derivative of one branch alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Any, NoReturn

import numpy as np

from boundcheck.arithmetic.base import Exact, Guarded, Matrix, NotInThisArithmetic, Order, Orders, Scalars, Truth, Vectors

Pullback = Callable[[Any], Any]  # from the derivative by a result to its share of the derivative by an operand
Parents = tuple[tuple["_Traced", Pullback], ...]


class NoReverseDerivative(NotInThisArithmetic, AttributeError):
    """The formula needs an operation whose derivative is not offered."""


SERIALS = count()


class _Traced(Guarded):
    """A value of the arithmetic below, and the operands that it was made from."""

    __slots__ = ("parents", "serial", "value", "xp")

    def __init__(self, xp: Reverse, value: Any, *parents: tuple[Any, Pullback]) -> None:
        self.xp, self.value = xp, _array(value)
        self.serial = next(SERIALS)  # its name: values have no equality
        self.parents: Parents = tuple((one, pull) for one, pull in parents if one.is_variable)

    is_variable = False

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.value.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __getitem__(self, key: Any) -> NoReturn:
        raise NoReverseDerivative("f is a formula of one point: read its coordinates by xp.coordinate(x, j), not by x[...]")

    def __pos__(self) -> Any:
        return self


class TracedScalars(_Traced):
    """`+ - * /` with each other and with int, float, Fraction."""

    __slots__ = ("is_variable",)

    def __init__(self, xp: Reverse, value: Any, *parents: tuple[Any, Pullback]) -> None:
        super().__init__(xp, value, *parents)
        self.is_variable = bool(self.parents)

    def __neg__(self) -> TracedScalars:
        return TracedScalars(self.xp, -self.value, (self, lambda c: -c))

    def __add__(self, other: Any) -> TracedScalars:
        b = self.xp.scalars(other)
        return TracedScalars(self.xp, self.value + b.value, (self, lambda c: c), (b, lambda c: c))

    def __sub__(self, other: Any) -> TracedScalars:
        b = self.xp.scalars(other)
        return TracedScalars(self.xp, self.value - b.value, (self, lambda c: c), (b, lambda c: -c))

    def __rsub__(self, other: Any) -> TracedScalars:
        return self.xp.scalars(other) - self

    def __mul__(self, other: Any) -> TracedScalars:
        if isinstance(other, TracedVectors):
            raise TypeError("use xp.scale(s, v) to multiply vectors by scalars")
        b = self.xp.scalars(other)
        return TracedScalars(self.xp, self.value * b.value, (self, lambda c: c * b.value), (b, lambda c: c * self.value))

    def __truediv__(self, other: Any) -> TracedScalars:
        b = self.xp.scalars(other)
        made = self.value / b.value
        return TracedScalars(self.xp, made, (self, lambda c: c / b.value), (b, lambda c: -(c * made) / b.value))

    def __rtruediv__(self, other: Any) -> TracedScalars:
        return self.xp.scalars(other) / self

    def __pow__(self, exponent: Any) -> TracedScalars:
        if not isinstance(exponent, int | Fraction):
            raise TypeError(f"a power is an int or a Fraction; found {exponent!r}")
        return self.xp.power(self, Fraction(exponent))

    __radd__ = __add__
    __rmul__ = __mul__


class TracedVectors(_Traced):
    """`+ -` with each other."""

    __slots__ = ("is_variable",)

    def __init__(self, xp: Reverse, value: Any, *parents: tuple[Any, Pullback], is_variable: bool = False) -> None:
        super().__init__(xp, value, *parents)
        self.is_variable = is_variable or bool(self.parents)

    def __neg__(self) -> TracedVectors:
        return TracedVectors(self.xp, -self.value, (self, lambda c: -c))

    def __add__(self, other: Any) -> TracedVectors:
        b = self.xp.vectors(other)
        return TracedVectors(self.xp, self.value + b.value, (self, lambda c: c), (b, lambda c: c))

    def __sub__(self, other: Any) -> TracedVectors:
        b = self.xp.vectors(other)
        return TracedVectors(self.xp, self.value - b.value, (self, lambda c: c), (b, lambda c: -c))

    def __rsub__(self, other: Any) -> TracedVectors:
        return self.xp.vectors(other) - self

    __radd__ = __add__


class Reverse:
    """The namespace over another one, `below`."""

    def __init__(self, below: Any) -> None:
        self.below = below
        self.name = f"derivatives in {getattr(below, 'name', type(below).__name__)}"

    def __getattr__(self, name: str) -> Any:
        if name in ("certified", "exact", "bits", "encloses", "working", "running", "dtype"):
            return getattr(self.below, name)
        raise NoReverseDerivative(f"derivatives of a formula have no '{name}'; give the problem its own grad")

    # -- making numbers ------------------------------------------------------------------------------------------
    def scalar(self, value: Exact) -> TracedScalars:
        return TracedScalars(self, self.below.scalar(value))

    def scalars(self, values: Any, error: Any = 0.0) -> TracedScalars:
        if isinstance(values, TracedScalars):
            return values
        if isinstance(values, TracedVectors):
            raise TypeError("a vector stands where a number is needed; use xp.coordinate, xp.dot or xp.norm")
        if isinstance(values, int | float | Fraction):
            return self.scalar(values)
        return TracedScalars(self, values if isinstance(values, Guarded) else self.below.scalars(values, error))

    def vector(self, coordinates: Sequence[Exact]) -> TracedVectors:
        return TracedVectors(self, self.below.vector(coordinates))

    def vectors(self, coordinates: Any, radius: Any = 0.0) -> TracedVectors:
        if isinstance(coordinates, TracedVectors):
            return coordinates
        if isinstance(coordinates, TracedScalars | int | float | Fraction):
            raise TypeError("a number stands where a vector is needed; use xp.scale or xp.from_coordinates")
        return TracedVectors(self, coordinates if isinstance(coordinates, Guarded) else self.below.vectors(coordinates, radius))

    def matrix(self, rows: Any) -> Matrix:
        return self.below.matrix(rows)

    # -- scalars -------------------------------------------------------------------------------------------------
    def abs(self, a: TracedScalars) -> TracedScalars:
        positive = _truth(self.below.compare(a.value, a.value * 0), Order.GREATER)
        return TracedScalars(self, self.below.abs(a.value), (a, lambda c: self.below.choose(positive, c, -c)))

    def sqrt(self, a: TracedScalars) -> TracedScalars:
        root = self.below.sqrt(a.value)
        return TracedScalars(self, root, (a, lambda c: c / (2 * root)))

    def exp(self, a: TracedScalars) -> TracedScalars:
        made = self.below.exp(a.value)
        return TracedScalars(self, made, (a, lambda c: c * made))

    def log(self, a: TracedScalars) -> TracedScalars:
        return TracedScalars(self, self.below.log(a.value), (a, lambda c: c / a.value))

    def power(self, a: TracedScalars, exponent: Fraction) -> TracedScalars:
        p = Fraction(exponent)
        made = self.below.power(a.value, p)
        if p == 0:
            return TracedScalars(self, made)
        return TracedScalars(self, made, (a, lambda c: c * (self.below.scalar(p) * self.below.power(a.value, p - 1))))

    def minimum(self, a: Any, b: Any) -> TracedScalars:
        return self._either(self.below.minimum, Order.LESS, self.scalars(a), self.scalars(b))

    def maximum(self, a: Any, b: Any) -> TracedScalars:
        return self._either(self.below.maximum, Order.GREATER, self.scalars(a), self.scalars(b))

    def _either(self, pick: Callable[[Any, Any], Any], order: Order, a: TracedScalars, b: TracedScalars) -> TracedScalars:
        return self._chosen(_truth(self.below.compare(a.value, b.value), order), pick(a.value, b.value), a, b)

    def choose(self, condition: Any, a: Any, b: Any) -> TracedScalars:
        a, b = self.scalars(a), self.scalars(b)
        return self._chosen(np.asarray(condition), self.below.choose(condition, a.value, b.value), a, b)

    def _chosen(self, first: Any, value: Any, a: TracedScalars, b: TracedScalars) -> TracedScalars:
        choose = self.below.choose
        return TracedScalars(self, value, (a, lambda c: choose(first, c, c * 0)), (b, lambda c: choose(first, c * 0, c)))

    def compare(self, a: Any, b: Any) -> Orders:
        """How the values compare; UNKNOWN for equal ones, so that both branches are differentiated."""
        order = np.asarray(self.below.compare(self.scalars(a).value, self.scalars(b).value))
        return np.where(order == Order.EQUAL, Order.UNKNOWN, order).astype(np.int8)

    # -- vectors -------------------------------------------------------------------------------------------------
    def scale(self, s: Any, v: TracedVectors) -> TracedVectors:
        s, below = self.scalars(s), self.below
        made = below.scale(s.value, v.value)
        return TracedVectors(self, made, (s, lambda c: below.dot(c, v.value)), (v, lambda c: below.scale(_array(s.value), c)))

    def hadamard(self, u: TracedVectors, v: TracedVectors) -> TracedVectors:
        below = self.below
        made = below.hadamard(u.value, v.value)
        return TracedVectors(self, made, (u, lambda c: below.hadamard(c, v.value)), (v, lambda c: below.hadamard(c, u.value)))

    def dot(self, u: TracedVectors, v: TracedVectors) -> TracedScalars:
        u, v, below = self.vectors(u), self.vectors(v), self.below
        made = below.dot(u.value, v.value)
        return TracedScalars(
            self, made, (u, lambda c: below.scale(_array(c), v.value)), (v, lambda c: below.scale(_array(c), u.value))
        )

    def normsq(self, v: TracedVectors) -> TracedScalars:
        return TracedScalars(self, self.below.normsq(v.value), (v, lambda c: self.below.scale(_array(2 * c), v.value)))

    def norm(self, v: TracedVectors) -> TracedScalars:
        return self.sqrt(self.normsq(v))

    def matvec(self, matrix: Matrix, v: TracedVectors) -> TracedVectors:
        return TracedVectors(self, self.below.matvec(matrix, v.value), (v, lambda c: self.below.matvec(matrix.T, c)))

    def coordinate(self, v: TracedVectors, j: int) -> TracedScalars:
        made = self.below.coordinate(v.value, j)
        return TracedScalars(self, made, (v, lambda c: self.below.scale(_array(c), self._unit(v, j))))

    def _unit(self, v: TracedVectors, j: int) -> Vectors:
        dimension = _dimension(v)
        return self.below.vector([int(n == j % dimension) for n in range(dimension)])

    def from_coordinates(self, coordinates: Sequence[Any]) -> TracedVectors:
        parts = [self.scalars(part) for part in coordinates]
        made = self.below.from_coordinates([part.value for part in parts])
        return TracedVectors(self, made, *((part, lambda c, j=j: self.below.coordinate(c, j)) for j, part in enumerate(parts)))

    def sigmoid(self, v: TracedVectors) -> TracedVectors:
        below = self.below
        made = below.sigmoid(v.value)
        return TracedVectors(self, made, (v, lambda c: below.hadamard(c, below.hadamard(made, below.sigmoid(-v.value)))))

    def softplus_sum(self, v: TracedVectors) -> TracedScalars:
        below = self.below
        return TracedScalars(self, below.softplus_sum(v.value), (v, lambda c: below.scale(_array(c), below.sigmoid(v.value))))

    def middle(self, a: Any) -> Any:
        return self.below.middle(a.value)


def _array(value: Any) -> Any:
    """The value; a bare number of an object array as an array of shape (), so that it has a shape and meets vectors."""
    return value if hasattr(value, "shape") else np.asarray(value, dtype=object)


def _dimension(v: TracedVectors) -> int:
    inner = v.value
    while isinstance(inner, TracedVectors):
        inner = inner.value
    return int(inner.dimension) if hasattr(inner, "dimension") else int(inner.shape[-1])


def _truth(order: Orders, yes: Order) -> Any:
    decided = (np.asarray(order) == Order.LESS) | (np.asarray(order) == Order.GREATER)
    return np.where(np.asarray(order) == yes, Truth.YES, np.where(decided, Truth.NO, Truth.UNKNOWN)).astype(np.int8)


@lru_cache(maxsize=32)
def reverse(xp: Any) -> Reverse:
    """The namespace of derivatives over `xp`: the same one for the same arithmetic, so constants are lifted once."""
    return Reverse(xp)


def gradient(xp: Any, formula: Callable[[Any, Vectors], Scalars], x: Vectors) -> Vectors:
    """The gradient of a formula at each point of a stack, in the arithmetic `xp`."""
    traced = reverse(xp)
    start = TracedVectors(traced, x, is_variable=True)
    made = formula(traced, start)
    if isinstance(made, TracedVectors):
        raise TypeError("f returned a vector; needs one number for each point")
    if not isinstance(made, TracedScalars) or not made.is_variable:
        return xp.scale(xp.scalar(0), x)
    shares: dict[int, Any] = {made.serial: xp.scalars(np.ones(made.shape))}
    for node in _from_last_to_first(made):
        share = shares.pop(node.serial) if node is not start else None
        for operand, pull in node.parents:
            part = _array(pull(share))
            shares[operand.serial] = part if operand.serial not in shares else shares[operand.serial] + part
    return shares[start.serial]


def _from_last_to_first(last: _Traced) -> list[_Traced]:
    """Every number that the last one was made from, after all that were made from it."""
    order: list[_Traced] = []
    seen: set[int] = set()
    stack: list[tuple[_Traced, bool]] = [(last, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node.serial not in seen:
            seen.add(node.serial)
            stack.append((node, True))
            stack.extend((operand, False) for operand, _ in node.parents)
    return order[::-1]

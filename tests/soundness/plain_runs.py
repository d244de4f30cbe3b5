"""Gradient descent on a quadratic in plain fractions, and formulas read off it by the plain definition: nothing of boundcheck's.

Only the trees of formulas are boundcheck's. Every sum and every mean is added up anew at each k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from boundcheck.language.scalars import Gap, IndexNumber, Inner, Mul, Normsq, Number, Parameter, Reduce, Scalar, Term, Value
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled, Vector

Point_ = list[Fraction]


class OutOfRange(Exception):
    """An entry that the run does not have is read, or the mean of nothing."""


class PlainRun:
    """x_{n+1} = x_n - eta_n B (x_n - x*) and f(x) = <x - x*, B (x - x*)> / 2, for as many steps as are given."""

    def __init__(self, B: Sequence[Sequence[Any]], star: Sequence[Any], start: Sequence[Any], steps: Sequence[Any]) -> None:
        self.B = [[Fraction(v) for v in row] for row in B]
        self.star, self.steps = [Fraction(v) for v in star], [Fraction(s) for s in steps]
        self.points = [[Fraction(v) for v in start]]
        for eta in self.steps:
            x, g = self.points[-1], self.gradient(self.points[-1])
            self.points.append([a - eta * b for a, b in zip(x, g, strict=True)])

    def gradient(self, x: Point_) -> Point_:
        return [dot(row, [a - s for a, s in zip(x, self.star, strict=True)]) for row in self.B]

    def f(self, x: Point_) -> Fraction:
        return dot([a - s for a, s in zip(x, self.star, strict=True)], self.gradient(x)) / 2

    # -- formulas ----------------------------------------------------------------------------------------------------------

    def value(self, node: Scalar, at: Mapping[str, int], letters: Mapping[str, Any] | None = None) -> Fraction:
        again = lambda n, here=at: self.value(n, here, letters)  # noqa: E731
        if isinstance(node, Number):
            return Fraction(node.value)
        if isinstance(node, IndexNumber):
            return Fraction(_at(node.index, at))
        if isinstance(node, Parameter):
            return Fraction((letters or {})[node.name])
        if isinstance(node, Term):
            return _entry(self.steps, _at(node.index, at))
        if isinstance(node, Mul):
            return again(node.left) * again(node.right)
        if isinstance(node, Value | Gap):
            return self.f(self.vector(node.at, at, letters))
        if isinstance(node, Normsq):
            v = self.vector(node.of, at, letters)
            return dot(v, v)
        if isinstance(node, Inner):
            return dot(self.vector(node.left, at, letters), self.vector(node.right, at, letters))
        assert isinstance(node, Reduce) and node.kind == "sum", node
        return sum((again(node.body, {**at, node.letter: n}) for n in _range(node, at)), Fraction(0))

    def vector(self, node: Vector, at: Mapping[str, int], letters: Mapping[str, Any] | None = None) -> Point_:
        again = lambda n, here=at: self.vector(n, here, letters)  # noqa: E731
        if isinstance(node, Point):
            return _entry(self.points, _at(node.index, at))
        if isinstance(node, Minimum):
            return self.star
        if isinstance(node, Grad):
            return self.gradient(again(node.at))
        if isinstance(node, Plus | Minus):
            sign = 1 if isinstance(node, Plus) else -1
            return [a + sign * b for a, b in zip(again(node.left), again(node.right), strict=True)]
        if isinstance(node, Scaled):
            factor = self.value(node.factor, at, letters)
            return [factor * a for a in again(node.of)]
        assert isinstance(node, Mean), node
        here = [{**at, node.letter: n} for n in _range(node, at)]
        weights = [self.value(node.weight, h, letters) for h in here]
        if sum(weights) == 0:
            raise OutOfRange(f"{node} at {at} is over nothing")
        points = [again(node.of, h) for h in here]
        return [dot(weights, list(column)) / sum(weights) for column in zip(*points, strict=True)]


def dot(u: Point_, v: Point_) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def _at(index: Any, at: Mapping[str, int]) -> int:
    return int(index.offset + (at[index.letter] if index.letter is not None else 0))


def _range(node: Any, at: Mapping[str, int]) -> range:
    return range(_at(node.low, at), _at(node.high, at) + 1)


def _entry(entries: Sequence[Any], n: int) -> Any:
    if not 0 <= n < len(entries):
        raise OutOfRange(f"an entry {n} is read; there are {len(entries)}")
    return entries[n]

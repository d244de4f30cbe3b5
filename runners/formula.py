"""Formulas read at one step of a run: what the updates of a method, and a rule that tries a step, compute with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import NotInThisArithmetic
from boundcheck.arithmetic.plain import Plain
from boundcheck.evaluate.columns import LEAVES
from boundcheck.language.scalars import (
    Abs,
    Add,
    Constant,
    Div,
    IndexNumber,
    Larger,
    Log,
    Mul,
    Neg,
    Number,
    Parameter,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
    Term,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minus, Point, Scaled, Vector
from boundcheck.problem import Problem
from boundcheck.runners.leaves import Leaves

TWO: dict[type, Callable[[Any, Any], Any]] = {
    Add: lambda a, b: a + b,
    Sub: lambda a, b: a - b,
    Mul: lambda a, b: a * b,
    Div: lambda a, b: a / b,
}


def calculate(xp: Any, node: Scalar, leaf: Callable[[Scalar], Any]) -> Any:
    """The value of a formula without ranges, from the values of its leaves."""
    if isinstance(node, Number):
        return xp.scalar(node.value)
    if type(node) in TWO:
        return TWO[type(node)](calculate(xp, node.left, leaf), calculate(xp, node.right, leaf))  # type: ignore[attr-defined]
    if isinstance(node, Larger | Smaller):
        pick = xp.maximum if isinstance(node, Larger) else xp.minimum
        return pick(calculate(xp, node.left, leaf), calculate(xp, node.right, leaf))
    if isinstance(node, Power):
        base = calculate(xp, node.base, leaf)
        return xp.sqrt(base) if node.exponent == Fraction(1, 2) else xp.power(base, node.exponent)
    if isinstance(node, Neg):
        return -calculate(xp, node.of, leaf)
    if isinstance(node, Abs):
        return xp.abs(calculate(xp, node.of, leaf))
    if isinstance(node, Log):
        return xp.log(calculate(xp, node.of, leaf))
    if isinstance(node, Reduce):
        raise NotInThisArithmetic(f"{node}: an update of a method has no sums; carry them in a sequence of their own")
    return leaf(node)


class Here:
    """Step k of a run, as the place where formulas are read. `entry(name, index)` is a point or a number of the run."""

    def __init__(self, problem: Problem, xp: Any, k: int, entry: Callable[[str, int], Any], letters: Mapping[str, Any]) -> None:
        self.problem, self.xp, self.k, self.entry, self.letters = problem, xp, k, entry, letters
        self.leaves = Leaves(problem, xp, self)

    def value(self, node: Node) -> Any:
        return self.leaves.vector(node) if isinstance(node, Vector) else self.number(node)  # type: ignore[arg-type]

    def at(self, index: Index) -> int:
        return index.offset + (self.k if index.letter is not None else 0)

    def point(self, node: Point) -> Any:
        assert node.index is not None
        return self.entry(node.name, self.at(node.index))

    def gradient(self, node: Point) -> Any:
        return self.problem.grad(self.xp, self.point(node))

    def step(self, start: Vector, end: Vector) -> None:
        return None

    def mean(self, node: Mean) -> Any:
        raise NotInThisArithmetic(f"{node}: an update of a method has no means; carry them in a sequence of their own")

    def mean_gradient(self, node: Mean) -> None:
        return None

    def number(self, node: Scalar) -> Any:
        made = calculate(self.xp, node, self._leaf)
        return self.xp.array(made) if isinstance(self.xp, Plain) and self.xp.dtype is object else made  # Undefined meets vectors

    def _leaf(self, node: Scalar) -> Any:
        if isinstance(node, Term):
            return self.entry(node.name, self.at(node.index))
        if isinstance(node, IndexNumber):
            return self.xp.scalar(self.at(node.index))
        if isinstance(node, Parameter | Constant):
            return self.letters[node.name]
        assert isinstance(node, LEAVES)
        return self.leaves.value(node)


def gradient_step(formula: Node) -> tuple[Point, Scalar] | None:
    """(p, s) where a formula is p - s grad f(p): a map whose Lipschitz constant is known."""
    if not isinstance(formula, Minus) or not isinstance(formula.left, Point) or not isinstance(formula.right, Scaled):
        return None
    of = formula.right.of
    if not isinstance(of, Grad) or of.at.key != formula.left.key:
        return None
    return formula.left, formula.right.factor

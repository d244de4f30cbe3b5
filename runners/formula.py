"""Formulas read at one step of a run: what the updates of a method, and a rule that tries a step, compute with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boundcheck.arithmetic.base import NotInThisArithmetic
from boundcheck.arithmetic.plain import Plain
from boundcheck.evaluate.columns import LEAVES
from boundcheck.evaluate.series import operate
from boundcheck.language.scalars import Constant, IndexNumber, Number, Parameter, Reduce, Scalar, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minus, Point, Scaled, Vector
from boundcheck.problem import Problem
from boundcheck.runners.leaves import Leaves


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
        made = self._number(node)
        return self.xp.array(made) if isinstance(self.xp, Plain) and self.xp.dtype is object else made  # Undefined meets vectors

    def _number(self, node: Scalar) -> Any:
        if isinstance(node, Number):
            return self.xp.scalar(node.value)
        if isinstance(node, Term):
            return self.entry(node.name, self.at(node.index))
        if isinstance(node, IndexNumber):
            return self.xp.scalar(self.at(node.index))
        if isinstance(node, Parameter | Constant):
            return self.letters[node.name]
        if isinstance(node, LEAVES):
            return self.leaves.value(node)
        if isinstance(node, Reduce):
            raise NotInThisArithmetic(f"{node}: an update of a method has no sums; carry them in a sequence of their own")
        return operate(self.xp, node, self._number)


def gradient_step(formula: Node) -> tuple[Point, Scalar] | None:
    """(p, s) where a formula is p - s grad f(p): a map whose Lipschitz constant is known."""
    if not isinstance(formula, Minus) or not isinstance(formula.left, Point) or not isinstance(formula.right, Scaled):
        return None
    of = formula.right.of
    if not isinstance(of, Grad) or of.at.key != formula.left.key:
        return None
    return formula.left, formula.right.factor

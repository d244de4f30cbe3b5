"""Formulas read at one step of a run: what the updates of a method, and a rule that tries a step, compute with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from boundcheck.arithmetic.base import NotInThisArithmetic
from boundcheck.arithmetic.plain import Plain
from boundcheck.language.interpreter import Interpreter
from boundcheck.language.scalars import Constant, IndexNumber, Parameter, Reduce, Scalar, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minus, Point, Scaled, Vector
from boundcheck.model.problem import Problem
from boundcheck.runners.engine.leaf_values import Leaves


class Here(Interpreter[None, Any, Any]):
    """Step k of a run, as the place where formulas are read. `entry(name, index)` is a point or a number of the run."""

    def __init__(self, problem: Problem, xp: Any, k: int, entry: Callable[[str, int], Any], letters: Mapping[str, Any]) -> None:
        self.problem, self.xp, self.k, self.entry, self.letters = problem, xp, k, entry, letters
        self.leaves = Leaves(problem, xp, self)
        self.algebra = self.leaves.algebra

    def value(self, node: Node) -> Any:
        return self.vector(node) if isinstance(node, Vector) else self.number(node)  # type: ignore[arg-type]

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
        made = self.scalar(node, None)
        return self.xp.array(made) if isinstance(self.xp, Plain) and self.xp.dtype is object else made  # Undefined meets vectors

    def vector(self, node: Vector, at: None = None) -> Any:
        return self.leaves.vector(node)

    def read_term(self, node: Term, at: None) -> Any:
        return self.entry(node.name, self.at(node.index))

    def read_index(self, node: IndexNumber, at: None) -> Any:
        return self.xp.scalar(self.at(node.index))

    def read_letter(self, node: Parameter | Constant, at: None) -> Any:
        return self.letters[node.name]

    def read_leaf(self, node: Scalar, at: None) -> Any:
        return self.leaves.value(node)

    def read_reduce(self, node: Reduce, at: None) -> NoReturn:
        raise NotInThisArithmetic(f"{node}: an update of a method has no sums; carry them in a sequence of their own")

    read_parameter = read_constant = read_letter
    read_value = read_gap = read_inner = read_norm = read_normsq = read_chord = read_leaf


def gradient_step(formula: Node) -> tuple[Point, Scalar] | None:
    """(p, s) where a formula is p - s grad f(p): a map whose Lipschitz constant is known."""
    if not isinstance(formula, Minus) or not isinstance(formula.left, Point) or not isinstance(formula.right, Scaled):
        return None
    of = formula.right.of
    if not isinstance(of, Grad) or of.at.key != formula.left.key:
        return None
    return formula.left, formula.right.factor

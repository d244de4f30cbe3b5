"""The numbers that formulas read, computed from points: f, norms, inner products, chord numbers, also at one step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Protocol

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars, Vectors
from boundcheck.arithmetic.plain import FLOAT64, Plain
from boundcheck.evaluate.algebra import ArithmeticAlgebra
from boundcheck.language.interpreter import Interpreter
from boundcheck.language.scalars import (
    Chord,
    Constant,
    Gap,
    IndexNumber,
    Inner,
    Norm,
    Normsq,
    Parameter,
    Reduce,
    Scalar,
    Term,
    Value,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Point, Scaled, Vector
from boundcheck.model.problem import Problem


class PointsInReach(Protocol):
    """Where the points of a window come from: stored points, images of stored points, samples."""

    def point(self, node: Point) -> Vectors: ...
    def gradient(self, node: Point) -> Vectors: ...
    def step(self, start: Vector, end: Vector) -> tuple[Scalars, Point] | None:
        """(s, p) with end - start = s grad f(p), where the place knows it so: without cancellation, and its norm for nothing."""

    def mean(self, node: Mean) -> Vectors: ...
    def mean_gradient(self, node: Mean) -> Vectors | None:
        """The gradient at a mean, where it is the mean of gradients."""

    def number(self, node: Scalar) -> Scalars:
        """A scalar factor inside a vector formula."""


class Leaves(Interpreter[None, Scalars, Vectors]):
    """Evaluates leaves over one window of a place. `always` keeps what is the same in every window."""

    def __init__(self, problem: Problem, xp: Arithmetic, place: PointsInReach, always: dict[str, Vectors] | None = None) -> None:
        self.problem, self.xp, self.place = problem, xp, place
        self.algebra = ArithmeticAlgebra(xp)
        self._always = {} if always is None else always
        self._vectors: dict[Any, Vectors] = {}
        self._scalars: dict[Any, Scalars] = {}

    def value(self, leaf: Scalar) -> Scalars:
        return self.scalar(leaf, None)

    def read_value(self, node: Value, at: None) -> Scalars:
        return self.problem.f(self.xp, self.vector(node.at)) if not isinstance(node.at, Minimum) else self._fstar()

    def read_gap(self, node: Gap, at: None) -> Scalars:
        return self.gap(node.at)

    def read_norm(self, node: Norm, at: None) -> Scalars:
        return self.norm(node.of)

    def read_normsq(self, node: Normsq, at: None) -> Scalars:
        return self.normsq(node.of)

    def read_inner(self, node: Inner, at: None) -> Scalars:
        return self.inner(node.left, node.right)

    def read_chord(self, node: Chord, at: None) -> Scalars:
        return self.chord(node)

    def norm(self, of: Vector) -> Scalars:
        if (known := self._step(of)) is not None:
            return self.xp.abs(known[0]) * self.once(Norm(Grad(known[1])))
        return self.xp.norm(self.vector(of))

    def normsq(self, of: Vector) -> Scalars:
        if (known := self._step(of)) is not None:
            return known[0] * known[0] * self.once(Normsq(Grad(known[1])))
        return self.xp.normsq(self.vector(of))

    def inner(self, left: Vector, right: Vector) -> Scalars:
        if left.key == right.key:
            return self.normsq(left)
        if (known := self._step(right)) is not None:
            return known[0] * self.once(Inner(left, Grad(known[1])))
        return self.xp.dot(self.vector(left), self.vector(right))

    def _step(self, of: Vector) -> tuple[Scalars, Point] | None:
        return self.place.step(of.right, of.left) if isinstance(of, Minus) else None

    def once(self, leaf: Scalar) -> Scalars:
        """The value, computed once."""
        if leaf.key not in self._scalars:
            self._scalars[leaf.key] = self.value(leaf)
        return self._scalars[leaf.key]

    def vector(self, node: Vector, at: None = None) -> Vectors:
        if node.key not in self._vectors:
            self._vectors[node.key] = super().vector(node, None)
        return self._vectors[node.key]

    def read_point(self, node: Point, at: None) -> Vectors:
        return self.place.point(node)

    def read_minimum(self, node: Minimum, at: None) -> Vectors:
        if "x*" not in self._always:
            self._always["x*"] = self._minimiser()
        return self._always["x*"]

    def read_mean(self, node: Mean, at: None) -> Vectors:
        return self.place.mean(node)

    def read_gradient(self, node: Grad, at: None) -> Vectors:
        return self.gradient(node.at)

    def read_minus(self, node: Minus, at: None) -> Vectors:
        known = self._step(node)
        if known is not None:
            return self.xp.scale(known[0], self.vector(Grad(known[1])))
        return self.vector(node.left) - self.vector(node.right)

    def read_scaled(self, node: Scaled, at: None) -> Vectors:
        return self.xp.scale(self.place.number(node.factor), self.vector(node.of))

    def _minimiser(self) -> Vectors:
        assert self.problem.minimiser is not None
        known = self.problem.minimiser.at(self.xp)
        star = self.xp.vector(known.point)
        return self.xp.enlarge(star, known.radius) if known.radius else star

    def gradient(self, at: Vector) -> Vectors:
        if isinstance(at, Point):
            return self.place.gradient(at)
        if isinstance(at, Mean) and (known := self.place.mean_gradient(at)) is not None:
            return known
        return self.problem.grad(self.xp, self.vector(at))

    def _fstar(self) -> Scalars:
        assert self.problem.minimiser is not None
        known = self.problem.minimiser.at(self.xp)
        return self.xp.scalars([known.value], known.value_error)

    def gap(self, at: Vector) -> Scalars:
        if self.problem.gap is not None:
            reads = getattr(self.problem.gap, "reads_gradient", True)  # at a mean it would be a gradient for nothing
            return self.problem.gap(self.xp, self.vector(at), self.vector(Grad(at)) if reads else None)
        return self.problem.f(self.xp, self.vector(at)) - self._fstar()

    def chord(self, leaf: Chord) -> Scalars:
        xp = self.xp
        across = Minus(leaf.end, leaf.start)
        gx, gy = self.vector(Grad(leaf.start)), self.vector(Grad(leaf.end))
        if leaf.kind == "D":
            return xp.scalar(2) * xp.norm(gy - gx) / self.norm(across)
        d = self.vector(across)
        if leaf.kind == "H":
            return xp.scalar(2) * xp.abs(self.bregman(leaf, d, gx, gy)) / self.normsq(across)
        if leaf.kind in ("A", "mu"):
            if self.problem.chord is None:
                raise NotInThisArithmetic(f"{self.problem.name} has no enclosure of {leaf.kind} along a chord")
            return self.problem.chord(xp, self.vector(leaf.start), d, gx, gy, "sup" if leaf.kind == "A" else "inf")
        raise NotInThisArithmetic(f"{leaf.kind} is not a number of a chord; bind M to D, A, H or L")

    def bregman(self, leaf: Chord, d: Vectors, gx: Vectors, gy: Vectors) -> Scalars:
        if self._is_back(leaf):  # from the same two vectors as there
            there_and_back: Any = self.problem.bregman
            return there_and_back(self.xp, self.vector(leaf.end), self.vector(Minus(leaf.start, leaf.end)), gy, gx, back=True)
        start = self.vector(leaf.start)
        if self.problem.bregman is not None:
            return self.problem.bregman(self.xp, start, d, gx, gy)
        return self.gap(leaf.end) - self.gap(leaf.start) - self.xp.dot(gx, d)

    def _is_back(self, leaf: Chord) -> bool:
        """Does the chord go back along a step, and does the problem know the difference back beside the one there?"""
        if self.xp.plain is not FLOAT64 or not getattr(self.problem.bregman, "goes_back", False):
            return False
        step = self.place.step(leaf.start, leaf.end)
        return step is not None and step[1].key == leaf.end.key


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

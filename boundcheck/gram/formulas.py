"""Reads the formulas of a claim with affine numbers in the place of numbers, and vectors over the basis of a Gram matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from operator import eq, ge, gt, le, lt
from typing import Any, NoReturn

from boundcheck.gram.affine import (
    ZERO,
    Affine,
    Combination,
    NotModelled,
    Number,
    Quantity,
    Root,
    affine,
    combine,
    minus,
    times,
    value,
)
from boundcheck.gram.algebra import NEGATIVE, ONE, Excluded, GramAlgebra, fixed_number
from boundcheck.language.chords import OWN
from boundcheck.language.interpreter import Interpreter, index_at, places
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Chord, Constant, Gap, IndexNumber, Parameter, Reduce, Scalar, Term, Value
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point

COMPARE = {"<": lt, "<=": le, "==": eq, ">": gt, ">=": ge}
UNKNOWN: Combination = {-1: ONE}  # the point after a step that is not known yet: M to it is a number all the same
ORIGIN = -2  # in the basis: where x*, or the first point, lies. A claim about differences of points does not read it
At = Mapping[str, int]


class Missing(LookupError):
    """The run has no such entry yet."""


@dataclass(frozen=True)
class Pair:
    """A number of a chord, D, H or A from one point of the data to another, or "any" M, of which its bound alone is known."""

    kind: str
    start: int
    end: int
    is_: Fraction


@dataclass(kw_only=True)
class GramFormulas(Interpreter[At, Quantity, Combination]):
    """The reader of formulas. Points, gradients and what belongs to them are noted as they are asked for."""

    M: str
    constants: Mapping[str, Fraction | None]
    parameters: Mapping[str, Fraction]
    chords: tuple[Fraction, ...]
    reads_least: bool
    is_convex: bool
    with_A: bool
    points: list[Combination] = field(default_factory=list)
    gradients: list[Combination] = field(default_factory=list)
    entries: dict[tuple[str, str], dict[int, Any]] = field(default_factory=dict)
    names: dict[str, Combination] = field(default_factory=dict)
    pairs: dict[Any, Pair] = field(default_factory=dict)
    are_gradients: list[bool] = field(default_factory=list)  # the vectors of the basis; the others are differences of points
    role: str = ""

    def __post_init__(self) -> None:
        self.algebra: GramAlgebra = GramAlgebra()

    @property
    def basis(self) -> int:
        return len(self.are_gradients)

    def fresh(self, *, is_gradient: bool = False) -> Combination:
        """Return a new vector of the basis."""
        self.are_gradients.append(is_gradient)
        return {self.basis - 1: ONE}

    def anywhere(self) -> Combination:
        """Return a point without a formula. Where nothing else fixes the origin, the first is there."""
        return {ORIGIN: ONE, **(self.fresh() if self.reads_least or self.names else {})}

    def oracle(self, point: Combination) -> int:
        """Return which of the points of the data it is; f and its gradient are asked there. x* is the origin, with gradient 0."""
        if point is UNKNOWN:
            raise Missing("the point after this step")
        if point not in self.points:
            self.points.append(point)
            is_least = self.reads_least and point == {ORIGIN: ONE}
            self.gradients.append({} if is_least else self.fresh(is_gradient=True))
        return self.points.index(point)

    def no_meaning(self, node: Node, at: At) -> NoReturn:
        raise NotModelled(f"{type(node).__name__} is not known here")

    def scalar(self, node: Scalar, at: At) -> Quantity:
        try:
            return super().scalar(node, at)
        except NotModelled as wrong:
            if wrong.piece:
                raise
            named = NotModelled(str(wrong) if str(node) in str(wrong) else f"{wrong}: {node}")
            named.piece = str(node)
            raise named from None

    def entry(self, name: str, index: Index, run: str, at: At) -> Any:
        """Return the entry of a sequence of the run."""
        entries = self.entries.get((run or self.role, name), {})
        if (n := index_at(index, at)) not in entries:
            raise Missing(f"{name}_{n}")
        return entries[n]

    # -- vectors -------------------------------------------------------------------------------------------------------

    def read_point(self, node: Point, at: At) -> Combination:
        if node.part is not None:
            raise NotModelled(f"{node} is one of several components")
        if node.index is not None:
            return self.entry(node.name, node.index, node.run, at)  # type: ignore[no-any-return]
        if node.name not in self.names:
            self.names[node.name] = self.anywhere()
        return self.names[node.name]

    def read_minimum(self, node: Minimum, at: At) -> Combination:
        return {ORIGIN: ONE}

    def read_gradient(self, node: Grad, at: At) -> Combination:
        return self.gradients[self.oracle(self.vector(node.at, at))]

    def read_plus(self, node: Plus, at: At) -> Combination:
        return combine([(ONE, self.vector(node.left, at)), (ONE, self.vector(node.right, at))])

    def read_minus(self, node: Minus, at: At) -> Combination:
        return minus(self.vector(node.left, at), self.vector(node.right, at))

    def read_mean(self, node: Mean, at: At) -> Combination:
        here = places(node, at)
        weights = [self.number(node.weight, place) for place in here]
        total = sum(weights, ZERO)
        return combine([(w / total, self.vector(node.of, p)) for w, p in zip(weights, here, strict=True)])

    # -- numbers -------------------------------------------------------------------------------------------------------

    def number(self, node: Scalar, at: At) -> Number:
        """Return the number that a formula is, whatever f is."""
        return fixed_number(self.scalar(node, at), f"{node} depends on the run, where a number is needed")

    def read_index(self, node: IndexNumber, at: At) -> Quantity:
        return Affine(Fraction(index_at(node.index, at)))

    def read_parameter(self, node: Parameter, at: At) -> Quantity:
        return Affine(self.parameters[node.name])

    def read_constant(self, node: Constant, at: At) -> Quantity:
        if (known := self.constants.get(node.name)) is None:
            raise NotModelled(f"the constant {node.name} is not one of the class")
        return Affine(known)

    def read_term(self, node: Term, at: At) -> Quantity:
        return self.entry(node.name, node.index, node.run, at)  # type: ignore[no-any-return]

    def read_value(self, node: Value, at: At) -> Quantity:
        return value(self.oracle(self.vector(node.at, at)))

    def read_gap(self, node: Gap, at: At) -> Quantity:
        here = value(self.oracle(self.vector(node.at, at)))
        return here.plus(value(self.oracle({ORIGIN: ONE})), NEGATIVE)

    def read_reduce(self, node: Reduce, at: At) -> Quantity:
        assert node.where is None or isinstance(node.where, Relation)
        here = [p for p in places(node, at) if node.where is None or self.decided(node.where, p)]
        values = [self.scalar(node.body, p) for p in here]
        if node.kind in ("min", "max"):
            return self.algebra.extreme([affine(v) for v in values], 1 if node.kind == "max" else -1)
        total: Quantity = Affine(ZERO if node.kind == "sum" else ONE)
        for v in values:
            total = affine(total).plus(affine(v)) if node.kind == "sum" else times(total, v)
        return total

    def read_chord(self, node: Chord, at: At) -> Quantity:
        """Return D, H or A of a pair of points: a number that is chosen; `Program` says what that asks of the data."""
        kind = self.M if node.kind == "M" else node.kind
        if kind == "L":
            return Affine(self.constants["L"] or ONE)
        if kind not in OWN:
            raise NotModelled(f"M is {kind}, which a formula of f at both points defines: it is no number of the data")
        if kind not in ("D", "H") and not (kind == "A" and self.with_A):
            raise NotModelled(f"{kind} of a chord depends on f between its ends")
        start, end = self.vector(node.start, at), self.vector(node.end, at)
        if start is UNKNOWN or end is UNKNOWN:
            return Affine(self.chosen(kind, start, end))
        return self.pair(kind, start, end, self.chosen(kind, start, end))

    def pair(self, kind: str, start: Combination, end: Combination, number: Fraction) -> Affine:
        """Return the number of a chord; the first that a pair of points is given is its number from then on."""
        ends = [self.oracle(start), self.oracle(end)]
        if ends[0] == ends[1]:
            raise Excluded("a chord of length 0")
        key = (kind, *(sorted(ends) if kind == "D" else ends))
        return Affine(self.pairs.setdefault(key, Pair(kind, ends[0], ends[1], number)).is_)

    def chosen(self, kind: str, start: Combination, end: Combination) -> Fraction:
        """Return the number for a pair: for a step of the run its own (the next, of H backwards), else the next in turn."""
        x = self.entries.get((self.role, "x"), {})
        turn = len(self.pairs)
        for n in x:
            if n + 1 in x and (start, end) in ((x[n], x[n + 1]), (x[n + 1], x[n])):
                turn = n + (kind == "H" and start == x[n + 1])
        return self.chords[turn % len(self.chords)]

    # -- relations -----------------------------------------------------------------------------------------------------

    def difference(self, relation: Relation, at: At) -> Affine:
        """Return left - right; the difference of the squares where one side is a norm."""
        a, b = self.scalar(relation.left, at), self.scalar(relation.right, at)
        if isinstance(a, Root) or isinstance(b, Root):
            return squared(a).plus(squared(b), NEGATIVE)
        return a.plus(b, NEGATIVE)

    def decided(self, relation: Relation, at: At) -> bool:
        """Tell whether a relation between numbers holds."""
        found = self.difference(relation, at)
        if not found.is_number:
            raise NotModelled("which steps a sum runs over, its condition, depends on the run")
        return bool(COMPARE[relation.op](found.constant, 0))


def squared(side: Quantity) -> Affine:
    """Return the square of a side of a relation between norms."""
    if isinstance(side, Root):
        if side.factor < 0:
            raise NotModelled("a norm with a negative factor")
        return side.square.scaled(side.factor**2)
    if not side.is_number or side.constant < 0:
        raise NotModelled("a norm is compared with a quantity of the run")
    return Affine(side.constant**2)

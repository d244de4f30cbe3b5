"""One walk over formulas, for all that evaluates them.

An `Interpreter` knows the shape of every node: which parts it has and in which order they are read. An `Algebra` is plugged
in and says how numbers and vectors are computed with: exact fractions, enclosures of a whole run. A subclass says where a
formula is read (`At`: the values of its letters, a window of indices) and what stands at its leaves there: a point, a value
of f, a chord number, a sum. `READERS` names the method for each kind of node; a kind that an interpreter gives no meaning to
is refused by name, and a test holds every interpreter to every kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Generic, NoReturn, Protocol, TypeVar

from boundcheck.language.chords import DeclaredChord
from boundcheck.language.scalars import (
    Abs,
    Add,
    Average,
    Chord,
    Constant,
    Div,
    Exp,
    Expectation,
    Gap,
    IndexNumber,
    Inner,
    Larger,
    Log,
    Mul,
    NamedValue,
    Neg,
    Norm,
    Normsq,
    Number,
    Parameter,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import (
    Block,
    Grad,
    Image,
    LinearMinimum,
    Mean,
    Minimum,
    Minus,
    PartsMean,
    Pick,
    Plus,
    Point,
    Prox,
    Scaled,
    Vector,
)

S = TypeVar("S")
V = TypeVar("V")
At = TypeVar("At")


class Algebra(Protocol[S, V]):
    """Computing with numbers S and vectors V. Sums, differences and products are written with their signs: + - *."""

    def number(self, value: Fraction) -> S: ...
    def quotient(self, above: S, below: S, node: Div) -> S: ...
    def absolute(self, of: S) -> S: ...
    def logarithm(self, of: S, node: Log) -> S: ...
    def exponential(self, of: S, node: Exp) -> S: ...
    def power(self, base: S, node: Power) -> S: ...
    def larger(self, left: S, right: S) -> S: ...
    def smaller(self, left: S, right: S) -> S: ...
    def scale(self, factor: S, of: V) -> V: ...
    def inner(self, left: V, right: V) -> S: ...
    def norm(self, of: V) -> S: ...
    def normsq(self, of: V) -> S: ...


READERS: dict[type[Node], str] = {
    Number: "read_number",
    IndexNumber: "read_index",
    Parameter: "read_parameter",
    Constant: "read_constant",
    Term: "read_term",
    Value: "read_value",
    Gap: "read_gap",
    Inner: "read_inner",
    Norm: "read_norm",
    Normsq: "read_normsq",
    Chord: "read_chord",
    DeclaredChord: "read_declared_chord",
    Add: "read_add",
    Sub: "read_sub",
    Neg: "read_neg",
    Mul: "read_mul",
    Div: "read_div",
    Power: "read_power",
    Abs: "read_abs",
    Log: "read_log",
    Exp: "read_exp",
    Larger: "read_larger",
    Smaller: "read_smaller",
    Reduce: "read_reduce",
    Point: "read_point",
    Minimum: "read_minimum",
    Grad: "read_gradient",
    Plus: "read_plus",
    Minus: "read_minus",
    Scaled: "read_scaled",
    Mean: "read_mean",
    NamedValue: "read_named_value",
    Average: "read_average",
    Expectation: "read_expectation",
    Image: "read_image",
    Prox: "read_prox",
    LinearMinimum: "read_linear_minimum",
    Block: "read_block",
    Pick: "read_pick",
    PartsMean: "read_parts_mean",
}


class NoMeaning(TypeError):
    """An interpreter has no meaning for this kind of node."""


class Interpreter(Generic[At, S, V]):
    """The value of a formula `at` a place, by its parts."""

    algebra: Algebra[S, V]
    readers: ClassVar[dict[type[Node], Any]]  # for each kind of node, the method of this class

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.readers = {kind: getattr(cls, name) for kind, name in READERS.items()}

    def scalar(self, node: Scalar, at: At) -> S:
        """The number that a formula means."""
        reader = self.readers.get(type(node))
        if reader is None:
            self.no_meaning(node, at)
        made: S = reader(self, node, at)
        return made

    def vector(self, node: Vector, at: At) -> V:
        """The vector that a formula means."""
        reader = self.readers.get(type(node))
        if reader is None:
            self.no_meaning(node, at)
        made: V = reader(self, node, at)
        return made

    def no_meaning(self, node: Node, at: At) -> NoReturn:
        """Refuse a kind of node that this interpreter does not read."""
        raise NoMeaning(f"{type(node).__name__} has no value for {type(self).__name__}")

    # -- numbers -------------------------------------------------------------------------------------------------------

    def read_number(self, node: Number, at: At) -> S:
        return self.algebra.number(node.value)

    def read_add(self, node: Add, at: At) -> S:
        left: Any = self.scalar(node.left, at)
        return left + self.scalar(node.right, at)  # type: ignore[no-any-return]

    def read_sub(self, node: Sub, at: At) -> S:
        left: Any = self.scalar(node.left, at)
        return left - self.scalar(node.right, at)  # type: ignore[no-any-return]

    def read_mul(self, node: Mul, at: At) -> S:
        left: Any = self.scalar(node.left, at)
        return left * self.scalar(node.right, at)  # type: ignore[no-any-return]

    def read_neg(self, node: Neg, at: At) -> S:
        of: Any = self.scalar(node.of, at)
        return -of  # type: ignore[no-any-return]

    def read_div(self, node: Div, at: At) -> S:
        return self.algebra.quotient(self.scalar(node.left, at), self.scalar(node.right, at), node)

    def read_power(self, node: Power, at: At) -> S:
        return self.algebra.power(self.scalar(node.base, at), node)

    def read_abs(self, node: Abs, at: At) -> S:
        return self.algebra.absolute(self.scalar(node.of, at))

    def read_log(self, node: Log, at: At) -> S:
        return self.algebra.logarithm(self.scalar(node.of, at), node)

    def read_exp(self, node: Exp, at: At) -> S:
        return self.algebra.exponential(self.scalar(node.of, at), node)

    def read_larger(self, node: Larger, at: At) -> S:
        return self.algebra.larger(self.scalar(node.left, at), self.scalar(node.right, at))

    def read_smaller(self, node: Smaller, at: At) -> S:
        return self.algebra.smaller(self.scalar(node.left, at), self.scalar(node.right, at))

    # -- numbers of vectors --------------------------------------------------------------------------------------------

    def read_inner(self, node: Inner, at: At) -> S:
        return self.algebra.inner(self.vector(node.left, at), self.vector(node.right, at))

    def read_norm(self, node: Norm, at: At) -> S:
        return self.algebra.norm(self.vector(node.of, at))

    def read_normsq(self, node: Normsq, at: At) -> S:
        return self.algebra.normsq(self.vector(node.of, at))

    def read_declared_chord(self, node: DeclaredChord, at: At) -> S:
        """The number that its definition gives at its two points."""
        return self.scalar(node.formula, at)

    # -- vectors -------------------------------------------------------------------------------------------------------

    def read_plus(self, node: Plus, at: At) -> V:
        left: Any = self.vector(node.left, at)
        return left + self.vector(node.right, at)  # type: ignore[no-any-return]

    def read_minus(self, node: Minus, at: At) -> V:
        left: Any = self.vector(node.left, at)
        return left - self.vector(node.right, at)  # type: ignore[no-any-return]

    def read_scaled(self, node: Scaled, at: At) -> V:
        return self.algebra.scale(self.scalar(node.factor, at), self.vector(node.of, at))

    # -- what a subclass knows -----------------------------------------------------------------------------------------

    def read_index(self, node: IndexNumber, at: At) -> S:
        self.no_meaning(node, at)

    def read_parameter(self, node: Parameter, at: At) -> S:
        self.no_meaning(node, at)

    def read_constant(self, node: Constant, at: At) -> S:
        self.no_meaning(node, at)

    def read_term(self, node: Term, at: At) -> S:
        self.no_meaning(node, at)

    def read_value(self, node: Value, at: At) -> S:
        self.no_meaning(node, at)

    def read_gap(self, node: Gap, at: At) -> S:
        self.no_meaning(node, at)

    def read_chord(self, node: Chord, at: At) -> S:
        self.no_meaning(node, at)

    def read_reduce(self, node: Reduce, at: At) -> S:
        self.no_meaning(node, at)

    def read_point(self, node: Point, at: At) -> V:
        self.no_meaning(node, at)

    def read_minimum(self, node: Minimum, at: At) -> V:
        self.no_meaning(node, at)

    def read_gradient(self, node: Grad, at: At) -> V:
        self.no_meaning(node, at)

    def read_mean(self, node: Mean, at: At) -> V:
        self.no_meaning(node, at)

    def read_named_value(self, node: NamedValue, at: At) -> S:
        self.no_meaning(node, at)

    def read_average(self, node: Average, at: At) -> S:
        self.no_meaning(node, at)

    def read_expectation(self, node: Expectation, at: At) -> S:
        self.no_meaning(node, at)

    def read_image(self, node: Image, at: At) -> V:
        self.no_meaning(node, at)

    def read_prox(self, node: Prox, at: At) -> V:
        self.no_meaning(node, at)

    def read_linear_minimum(self, node: LinearMinimum, at: At) -> V:
        self.no_meaning(node, at)

    def read_block(self, node: Block, at: At) -> V:
        self.no_meaning(node, at)

    def read_pick(self, node: Pick, at: At) -> V:
        self.no_meaning(node, at)

    def read_parts_mean(self, node: PartsMean, at: At) -> V:
        self.no_meaning(node, at)


Interpreter.readers = {kind: getattr(Interpreter, name) for kind, name in READERS.items()}


def index_at(index: Index, at: Mapping[str, int]) -> int:
    """The whole number that an index is, given the values of the letters."""
    return index.offset + (at[index.letter] if index.letter is not None else 0)


def places(node: Reduce | Mean, at: Mapping[str, int]) -> list[dict[str, int]]:
    """The values of the letters for each term of a sum or a mean."""
    return [{**at, node.letter: n} for n in range(index_at(node.low, at), index_at(node.high, at) + 1)]

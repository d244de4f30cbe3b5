"""Relations between formulas: what a claim states, what a hypothesis demands, and the range of a parameter that they allow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from boundcheck.language.scalars import Add, Div, Mul, Neg, Number, Parameter, Scalar, ScalarLike, Sub
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Vector
from boundcheck.support.errors import WrongType

OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


@dataclass(frozen=True, eq=False, repr=False)
class Condition(Node):
    """Something that is true or false at each index."""


@dataclass(frozen=True, eq=False, repr=False)
class Relation(Condition):
    op: str
    left: Scalar
    right: Scalar

    def __invert__(self) -> Relation:
        """The steps where it does not hold: the complement of an index set."""
        if self.op not in OPPOSITE:
            raise TypeError("only <, <=, > and >= have a complement that is a relation")
        return Relation(OPPOSITE[self.op], self.left, self.right)

    def upward(self) -> Relation:
        """The same relation written with <=, < or ==."""
        if self.op in (">=", ">"):
            return Relation("<=" if self.op == ">=" else "<", self.right, self.left)
        return self


@dataclass(frozen=True, eq=False, repr=False)
class VectorEquation(Condition):
    """Two vectors are one."""

    left: Vector
    right: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Chain(Node):
    """a <= b <= c: every link is part of the claim."""

    links: tuple[Relation, ...]


Statement = Relation | Chain


def chain(*parts: ScalarLike | str) -> Chain:
    """chain(a, "<=", b, "==", c) is a <= b == c.

    >>> from boundcheck import chain
    >>> from boundcheck.letters import L, eta, i
    >>> chain(0, "<", eta[i], "<=", 1 / L)
    0 < eta_i <= 1/L
    """
    from boundcheck.language.scalars import as_scalar

    terms, ops = parts[0::2], parts[1::2]
    if len(parts) < 3 or len(parts) % 2 == 0 or any(op not in ("<=", "<", "==", ">=", ">") for op in ops):
        raise TypeError('a chain alternates formulas and relations: chain(a, "<=", b, "<=", c)')
    sides = [as_scalar(term) for term in terms]
    return Chain(tuple(Relation(str(op), a, b) for a, op, b in zip(sides, ops, sides[1:], strict=False)))


def links(statement: Statement) -> tuple[Relation, ...]:
    return statement.links if isinstance(statement, Chain) else (statement,)


INEQUALITIES = ("<", "<=", ">", ">=")


def any_number(parameter: Parameter) -> Relation:
    """The hypothesis that a parameter may be any real number: its square is not negative.

    >>> from boundcheck import Parameter, any_number
    >>> any_number(Parameter("gamma"))
    gamma^2 >= 0
    """
    if not isinstance(parameter, Parameter):
        raise WrongType(f"any_number is said of a parameter, as any_number(gamma); found {parameter!r}")
    return parameter**2 >= 0


def is_bounded_by(name: str, relation: Relation) -> bool:
    """Does this hypothesis give the parameter a range?"""
    if relation.op in INEQUALITIES:
        return _mentions(relation, name)
    pairs = ((relation.left, relation.right), (relation.right, relation.left))
    return relation.op == "==" and any(_is(own, name) and not _mentions(other, name) for own, other in pairs)


@dataclass(frozen=True)
class Interval:
    """The numbers between two ends, each of which may belong to it; None is no end."""

    low: Fraction | None = None
    high: Fraction | None = None
    has_low: bool = False
    has_high: bool = False

    def __contains__(self, value: Fraction) -> bool:
        above = self.low is None or value > self.low or (self.has_low and value == self.low)
        return above and (self.high is None or value < self.high or (self.has_high and value == self.high))

    def above(self, low: Fraction, has_low: bool) -> Interval:
        """The part of it above a number."""
        if self.low is not None and (self.low > low or (self.low == low and not self.has_low)):
            return self
        return Interval(low, self.high, has_low, self.has_high)

    def below(self, high: Fraction, has_high: bool) -> Interval:
        """The part of it below a number."""
        if self.high is not None and (self.high < high or (self.high == high and not self.has_high)):
            return self
        return Interval(self.low, high, self.has_low, has_high)


def interval(name: str, relations: Iterable[Relation]) -> Interval:
    """The numbers that the relations between this parameter and numbers alone allow it; others may allow fewer."""
    found = Interval()
    for relation in relations:
        left, right = (_line(side, name) for side in (relation.left, relation.right))
        if left is None or right is None or left[0] == right[0]:
            continue
        slope, end = left[0] - right[0], (right[1] - left[1]) / (left[0] - right[0])
        if relation.op == "==":
            found = found.above(end, True).below(end, True)
        elif relation.op in INEQUALITIES:
            is_below = (relation.op in ("<", "<=")) == (slope > 0)
            found = (found.below if is_below else found.above)(end, relation.op in ("<=", ">="))
    return found


def _is(node: Scalar, name: str) -> bool:
    return isinstance(node, Parameter) and node.name == name


def _mentions(node: Node, name: str) -> bool:
    return any(isinstance(n, Parameter) and n.name == name for n in node.walk())


Line = tuple[Fraction, Fraction]


def _line(node: Scalar, name: str) -> Line | None:
    """(a, b) of a formula a p + b in this parameter and numbers alone; None for any other formula."""
    if isinstance(node, Number):
        return Fraction(0), Fraction(node.value)
    if isinstance(node, Parameter):
        return (Fraction(1), Fraction(0)) if node.name == name else None
    if isinstance(node, Neg):
        inside = _line(node.of, name)
        return None if inside is None else (-inside[0], -inside[1])
    if not isinstance(node, Add | Sub | Mul | Div):
        return None
    left, right = _line(node.left, name), _line(node.right, name)
    if left is None or right is None:
        return None
    if isinstance(node, Add):
        return left[0] + right[0], left[1] + right[1]
    if isinstance(node, Sub):
        return left[0] - right[0], left[1] - right[1]
    if isinstance(node, Mul):
        if left[0] and right[0]:
            return None
        return left[0] * right[1] + left[1] * right[0], left[1] * right[1]
    return None if right[0] or not right[1] else (left[0] / right[1], left[1] / right[1])

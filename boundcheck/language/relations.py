"""Relations between formulas: what a claim states, what a hypothesis demands, which steps a sum runs over."""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.language.scalars import Scalar, ScalarLike
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Vector

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

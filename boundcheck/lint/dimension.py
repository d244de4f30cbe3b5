"""Dimensions in powers of (f, x): only like things are added or compared, and only pure numbers have a logarithm."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from boundcheck.language.relations import Relation
from boundcheck.language.scalars import (
    CURVATURE,
    LENGTH,
    NONE,
    SLOPE,
    VALUE,
    Abs,
    Add,
    Chord,
    Constant,
    Dimension,
    Div,
    Gap,
    Inner,
    Larger,
    Log,
    Mul,
    Neg,
    Norm,
    Normsq,
    Number,
    Parameter,
    Power,
    Reduce,
    Smaller,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Mean, Minus, Plus, Scaled, Vector
from boundcheck.lint.findings import Finding


class _Dimensions:
    """Dimension of each piece; None stands for zero, which has every dimension, and for what is already reported."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def report(self, piece: Node, message: str) -> None:
        self.findings.append(Finding(check="dimension", severity="error", piece=str(piece), message=message))

    def alike(self, whole: Node, left: Node, right: Node, verb: str) -> Dimension | None:
        a, b = self.of(left), self.of(right)
        if a is None or b is None:
            return a if b is None else b
        if a != b:
            self.report(right, f"{right} is {b}, but it is {verb} {left}, which is {a}, in {whole}")
            return None
        return a

    def of(self, node: Node) -> Dimension | None:
        if isinstance(node, Vector):
            return self.of_vector(node)
        if isinstance(node, Number):
            return None if node.value == 0 else NONE
        if isinstance(node, Parameter | Constant | Term):
            return node.dimension
        if isinstance(node, Value | Gap):
            self._length(node.at, "f")
            return VALUE
        if isinstance(node, Chord):
            for end in (node.start, node.end):
                self._length(end, node.kind)
            return CURVATURE
        if isinstance(node, Inner | Mul):
            return self._times(self.of(node.left), self.of(node.right))
        if isinstance(node, Norm | Neg | Abs):
            return self.of(node.of)
        if isinstance(node, Normsq):
            return self._power(self.of(node.of), Fraction(2))
        if isinstance(node, Add | Larger | Smaller):
            return self.alike(node, node.left, node.right, "added to" if isinstance(node, Add) else "compared with")
        if isinstance(node, Sub):
            return self.alike(node, node.left, node.right, "subtracted from")
        if isinstance(node, Div):
            return self._times(self.of(node.left), self._power(self.of(node.right), Fraction(-1)))
        if isinstance(node, Power):
            return self._power(self.of(node.base), node.exponent)
        if isinstance(node, Log):
            return self._pure(node.of, f"the logarithm is taken of {node.of}")
        if isinstance(node, Reduce):
            return self._reduce(node)
        return NONE

    def of_vector(self, node: Vector) -> Dimension | None:
        if isinstance(node, Grad):
            self._length(node.at, "grad f")
            return SLOPE
        if isinstance(node, Plus | Minus):
            return self.alike(node, node.left, node.right, "added to" if isinstance(node, Plus) else "subtracted from")
        if isinstance(node, Scaled):
            return self._times(self.of(node.factor), self.of(node.of))
        if isinstance(node, Mean):
            self.of(node.weight)
            return self.of(node.of)
        return LENGTH

    def _reduce(self, node: Reduce) -> Dimension | None:
        if node.where is not None:
            assert isinstance(node.where, Relation)
            self.alike(node.where, node.where.left, node.where.right, "compared with")
        if node.kind == "prod":
            return self._pure(node.body, f"the product over {node.letter} has as many factors as the range is long: {node.body}")
        return self.of(node.body)

    def _length(self, piece: Node, oracle: str) -> None:
        found = self.of(piece)
        if found is not None and found != LENGTH:
            self.report(piece, f"{oracle} is taken at {piece}, which is {found}; it must be a point, which is {LENGTH}")

    def _pure(self, piece: Node, why: str) -> Dimension:
        found = self.of(piece)
        if found is not None and found != NONE:
            self.report(piece, f"{why}, which is {found}; it must be a pure number")
        return NONE

    @staticmethod
    def _times(a: Dimension | None, b: Dimension | None) -> Dimension | None:
        return None if a is None or b is None else a * b

    @staticmethod
    def _power(a: Dimension | None, power: Fraction) -> Dimension | None:
        return None if a is None else a**power


def dimension(node: Node) -> Dimension | None:
    """The dimension of a formula, None for zero or where it has none."""
    return _Dimensions().of(node)


def dimension_findings(relations: Iterable[Relation]) -> list[Finding]:
    dimensions = _Dimensions()
    for relation in relations:
        dimensions.alike(relation, relation.left, relation.right, "compared with")
    return dimensions.findings

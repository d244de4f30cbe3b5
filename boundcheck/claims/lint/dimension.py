"""Dimensions in powers of (f, x): only like things are added or compared, and only pure numbers have a logarithm.

A product has the dimension of its factor to the power of their number, which is a length such as k - i + 1: powers are affine in
the letters of a claim, and are compared as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from boundcheck.claims.lint import Remark
from boundcheck.language.chords import ChordQuantity, DeclaredChord
from boundcheck.language.interpreter import NoMeaning
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import (
    CURVATURE,
    LENGTH,
    NONE,
    SLOPE,
    VALUE,
    Abs,
    Add,
    Average,
    Chord,
    Constant,
    Dimension,
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
    Smaller,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Node
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


@dataclass(frozen=True)
class Powers:
    """A dimension that depends on letters (prod_{i=0..k} eta_i): `fixed`, times each of `by` to the power of its letter."""

    fixed: Dimension
    by: tuple[tuple[str, Dimension], ...] = ()  # in the order of the letters, none of them a pure number

    @classmethod
    def of(cls, fixed: Dimension, by: Mapping[str, Dimension]) -> Powers:
        return cls(fixed, tuple(sorted((letter, power) for letter, power in by.items() if power != NONE)))

    def __mul__(self, other: Powers) -> Powers:
        by = dict(self.by)
        for letter, power in other.by:
            by[letter] = by.get(letter, NONE) * power
        return Powers.of(self.fixed * other.fixed, by)

    def __pow__(self, power: Fraction) -> Powers:
        return Powers.of(self.fixed**power, {letter: own**power for letter, own in self.by})

    def __str__(self) -> str:
        if not self.by:
            return str(self.fixed)
        parts = [f"({power})^{letter}" for letter, power in self.by]
        return " times ".join([*parts, *([f"({self.fixed})"] if self.fixed != NONE else [])])


PURE, POINT = Powers(NONE), Powers(LENGTH)


class _Dimensions:
    """Dimension of each piece; None stands for zero, which has every dimension, and for what is already reported."""

    def __init__(self) -> None:
        self.findings: list[Remark] = []

    def report(self, piece: Node, message: str) -> None:
        self.findings.append(Remark(check="dimension", severity="error", piece=str(piece), message=message))

    def alike(self, whole: Node, left: Node, right: Node, verb: str) -> Powers | None:
        a, b = self.of(left), self.of(right)
        if a is None or b is None:
            return a if b is None else b
        if a != b:
            self.report(right, f"{right} is {b}, but it is {verb} {left}, which is {a}, in {whole}")
            return None
        return a

    def of(self, node: Node) -> Powers | None:
        if isinstance(node, Vector):
            return self.of_vector(node)
        if isinstance(node, Number):
            return None if node.value == 0 else PURE
        if isinstance(node, Parameter | Constant | Term):
            return Powers(node.dimension)
        if isinstance(node, Value | Gap):
            self._length(node.at, "f")
            return Powers(VALUE)
        if isinstance(node, NamedValue):
            self._length(node.at, node.of)
            return Powers(VALUE)
        if isinstance(node, Average):
            return self.of(node.body)
        if isinstance(node, Expectation):
            return self.of(node.of)
        if isinstance(node, Chord):
            for end in (node.start, node.end):
                self._length(end, node.kind)
            return Powers(CURVATURE)
        if isinstance(node, DeclaredChord):
            for end in (node.start, node.end):
                self._length(end, node.quantity.name)
            return self.of(node.quantity.formula)
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
        if isinstance(node, Exp):
            return self._pure(node.of, f"the exponential is taken of {node.of}")
        if isinstance(node, Reduce):
            return self._reduce(node)
        if isinstance(node, IndexNumber):
            return PURE
        raise NoMeaning(f"{type(node).__name__} has no dimension: claims/lint/dimension.py does not know this kind of node")

    def of_vector(self, node: Vector) -> Powers | None:
        if isinstance(node, Grad):
            self._length(node.at, "grad f")
            return Powers(SLOPE)
        if isinstance(node, Plus | Minus):
            return self.alike(node, node.left, node.right, "added to" if isinstance(node, Plus) else "subtracted from")
        if isinstance(node, Scaled):
            return self._times(self.of(node.factor), self.of(node.of))
        if isinstance(node, Mean):
            self.of(node.weight)
            return self.of(node.of)
        if isinstance(node, Point):
            return Powers(node.dimension)
        if isinstance(node, Minimum):
            return POINT
        if isinstance(node, LinearMinimum):
            self.of(node.towards)
            return POINT
        if isinstance(node, Image):
            self._length(node.at, node.of)
            return Powers(node.dimension)
        if isinstance(node, Prox):
            self._length(node.at, node.kind)
            self.of(node.step)
            return POINT
        if isinstance(node, Block):
            return self.of(node.whole)
        if isinstance(node, PartsMean):
            return self.of(node.of)
        if isinstance(node, Pick):
            return self.alike(node, node.then, node.otherwise, "put in place of")
        raise NoMeaning(f"{type(node).__name__} has no dimension: claims/lint/dimension.py does not know this kind of vector")

    def _reduce(self, node: Reduce) -> Powers | None:
        if node.where is not None:
            assert isinstance(node.where, Relation)
            self.alike(node.where, node.where.left, node.where.right, "compared with")
        body = self.of(node.body)
        if body is not None and node.letter in dict(body.by):
            self.report(node.body, f"{node.body} is {body}: another dimension for each {node.letter}, in {node}")
            return None
        return self._product(node, body) if node.kind == "prod" and body is not None else body

    def _product(self, node: Reduce, body: Powers) -> Powers | None:
        """The body's dimension to the power of how many factors there are."""
        if node.where is not None and body != PURE:
            self.report(
                node.body,
                f"the product over {node.letter} has as many factors as its condition leaves: {node.body}, which is "
                f"{body}; it must be a pure number",
            )
            return None
        if body.by and (node.low.letter is not None or node.high.letter is not None):
            self.report(node.body, f"{node.body} is {body}, and the number of factors depends on a letter too, in {node}")
            return None
        count = Fraction(node.high.offset - node.low.offset + 1)
        if node.low.letter is None and node.high.letter is None:
            return body ** max(count, Fraction(0))
        made = body**count
        for letter, sign in ((node.high.letter, 1), (node.low.letter, -1)):
            if letter is not None:
                made = made * Powers.of(NONE, {letter: body.fixed ** Fraction(sign)})
        return made

    def _length(self, piece: Node, oracle: str) -> None:
        found = self.of(piece)
        if found is not None and found != POINT:
            self.report(piece, f"{oracle} is taken at {piece}, which is {found}; it must be a point, which is {LENGTH}")

    def _pure(self, piece: Node, why: str) -> Powers:
        found = self.of(piece)
        if found is not None and found != PURE:
            self.report(piece, f"{why}, which is {found}; it must be a pure number")
        return PURE

    @staticmethod
    def _times(a: Powers | None, b: Powers | None) -> Powers | None:
        return None if a is None or b is None else a * b

    @staticmethod
    def _power(a: Powers | None, power: Fraction) -> Powers | None:
        return None if a is None else a**power


def dimension(node: Node) -> Dimension | Powers | None:
    """The dimension of a formula, None for zero or where it has none; Powers where it depends on the letters of products."""
    found = _Dimensions().of(node)
    return found if found is None or found.by else found.fixed


def dimension_findings(relations: Iterable[Relation]) -> list[Remark]:
    dimensions = _Dimensions()
    for relation in relations:
        dimensions.alike(relation, relation.left, relation.right, "compared with")
    return dimensions.findings


def chosen_findings(quantities: Iterable[ChordQuantity]) -> list[Remark]:
    """What M may be bound to has the dimension of a directional smoothness function."""
    findings = []
    for quantity in quantities:
        dimensions = _Dimensions()
        found = dimensions.of(quantity.formula)
        findings += dimensions.findings
        if found is not None and found != Powers(CURVATURE):
            message = f"M may be {quantity.name}, which is {found}; a directional smoothness function is {CURVATURE}"
            findings.append(Remark(check="dimension", severity="error", piece=quantity.name, message=message))
    return findings

"""One walk over a tree, and its dialects: text that reads like the paper, LaTeX, and MathML."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction

from boundcheck.language.chords import DeclaredChord
from boundcheck.language.relations import Chain, Relation, VectorEquation
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
    Smaller,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Index, Node, Part
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
)

# how tightly a piece holds together: a sum inside a product needs brackets
SUM, BIG, PRODUCT, POWER, ATOM = range(5)
Piece = tuple[str, int]


class Dialect(ABC):
    """How the signs look. The walk below decides where brackets go."""

    @abstractmethod
    def letter(self, name: str, index: Index | None, run: str) -> str: ...
    @abstractmethod
    def named(self, name: str, latex: str) -> str: ...
    @abstractmethod
    def star(self) -> str: ...
    @abstractmethod
    def grad(self, at: str) -> str: ...
    @abstractmethod
    def norm(self, of: str) -> str: ...
    @abstractmethod
    def normsq(self, of: str) -> str: ...
    @abstractmethod
    def inner(self, left: str, right: str) -> str: ...
    @abstractmethod
    def chord(self, kind: str, start: str, end: str, latex: str = "") -> str: ...
    @abstractmethod
    def product(self, left: str, right: str) -> str: ...
    @abstractmethod
    def fraction(self, above: Piece, below: Piece) -> Piece: ...
    @abstractmethod
    def power(self, base: Piece, exponent: Fraction) -> Piece: ...
    @abstractmethod
    def absolute(self, of: str) -> str: ...
    @abstractmethod
    def log(self, of: Piece) -> str: ...
    @abstractmethod
    def exp(self, of: Piece) -> str: ...
    @abstractmethod
    def choice(self, larger: bool, left: str, right: str) -> str: ...
    @abstractmethod
    def big(self, kind: str, letter: str, low: Index, high: Index, where: str | None, body: str) -> str: ...
    @abstractmethod
    def mean(self, of: str, weight: str, letter: str, low: Index, high: Index) -> str: ...
    @abstractmethod
    def relation(self, op: str) -> str: ...
    @abstractmethod
    def bracket(self, inside: str) -> str: ...

    @abstractmethod
    def named_function(self, name: str, part: str) -> str: ...
    @abstractmethod
    def part(self, part: Part) -> str: ...
    @abstractmethod
    def component(self, of: str, part: str) -> str: ...
    @abstractmethod
    def image(self, kind: str, of: str, at: str) -> str: ...
    @abstractmethod
    def prox(self, kind: str, of: str, step: str, at: str) -> str: ...
    @abstractmethod
    def linear_minimum(self, towards: str, of: str) -> str: ...
    @abstractmethod
    def pick(self, part: str, drawn: str, then: str, otherwise: str) -> str: ...
    @abstractmethod
    def average(self, letter: str, of: str) -> str: ...
    @abstractmethod
    def expectation(self, of: str) -> str: ...

    # what text and LaTeX write alike

    def number(self, digits: str) -> str:
        return digits

    def index(self, index: Index) -> str:
        return str(index)

    def value(self, at: str) -> str:
        return f"f({at})"

    def gap(self, at: str) -> str:
        return f"({self.value(at)} - {self.value(self.star())})"

    def plus(self, left: str, sign: str, right: str) -> str:
        return f"{left} {sign} {right}"

    def negative(self, of: str) -> str:
        return f"-{of}"


class Printer:
    def __init__(self, dialect: Dialect) -> None:
        self.d = dialect

    def __call__(self, node: Node) -> str:
        return self.piece(node)[0]

    def at_least(self, node: Node, tightness: int) -> str:
        text, has = self.piece(node)
        return text if has >= tightness else self.d.bracket(text)

    def piece(self, node: Node) -> Piece:
        for kind, rule in _RULES.items():
            if isinstance(node, kind):
                return rule(self, node)
        raise TypeError(f"no way to print {type(node).__name__}")


def _relation(p: Printer, n: Relation) -> Piece:
    return f"{p(n.left)} {p.d.relation(n.op)} {p(n.right)}", SUM


def _chain(p: Printer, n: Chain) -> Piece:
    parts = [p(n.links[0].left)]
    for link in n.links:
        parts += [p.d.relation(link.op), p(link.right)]
    return " ".join(parts), SUM


def _number(p: Printer, n: Number) -> Piece:
    if n.value.denominator == 1:
        return p.d.number(str(n.value.numerator)), (ATOM if n.value >= 0 else SUM)
    return p.d.fraction((p.d.number(str(n.value.numerator)), ATOM), (p.d.number(str(n.value.denominator)), ATOM))


def _sum(p: Printer, n: Add | Sub | Plus | Minus) -> Piece:
    minus = isinstance(n, Sub | Minus)
    return p.d.plus(p.at_least(n.left, SUM), "-" if minus else "+", p.at_least(n.right, BIG)), SUM


def _mul(p: Printer, n: Mul) -> Piece:
    left = p.at_least(n.left, PRODUCT)
    right = p.at_least(n.right, PRODUCT if p.piece(n.right)[1] != BIG else BIG)
    return p.d.product(left, right), PRODUCT if p.piece(n.right)[1] != BIG else BIG


def _scaled(p: Printer, n: Scaled) -> Piece:
    if isinstance(n.factor, Number) and n.factor.value == -1:
        return p.d.negative(p.at_least(n.of, PRODUCT)), SUM
    return p.d.product(p.at_least(n.factor, PRODUCT), p.at_least(n.of, PRODUCT)), PRODUCT


def _point(p: Printer, n: Point) -> Piece:
    shown = p.d.letter(n.name, n.index, n.run)
    return (shown if n.part is None else p.d.component(shown, p.d.part(n.part))), ATOM


def _function(p: Printer, n: NamedValue | Image | Prox) -> str:
    """The name of a function or an operator, with its component."""
    return p.d.named_function(n.of, "" if n.part is None else p.d.part(n.part))


def _reduce(p: Printer, n: Reduce) -> Piece:
    where = p(n.where) if n.where is not None else None
    return p.d.big(n.kind, n.letter, n.low, n.high, where, p.at_least(n.body, BIG)), BIG


_RULES: dict[type, Callable[..., Piece]] = {
    Relation: _relation,
    Chain: _chain,
    Number: _number,
    IndexNumber: lambda p, n: (p.d.index(n.index), ATOM if n.index.offset == 0 or n.index.letter is None else SUM),
    Parameter: lambda p, n: (p.d.named(n.name, n.latex), ATOM),
    Constant: lambda p, n: (p.d.named(n.name, n.latex), ATOM),
    Term: lambda p, n: (p.d.letter(n.name, n.index, n.run), ATOM),
    Point: _point,
    NamedValue: lambda p, n: (f"{_function(p, n)}({p(n.at)})", ATOM),
    Image: lambda p, n: (p.d.image(n.kind, _function(p, n), p(n.at)), ATOM),
    Prox: lambda p, n: (p.d.prox(n.kind, _function(p, n), p.at_least(n.step, PRODUCT), p(n.at)), ATOM),
    LinearMinimum: lambda p, n: (p.d.linear_minimum(p(n.towards), p.d.named_function(n.of, "")), ATOM),
    Block: lambda p, n: (p.d.component(p.at_least(n.whole, ATOM), p.d.part(n.part)), ATOM),
    Pick: lambda p, n: (p.d.pick(p.d.part(n.part), p.d.part(n.drawn), p(n.then), p(n.otherwise)), ATOM),
    PartsMean: lambda p, n: (p.d.average(n.letter, p.at_least(n.of, BIG)), BIG),
    Average: lambda p, n: (p.d.average(n.letter, p.at_least(n.body, BIG)), BIG),
    Expectation: lambda p, n: (p.d.expectation(p(n.of)), ATOM),
    VectorEquation: lambda p, n: (f"{p(n.left)} {p.d.relation('==')} {p(n.right)}", SUM),
    Minimum: lambda p, n: (p.d.star(), ATOM),
    Value: lambda p, n: (p.d.value(p(n.at)), ATOM),
    Gap: lambda p, n: (p.d.gap(p(n.at)), ATOM),
    Grad: lambda p, n: (p.d.grad(p(n.at)), ATOM),
    Inner: lambda p, n: (p.d.inner(p(n.left), p(n.right)), ATOM),
    Norm: lambda p, n: (p.d.norm(p(n.of)), ATOM),
    Normsq: lambda p, n: (p.d.normsq(p(n.of)), POWER),
    Chord: lambda p, n: (p.d.chord(n.kind, p(n.start), p(n.end)), ATOM),
    DeclaredChord: lambda p, n: (p.d.chord(n.quantity.name, p(n.start), p(n.end), n.quantity.latex), ATOM),
    Add: _sum,
    Sub: _sum,
    Plus: _sum,
    Minus: _sum,
    Neg: lambda p, n: (p.d.negative(p.at_least(n.of, PRODUCT)), SUM),
    Mul: _mul,
    Scaled: _scaled,
    Div: lambda p, n: p.d.fraction(p.piece(n.left), p.piece(n.right)),
    Power: lambda p, n: p.d.power(p.piece(n.base), n.exponent),
    Abs: lambda p, n: (p.d.absolute(p(n.of)), ATOM),
    Log: lambda p, n: (p.d.log(p.piece(n.of)), BIG),
    Exp: lambda p, n: (p.d.exp(p.piece(n.of)), ATOM),
    Larger: lambda p, n: (p.d.choice(True, p(n.left), p(n.right)), ATOM),
    Smaller: lambda p, n: (p.d.choice(False, p(n.left), p(n.right)), ATOM),
    Reduce: _reduce,
    Mean: lambda p, n: (p.d.mean(p(n.of), p(n.weight), n.letter, n.low, n.high), ATOM),
}

"""Formulas as plain Python, for scripts that a reader can paste: numbers are Fractions, named F.

Sequences are x[k], eta[k]; those of a second run x_prime[k]. f and df are the function and its gradient, D, A, H and mu the
numbers of a chord, xs a minimiser. In one dimension a vector is a number; in more it is a V, a tuple with + and -.
"""

from __future__ import annotations

import keyword
from fractions import Fraction

from boundcheck.language.chords import DeclaredChord
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import (
    Abs,
    Add,
    Chord,
    Constant,
    Div,
    Exp,
    Gap,
    IndexNumber,
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
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled

SUM, PRODUCT, SIGN, POWER, ATOM = range(5)  # how tightly a piece holds together
Piece = tuple[str, int]
CALLS = {"min": "min", "max": "max", "sum": "sum", "prod": "prod"}


def number(value: Fraction | str | int) -> str:
    """3, or F(3, 4): a Fraction either way once it meets one."""
    exact = Fraction(value)
    return str(exact.numerator) if exact.denominator == 1 else f"F({exact.numerator}, {exact.denominator})"


def exact(value: Fraction | str | int) -> str:
    """F(3), or F(3, 4): a Fraction on its own."""
    made = number(value)
    return made if made.startswith("F(") else f"F({made})"


def name_of(name: str, run: str = "") -> str:
    """A name of the language as one of Python: lambda_, x_prime."""
    made = "".join(c if c.isascii() and c.isalnum() else "_" for c in (f"{name}_{run}" if run else name))
    made = made if made.isidentifier() else f"_{made}"
    return made + "_" if keyword.iskeyword(made) else made


def constant_name(name: str) -> str:
    """mu is taken by the chord's."""
    return "mu_f" if name == "mu" else name_of(name)


def python(node: Node, dimension: int = 1) -> str:
    """The formula as a Python expression."""
    return _Writer(dimension).piece(node)[0]


def index_text(index: Index) -> str:
    if index.letter is None:
        return str(index.offset)
    letter = name_of(index.letter)
    return letter if index.offset == 0 else f"{letter} {'+' if index.offset > 0 else '-'} {abs(index.offset)}"


class _Writer:
    def __init__(self, dimension: int) -> None:
        self.dimension = dimension

    def tight(self, node: Node, tightness: int) -> str:
        written, has = self.piece(node)
        return written if has >= tightness else f"({written})"

    def piece(self, node: Node) -> Piece:
        if isinstance(node, Relation):
            return f"{self.tight(node.left, SUM)} {node.op} {self.tight(node.right, SUM)}", SUM
        if isinstance(node, Number):
            return number(node.value), ATOM if node.value >= 0 else SUM
        if isinstance(node, IndexNumber):
            return index_text(node.index), ATOM if node.index.offset == 0 or node.index.letter is None else SUM
        if isinstance(node, Term | Point):
            made = name_of(node.name, node.run)
            return made if node.index is None else f"{made}[{index_text(node.index)}]", ATOM
        if isinstance(node, Parameter | Constant | Minimum):
            return self._name(node), ATOM
        if isinstance(node, Reduce | Mean):
            return self._range(node)
        if isinstance(node, Power):
            return self._power(node)
        return self._call(node) or self._operation(node)

    def _name(self, node: Parameter | Constant | Minimum) -> str:
        if isinstance(node, Minimum):
            return "xs"
        return constant_name(node.name) if isinstance(node, Constant) else name_of(node.name)

    def _operation(self, node: Node) -> Piece:
        if isinstance(node, Add | Plus):
            return f"{self.tight(node.left, SUM)} + {self.tight(node.right, PRODUCT)}", SUM
        if isinstance(node, Sub | Minus):
            return f"{self.tight(node.left, SUM)} - {self.tight(node.right, PRODUCT)}", SUM
        if isinstance(node, Mul):
            return f"{self.tight(node.left, PRODUCT)}*{self.tight(node.right, SIGN)}", PRODUCT
        if isinstance(node, Scaled):
            return f"{self.tight(node.factor, PRODUCT)}*{self.tight(node.of, SIGN)}", PRODUCT
        if isinstance(node, Neg):
            return f"-{self.tight(node.of, SIGN)}", SUM
        if isinstance(node, Div):
            if _is_whole(node.left) and _is_whole(node.right):  # whole numbers would divide to a float
                return f"F({self.piece(node.left)[0]}, {self.piece(node.right)[0]})", ATOM
            return f"{self.tight(node.left, PRODUCT)}/{self.tight(node.right, SIGN)}", PRODUCT
        raise TypeError(f"no way to write {type(node).__name__} in Python")

    def _call(self, node: Node) -> Piece | None:
        """What is written as a call, or in one dimension as a product."""
        flat = self.dimension == 1
        if isinstance(node, Value | Grad):
            return f"{'f' if isinstance(node, Value) else 'df'}({self.piece(node.at)[0]})", ATOM
        if isinstance(node, Gap):
            return f"(f({self.piece(node.at)[0]}) - f(xs))", ATOM
        if isinstance(node, Chord):
            return f"{node.kind}({self.piece(node.start)[0]}, {self.piece(node.end)[0]})", ATOM
        if isinstance(node, DeclaredChord):
            return f"{name_of(node.quantity.name)}({self.piece(node.start)[0]}, {self.piece(node.end)[0]})", ATOM
        if isinstance(node, Inner) and flat:
            return f"{self.tight(node.left, PRODUCT)}*{self.tight(node.right, SIGN)}", PRODUCT
        if isinstance(node, Inner):
            return f"dot({self.piece(node.left)[0]}, {self.piece(node.right)[0]})", ATOM
        if isinstance(node, Normsq):
            return (f"{self.tight(node.of, ATOM)}**2", POWER) if flat else (f"normsq({self.piece(node.of)[0]})", ATOM)
        if isinstance(node, Norm):
            return f"{'abs' if flat else 'norm'}({self.piece(node.of)[0]})", ATOM
        if isinstance(node, Abs | Log | Exp):
            return f"{type(node).__name__.lower()}({self.piece(node.of)[0]})", ATOM
        if isinstance(node, Larger | Smaller):
            return (
                f"{'max' if isinstance(node, Larger) else 'min'}({self.piece(node.left)[0]}, {self.piece(node.right)[0]})",
                ATOM,
            )
        return None

    def _power(self, node: Power) -> Piece:
        if node.exponent == Fraction(1, 2):
            return f"sqrt({self.piece(node.base)[0]})", ATOM
        base = self.tight(node.base, ATOM)
        if node.exponent < 0 and _is_whole(node.base):
            base = f"F({self.piece(node.base)[0]})"
        exponent = str(node.exponent) if node.exponent.denominator == 1 and node.exponent >= 0 else f"({node.exponent})"
        return f"{base}**{exponent}", POWER

    def _range(self, node: Reduce | Mean) -> Piece:
        letter, low = name_of(node.letter), index_text(node.low)
        over = f"for {letter} in range({low + ', ' if low != '0' else ''}{index_text(node.high.shift(1))})"
        if isinstance(node, Mean):
            weight, of = self.tight(node.weight, PRODUCT), self.tight(node.of, SIGN)
            if self.dimension == 1:
                return f"sum({weight}*{of} {over})/F(sum({self.piece(node.weight)[0]} {over}))", PRODUCT
            return f"1/F(sum({self.piece(node.weight)[0]} {over}))*sum(({weight}*{of} {over}), zero)", PRODUCT
        if node.where is not None:
            over += f" if {self.piece(node.where)[0]}"
        return f"{CALLS[node.kind]}({self.piece(node.body)[0]} {over})", ATOM


def _is_whole(node: Node) -> bool:
    """Made of whole numbers and indices only, so that Python would compute it in ints."""
    if isinstance(node, Number):
        return node.value.denominator == 1
    if isinstance(node, IndexNumber):
        return True
    if isinstance(node, Add | Sub | Mul | Larger | Smaller):
        return _is_whole(node.left) and _is_whole(node.right)
    if isinstance(node, Neg | Abs):
        return _is_whole(node.of)
    if isinstance(node, Power):
        return node.exponent.denominator == 1 and node.exponent >= 0 and _is_whole(node.base)
    return isinstance(node, Reduce) and _is_whole(node.body)

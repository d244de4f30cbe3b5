"""Chord quantities: numbers of an ordered pair of points that a paper defines by a formula.

One is T(p, q) = |grad f(p) - grad f(q)| / |p - q|.

A `ChordQuantity` is data: its formula is a tree over two points, called p and q. In a formula of a claim it stands as a
`DeclaredChord`, which prints as T(x_k, x_k+1) and means its definition at these points: `DeclaredChord.formula`. Whatever
computes with a claim computes with that formula, so that a new quantity needs no code of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import N, transform
from boundcheck.language.scalars import (
    Abs,
    Add,
    Chord,
    Div,
    Exp,
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
    Scalar,
    Smaller,
    Sub,
    Value,
    as_scalar,
)
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Minus, Plus, Point, Scaled, Vector
from boundcheck.support.errors import UserError, WrongType

START, END = Point("p"), Point("q")  # the two points of every definition
ALONG = Parameter("t")  # the part of the way from p to q: of `sup` and `inf` only
OWN = ("D", "A", "H", "mu")  # the chord numbers that problems compute in ways of their own
TAKEN = ("M", "L", "f", "df", "t", "x", "xs", "y", "eta", "dot", "norm", "normsq", *OWN)  # letters, and names in scripts
NUMBERS = (Number, Value, Inner, Norm, Normsq, Add, Sub, Neg, Mul, Div, Power, Abs, Log, Exp, Larger, Smaller)
VECTORS = (Grad, Plus, Minus, Scaled)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class ChordQuantity:
    """A number of the chord from p to q that a paper declares: its name, its formula, and what M = T takes of f.

    `of` is a function of two points that returns the formula, written with f, grad, inner, norm, normsq, other chord numbers
    and numbers; `sup` and `inf` stand for the extremes of the secant slope of the gradient along the chord. `needs` are the
    facts of f, such as Convex, under which it may be a directional smoothness function. That it is one is not taken for
    granted: the inequality is checked on each chord that a claim reads.

    >>> from boundcheck import ChordQuantity
    >>> from boundcheck.letters import grad, norm
    >>> ChordQuantity("G", of=lambda p, q: norm(grad(q) - grad(p)) / norm(q - p)).name
    'G'
    """

    name: str
    formula: Scalar
    latex: str
    needs: tuple[str, ...]  # names of facts

    def __init__(
        self,
        name: str,
        *,
        of: Callable[[Vector, Vector], Scalar] | Scalar,
        latex: str = "",
        needs: Iterable[type | str] = (),
    ) -> None:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) or name in TAKEN:
            raise UserError(f"a chord quantity has a name of letters and digits, other than {', '.join(TAKEN)}; found {name!r}")
        made = of(START, END) if callable(of) else of
        formula = spelled_out(as_scalar(made))
        _refuse_strangers(name, formula)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "formula", formula)
        object.__setattr__(self, "latex", latex or name)
        object.__setattr__(self, "needs", tuple(sorted(n if isinstance(n, str) else n.__name__ for n in needs)))

    def __call__(self, start: Vector, end: Vector) -> DeclaredChord:
        return DeclaredChord(self, start, end)

    @property
    def equation(self) -> Relation:
        """T(p, q) = its formula, as a reader needs it."""
        return Relation("==", self(START, END), self.formula)

    def at(self, start: Vector, end: Vector) -> Scalar:
        """The definition at two points."""
        ends = {START.key: start, END.key: end}
        return transform(self.formula, lambda n: ends.get(n.key) if isinstance(n, Point) else None)

    @cached_property
    def key(self) -> tuple[Any, ...]:
        return (self.name, self.latex, self.needs, self.formula.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChordQuantity) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.name}(p, q) = {self.formula}>"


@dataclass(frozen=True, eq=False, repr=False)
class DeclaredChord(Scalar):
    """A declared chord quantity at an ordered pair of points. Its meaning is its formula, which is a part of it."""

    quantity: ChordQuantity
    start: Vector
    end: Vector

    @cached_property
    def formula(self) -> Scalar:
        return self.quantity.at(self.start, self.end)

    @cached_property
    def children(self) -> tuple[Node, ...]:
        return (self.start, self.end, self.formula)


def spelled_out(node: N) -> N:
    """The tree with every declared chord quantity replaced by its definition."""
    return transform(node, lambda n: spelled_out(n.formula) if isinstance(n, DeclaredChord) else None)


def sup(of: Callable[[Scalar], Scalar]) -> Scalar:
    """The largest value over t in (0, 1] of the secant slope <grad f(p + t d) - grad f(p), d> / (t |d|^2), d = q - p."""
    return _extreme(of, "A")


def inf(of: Callable[[Scalar], Scalar]) -> Scalar:
    """The least value over t in (0, 1] of the secant slope <grad f(p + t d) - grad f(p), d> / (t |d|^2), d = q - p."""
    return _extreme(of, "mu")


SLOPE = "inner(grad(p + t * (q - p)) - grad(p), q - p) / (t * normsq(q - p))"


def _extreme(of: Callable[[Scalar], Scalar], kind: str) -> Scalar:
    """The number of a chord that is the largest or the least value of a formula along it: of the secant slope."""
    written, way = of(ALONG), Minus(END, START)
    change = Minus(Grad(Plus(START, Scaled(ALONG, way))), Grad(START))
    turns = (Inner(change, way), Inner(way, change))
    lengths = (Normsq(way), Inner(way, way), Power(Norm(way), Fraction(2)))
    known = {Div(a, b).key for a in turns for n in lengths for b in (Mul(ALONG, n), Mul(n, ALONG))}
    if written.key not in known:
        raise UserError(f"sup and inf along a chord are those of the secant slope, {SLOPE}; found {written}")
    return Chord(kind, START, END)


def _refuse_strangers(name: str, formula: Scalar) -> None:
    """A definition reads its two points, f and grad f there, and numbers: nothing of a run, no parameter, no M."""
    for node in formula.walk():
        known = isinstance(node, (*NUMBERS, *VECTORS)) or (isinstance(node, Chord) and node.kind in OWN)
        if not known and not (isinstance(node, Point) and node.key in (START.key, END.key)):
            raise WrongType(
                f"the definition of {name} reads {node}; it may read p, q, f, grad, numbers of that chord, and numbers"
            )

"""The plain definition of the language, total: every formula at every k is a number, or undefined with a reason.

Of boundcheck it knows the nodes of formulas and nothing else. A formula is evaluated anew at each k, every sum as a loop, in
fractions. `Undefined` is raised by whatever has no value, and so by everything that is computed from it; `Unknown` where an
enclosure of a root or a logarithm is too wide to tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from boundcheck.language import relations, scalars, vectors
from boundcheck.language.tree import Index, Node

from .enclosures import (
    ONE,
    ZERO,
    Real,
    Undefined,
    absolute,
    add,
    div,
    holds,
    largest,
    log,
    mul,
    neg,
    power,
    smallest,
    sub,
)
from .functions import HALF, Function, Vector, dot, minus, normsq

Where = Mapping[str, int]
Entry = tuple[str, str, int]  # the run, the sequence, the index


class Missing(Undefined):
    """An entry that the run does not have."""


class Meaning:
    """Formulas over the runs of one claim: `entries` has every entry of every run, by role and name.

    `chord` has the two ends, for a claim about any two points. `smoothness` is what M stands for.
    """

    def __init__(
        self,
        function: Function,
        entries: Mapping[tuple[str, str], Mapping[int, Any]],
        letters: Mapping[str, Fraction],
        smoothness: str = "",
        chord: Mapping[str, Vector] | None = None,
        role: str = "",
    ) -> None:
        self.function, self.entries, self.letters = function, entries, letters
        self.smoothness, self.chord, self.role = smoothness, chord or {}, role
        self.values: dict[Entry, Real] = {}
        self.grads: dict[Entry, Vector] = {}

    # -- numbers --------------------------------------------------------------------------------------------------------

    def value(self, node: Node, at: Where) -> Real:
        return SCALARS[type(node)](self, node, at)

    def _number(self, node: Any, at: Where) -> Real:
        return node.value

    def _index_number(self, node: Any, at: Where) -> Real:
        return Fraction(place(node.index, at))

    def _letter(self, node: Any, at: Where) -> Real:
        if node.name not in self.letters:
            raise Undefined(f"{node.name} has no value")
        return self.letters[node.name]

    def _entry(self, node: Any, at: Where) -> Any:
        role, index = node.run or self.role, place(node.index, at)
        known = self.entries.get((role, node.name), {})
        if index not in known:
            raise Missing(f"{node.name}_{index} is not an entry of the run")
        return known[index]

    def _f(self, node: Any, at: Where) -> Real:
        return self._oracle(node, at, self.values, self.function.value)

    def _oracle(self, node: Any, at: Where, kept: dict[Entry, Any], oracle: Any) -> Any:
        p = node.at
        if type(p) is vectors.Point and p.index is not None:
            key = (p.run or self.role, p.name, place(p.index, at))
            if key not in kept:
                kept[key] = oracle(self._entry(p, at))
            return kept[key]
        return oracle(self.vector(p, at))

    def _gap(self, node: Any, at: Where) -> Real:
        return sub(self.function.value(self.vector(node.at, at)), self.function.value(self.function.minimiser))

    def _inner(self, node: Any, at: Where) -> Real:
        return dot(self.vector(node.left, at), self.vector(node.right, at))

    def _norm(self, node: Any, at: Where) -> Real:
        return power(normsq(self.vector(node.of, at)), HALF)

    def _normsq(self, node: Any, at: Where) -> Real:
        return normsq(self.vector(node.of, at))

    def _chord(self, node: Any, at: Where) -> Real:
        kind = self.smoothness if node.kind == "M" else node.kind
        if kind == "L":  # put in the place of M, it reads no points
            return self.letters["L"]
        return self.function.chord(kind, self.vector(node.start, at), self.vector(node.end, at))

    def _binary(self, node: Any, at: Where) -> Real:
        return BINARY[type(node)](self.value(node.left, at), self.value(node.right, at))

    def _larger(self, node: Any, at: Where) -> Real:
        return largest([self.value(node.left, at), self.value(node.right, at)])

    def _smaller(self, node: Any, at: Where) -> Real:
        return smallest([self.value(node.left, at), self.value(node.right, at)])

    def _unary(self, node: Any, at: Where) -> Real:
        return UNARY[type(node)](self.value(node.of, at))

    def _power(self, node: Any, at: Where) -> Real:
        return power(self.value(node.base, at), node.exponent)

    def _reduce(self, node: Any, at: Where) -> Real:
        body = []
        for here in inside(node, at):
            if node.where is None or self.true(node.where, here):
                body.append(self.value(node.body, here))
        if node.kind == "min":
            return smallest(body)
        if node.kind == "max":
            return largest(body)
        total = ZERO if node.kind == "sum" else ONE
        for value in body:
            total = add(total, value) if node.kind == "sum" else mul(total, value)
        return total

    def true(self, relation: Any, at: Where) -> bool:
        left, right = self.value(relation.left, at), self.value(relation.right, at)
        return holds(relation.op, left, right)

    # -- points -----------------------------------------------------------------------------------------------------------

    def vector(self, node: Node, at: Where) -> Vector:
        return VECTORS[type(node)](self, node, at)

    def _point(self, node: Any, at: Where) -> Vector:
        if node.index is not None:
            return self._entry(node, at)
        if node.name not in self.chord:
            raise Undefined(f"{node.name} is no end of the chord")
        return self.chord[node.name]

    def _minimum(self, node: Any, at: Where) -> Vector:
        return self.function.minimiser

    def _grad(self, node: Any, at: Where) -> Vector:
        return self._oracle(node, at, self.grads, self.function.grad)

    def _plus(self, node: Any, at: Where) -> Vector:
        left, right = self.vector(node.left, at), self.vector(node.right, at)
        return tuple(add(a, b) for a, b in zip(left, right, strict=True))

    def _minus(self, node: Any, at: Where) -> Vector:
        return minus(self.vector(node.left, at), self.vector(node.right, at))

    def _scaled(self, node: Any, at: Where) -> Vector:
        factor = self.value(node.factor, at)
        return tuple(mul(factor, a) for a in self.vector(node.of, at))

    def _mean(self, node: Any, at: Where) -> Vector:
        total: Real = ZERO
        sums: list[Real] = [ZERO] * self.function.dimension
        for here in inside(node, at):
            weight = self.value(node.weight, here)
            total = add(total, weight)
            sums = [add(s, mul(weight, a)) for s, a in zip(sums, self.vector(node.of, here), strict=True)]
        return tuple(div(s, total) for s in sums)


def place(index: Index, at: Where) -> int:
    return index.offset + (at[index.letter] if index.letter is not None else 0)


def inside(node: Any, at: Where) -> Iterator[Where]:
    for n in range(place(node.low, at), place(node.high, at) + 1):
        yield {**at, node.letter: n}


BINARY = {scalars.Add: add, scalars.Sub: sub, scalars.Mul: mul, scalars.Div: div}
UNARY = {scalars.Neg: neg, scalars.Abs: absolute, scalars.Log: log}
SCALARS: dict[type, Any] = {
    scalars.Number: Meaning._number,
    scalars.IndexNumber: Meaning._index_number,
    scalars.Parameter: Meaning._letter,
    scalars.Constant: Meaning._letter,
    scalars.Term: Meaning._entry,
    scalars.Value: Meaning._f,
    scalars.Gap: Meaning._gap,
    scalars.Inner: Meaning._inner,
    scalars.Norm: Meaning._norm,
    scalars.Normsq: Meaning._normsq,
    scalars.Chord: Meaning._chord,
    scalars.Power: Meaning._power,
    scalars.Larger: Meaning._larger,
    scalars.Smaller: Meaning._smaller,
    scalars.Reduce: Meaning._reduce,
    **dict.fromkeys(BINARY, Meaning._binary),
    **dict.fromkeys(UNARY, Meaning._unary),
}
VECTORS: dict[type, Any] = {
    vectors.Point: Meaning._point,
    vectors.Minimum: Meaning._minimum,
    vectors.Grad: Meaning._grad,
    vectors.Plus: Meaning._plus,
    vectors.Minus: Meaning._minus,
    vectors.Scaled: Meaning._scaled,
    vectors.Mean: Meaning._mean,
}


def reads(
    node: Node, at: Where, moving: frozenset[str], smoothness: str = "", empty: bool = False
) -> Iterator[tuple[Entry, bool]]:
    """Every entry that is written in a formula, its ranges run through, and whether its index moves with a letter of `moving`.

    A condition of a sum is not asked here: what the sum may leave out is read all the same. `empty`: an empty range counts as
    read at its upper end.
    """
    if isinstance(node, vectors.Point | scalars.Term):
        if node.index is not None:
            yield (node.run, node.name, place(node.index, at)), node.index.letter in moving
        return
    if isinstance(node, scalars.Chord) and node.kind == "M" and smoothness == "L":
        return
    if isinstance(node, scalars.Reduce | vectors.Mean):
        moves = bool({node.low.letter, node.high.letter} & moving)
        inner = moving | {node.letter} if moves else moving - {node.letter}
        places = list(inside(node, at))
        if empty and not places:
            places = [{**at, node.letter: place(node.high, at)}]
        for here in places:
            for child in node.children:
                yield from reads(child, here, inner, smoothness, empty)
        return
    for child in node.children:
        yield from reads(child, at, moving, smoothness, empty)


def is_hollow(node: Node, at: Where) -> bool:
    """Is some sum or product in it empty here, or over a set of places? Elsewhere its body may be no fraction."""
    if isinstance(node, scalars.Reduce) and node.where is not None:
        return True
    if isinstance(node, scalars.Reduce | vectors.Mean):
        places = list(inside(node, at))
        return not places or any(is_hollow(child, here) for here in places for child in node.children)
    return any(is_hollow(child, at) for child in node.children)


__all__ = ["Meaning", "Missing", "Undefined", "is_hollow", "reads", "relations"]

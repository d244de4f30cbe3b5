"""Reads a claim's own formulas with PEPit's points and expressions in the place of vectors and quantities of the run."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from boundcheck.language.definition import Definition
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Chord,
    Constant,
    Gap,
    Inner,
    Larger,
    Norm,
    Normsq,
    Parameter,
    Reduce,
    Scalar,
    Smaller,
    Term,
    Value,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled, Vector
from boundcheck.model.method import STEP_LETTER, Method
from boundcheck.support.errors import UserError
from boundcheck.tightness.numbers import Numbers


class NotModelled(UserError):
    """The claim, or a hypothesis, is no semidefinite program with these numbers: why, in one line."""


class Reading:
    """A run of a method on PEPit's function `f`, whose least value is 0 at the origin `least`."""

    def __init__(self, f: Any, start: Any, least: Any, numbers: Numbers) -> None:
        self.f, self.least, self.numbers = f, least, numbers
        self.entries: dict[tuple[str, int], Any] = {("x", 0): start}
        self.chords: dict[int, tuple[Any, Any]] = {}  # of step i: the ends of the chord whose M is chords[i]
        self._formulas = Definition(self._leaf, {"power": _power}, float)

    def run(self, method: Method) -> None:
        """Every entry, by the method's own updates."""
        for n, step in enumerate(self.numbers.steps):
            self.entries["eta", n] = step
            first = {} if n else {update.name: update for update in method.first}
            same = {update.name for update in method.each if update.index.offset == 0}
            for update in [*(u for name, u in first.items() if name not in same), *method.each]:
                update = first.get(update.name, update) if update.index.letter and not update.index.offset else update
                to = put_index(update.to, STEP_LETTER, Index(None, n))
                where = update.index.offset + (n if update.index.letter else 0)
                self.entries[update.name, where] = self.vector(to) if isinstance(to, Vector) else self.value(to, {})

    def value(self, formula: Scalar, at: Mapping[str, int]) -> Any:
        """A number, or a PEPit expression."""
        if any(_compares(node) and _reads_the_run(node) for node in formula.walk()):
            raise NotModelled(f"{formula} has a minimum, a maximum or a condition of quantities of the run")
        try:
            return self._formulas.value(formula, at)
        except KeyError as missing:
            raise NotModelled(f"{missing.args[0]} is not known here") from None
        except (TypeError, AssertionError):  # what PEPit raises at a product, a quotient or a root of expressions
            raise NotModelled(f"{formula} is not affine in the Gram matrix") from None

    def vector(self, node: Vector) -> Any:
        if isinstance(node, Point):
            if node.index is None or node.run:
                raise NotModelled(f"{node} is no point of this run")
            return self.entries[node.name, node.index.offset]
        if isinstance(node, Minimum):
            return self.least
        if isinstance(node, Grad):
            return self.f.gradient(self.vector(node.at))
        if isinstance(node, Plus):
            return self.vector(node.left) + self.vector(node.right)
        if isinstance(node, Minus):
            return self.vector(node.left) - self.vector(node.right)
        if isinstance(node, Scaled):
            return self.value(node.factor, {}) * self.vector(node.of)
        if isinstance(node, Mean):
            return self._mean(node)
        raise NotModelled(f"{node} is not known here")

    def _mean(self, node: Mean) -> Any:
        places = [Index(None, n) for n in range(node.low.offset, node.high.offset + 1)]
        weights = [self.value(put_index(node.weight, node.letter, place), {}) for place in places]
        total, mean = sum(weights), self.least
        for weight, place in zip(weights, places, strict=True):
            mean = mean + (weight / total) * self.vector(put_index(node.of, node.letter, place))
        return mean

    def _leaf(self, node: Node) -> Any:
        if isinstance(node, Term):
            return self.entries[node.name, node.index.offset]
        if isinstance(node, Value | Gap):
            return self.f.value(self.vector(node.at))
        if isinstance(node, Inner):
            return self.vector(node.left) * self.vector(node.right)
        if isinstance(node, Normsq):
            return self.vector(node.of) ** 2
        if isinstance(node, Chord):
            return self._chord(node)
        if isinstance(node, Parameter):
            return self.numbers.parameters[node.name]
        if isinstance(node, Constant):
            known = {"L": self.numbers.L, "mu": self.numbers.mu}.get(node.name)
            if known is not None:
                return known
        raise NotModelled(f"{node} is not known here")

    def _chord(self, node: Chord) -> float:
        """M from x_n, or from y_n, to x_{n+1}; no other chord has a number."""
        start, end = node.start, node.end
        if not isinstance(start, Point) or not isinstance(end, Point) or start.index is None or end.index is None:
            raise NotModelled(f"{node} is no chord of the path")
        n = start.index.offset
        if (end.name, end.index.offset) != ("x", n + 1) or node.kind not in ("M", self.numbers.path):
            raise NotModelled(f"{node} is no chord of the path with a number of its own")
        self.chords[n] = self.vector(start), self.vector(end)
        return self.numbers.chords[n]


def _compares(node: Node) -> bool:
    return isinstance(node, Larger | Smaller) or (
        isinstance(node, Reduce) and (node.kind in ("min", "max") or node.where is not None)
    )


def _reads_the_run(node: Node) -> bool:
    return any(isinstance(inner, Value | Gap | Inner | Norm | Normsq) for inner in node.walk())


def _power(base: Any, exponent: Fraction) -> float:
    if not isinstance(base, float):
        raise TypeError("a root of a quantity of the run")
    return float(base ** float(exponent))

"""The meaning of a formula: its value by the plain definition, every sum added up anew, or undefined with a reason.

Slow on purpose. All that evaluates formulas faster is held to it: at each k a formula is a number, or `Undefined` says why not.
What is computed from something undefined is undefined, whatever is done with it: 0 times it, its power 0, the larger of it and 1.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Abs,
    Add,
    Constant,
    Div,
    IndexNumber,
    Larger,
    Log,
    Mul,
    Neg,
    Number,
    Parameter,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
)
from boundcheck.language.tree import Index, Node

BINARY: dict[type, Callable[[Any, Any], Any]] = {
    Add: operator.add,
    Sub: operator.sub,
    Mul: operator.mul,
    Larger: max,
    Smaller: min,
}


class Undefined(ArithmeticError):
    """A formula has no value: a division by zero, a root of a negative number, the least of nothing, an entry that is missing."""


class Definition:
    """Evaluates scalar formulas whose leaves (f, norms, chords, steps, parameters) have values given by `leaf`.

    `leaf` raises Undefined for an entry that a run does not have, and for a mean of nothing.
    """

    def __init__(
        self, leaf: Callable[[Node], Any], functions: Mapping[str, Callable[..., Any]], number: Callable[[Fraction], Any]
    ) -> None:
        self.leaf, self.functions, self.number = leaf, functions, number

    def value(self, node: Scalar, at: Mapping[str, int]) -> Any:
        if isinstance(node, Number):
            return self.number(node.value)
        if isinstance(node, IndexNumber):
            return self.number(Fraction(_at(node.index, at)))
        if isinstance(node, Div):
            above, below = self.value(node.left, at), self.value(node.right, at)
            if (below == 0) is True:  # of unknowns of a program it is no bool
                raise Undefined(f"division by zero in {node}")
            return above / below
        if type(node) in BINARY:
            return BINARY[type(node)](self.value(node.left, at), self.value(node.right, at))  # type: ignore[attr-defined]
        if isinstance(node, Neg):
            return -self.value(node.of, at)
        if isinstance(node, Abs):
            return abs(self.value(node.of, at))
        if isinstance(node, Log):
            of = self.value(node.of, at)
            if not of > 0:
                raise Undefined(f"the logarithm of {of} in {node}")
            return self.functions["log"](of)
        if isinstance(node, Power):
            base = self.value(node.base, at)
            if (node.exponent < 0 and (base == 0) is True) or (node.exponent.denominator > 1 and (base < 0) is True):
                raise Undefined(f"the power {node.exponent} of {base} in {node}")
            if node.exponent.denominator == 1:
                return base ** int(node.exponent)
            return self.functions["power"](base, node.exponent)
        if isinstance(node, Reduce):
            return self._reduce(node, at)
        for letter, value in at.items():
            node = put_index(node, letter, Index(None, value))
        return self.leaf(node)

    def _reduce(self, node: Reduce, at: Mapping[str, int]) -> Any:
        indices = range(_at(node.low, at), _at(node.high, at) + 1)
        here = [{**at, node.letter: n} for n in indices]
        if node.where is not None:
            assert isinstance(node.where, Relation)
            here = [h for h in here if self.holds(node.where, h)]
        values = [self.value(node.body, h) for h in here]
        if node.kind == "sum":
            return sum(values, self.number(Fraction(0)))
        if node.kind == "prod":
            product = self.number(Fraction(1))
            for value in values:
                product = product * value
            return product
        if not values:
            raise Undefined(f"{node} is over nothing")
        return (min if node.kind == "min" else max)(values)

    def holds(self, relation: Relation, at: Mapping[str, int]) -> bool:
        compare = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "==": operator.eq}[relation.op]
        return bool(compare(self.value(relation.left, at), self.value(relation.right, at)))


def _at(index: Index, at: Mapping[str, int]) -> int:
    return index.offset + (at[index.letter] if index.letter is not None else 0)


def decided(relation: Relation, values: Mapping[str, Any]) -> bool | None:
    """Whether a relation between letters holds, alpha_0 <= 39/50, exactly; None where it reads anything else."""
    nodes = list(relation.walk())
    leaves = [n for n in nodes if not n.children and not isinstance(n, Number)]
    known = all(isinstance(n, Parameter | Constant) and isinstance(values.get(n.name), int | float | Fraction) for n in leaves)
    if relation.free or not known or not all(isinstance(n, Scalar | Relation) for n in nodes):
        return None
    try:
        return Definition(lambda n: Fraction(values[n.name]), {}, Fraction).holds(relation, {})  # type: ignore[attr-defined]
    except (KeyError, Undefined):  # a root or a logarithm; a division by zero
        return None

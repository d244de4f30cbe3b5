"""The meaning of a formula: its value by the plain definition, every sum added up anew, or undefined with a reason.

Slow on purpose. All that evaluates formulas faster is held to it: each is a number at each k, or `UndefinedValue` says why not.
What is computed from something undefined is undefined, whatever is done with it: 0 times it, its power 0, the larger of it and 1.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from boundcheck.language.interpreter import Interpreter, index_at, places
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Constant, Div, Exp, IndexNumber, Log, Number, Parameter, Power, Reduce, Scalar
from boundcheck.language.tree import Index, Node

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
}
At = Mapping[str, int]


class UndefinedValue(ArithmeticError):
    """A formula has no value: a division by zero, a root of a negative number, the least of nothing, an entry that is missing."""


class PlainNumbers:
    """Numbers that know their own operations, such as fractions: what a formula means when each step of it has a value."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], number: Callable[[Fraction], Any]) -> None:
        self.functions, self.number = functions, number
        self.absolute, self.larger, self.smaller = abs, max, min

    def quotient(self, above: Any, below: Any, node: Div) -> Any:
        if (below == 0) is True:  # of unknowns of a program it is no bool
            raise UndefinedValue(f"division by zero in {node}")
        return above / below

    def logarithm(self, of: Any, node: Log) -> Any:
        if not of > 0:
            raise UndefinedValue(f"the logarithm of {of} in {node}")
        return self.functions["log"](of)

    def exponential(self, of: Any, node: Exp) -> Any:
        return self.functions["exp"](of)

    def power(self, base: Any, node: Power) -> Any:
        if (node.exponent < 0 and (base == 0) is True) or (node.exponent.denominator > 1 and (base < 0) is True):
            raise UndefinedValue(f"the power {node.exponent} of {base} in {node}")
        if node.exponent.denominator == 1:
            return base ** int(node.exponent)
        return self.functions["power"](base, node.exponent)


class Definition(Interpreter[At, Any, Any]):
    """Evaluates scalar formulas whose leaves (f, norms, chords, steps, parameters) have values given by `leaf`.

    `leaf` raises Undefined for an entry that a run does not have, and for a mean of nothing.
    """

    def __init__(
        self, leaf: Callable[[Node], Any], functions: Mapping[str, Callable[..., Any]], number: Callable[[Fraction], Any]
    ) -> None:
        self.leaf, self.functions, self.number = leaf, functions, number
        self.algebra = PlainNumbers(functions, number)  # type: ignore[assignment]  # vectors are inside the leaves

    def value(self, node: Scalar, at: At) -> Any:
        return self.scalar(node, at)

    def holds(self, relation: Relation, at: At) -> bool:
        return bool(COMPARE[relation.op](self.value(relation.left, at), self.value(relation.right, at)))

    def read_index(self, node: IndexNumber, at: At) -> Any:
        return self.number(Fraction(index_at(node.index, at)))

    def read_reduce(self, node: Reduce, at: At) -> Any:
        here = places(node, at)
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
            raise UndefinedValue(f"{node} is over nothing")
        return (min if node.kind == "min" else max)(values)

    def _leaf(self, node: Node, at: At) -> Any:
        """What stands at a leaf, every index in it a number."""
        for letter, value in at.items():
            node = put_index(node, letter, Index(None, value))
        return self.leaf(node)

    read_parameter = read_constant = read_term = read_value = read_gap = read_chord = _leaf
    read_inner = read_norm = read_normsq = _leaf


def decided(relation: Relation, values: Mapping[str, Any]) -> bool | None:
    """Whether a relation between letters holds, alpha_0 <= 39/50, exactly; None where it reads anything else."""
    nodes = list(relation.walk())
    leaves = [n for n in nodes if not n.children and not isinstance(n, Number)]
    known = all(isinstance(n, Parameter | Constant) and isinstance(values.get(n.name), int | float | Fraction) for n in leaves)
    if relation.free or not known or not all(isinstance(n, Scalar | Relation) for n in nodes):
        return None
    try:
        return Definition(lambda n: Fraction(values[n.name]), {}, Fraction).holds(relation, {})  # type: ignore[attr-defined]
    except (KeyError, UndefinedValue):  # a root or a logarithm; a division by zero
        return None

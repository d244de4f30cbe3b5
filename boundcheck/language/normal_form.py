"""One form for formulas that are the same by the rules of arithmetic: what rules and claims are compared by.

`2 delta/|g|^2` is `gamma delta/|g|^2` at gamma = 2, `1/L` is `L^-1`, and <u, v> is <v, u>: none of these differs by more than how
it is written. A form is a quotient of polynomials whose variables are values, inner products of single vectors, steps, letters,
and what the rules of fractions do not open. Two formulas with one form are equal wherever both have a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from boundcheck.language.canonical import at_any_step, canonical_step
from boundcheck.language.quotients import Polynomial, Quotients, TooLong, constant, plus, reduced, times
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import (
    Abs,
    Exp,
    Gap,
    Inner,
    Larger,
    Log,
    Norm,
    Normsq,
    Number,
    Parameter,
    Power,
    Scalar,
    Smaller,
    Sub,
    Value,
)
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Minimum, Minus, Plus, Scaled, Vector

Quotient = tuple[Polynomial, Polynomial]
SYMMETRIC = (Larger, Smaller)


class NormalForms(Quotients):
    """Writes formulas as quotients of polynomials, and opens what these rules can: inner products, gaps, roots of squares."""

    def quotient(self, node: Scalar) -> Quotient:
        if isinstance(node, Gap):
            return super().quotient(Sub(Value(node.at), Value(Minimum())))
        if isinstance(node, Inner):
            return self._product(node.left, node.right)
        if isinstance(node, Normsq):
            return self._product(node.of, node.of)
        if isinstance(node, Power):
            root, exponent = _of_square(node.base, node.exponent)
            if root is not None:
                return self.quotient(Power(root, exponent))
        return super().quotient(node)

    def piece(self, node: Scalar) -> Quotient:
        name: Any = None
        if isinstance(node, SYMMETRIC):
            name = (type(node).__name__, *sorted((self.form(side) for side in (node.left, node.right)), key=repr))
        elif isinstance(node, Norm):
            name = ("Power", Fraction(1, 2), self.form(Normsq(node.of)))
        elif isinstance(node, Power):
            name = ("Power", node.exponent, self.form(node.base))
        elif isinstance(node, Abs | Log | Exp):
            name = (type(node).__name__, self.form(node.of))
        return super().piece(node) if name is None else ({((name, 1),): Fraction(1)}, constant(1))

    def form(self, node: Scalar) -> Any:
        """The quotient as one value that can be compared."""
        return tuple(tuple(sorted(part.items(), key=repr)) for part in reduced(*self.quotient(node)))

    def _product(self, left: Vector, right: Vector) -> Quotient:
        """An inner product of sums of vectors as a sum of inner products of single ones."""
        above, below = constant(0), constant(1)
        for (u, (a, b)), (v, (c, d)) in product(self._parts(left), self._parts(right)):
            name = ("Inner", *sorted((self.name(u), self.name(v)), key=repr))
            part = times(times(a, c), {((name, 1),): Fraction(1)}), times(b, d)
            above, below = _sum((above, below), part)
        return above, below

    def _parts(self, vector: Vector) -> list[tuple[Vector, Quotient]]:
        """The single vectors of a sum, each with its factor."""
        if isinstance(vector, Plus | Minus):
            sign = constant(1 if isinstance(vector, Plus) else -1)
            return self._parts(vector.left) + [(v, (times(sign, a), b)) for v, (a, b) in self._parts(vector.right)]
        if isinstance(vector, Scaled):
            above, below = self.quotient(vector.factor)
            return [(v, (times(above, a), times(below, b))) for v, (a, b) in self._parts(vector.of)]
        return [(vector, (constant(1), constant(1)))]


def _sum(first: Quotient, second: Quotient) -> Quotient:
    (a, b), (c, d) = first, second
    return (plus(a, c), b) if b == d else (plus(times(a, d), times(c, b)), times(b, d))


def _of_square(base: Scalar, exponent: Fraction) -> tuple[Scalar | None, Fraction]:
    """|v|^2 in place of |v|, where a power of it is even: (|v|^2)^(n/2)."""
    if isinstance(base, Norm) and (exponent / 2).denominator == 1:
        return Normsq(base.of), exponent / 2
    return None, exponent


@lru_cache(maxsize=4096)
def normal_form(relation: Relation, letters: tuple[tuple[str, Fraction], ...] = ()) -> Any:
    """Return what relations that say the same at every step share, with `letters` as the values of parameters."""
    known = dict(letters)
    meant = at_any_step(_with_values(relation, known) if known else relation)
    try:
        forms = NormalForms()
        if relation.op != "==":
            return (relation.op, forms.form(meant.left), forms.form(meant.right))
        above, _ = forms.quotient(Sub(meant.left, meant.right))
        return ("==", _up_to_a_factor(above))
    except (TooLong, RecursionError):
        return canonical_step(meant)


def _with_values(relation: Relation, values: Mapping[str, Fraction]) -> Relation:
    def change(node: Node) -> Node | None:
        return Number(Fraction(values[node.name])) if isinstance(node, Parameter) and node.name in values else None

    return transform(relation, change)


def _up_to_a_factor(above: Polynomial) -> Any:
    """A polynomial that is set to 0, without the factors that only stood below: quotients that agree have the same one."""
    lowest: dict[Any, int] = {}
    for monomial in above:
        for variable, power in monomial:
            lowest[variable] = min(lowest.get(variable, 0), power)
    clear = tuple((variable, -power) for variable, power in lowest.items() if power < 0)
    cleared = times(above, {tuple(sorted(clear, key=repr)): Fraction(1)}) if clear else above
    terms = sorted(cleared.items(), key=repr)
    return tuple((monomial, factor / terms[0][1]) for monomial, factor in terms)

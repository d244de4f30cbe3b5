"""What a rule declares to follow, beside its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.audit.compared import Compared, Comparison
from boundcheck.audit.reading import NOT_READ, Floats, Reading
from boundcheck.audit.roots import settled
from boundcheck.audit.terms import signed_terms, total
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import Inner, Mul, Norm, Number, Parameter, Scalar, Term
from boundcheck.language.tree import Node


def explicit(relation: Relation) -> Scalar | None:
    """The formula of the step, where the relation is eta[i] == formula."""
    for step, formula in ((relation.left, relation.right), (relation.right, relation.left)):
        if isinstance(step, Term) and step.name == "eta" and step.index.letter is not None and not step.index.offset:
            return formula
    return None


def by_formula(readings: Sequence[Reading], formula: Scalar) -> Comparison:
    """The steps beside a formula for them."""
    return Comparison(tuple(one for reading in readings if (one := _formula(reading, formula)) is not None))


def by_equation(readings: Sequence[Reading], relation: Relation) -> Comparison:
    """An equation that is not solved for the step: its positive terms beside its negative ones."""
    terms = [(sign, term) for sign, term in signed_terms(relation.left - relation.right) if not _is_zero(term)]
    if len(terms) == 1 and isinstance(terms[0][1], Inner):  # <a, b> == 0: how small is small is told by |a| |b|
        size = Norm(terms[0][1].left) * Norm(terms[0][1].right)
        terms += [(terms[0][0], size), (-terms[0][0], size)]
    plus, minus = (total([term for sign, term in terms if sign == which]) for which in (1, -1))
    return Comparison(tuple(one for reading in readings if (one := _sides(reading, plus, minus)) is not None))


def with_numbers(relation: Relation, parameters: Mapping[str, Any]) -> Relation:
    """The relation with the parameters that a rule fixes put in as numbers: gamma as 3/2."""

    def change(node: Node) -> Node | None:
        if isinstance(node, Mul) and _value(node.left, parameters) == 1:  # 1 times a formula is the formula
            return transform(node.right, change)
        value = _value(node, parameters) if isinstance(node, Parameter) else None
        return None if value is None else Number(value)

    return transform(relation, change)


def _value(node: Node, parameters: Mapping[str, Any]) -> Fraction | None:
    """The number that a parameter is, where it is known."""
    value = parameters.get(node.name) if isinstance(node, Parameter) else None
    return None if value is None else Fraction(value)


def _is_zero(term: Scalar) -> bool:
    return isinstance(term, Number) and term.value == 0


def _formula(reading: Reading, formula: Scalar) -> Compared | None:
    try:
        wanted = reading.values(formula)
    except NOT_READ:
        return None
    return Compared(reading, reading.eta, wanted.value, _relative(wanted.error, wanted.value))


def _sides(reading: Reading, plus: Scalar, minus: Scalar) -> Compared | None:
    try:
        left, right = reading.values(plus), reading.values(minus)
    except NOT_READ:
        return None
    noise = _relative(left.error, left.value) + _relative(right.error, right.value)
    return settled(Compared(reading, left.value, right.value, noise), plus, minus)


def _relative(error: Floats, value: Floats) -> Floats:
    with np.errstate(all="ignore"):
        share = error / np.abs(value)
    return np.where(np.isfinite(share), share, np.inf)

"""Comparison of a rule's steps with the formula or the equation that it declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.audit.path import Path
from boundcheck.audit.path_reading import EPS, NOT_READ, Floats, ReadablePath
from boundcheck.audit.step_comparison import BLURRED, CLOSE, Comparison, PathComparison
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import (
    Add,
    Div,
    IndexNumber,
    Inner,
    Mul,
    Neg,
    Norm,
    Number,
    Parameter,
    Power,
    Reduce,
    Scalar,
    Sub,
    Term,
    as_scalar,
    is_zero,
)
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean


def signed_terms(formula: Scalar, sign: int = 1) -> list[tuple[int, Scalar]]:
    """a - (b - c) is +a, -b, +c."""
    if isinstance(formula, Add):
        return signed_terms(formula.left, sign) + signed_terms(formula.right, sign)
    if isinstance(formula, Sub):
        return signed_terms(formula.left, sign) + signed_terms(formula.right, -sign)
    if isinstance(formula, Neg):
        return signed_terms(formula.of, -sign)
    return [(sign, formula)]


def total(terms: list[Scalar]) -> Scalar:
    made = as_scalar(0) if not terms else terms[0]
    for term in terms[1:]:
        made = made + term
    return made


def coefficient(term: Scalar) -> Fraction:
    """Return the number in front of a product: 1/2 of eta/2 |g|^2."""
    if isinstance(term, Number):
        return term.value
    if isinstance(term, Mul):
        return coefficient(term.left) * coefficient(term.right)
    if isinstance(term, Div) and coefficient(term.right):
        return coefficient(term.left) / coefficient(term.right)
    if isinstance(term, Neg):
        return -coefficient(term.of)
    if isinstance(term, Power) and term.exponent.denominator == 1 and coefficient(term.base):
        return Fraction(coefficient(term.base) ** int(term.exponent))
    return Fraction(1)


WANDERS = 8.0  # how far a search by values of f may stop from the root: 2 is where f cannot tell any more, and it may err again


def settled(one: PathComparison, plus: Scalar, minus: Scalar) -> PathComparison:
    """Return the same comparison, with the steps taken as right near which the equation plus == minus has a root."""
    if not one.differs.any() or not _is_of_one_step(plus - minus):
        return one
    room = _room(one.reading)
    lost = room > BLURRED
    one = replace(one, wanted=np.where(lost, np.nan, one.wanted))
    points, found = _points(one.reading), np.array(one.found)
    for k in np.flatnonzero(one.differs):
        if not _has_root(one.reading, points[k], int(k), float(room[k]), plus - minus):
            break  # the steps are not what is asked: no need to look at the others
        found[k] = one.wanted[k]
    return replace(one, found=found)


def _is_of_one_step(formula: Scalar) -> bool:
    """Return whether the formula reads x_{i+1}, and nothing but the step from x_i to there."""
    nodes = list(formula.walk())
    if any(isinstance(node, IndexNumber | Reduce | Mean) for node in nodes):
        return False
    offsets = {index.offset for node in nodes for index in getattr(node, "indices", ()) if index.letter is not None}
    fixed = any(index.letter is None for node in nodes for index in getattr(node, "indices", ()))
    return offsets <= {0, 1} and 1 in offsets and not fixed


def _room(reading: ReadablePath) -> Floats:
    """Return the share of each step within which its root may lie: what a search that compares values of f can tell, at best."""
    path, eta = reading.path, reading.eta
    fall = eta * (1 if reading.is_normalized else path.grad_norm[: reading.steps]) * path.grad_norm[: reading.steps]
    with np.errstate(all="ignore"):
        # a trial point is rounded too, and moves f by its gradient
        moved = 2 * EPS * reading.sizes * path.grad_norm[: reading.steps]
        seen = WANDERS * np.sqrt((reading.noise_of_f[: reading.steps] + moved) / fall)
    return np.asarray(CLOSE + reading.noise + np.where(np.isfinite(seen), seen, np.inf))


def _points(reading: ReadablePath) -> list[Floats]:
    points: list[Floats] = []
    reading.again(lambda run: points.append(np.array(run.x, dtype=np.float64).reshape(-1)))
    return points


def _has_root(reading: ReadablePath, point: Floats, k: int, room: float, sides: Scalar) -> bool:
    """Return whether the larger side becomes the smaller one between eta (1 - room) and eta (1 + room)."""
    signs = set()
    for factor in (1 - room, 1 + room):
        try:
            value = _moved(reading.path, point, k, factor * float(reading.eta[k])).values(sides).value[0]
        except NOT_READ:
            return False
        if np.isnan(value):
            return False
        signs.add(float(np.sign(value)))
    return len(signs) == 2 or signs == {0.0}


def _moved(path: Path, point: Floats, k: int, eta: float) -> ReadablePath:
    """Return one step of this length from a point of the path."""
    start = [Fraction(float(entry)) for entry in point]
    made = replace(
        path,
        problem=path.problem.replace(start=start),
        trace=None,
        steps=1,
        eta=np.array([eta]),
        f=path.f[k : k + 2],
        grad_norm=path.grad_norm[k : k + 2],
        gap=None if path.gap is None else path.gap[k : k + 2],
    )
    return ReadablePath(made)


def explicit(relation: Relation) -> Scalar | None:
    """Return the formula of the step, where the relation is eta[i] == formula."""
    for step, formula in ((relation.left, relation.right), (relation.right, relation.left)):
        if isinstance(step, Term) and step.name == "eta" and step.index.letter is not None and not step.index.offset:
            return formula
    return None


def by_formula(readings: Sequence[ReadablePath], formula: Scalar) -> Comparison:
    """Return the steps beside a formula for them."""
    return Comparison(tuple(one for reading in readings if (one := _formula(reading, formula)) is not None))


def by_equation(readings: Sequence[ReadablePath], relation: Relation) -> Comparison:
    """An equation that is not solved for the step: its positive terms beside its negative ones."""
    terms = [(sign, term) for sign, term in signed_terms(relation.left - relation.right) if not is_zero(term)]
    if len(terms) == 1 and isinstance(terms[0][1], Inner):  # <a, b> == 0: how small is small is told by |a| |b|
        size = Norm(terms[0][1].left) * Norm(terms[0][1].right)
        terms += [(terms[0][0], size), (-terms[0][0], size)]
    plus, minus = (total([term for sign, term in terms if sign == which]) for which in (1, -1))
    return Comparison(tuple(one for reading in readings if (one := _sides(reading, plus, minus)) is not None))


def with_numbers(relation: Relation, parameters: Mapping[str, Any]) -> Relation:
    """Return the relation with the parameters that a rule fixes put in as numbers: gamma as 3/2."""

    def change(node: Node) -> Node | None:
        if isinstance(node, Mul) and _value(node.left, parameters) == 1:  # 1 times a formula is the formula
            return transform(node.right, change)
        value = _value(node, parameters) if isinstance(node, Parameter) else None
        return None if value is None else Number(value)

    return transform(relation, change)


def _value(node: Node, parameters: Mapping[str, Any]) -> Fraction | None:
    """Return the number that a parameter is, where it is known."""
    value = parameters.get(node.name) if isinstance(node, Parameter) else None
    return None if value is None else Fraction(value)


def _formula(reading: ReadablePath, formula: Scalar) -> PathComparison | None:
    try:
        wanted = reading.values(formula)
    except NOT_READ:
        return None
    return PathComparison(reading, reading.eta, wanted.value, _relative(wanted.error, wanted.value))


def _sides(reading: ReadablePath, plus: Scalar, minus: Scalar) -> PathComparison | None:
    try:
        left, right = reading.values(plus), reading.values(minus)
    except NOT_READ:
        return None
    noise = _relative(left.error, left.value) + _relative(right.error, right.value)
    return settled(PathComparison(reading, left.value, right.value, noise), plus, minus)


def _relative(error: Floats, value: Floats) -> Floats:
    with np.errstate(all="ignore"):
        share = error / np.abs(value)
    return np.where(np.isfinite(share), share, np.inf)

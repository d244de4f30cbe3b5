"""A claim must not move when f becomes f + C.

The derivative of a formula in C is a formula too: f(p) has derivative 1, everything else that a run records has 0. A relation is
invariant when the derivatives of its two sides agree; they are compared at random values of everything they read.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from boundcheck.language.definition import Definition
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import (
    Abs,
    Add,
    Div,
    Larger,
    Log,
    Mul,
    Neg,
    Number,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
    Value,
    as_scalar,
)
from boundcheck.language.tree import Node
from boundcheck.lint.findings import Finding

ZERO, ONE = as_scalar(0), as_scalar(1)


def _is(node: Scalar, value: int) -> bool:
    return isinstance(node, Number) and node.value == value


def _plus(a: Scalar, b: Scalar) -> Scalar:
    return b if _is(a, 0) else a if _is(b, 0) else a + b


def _minus(a: Scalar, b: Scalar) -> Scalar:
    if a.key == b.key:
        return ZERO
    return a if _is(b, 0) else -b if _is(a, 0) else a - b


def _times(a: Scalar, b: Scalar) -> Scalar:
    if _is(a, 0) or _is(b, 0):
        return ZERO
    return b if _is(a, 1) else a if _is(b, 1) else a * b  # type: ignore[no-any-return]


def shift_weight(node: Scalar) -> Scalar:
    """The derivative of a formula when a constant is added to f."""
    if isinstance(node, Value):
        return ONE
    if isinstance(node, Add):
        return _plus(shift_weight(node.left), shift_weight(node.right))
    if isinstance(node, Sub):
        return _minus(shift_weight(node.left), shift_weight(node.right))
    if isinstance(node, Neg):
        return _minus(ZERO, shift_weight(node.of))
    if isinstance(node, Mul):
        return _plus(_times(shift_weight(node.left), node.right), _times(node.left, shift_weight(node.right)))
    if isinstance(node, Div):
        above, below = shift_weight(node.left), shift_weight(node.right)
        if _is(below, 0):
            return ZERO if _is(above, 0) else above / node.right
        return (above * node.right - node.left * below) / node.right**2
    if isinstance(node, Power):
        inner = shift_weight(node.base)
        return ZERO if _is(inner, 0) else node.exponent * node.base ** (node.exponent - 1) * inner
    if isinstance(node, Log):
        inner = shift_weight(node.of)
        return ZERO if _is(inner, 0) else inner / node.of
    if isinstance(node, Abs):
        inner = shift_weight(node.of)
        return ZERO if _is(inner, 0) else inner * node.of / Abs(node.of)
    if isinstance(node, Larger | Smaller):
        return _common(node, shift_weight(node.left), shift_weight(node.right))
    if isinstance(node, Reduce):
        return _reduced(node)
    return ZERO


def _common(node: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """min and max move as their arguments do, where those move alike; otherwise by either: the sum of both stands for it."""
    return a if a.key == b.key else _plus(a, b)


def _reduced(node: Reduce) -> Scalar:
    inner = shift_weight(node.body)
    if _is(inner, 0):
        return ZERO
    if node.kind == "sum":
        return Reduce("sum", inner, node.letter, node.low, node.high, node.where)
    if node.kind == "prod":
        return node * Reduce("sum", inner / node.body, node.letter, node.low, node.high, node.where)  # type: ignore[no-any-return]
    return inner if node.letter not in inner.free else Reduce("max", inner, node.letter, node.low, node.high, node.where)


def vanishes(node: Scalar, tries: int = 3, seed: int = 0) -> bool:
    """Is the formula zero whatever its leaves are? Tried at random positive rationals, sums by the plain definition."""
    if _is(node, 0):
        return True
    return all(abs(_random_value(node, seed + t)) < Fraction(1, 10**9) for t in range(tries))


def _random_value(node: Scalar, seed: int) -> Any:
    values: dict[Any, Fraction] = {}
    generator = random.Random(seed)

    def leaf(n: Node) -> Fraction:
        return values.setdefault(n.key, Fraction(generator.randint(10**6, 9 * 10**6), 10**6))

    functions = {"log": lambda v: Fraction(float(v)), "power": lambda v, e: Fraction(abs(float(v)) ** float(e))}
    at = dict.fromkeys(node.free, 3 + seed % 2)
    return Definition(leaf, functions, Fraction).value(node, at)


def terms(node: Scalar, sign: int = 1) -> list[tuple[int, Scalar]]:
    """The terms of a sum with their signs."""
    if isinstance(node, Add):
        return terms(node.left, sign) + terms(node.right, sign)
    if isinstance(node, Sub):
        return terms(node.left, sign) + terms(node.right, -sign)
    if isinstance(node, Neg):
        return terms(node.of, -sign)
    return [(sign, node)]


def is_shift_invariant(relation: Relation) -> bool:
    return vanishes(_minus(shift_weight(relation.right), shift_weight(relation.left)))


def shift_findings(relations: Iterable[Relation]) -> list[Finding]:
    findings = []
    for relation in relations:
        if is_shift_invariant(relation):
            continue
        moving = [t for side in (relation.right, relation.left) for _, t in terms(side) if not vanishes(shift_weight(t))]
        piece = max(moving, key=lambda t: not isinstance(t, Value))
        inner = _smallest_moving(piece)
        total = _minus(shift_weight(relation.right), shift_weight(relation.left))
        findings.append(
            Finding(
                check="shift",
                severity="error",
                piece=str(inner),
                message=(
                    f"{inner} moves by C times ({shift_weight(inner)}) when f becomes f + C, and nothing makes up for it: "
                    f"right side minus left side moves by C times ({total})"
                ),
            )
        )
    return findings


def _smallest_moving(node: Scalar) -> Scalar:
    """The smallest piece whose move is not that of a value of f: where the invariance is lost."""
    for child in node.children:
        if isinstance(child, Scalar) and not vanishes(w := shift_weight(child)) and not vanishes(_minus(w, ONE)):
            return _smallest_moving(child)
    return node

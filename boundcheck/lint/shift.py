"""A claim must not move when f becomes f + C.

Both sides are evaluated at random values of everything they read, with C and without: their difference must stay. Where it does
not, the derivative in C says how far it moves. It is a formula too: f(p) has derivative 1, everything else that is recorded 0.
"""

from __future__ import annotations

import math
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
from boundcheck.language.vectors import Minimum
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
    return b if _is(a, 1) else a if _is(b, 1) else a * b


def shift_weight(node: Scalar) -> Scalar | None:
    """The derivative of a formula when a constant is added to f; None where a max or a min has none that is a formula."""
    if not any(isinstance(n, Value) for n in node.walk()):
        return ZERO
    if isinstance(node, Value):
        return ONE
    if isinstance(node, Reduce):
        return _reduced(node)
    if isinstance(node, Neg | Abs | Log):
        inner = shift_weight(node.of)
    elif isinstance(node, Power):
        inner = shift_weight(node.base)
    else:
        return _two(node)
    if inner is None or _is(inner, 0):
        return inner
    if isinstance(node, Neg):
        return -inner
    if isinstance(node, Abs):
        return inner * node.of / node  # type: ignore[no-any-return]
    if isinstance(node, Log):
        return inner / node.of
    assert isinstance(node, Power)
    lower = node.base if node.exponent == 2 else node.base ** (node.exponent - 1)
    return _times(node.exponent * lower, inner)


def _two(node: Scalar) -> Scalar | None:
    if not isinstance(node, Add | Sub | Mul | Div | Larger | Smaller):
        return None
    a, b = shift_weight(node.left), shift_weight(node.right)
    if a is None or b is None:
        return None
    if isinstance(node, Add):
        return _plus(a, b)
    if isinstance(node, Sub):
        return _minus(a, b)
    if isinstance(node, Mul):
        return _plus(_times(a, node.right), _times(node.left, b))
    if isinstance(node, Div):
        if _is(b, 0):
            return ZERO if _is(a, 0) else a / node.right
        return _minus(_times(a, node.right), _times(node.left, b)) / node.right**2
    return a if a.key == b.key else None  # max and min move as their arguments do, where those move alike


def _reduced(node: Reduce) -> Scalar | None:
    inner = shift_weight(node.body)
    if inner is None or _is(inner, 0):
        return inner
    if node.kind == "sum":
        return Reduce("sum", inner, node.letter, node.low, node.high, node.where)
    if node.kind == "prod":
        return node * Reduce("sum", inner / node.body, node.letter, node.low, node.high, node.where)  # type: ignore[no-any-return]
    return inner if node.letter not in inner.free else None


def moves(node: Scalar, tries: int = 4, seed: int = 0) -> bool:
    """Does the value change when f becomes f + C?

    Tried at random rationals for everything it reads and C of both signs, small and large, so that both arguments of a max, a min
    and an absolute value are met. Sums are added up by the plain definition.
    """
    return any(_moved(node, seed + t, shift) for t in range(tries) for shift in SHIFTS)


SHIFTS = (Fraction(1, 3), Fraction(-7, 2), Fraction(1009), Fraction(-1013))
SMALL = Fraction(1, 10**9)


def _moved(node: Scalar, seed: int, shift: Fraction) -> bool:
    try:
        before, after = _random_value(node, seed, Fraction(0)), _random_value(node, seed, shift)
    except (ZeroDivisionError, OverflowError):
        return False  # no value here; another try has one
    return abs(after - before) > SMALL * max(Fraction(1), abs(before), abs(after))


def _random_value(node: Scalar, seed: int, shift: Fraction) -> Fraction:
    values: dict[Any, Fraction] = {}
    generator = random.Random(seed)

    def leaf(n: Node) -> Fraction:
        value = values.setdefault(n.key, Fraction(generator.randint(10**6, 9 * 10**6), 10**6))
        return value + shift if isinstance(n, Value) else value

    at = dict.fromkeys(node.free, 3 + seed % 2)
    result: Fraction = Definition(leaf, {"log": _log, "power": _power}, Fraction).value(node, at)
    return result


def _log(value: Fraction) -> Fraction:
    return Fraction(math.log(value)) if value > 0 else value  # any number will do where there is none


def _power(value: Fraction, exponent: Fraction) -> Fraction:
    return Fraction(abs(float(value)) ** float(exponent))


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
    return not moves(relation.right - relation.left)


def shift_findings(relations: Iterable[Relation]) -> list[Finding]:
    findings = []
    for relation in relations:
        if is_shift_invariant(relation):
            continue
        moving = [t for side in (relation.right, relation.left) for _, t in terms(side) if moves(t)]
        inner = _smallest_moving(max(moving, key=lambda t: not isinstance(t, Value)))
        findings.append(
            Finding(
                check="shift",
                severity="error",
                piece=str(inner),
                message=(
                    f"{inner} moves{_by(shift_weight(inner))} when f becomes f + C, and nothing makes up for it: "
                    f"right side minus left side moves{_by(shift_weight(relation.right - relation.left))}"
                ),
            )
        )
    return findings


def _by(weight: Scalar | None) -> str:
    return "" if weight is None else f" by C times ({weight})"


def _smallest_moving(node: Scalar) -> Scalar:
    """The smallest piece whose move is not that of a value of f: where the invariance is lost."""
    for child in node.children:
        if isinstance(child, Scalar) and moves(child) and moves(child - Value(Minimum())):
            return _smallest_moving(child)
    return node

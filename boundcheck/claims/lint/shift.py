"""A claim must not move when f becomes f + C.

That it does not is proved: with f + C in place of f, the difference of its sides is the same quotient of polynomials. Where that
is not so, the derivative in C says how far it moves. It is a formula too: f(p) has derivative 1, everything else recorded 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from boundcheck.claims.lint import Remark
from boundcheck.language.chords import DeclaredChord
from boundcheck.language.quotients import Monomial, Polynomial, Quotients, TooLong, constant, letter_of, mentions, plus
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Abs,
    Add,
    Div,
    Exp,
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
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean, Minimum

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
    if isinstance(node, DeclaredChord):
        return shift_weight(node.formula)
    if isinstance(node, Reduce):
        return _reduced(node)
    if isinstance(node, Neg | Abs | Log | Exp):
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
        return inner * node.of / node
    if isinstance(node, Log):
        return inner / node.of
    if isinstance(node, Exp):
        return inner * node
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
        return node * Reduce("sum", inner / node.body, node.letter, node.low, node.high, node.where)
    return inner if node.letter not in inner.free else None


C = ("the constant that is added to f",)  # a variable of polynomials that no piece of a formula is called


class _Moves(Exception):
    """A piece moves with f + C, or it is not seen that it does not."""


class _Shifted(Quotients):
    """Formulas in which every f(p) is f(p) + C.

    What is not opened must not move: the arguments of roots, logarithms and products, what is divided by, the points at which
    oracles are asked. Larger, smaller, minima and maxima move as their arguments do, where those move alike.
    """

    def quotient(self, node: Scalar) -> tuple[Polynomial, Polynomial]:
        if isinstance(node, Div):
            self.stays(node.right)  # where it is 0 there is no value: with C and without
        if isinstance(node, Power) and (node.exponent < 0 or node.exponent.denominator > 1):
            self.stays(node.base)
        if isinstance(node, Reduce) and node.where is not None:
            self.stays(node.where)
        return super().quotient(node)

    def piece(self, node: Scalar) -> tuple[Polynomial, Polynomial]:
        by: Polynomial = {}
        if isinstance(node, Value):
            self.stays(node.at)
            by = {((C, 1),): Fraction(1)}
        elif isinstance(node, Larger | Smaller):
            by, other = (self._moved_by(side) for side in (node.left, node.right))
            if by != other:
                raise _Moves
        elif isinstance(node, Reduce) and node.kind in ("min", "max"):
            by = self._moved_by(put_index(node.body, node.letter, Index(letter_of(node))))
            if mentions(by, letter_of(node)):
                raise _Moves
        else:
            for child in node.children:
                self.stays(child)
        return plus(self.variable(node), by), constant(1)

    def _moved_by(self, node: Scalar) -> Polynomial:
        """How far an argument of a maximum moves: a multiple of C that the arguments share."""
        above, below = self.quotient(node)
        if below != constant(1):
            if any(_has_shift(m) for m in above):
                raise _Moves
            return {}
        return {monomial: factor for monomial, factor in above.items() if _has_shift(monomial)}

    def stays(self, node: Node) -> None:
        """Raise _Moves unless a formula, a vector or a condition does not move."""
        if not any(isinstance(n, Value) for n in node.walk()):
            return
        if isinstance(node, Relation):
            self.stays(node.right - node.left)
        elif isinstance(node, Scalar):
            if any(_has_shift(monomial) for part in self.quotient(node) for monomial in part):
                raise _Moves
        else:
            for child in node.children:
                self.stays(put_index(child, node.letter, Index(letter_of(node))) if isinstance(node, Mean) else child)


def _has_shift(monomial: Monomial) -> bool:
    return any(variable == C for variable, _ in monomial)


def moves(node: Node, lowest: Mapping[str, int] | None = None) -> bool:
    """May the value change when f becomes f + C? False only where it is proved, by the rules of fractions, that it does not.

    `lowest` has the smallest value of each letter, 0 where it is not said.
    """
    try:
        _Shifted(lowest).stays(node)
    except (_Moves, TooLong):
        return True
    return False


def terms(node: Scalar, sign: int = 1) -> list[tuple[int, Scalar]]:
    """The terms of a sum with their signs."""
    if isinstance(node, Add):
        return terms(node.left, sign) + terms(node.right, sign)
    if isinstance(node, Sub):
        return terms(node.left, sign) + terms(node.right, -sign)
    if isinstance(node, Neg):
        return terms(node.of, -sign)
    return [(sign, node)]


def is_shift_invariant(relation: Relation, lowest: Mapping[str, int] | None = None) -> bool:
    """Is it proved that the relation stays when f becomes f + C? Then it may be read in gaps, f - f*, and else it must not."""
    return not moves(relation, lowest)


def shift_findings(relations: Iterable[Relation], lowest: Mapping[str, int] | None = None) -> list[Remark]:
    findings = []
    for relation in relations:
        if is_shift_invariant(relation, lowest):
            continue
        moving = [t for side in (relation.right, relation.left) for _, t in terms(side) if moves(t)]
        inner = _smallest_moving(max(moving, key=lambda t: not isinstance(t, Value)))
        findings.append(
            Remark(
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

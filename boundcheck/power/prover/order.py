"""An order of formulas is shown from the trees, term by term or part by part: one is at least the other, whatever the run."""

from __future__ import annotations

from fractions import Fraction

from boundcheck.language.canonical import canonical
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Add,
    Chord,
    Constant,
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
    Term,
)
from boundcheck.language.tree import Index
from boundcheck.model.problem import Smooth, StronglyConvex
from boundcheck.power.prover.enclosure import ChordEnclosure, contains, is_at_most, is_enclosed
from boundcheck.power.prover.facts import Facts
from boundcheck.power.prover.normal_form import Normaliser

BELOW = {("mu", "H"), ("mu", "A"), ("H", "A"), ("H", "D")}  # of one chord of a convex function: mu <= H <= A, H <= D


def at_least(a: Scalar, b: Scalar, facts: Facts) -> bool:
    """Return whether a >= b wherever both have values."""
    if a.key == b.key or (facts.is_nonnegative(a) and facts.is_nonpositive(b)):
        return True
    normal = Normaliser(facts)
    return normal.is_nonnegative(normal(a) - normal(b)) or _compare_parts(a, b, facts) or _compare_members(a, b, facts)


def _compare_parts(a: Scalar, b: Scalar, facts: Facts) -> bool:
    """Return whether a >= b, of two formulas of one shape, because every part moves it the right way."""
    if isinstance(a, Chord | Constant) and isinstance(b, Chord | Constant):
        return _compare_chords(a, b, facts)
    if isinstance(a, Power) and a.base.key == b.key and 0 < a.exponent < 1:  # t <= sqrt(t) for t from 0 to 1
        return ChordEnclosure(facts).is_nonnegative(b) and is_enclosed(Number(Fraction(1)), b, facts)
    if type(a) is not type(b):
        return False
    if isinstance(a, Term) and isinstance(b, Term):
        return a.name == b.name in facts.nonincreasing and not (a.run or b.run) and is_at_most(a.index, b.index, facts)
    if isinstance(a, Neg | Log | Exp) and isinstance(b, Neg | Log | Exp):
        return at_least(b.of, a.of, facts) if isinstance(a, Neg) else at_least(a.of, b.of, facts)
    if isinstance(a, Power) and isinstance(b, Power):
        up = a.exponent == b.exponent and a.exponent > 0 and facts.is_nonnegative(b.base)
        return up and at_least(a.base, b.base, facts)
    if isinstance(a, Reduce) and isinstance(b, Reduce):
        return a.kind == b.kind and _compare_reductions(a, b, facts)
    if isinstance(a, Add | Sub | Mul | Div | Larger | Smaller) and isinstance(b, Add | Sub | Mul | Div | Larger | Smaller):
        return _compare_operands(a, b, facts)
    return False


def _compare_operands(
    a: Add | Sub | Mul | Div | Larger | Smaller, b: Add | Sub | Mul | Div | Larger | Smaller, facts: Facts
) -> bool:
    left, right = at_least(a.left, b.left, facts), at_least(a.right, b.right, facts)
    if isinstance(a, Add | Larger | Smaller):
        return left and right
    if isinstance(a, Sub):
        return left and at_least(b.right, a.right, facts)
    if isinstance(a, Mul):
        if left and right and facts.is_nonnegative(b.left) and facts.is_nonnegative(b.right):
            return True
        if a.left.key == b.left.key:
            return _compare_with_factor(a.left, right, a.right, b.right, facts)
        return a.right.key == b.right.key and _compare_with_factor(a.right, left, a.left, b.left, facts)
    if left and facts.is_nonnegative(b.left) and facts.is_nonnegative(a.right) and at_least(b.right, a.right, facts):
        return True
    return a.right.key == b.right.key and _compare_with_factor(a.right, left, a.left, b.left, facts)


def _compare_with_factor(factor: Scalar, larger: bool, a: Scalar, b: Scalar, facts: Facts) -> bool:
    return (larger and facts.is_nonnegative(factor)) or (facts.is_nonpositive(factor) and at_least(b, a, facts))


def _compare_chords(a: Chord | Constant, b: Chord | Constant, facts: Facts) -> bool:
    """Return whether a >= b by mu <= mu(x, y) <= H <= A <= L and H <= D of one chord, where f is convex."""
    if not facts.convex:
        return False
    if isinstance(a, Chord) and isinstance(b, Chord):
        return (a.start.key, a.end.key) == (b.start.key, b.end.key) and (b.kind, a.kind) in BELOW
    if isinstance(a, Constant) and isinstance(b, Chord):
        return a.name == "L" and Smooth in facts.kinds and b.kind in ("mu", "H", "A")
    return isinstance(a, Chord) and b.name == "mu" and StronglyConvex in facts.kinds and a.kind in ("mu", "H", "A")  # type: ignore[union-attr]


def _compare_reductions(a: Reduce, b: Reduce, facts: Facts) -> bool:
    letter = f"@{len(facts.lows)}"
    over_a, over_b = (facts.with_letter(letter, facts.lowest_value(r.low)) for r in (a, b))
    x, y = (put_index(r.body, r.letter, Index(letter)) for r in (a, b))
    wheres = [None if r.where is None else canonical(put_index(r.where, r.letter, Index(letter))) for r in (a, b)]
    if wheres[0] != wheres[1]:
        return False
    wider, narrower = contains((a.low, a.high), (b.low, b.high), facts), contains((b.low, b.high), (a.low, a.high), facts)
    if a.kind == "min":
        return narrower and at_least(x, y, over_a)
    if a.kind == "max":
        return wider and at_least(x, y, over_b)
    if a.kind == "prod":
        return _compare_products(x, y, wider, narrower, over_a, over_b)
    if wider and narrower:
        return at_least(x, y, over_b)
    if wider:
        return over_a.is_nonnegative(x) and at_least(x, y, over_b)
    return narrower and over_b.is_nonpositive(y) and at_least(x, y, over_a)


def _compare_products(x: Scalar, y: Scalar, wider: bool, narrower: bool, over_a: Facts, over_b: Facts) -> bool:
    """Return whether x >= y >= 0 over one range, or over two where the further factors y are at most 1, or x at least 1."""
    if not (wider or narrower) or not ChordEnclosure(over_b).is_nonnegative(y):
        return False
    if not at_least(x, y, over_b if wider else over_a):
        return False
    if narrower and not wider:
        return is_enclosed(Number(Fraction(1)), y, over_b) and ChordEnclosure(over_a).is_nonnegative(x)
    return narrower or is_enclosed(x, Number(Fraction(1)), over_a)


def _compare_members(a: Scalar, b: Scalar, facts: Facts) -> bool:
    """Return whether a >= b because a minimum is at most each of its members, and a maximum at least."""
    if isinstance(b, Reduce) and b.kind == "min" and facts.is_never_empty(b):
        return any(at_least(a, put_index(b.body, b.letter, end), facts) for end in (b.low, b.high))
    if isinstance(a, Reduce) and a.kind == "max" and facts.is_never_empty(a):
        return any(at_least(put_index(a.body, a.letter, end), b, facts) for end in (a.low, a.high))
    if isinstance(b, Smaller) or isinstance(a, Larger):
        return any(at_least(a, p, facts) for p in _parts(b, Smaller)) or any(at_least(p, b, facts) for p in _parts(a, Larger))
    return False


def _parts(node: Scalar, kind: type[Scalar]) -> tuple[Scalar, ...]:
    return (node.left, node.right) if isinstance(node, kind) and isinstance(node, Larger | Smaller) else ()

"""Facts are what a claim's hypotheses say of the sign and the size of a formula, read from the tree alone.

`Facts.span` is an interval that holds every value the formula can have where it is defined. Steps are positive, norms and
f(x) - f* are not negative, D and H never are, A and mu are not where f is convex, and A is not where M is A: else it is no
directional smoothness function. Parameters lie where the hypotheses put them.
A claim that reads L speaks of L-smooth functions, one that reads mu of convex ones (mu >= 0, and f - mu |x|^2/2 is convex: so the
checker of certificates has it too), and one that reads a constant of a closed form of that convex function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, GradientDescent, Once, smoothness_needs
from boundcheck.language.canonical import canonical
from boundcheck.language.chords import spelled_out
from boundcheck.language.ranges import last_step
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Abs,
    Add,
    Chord,
    Constant,
    Div,
    Exp,
    Gap,
    IndexNumber,
    Inner,
    Larger,
    Log,
    Mul,
    Neg,
    Norm,
    Normsq,
    Number,
    Parameter,
    Power,
    Reduce,
    Scalar,
    Smaller,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Point
from boundcheck.model.problem import Convex, Differentiable, Fact, IsQuadratic, Smooth, StronglyConvex, TwiceDifferentiable
from boundcheck.power.prover.span import ANY, NONNEGATIVE, POSITIVE, Span

S = TypeVar("S", bound=Scalar)
IMPLIES: dict[type[Fact], tuple[type[Fact], ...]] = {
    Smooth: (Differentiable,),
    StronglyConvex: (Convex,),
    TwiceDifferentiable: (Differentiable,),
    IsQuadratic: (TwiceDifferentiable,),
}


# a function with such a constant is sqrt(x^2 + eps^2), differentiable unless eps = 0, or a logistic loss with a positive feature
OF_CONSTANTS: dict[str, tuple[type[Fact], ...]] = {
    "L": (Smooth,),
    "mu": (Convex,),
    "eps": (Convex,),
    "slope": (Convex, Differentiable),
    "gram": (Convex, Differentiable),
}


def implied_kinds(kinds: Iterable[type[Fact]]) -> frozenset[type[Fact]]:
    """Return the facts with all that follows from them."""
    new = list(kinds)
    found = set(new)
    while new:
        more = [kind for kind in IMPLIES.get(new.pop(), ()) if kind not in found]
        found.update(more)
        new += more
    return frozenset(found)


@dataclass(frozen=True, eq=False)
class Facts:
    """The hypotheses as facts about numbers. `lows` has the smallest value of each letter."""

    kinds: frozenset[type[Fact]]
    letters: Mapping[str, Span] = field(default_factory=dict)  # of parameters and constants
    nonzero: frozenset[str] = frozenset()  # formulas, at any step, that the hypotheses divide by or call positive
    positive: frozenset[str] = frozenset()  # formulas, at any step, that are positive because a positive one is below c over them
    chords: frozenset[str] = frozenset()  # pairs of points, at any step, that the hypotheses take a chord of: they differ
    lows: Mapping[str, int] = field(default_factory=dict)
    sequences: Mapping[str, Span] = field(default_factory=dict)  # of the numbers that a method carries along, at every step
    nonincreasing: frozenset[str] = frozenset()  # those of them that never grow
    unshared_kind: str = ""  # the kind of chord that M was chosen to be, where nothing else in the claim is of that kind

    @property
    def convex(self) -> bool:
        return Convex in self.kinds

    def with_letter(self, letter: str, low: int) -> Facts:
        """Return the facts inside a sum, whose letter starts at `low`."""
        return replace(self, lows={**self.lows, letter: low})

    def lowest_value(self, index: Index) -> int:
        return index.offset + (0 if index.letter is None else self.lows.get(index.letter, 0))

    def is_never_empty(self, node: Reduce | Mean) -> bool:
        if isinstance(node, Reduce) and node.where is not None:
            return False
        if node.low.letter == node.high.letter:
            return node.low.offset <= node.high.offset
        return node.low.letter is None and node.low.offset <= self.lowest_value(node.high)

    def span(self, node: Scalar) -> Span:
        """Return an interval that holds every value of the formula."""
        found = self._span(node)
        if self.positive and not found.is_positive and at_any_index(node) in self.positive:
            return found & POSITIVE
        if found.low == 0 and not found.low_open and self.nonzero and at_any_index(node) in self.nonzero:
            return replace(found, low_open=True)
        return found

    def _span(self, node: Scalar) -> Span:
        if isinstance(node, Number):
            return Span(node.value, node.value)
        if isinstance(node, IndexNumber):
            return Span(
                Fraction(self.lowest_value(node.index)), None if node.index.letter is not None else Fraction(node.index.offset)
            )
        if isinstance(node, Parameter | Constant):
            return self.letters.get(_letter_key(node), ANY)
        if isinstance(node, Term):
            return POSITIVE if node.name == "eta" else self.sequences.get(node.name, ANY) if not node.run else ANY
        if isinstance(node, Norm | Normsq | Gap | Abs):
            return NONNEGATIVE
        if isinstance(node, Inner):
            return NONNEGATIVE if node.left.key == node.right.key else ANY
        if isinstance(node, Chord):
            bent = self.convex and node.kind in ("A", "mu")
            return NONNEGATIVE if node.kind in ("D", "H", self.unshared_kind) or bent else ANY
        if isinstance(node, Sub) and self._is_above_the_minimum(node.left, node.right):
            return NONNEGATIVE
        if isinstance(node, Log):
            return NONNEGATIVE if (self.span(node.of) + Span(Fraction(-1), Fraction(-1))).is_nonnegative else ANY
        if isinstance(node, Exp):
            return POSITIVE
        return self._span_of_operation(node)

    def _is_above_the_minimum(self, left: Scalar, right: Scalar) -> bool:
        """Return whether they are f(x) and f*, or both over the same number, which is not negative."""
        if isinstance(left, Div) and isinstance(right, Div) and left.right.key == right.right.key:
            return self.is_nonnegative(left.right) and self._is_above_the_minimum(left.left, right.left)
        return _is_a_value(left) and _is_minimum(right)

    def _span_of_operation(self, node: Scalar) -> Span:
        if isinstance(node, Neg):
            return -self.span(node.of)
        if isinstance(node, Power):
            return self.span(node.base) ** node.exponent
        if isinstance(node, Reduce):
            return self._span_of_reduction(node)
        if not isinstance(node, Add | Sub | Mul | Div | Larger | Smaller):
            return ANY
        a, b = self.span(node.left), self.span(node.right)
        if isinstance(node, Add | Sub):
            return (a + b) & self._root_and_side(node) if isinstance(node, Add) else a + (-b)
        if isinstance(node, Mul | Div):
            same = isinstance(node, Mul) and node.left.key == node.right.key
            return NONNEGATIVE if same else a * b if isinstance(node, Mul) else a * b.inverse()
        return a.hull(b)

    def _root_and_side(self, node: Add) -> Span:
        """Return the span of p + sqrt(p^2 + r), which is not negative where r is not."""
        p, root = node.left, node.right
        if not (isinstance(root, Power) and root.exponent == Fraction(1, 2) and isinstance(inside := root.base, Add)):
            return ANY
        if not (isinstance(square := inside.left, Power) and square.exponent == 2 and _is_plus_or_minus(square.base, p)):
            return ANY
        r = self.span(inside.right)
        return POSITIVE if r.is_positive else NONNEGATIVE if r.is_nonnegative else ANY

    def _span_of_reduction(self, node: Reduce) -> Span:
        body = self.with_letter(node.letter, self.lowest_value(node.low)).span(node.body)
        if node.kind in ("min", "max"):
            return body
        filled = self.is_never_empty(node)
        if node.kind == "sum":
            return body.sign if filled else body.sign.hull(Span(Fraction(0), Fraction(0)))
        return POSITIVE if body.is_positive else NONNEGATIVE if body.is_nonnegative else ANY

    def is_nonnegative(self, node: Scalar) -> bool:
        return self.span(node).is_nonnegative

    def is_positive(self, node: Scalar) -> bool:
        return self.span(node).is_positive

    def is_nonpositive(self, node: Scalar) -> bool:
        return (-self.span(node)).is_nonnegative


def _is_plus_or_minus(a: Scalar, b: Scalar) -> bool:
    turned = isinstance(a, Sub) and isinstance(b, Sub) and (a.left.key, a.right.key) == (b.right.key, b.left.key)
    return a.key == b.key or turned


def _letter_key(letter: Parameter | Constant) -> str:
    """Return the name of a letter; a parameter may be called as a constant of the problem is."""
    return letter.name if isinstance(letter, Constant) else f"parameter {letter.name}"


def _is_minimum(node: Scalar) -> bool:
    return isinstance(node, Value) and isinstance(node.at, Minimum)


def _is_a_value(node: Scalar) -> bool:
    if isinstance(node, Reduce) and node.kind in ("min", "max"):
        return _is_a_value(node.body)
    return isinstance(node, Value)


def at_any_index(node: Node) -> str:
    """Return one text for a formula at any step: its one letter does not matter."""
    free = sorted(node.free)
    return canonical(put_index(node, free[0], Index("#step"))) if len(free) == 1 else canonical(node)


def facts_of(bound: Bound, smoothness: str) -> Facts:
    """Return what the claim's hypotheses say, where M is `smoothness` ("" where there is none)."""
    given = relational_hypotheses(bound)
    reads_minimum = any(isinstance(n, Minimum) for tree in bound.trees for n in tree.walk())
    declared = [h.kind for h in bound.hypotheses if isinstance(h, Declared)]
    kinds = implied_kinds([*declared, *smoothness_needs(bound.chord(smoothness))])
    if IsQuadratic in kinds and reads_minimum:
        kinds |= {Convex}  # a quadratic that has a minimiser
    read = {n.name for tree in bound.trees for n in tree.walk() if isinstance(n, Constant)}
    kinds |= implied_kinds(kind for name in read for kind in OF_CONSTANTS.get(name, ()))
    relations = [spelled_out(bound.with_M(h.relation, smoothness)) for h in given]
    at_steps = [r for h, r in zip(given, relations, strict=True) if isinstance(h, AtEachStep)]
    letters: dict[str, Span] = {"L": NONNEGATIVE, "mu": POSITIVE if StronglyConvex in kinds else NONNEGATIVE}
    letters |= {"eps": POSITIVE if Differentiable in kinds else NONNEGATIVE, "gram": POSITIVE, "slope": POSITIVE}
    nonzero = frozenset(at_any_index(node) for r in at_steps for node in _nonzero_formulas(r, bound.runs.state))
    taken = [node for r in at_steps for node in _only_at_its_step(r, bound.runs.state, _chords(r))]
    chords = frozenset(chord_ends(node) for node in taken)
    if bound.runs == GradientDescent():  # a zero gradient ends a run, so every step moves
        nonzero |= frozenset(text for node in taken for text in nonzero_gradients(node))
        chords |= {chord_ends(Chord("", Point("x", Index("i")), Point("x", Index("i", 1))))}
    own = {n.kind for tree in bound.trees for n in tree.walk() if isinstance(n, Chord)}
    unshared_kind = smoothness if smoothness not in own else ""
    lows = {bound.for_all.letter: bound.for_all.start}
    facts = Facts(kinds, letters, nonzero, frozenset(), chords, lows, unshared_kind=unshared_kind)
    below = frozenset(
        at_any_index(n) for r in at_steps for n in _only_at_its_step(r, bound.runs.state, _positive_denominators(r, facts))
    )
    facts = replace(facts, positive=below)
    for h, r in zip(given, relations, strict=True):
        for name, span in _letter_ranges(r, facts, isinstance(h, Follows)):
            letters[name] = letters.get(name, ANY) & span
    return replace(facts, letters=letters)


def relational_hypotheses(bound: Bound) -> list[AtEachStep | Once]:
    """Return the hypotheses that are relations, among numbers or at every step."""
    return [h for h in bound.hypotheses if isinstance(h, AtEachStep | Once)]


def _nonzero_formulas(relation: Relation, state: frozenset[str]) -> Iterable[Scalar]:
    """Return what a hypothesis about every step divides by, or says is positive, wherever a run has that step."""
    up = relation.upward()
    said = [n.right for n in relation.walk() if isinstance(n, Div)]
    said += [up.right] if up.op == "<" and isinstance(up.left, Number) and up.left.value >= 0 else []
    said += [Norm(n.of) for n in said if isinstance(n, Normsq)]
    return _only_at_its_step(relation, state, said)


def _chords(relation: Relation) -> list[Chord]:
    return [n for n in relation.walk() if isinstance(n, Chord)]


def nonzero_gradients(node: Chord) -> Iterable[str]:
    """Yield what is not 0 where gradient descent has a chord from x_i to x_{i+1}: the gradient at x_i, for the points differ."""
    for first, second in ((node.start, node.end), (node.end, node.start)):
        if isinstance(first, Point) and first.name == "x" and first.index is not None:
            following = Point("x", first.index.shift(1), first.run)
            yield from (at_any_index(v) for v in (Normsq(Grad(first)), Norm(Grad(first))) if second.key == following.key)


def nonzero_lengths(node: Chord) -> Iterable[str]:
    """Yield what is not 0 where a chord has a value: its length."""
    for step in (Minus(node.end, node.start), Minus(node.start, node.end)):
        yield from (at_any_index(Normsq(step)), at_any_index(Norm(step)))


def _positive_denominators(relation: Relation, facts: Facts) -> Iterable[Scalar]:
    """Yield X, where something positive is at most c/X, or is it."""
    up = relation.upward()
    if facts.is_positive(up.left) and isinstance(up.right, Div) and facts.is_positive(up.right.left):
        yield up.right.right


def positive_divisors(relation: Relation, facts: Facts) -> Iterable[str]:
    """Yield u, where something that is not negative is at most a/(b u), with a and b positive: so u is positive."""
    up = relation.upward()
    if up.op in ("<", "<=") and facts.is_nonnegative(up.left) and isinstance(up.right, Div):
        below = [n for n in _factors(up.right.right) if not facts.is_nonnegative(n)]
        if facts.is_positive(up.right.left) and len(below) == 1 and not below[0].free:
            yield at_any_index(below[0])


def chord_ends(node: Chord) -> str:
    """Return one text for the two ends of a chord, at any step and in any order."""
    return min(at_any_index(Chord("", *ends)) for ends in ((node.start, node.end), (node.end, node.start)))


def _only_at_its_step(relation: Relation, state: frozenset[str], said: Iterable[S]) -> Iterable[S]:
    """Yield those of these pieces of a hypothesis that no run has without the step at which the hypothesis is asked."""
    if len(relation.free) != 1 or any(isinstance(n, Reduce | Mean) for n in relation.walk()):
        return
    (letter,) = relation.free
    for node in said:
        if not node.free or last_step(node, letter, state) == last_step(relation, letter, state):
            yield node


def _letter_ranges(relation: Relation, facts: Facts, follows: bool) -> Iterable[tuple[str, Span]]:
    """Yield ranges such as gamma < 2; and, since steps are positive, gamma > 0 where eta_i == gamma X with X not negative."""
    up = relation.upward()
    for letter, other, is_low in ((up.left, up.right, False), (up.right, up.left, True)):
        if isinstance(letter, Parameter | Constant) and isinstance(other, Number):
            strict, value = up.op == "<", other.value
            if up.op == "==":
                yield _letter_key(letter), Span(value, value)
            else:
                yield _letter_key(letter), Span(value, None, strict) if is_low else Span(None, value, False, strict)
    if follows and isinstance(relation.left, Term) and relation.left.name == "eta":
        factors = list(_factors(relation.right))
        unknown = [n for n in factors if not facts.is_nonnegative(n)]
        if len(unknown) == 1 and isinstance(unknown[0], Parameter):
            yield _letter_key(unknown[0]), POSITIVE


def _factors(node: Scalar) -> Iterable[Scalar]:
    if isinstance(node, Mul | Div):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node

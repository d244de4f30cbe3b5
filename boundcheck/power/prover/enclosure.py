"""A formula is enclosed by simpler ones: every number of a chord is replaced by the constant that bounds it.

For an L-smooth f: A, H and mu(x, y) are at most L, and D at most 2 L. For a convex f: A, H and mu(x, y) are at least mu, and D
at least 2 mu, where mu is any constant of strong convexity, 0 among them. And mu <= L.

The domain of a formula: it has a value where no divisor is 0, no root is of a negative number, and no range is empty.

A claim says nothing where a side has no value. So a claim implies another only where it has values wherever the other has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from boundcheck.language.canonical import canonical
from boundcheck.language.letters import L
from boundcheck.language.letters import mu_f as MU
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Add, Chord, Constant, Div, Log, Mul, Neg, Number, Power, Reduce, Scalar, Sub
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean
from boundcheck.model.problem import Smooth
from boundcheck.power.prover.facts import Facts, chord_ends
from boundcheck.power.prover.normal_form import Normaliser

Ranges = tuple[tuple[Index, Index], ...]


@dataclass(frozen=True)
class Need:
    """The condition for a value to exist, at every place of the sums around it."""

    what: str
    ranges: Ranges = ()


def is_defined_with(node: Node, others: Iterable[Node], facts: Facts) -> bool:
    """Return whether the formula has a value wherever all the others have."""
    nothing = replace(facts, nonzero=frozenset(), positive=frozenset(), chords=frozenset())
    have = [need for other in others for need in needs(other, nothing)]
    return all(any(_covers(h, need, facts) for h in have) for need in needs(node, facts))


def needs(node: Node, facts: Facts, ranges: Ranges = ()) -> Iterator[Need]:
    """Yield the conditions that the facts do not already give."""
    if isinstance(node, Div):
        yield from _nonzero_needs(node.right, facts, ranges)
    elif isinstance(node, Power):
        if node.exponent < 0:
            yield from _nonzero_needs(node.base, facts, ranges)
        if node.exponent.denominator != 1 and not facts.is_nonnegative(node.base):
            yield Need(f"root of {canonical(node.base)}", ranges)
    elif isinstance(node, Log):
        if not facts.is_positive(node.of):
            yield Need(f"log of {canonical(node.of)}", ranges)
    elif isinstance(node, Chord) and chord_ends(node) not in facts.chords:
        yield Need(f"chord {sorted((canonical(node.start), canonical(node.end)))}", ranges)
    elif isinstance(node, Reduce | Mean):
        yield from _needs_of_sum(node, facts, ranges)
        return
    for child in node.children:
        yield from needs(child, facts, ranges)


def _nonzero_needs(node: Scalar, facts: Facts, ranges: Ranges) -> Iterator[Need]:
    if isinstance(node, Mul):
        yield from _nonzero_needs(node.left, facts, ranges)
        yield from _nonzero_needs(node.right, facts, ranges)
    elif isinstance(node, Power) and node.exponent > 0:
        yield from _nonzero_needs(node.base, facts, ranges)
    elif isinstance(node, Number) and node.value != 0:
        return
    elif not facts.is_positive(node) and not (-facts.span(node)).is_positive:
        yield Need(f"not 0: {Normaliser(facts)(node).name}", ranges)


def _needs_of_sum(node: Reduce | Mean, facts: Facts, ranges: Ranges) -> Iterator[Need]:
    letter = f"@{len(facts.lows)}"
    if (isinstance(node, Mean) or node.kind in ("min", "max")) and not facts.is_never_empty(node):
        yield Need(f"not empty: {node.low}..{node.high}", ranges)
    within = facts.with_letter(letter, facts.lowest_value(node.low))
    if isinstance(node, Mean) and not within.is_positive(put_index(node.weight, node.letter, Index(letter))):
        yield Need(f"weights {canonical(node)}", ranges)
    where = node.where if isinstance(node, Reduce) else None
    depth, filled = len(ranges), facts.is_never_empty(node)
    for child in node.children:
        for need in needs(put_index(child, node.letter, Index(letter)), within, (*ranges, (node.low, node.high))):
            if where is not None and child is not where:
                yield Need(f"{need.what} where {canonical(where)}", need.ranges)
            elif filled and letter not in need.what and len(need.ranges) == depth + 1:
                yield Need(need.what, ranges)  # the same at every place of the sum
            else:
                yield need


def _covers(have: Need, need: Need, facts: Facts) -> bool:
    if have.what != need.what or len(have.ranges) != len(need.ranges):
        return False
    return all(contains(a, b, facts) for a, b in zip(have.ranges, need.ranges, strict=True))


def contains(a: tuple[Index, Index], b: tuple[Index, Index], facts: Facts) -> bool:
    """Return whether every index of the range b, for every k, is one of the range a."""
    return is_at_most(a[0], b[0], facts) and is_at_most(b[1], a[1], facts)


def is_at_most(a: Index, b: Index, facts: Facts) -> bool:
    if a.letter == b.letter:
        return a.offset <= b.offset
    return a.letter is None and a.offset <= facts.lowest_value(b)


TWO = Number(Fraction(2))
LARGE = 120  # more nodes than this are not looked at


@dataclass(frozen=True)
class ChordEnclosure:
    """The formulas above and below others, under these facts. `and_mu`: mu is replaced by L too, where a larger one is wanted."""

    facts: Facts
    and_mu: bool = False

    def upper(self, node: Scalar) -> Scalar:
        return self._replace_chords(node, True)

    def lower(self, node: Scalar) -> Scalar:
        return self._replace_chords(node, False)

    def is_nonnegative(self, node: Scalar, strictly: bool = False) -> bool:
        if self.facts.is_positive(node) or (not strictly and self.facts.is_nonnegative(node)):
            return True
        for enclosure in (self, replace(self, and_mu=not self.and_mu)):
            normal = Normaliser(self.facts)
            if normal.is_nonnegative(normal(enclosure.lower(node)), strictly):
                return True
        return False

    def _replace_chords(self, node: Scalar, up: bool) -> Scalar:
        if isinstance(node, Chord | Constant):
            return self._letter(node, up)
        if isinstance(node, Add):
            return Add(self._replace_chords(node.left, up), self._replace_chords(node.right, up))
        if isinstance(node, Sub):
            return Sub(self._replace_chords(node.left, up), self._replace_chords(node.right, not up))
        if isinstance(node, Neg):
            return Neg(self._replace_chords(node.of, not up))
        if isinstance(node, Mul):
            return self._product(node, up)
        if isinstance(node, Div):
            return self._product(Mul(node.left, Power(node.right, Fraction(-1))), up)
        if isinstance(node, Power):
            return self._power(node, up)
        return self._reduction(node, up) if isinstance(node, Reduce) else node

    def _letter(self, node: Chord | Constant, up: bool) -> Scalar:
        if isinstance(node, Constant):
            return L if up and self.and_mu and node.name == "mu" and Smooth in self.facts.kinds else node
        if (Smooth not in self.facts.kinds) if up else not self.facts.convex:
            return node
        constant = L if up else MU
        return Mul(TWO, constant) if node.kind == "D" else constant if node.kind in ("A", "H", "mu") else node

    def _product(self, node: Mul, up: bool) -> Scalar:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if self._replace_chords(one, True).key == one.key == self._replace_chords(one, False).key:
                if self.facts.is_nonnegative(one):
                    return Mul(one, self._replace_chords(other, up))
                if self.facts.is_nonpositive(one):
                    return Mul(one, self._replace_chords(other, not up))
        left, right = self._replace_chords(node.left, up), self._replace_chords(node.right, up)
        asked = (node.left, node.right) if up else (left, right)
        return Mul(left, right) if all(self.is_nonnegative(side) for side in asked) else node

    def _power(self, node: Power, up: bool) -> Scalar:
        if node.exponent > 0:
            base = self._replace_chords(node.base, up)
            return Power(base, node.exponent) if self.is_nonnegative(node.base if up else base) else node
        base = self._replace_chords(node.base, not up)
        if not self.is_nonnegative(node.base) or (up and not self.is_nonnegative(base, strictly=True)):
            return node
        return Power(base, node.exponent)

    def _reduction(self, node: Reduce, up: bool) -> Scalar:
        letter = f"@{len(self.facts.lows)}"
        inside = replace(self, facts=self.facts.with_letter(letter, self.facts.lowest_value(node.low)))
        body = put_index(node.body, node.letter, Index(letter))
        made = inside._replace_chords(body, up)
        if node.kind == "prod":
            smallest = inside.lower(body)
            if not inside.is_nonnegative(Add(made, smallest) if up else smallest):  # |a| <= b, or 0 <= b <= a
                return node
        where = None if node.where is None else put_index(node.where, node.letter, Index(letter))
        return Reduce(node.kind, made, letter, node.low, node.high, where)


def is_enclosed(larger: Scalar, smaller: Scalar, facts: Facts, strictly: bool = False) -> bool:
    """Return whether the one is at least the other once chords are replaced by their constants, on one side or on both."""
    nodes = [*larger.walk(), *smaller.walk()]
    if len(nodes) > LARGE or not any(isinstance(n, Chord) or (isinstance(n, Constant) and n.name == "mu") for n in nodes):
        return False
    for of_larger in _lower_forms(larger, facts):
        for of_smaller in _upper_forms(smaller, facts):
            normal = Normaliser(facts)
            slack = normal(of_larger) - normal(of_smaller)
            if (slack.is_zero and not strictly) or normal.is_nonnegative(slack, strictly):
                return True
    return False


def enclosing_goals(goal: Relation, facts: Facts) -> list[Relation]:
    """Return the goal with a larger smaller side and a smaller larger side: constants that bound them replace chords."""
    up = goal.upward()
    if up.op == "==" or not any(isinstance(n, Chord) for n in up.walk()):
        return []
    made = Relation(up.op, ChordEnclosure(facts).upper(up.left), ChordEnclosure(facts).lower(up.right))
    return [made] if made.key != up.key else []


def _lower_forms(node: Scalar, facts: Facts) -> list[Scalar]:
    return _distinct([node, *(ChordEnclosure(facts, and_mu).lower(node) for and_mu in (False, True))])


def _upper_forms(node: Scalar, facts: Facts) -> list[Scalar]:
    return _distinct([node, *(ChordEnclosure(facts, and_mu).upper(node) for and_mu in (False, True))])


def _distinct(nodes: list[Scalar]) -> list[Scalar]:
    return list({node.key: node for node in nodes}.values())

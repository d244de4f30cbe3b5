"""The domain of a formula: it has a value where no divisor is 0, no root is of a negative number, and no range is empty.

A claim says nothing where a side has no value. So a claim implies another only where it has values wherever the other has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from boundcheck.language.canonical import canonical
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Chord, Div, Log, Mul, Number, Power, Reduce, Scalar
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean
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

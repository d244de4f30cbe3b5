"""What a formula reads of a run: its leaves, and their indices, so that a wrong range is an error before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Average,
    Chord,
    Expectation,
    Gap,
    IndexNumber,
    Inner,
    NamedValue,
    Norm,
    Normsq,
    Parameter,
    Reduce,
    Scalar,
    Term,
    Value,
)
from boundcheck.language.tree import Index, IndexError_, Node
from boundcheck.language.vectors import Mean, Point

LEAVES = (Value, Gap, Inner, Norm, Normsq, Chord, Term, NamedValue, Average, Expectation)


def leaves(node: Node) -> Iterator[Scalar]:
    """The leaves of a formula, weights of means included (the mean needs them recorded before it)."""
    if isinstance(node, LEAVES):
        for inner in node.walk():
            if isinstance(inner, Mean):
                yield from leaves(inner.weight)
        yield node
        return
    for child in node.children:
        yield from leaves(child)


def parameters_inside(node: Node) -> frozenset[str]:
    """The parameters that stand inside the leaves of a formula: the gamma of |x_k - gamma grad f(x_k)|^2."""
    return frozenset(n.name for leaf in leaves(node) for n in leaf.walk() if isinstance(n, Parameter))


@dataclass(frozen=True)
class LetterRange:
    """The values of a letter, both ends included, as indices of the letters around it; `high` is None where there is no end."""

    low: Index
    high: Index | None


Spans = Mapping[str, LetterRange]


def reads(node: Node, lowest: Mapping[str, int]) -> Iterator[tuple[Node, int]]:
    """Each indexed piece with the smallest index that it reads, given the smallest value of each free letter."""
    for piece, spans in _pieces(node, {letter: LetterRange(Index(None, low), None) for letter, low in lowest.items()}):
        for index in _entries(piece):
            yield piece, _smallest(index, spans).offset


def first_index(node: Node, letter: str) -> int:
    """The first value of the letter at which no entry before the first is read: a hypothesis on x[i - 1] begins at i = 1."""
    needed = 0
    for piece, spans in _pieces(node, {}):
        for index in _entries(piece):
            smallest = _smallest(index, spans)
            needed = max(needed, -smallest.offset if smallest.letter == letter else 0)
    return needed


def check_ranges(node: Node, letter: str, start: int) -> None:
    """Refuse a formula that reads an entry before the first, or the mean, the least or the largest of nothing."""
    for piece, spans in _pieces(node, {letter: LetterRange(Index(None, start), None)}):
        needs_entries = isinstance(piece, Mean) or (isinstance(piece, Reduce) and piece.kind in ("min", "max"))
        if needs_entries and (empty := _empty_at(piece, spans)):
            raise IndexError_(f"{piece} is over nothing {empty}: raise the first {letter}, or change its range")
        for index in _entries(piece):
            if (smallest := _smallest(index, spans).offset) < 0:
                raise IndexError_(
                    f"{piece} is read at index {smallest} when {letter} = {start}; the first entry is 0: raise the range's start"
                )


def _entries(piece: Node) -> tuple[Index, ...]:
    """The indices at which a node reads an entry of a run: those of points and numbers, not an index as a number."""
    return () if isinstance(piece, IndexNumber) else piece.indices


def _pieces(node: Node, spans: Spans) -> Iterator[tuple[Node, Spans]]:
    """Every node of a formula, with the values of the letters that are known there."""
    if not node.ranged:
        yield from ((piece, spans) for piece in node.walk())
        return
    yield node, spans
    children, inner = node.children, spans
    if isinstance(node, Reduce | Mean):
        letter = node.letter
        while letter in spans or letter in (node.low.letter, node.high.letter):  # the letter of a range around it, or of its ends
            letter += "'"
        if letter != node.letter:
            children = tuple(put_index(child, node.letter, Index(letter)) for child in children)
        inner = {**spans, letter: LetterRange(node.low, node.high)}
    for child in children:
        yield from _pieces(child, inner)


def _smallest(index: Index, spans: Spans) -> Index:
    """An index with each letter that has a smallest value at that value."""
    while index.letter is not None and index.letter in spans:
        index = spans[index.letter].low.shift(index.offset)
    return index


def _empty_at(piece: Any, spans: Spans) -> str:
    """Where the range of a mean or a minimum has no entry, in words; "" where it always has one."""
    low: Index = piece.low
    high: Index = piece.high
    while low.letter is not None and low.letter != high.letter:  # the latest start: the last value of its letter
        last = spans[low.letter].high if low.letter in spans else None
        if last is None:
            return f"when {low.letter} is large"
        low = last.shift(low.offset)
    if low.letter == high.letter:
        return f"from {piece.low} to {piece.high}" if high.offset < low.offset else ""
    first = _smallest(high, spans)
    return f"when {high.letter} = {first.offset - high.offset}" if first.offset < low.offset else ""


def highest(node: Node, letter: str, offsets: Mapping[str, Index] | None = None) -> dict[tuple[type, str], int]:
    """For each kind of indexed piece, the largest offset from `letter` at which it is read.

    Only what moves with `letter` counts; constants such as x[0] do not (see `highest_fixed`).
    """
    return _largest(node, letter, {letter: Index(letter)} if offsets is None else offsets)


def highest_fixed(node: Node) -> dict[tuple[type, str], int]:
    """For each kind of indexed piece, the largest constant index at which it is read: x[2] is 2, whatever k is."""
    return _largest(node, None, {})


def _largest(node: Node, letter: str | None, tops: Mapping[str, Index]) -> dict[tuple[type, str], int]:
    found: dict[tuple[type, str], int] = {}
    for index in node.indices:
        top = _top(index, tops)
        if top.letter == letter and not isinstance(node, IndexNumber):
            where = (type(node), getattr(node, "name", ""))
            found[where] = max(found.get(where, top.offset), top.offset)
    inner = dict(tops)
    if isinstance(node, Reduce | Mean):
        inner[node.letter] = _top(node.high, tops)
    for child in node.children:
        for where, offset in _largest(child, letter, inner).items():
            found[where] = max(found.get(where, offset), offset)
    return found


def _top(index: Index, tops: Mapping[str, Index]) -> Index:
    """An index at the largest value of its letter, where that is known."""
    return tops[index.letter].shift(index.offset) if index.letter is not None and index.letter in tops else index


ONLY_X = frozenset({"x"})


@lru_cache(maxsize=4096)
def last_step(node: Node, letter: str, state: frozenset[str] = ONLY_X) -> int | None:
    """The latest step that a formula depends on, as an offset from `letter`: eta_i is step i, x_i needs step i - 1.

    `state` names the sequences that a method carries, as x; the others are made in their own step, as eta.
    """
    read = highest(node, letter).items()
    steps = [offset - (name in state) for (kind, name), offset in read if kind in (Term, Point)]
    return max(steps, default=None)

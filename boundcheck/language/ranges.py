"""Which indices a formula reads, so that a wrong range is an error before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boundcheck.language.scalars import IndexNumber, Reduce
from boundcheck.language.tree import Index, IndexError_, Node
from boundcheck.language.vectors import Mean


def reads(node: Node, lowest: Mapping[str, int]) -> Iterator[tuple[Node, int]]:
    """Each indexed piece with the smallest index that it reads, given the smallest value of each free letter."""
    for index in node.indices:
        if not isinstance(node, IndexNumber):
            start = lowest.get(index.letter, 0) if index.letter is not None else 0
            yield node, start + index.offset
    inner = dict(lowest)
    if isinstance(node, Reduce | Mean):
        low = node.low
        inner[node.letter] = (lowest.get(low.letter, 0) if low.letter is not None else 0) + low.offset
    for child in node.children:
        yield from reads(child, inner)


def check_ranges(node: Node, letter: str, start: int) -> None:
    """Refuse a formula that reads an entry before the first, or the mean or the least of nothing."""
    for piece in node.walk():
        if isinstance(piece, Mean) or (isinstance(piece, Reduce) and piece.kind in ("min", "max")):
            low, high = (_at(index, letter, start) for index in (piece.low, piece.high))
            if low is not None and high is not None and high < low:
                raise IndexError_(f"{piece} is over nothing when {letter} = {start}: raise the first {letter}")
    for piece, smallest in reads(node, {letter: start}):
        if smallest < 0:
            raise IndexError_(
                f"{piece} is read at index {smallest} when {letter} = {start}; the first entry is 0: raise the range's start"
            )


def _at(index: Index, letter: str, start: int) -> int | None:
    """An index at the first value of the letter; None where another letter decides."""
    return index.offset + (start if index.letter == letter else 0) if index.letter in (None, letter) else None


def highest(node: Node, letter: str, offsets: Mapping[str, Index] | None = None) -> dict[tuple[type, str], int]:
    """For each kind of indexed piece, the largest offset from `letter` at which it is read.

    Only what moves with `letter` counts; constants such as x[0] do not.
    """
    offsets = offsets or {letter: Index(letter)}
    found: dict[tuple[type, str], int] = {}
    for index in node.indices:
        if index.letter is not None and index.letter in offsets and not isinstance(node, IndexNumber):
            top = offsets[index.letter].shift(index.offset)
            if top.letter == letter:
                where = (type(node), getattr(node, "name", ""))
                found[where] = max(found.get(where, top.offset), top.offset)
    inner = dict(offsets)
    if isinstance(node, Reduce | Mean):
        high = node.high
        inner[node.letter] = (
            offsets[high.letter].shift(high.offset) if high.letter is not None and high.letter in offsets else high
        )
    for child in node.children:
        for where, offset in highest(child, letter, inner).items():
            found[where] = max(found.get(where, offset), offset)
    return found

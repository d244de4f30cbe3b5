"""The standard form of a leaf: its means begin where their points do, and none of its own letters is the column's.

The mean of x_{i-1} over i = 1..k is the mean of x_i over i = 0..k-1: written so, a mean never looks behind its own index, and a
run that keeps its latest points only has all that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck.language.rewrite import N, put_index, transform
from boundcheck.language.scalars import Reduce
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean, Point

LETTER = "n"  # the index of a column


def standard(leaf: N) -> N:
    """The same formula in standard form."""
    return transform(leaf, _standard)


def _standard(node: Node) -> Node | None:
    if isinstance(node, Reduce):
        if node.letter != LETTER:
            return None
        where = None if node.where is None else standard(node.where)
        return _with_own_letter(Reduce(node.kind, standard(node.body), node.letter, node.low, node.high, where))
    if not isinstance(node, Mean):
        return None
    of, weight = standard(node.of), standard(node.weight)
    if of is not node.of or weight is not node.weight:
        node = Mean(of, weight, node.letter, node.low, node.high)
    return _from_its_points(_with_own_letter(node))


def _with_own_letter(node: N) -> N:
    """A range over the column's letter runs over another one: what comes from outside must not be taken for its own index."""
    assert isinstance(node, Mean | Reduce)
    if node.letter != LETTER:
        return node
    taken = {letter for part in node.walk() for letter in (*part.free, getattr(part, "letter", ""))}
    letter = LETTER + "'"
    while letter in taken:
        letter += "'"
    own = {name: put_index(part, LETTER, Index(letter)) for name, part in _ranged(node)}
    values = {name: getattr(node, name) for name in node.__dataclass_fields__}
    return type(node)(**{**values, **own, "letter": letter})


def _ranged(node: Mean | Reduce) -> Iterator[tuple[str, Node]]:
    """The parts of a mean or a sum that run over its letter."""
    for name in ("of", "weight") if isinstance(node, Mean) else ("body", "where"):
        part = getattr(node, name)
        if part is not None:
            yield name, part


def _from_its_points(node: Mean) -> Mean:
    """The mean with its letter moved, so that it reads no point before x_i at i."""
    by = min((index.offset for index in _read_at(node.of) if index.letter == node.letter), default=0)
    if by >= 0:
        return node
    moved = Index(node.letter, -by)
    of, weight = put_index(node.of, node.letter, moved), put_index(node.weight, node.letter, moved)
    return Mean(of, weight, node.letter, node.low.shift(by), node.high.shift(by))


def _read_at(node: Node) -> Iterator[Index]:
    """The indices at which a vector reads points: its own, and the ends of the means in it."""
    if isinstance(node, Point):
        yield from node.indices
    if isinstance(node, Mean):
        yield from (node.low, node.high)
    bound = node.letter if isinstance(node, Mean | Reduce) else None
    for child in node.children:
        yield from (index for index in _read_at(child) if index.letter != bound)

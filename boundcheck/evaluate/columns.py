"""Columns: what a run must record for a claim, one number for each index, and how far a formula reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from boundcheck.arithmetic.base import Arithmetic, Scalars
from boundcheck.language.ranges import LEAVES
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import N, put_index, transform
from boundcheck.language.scalars import (
    Gap,
    IndexNumber,
    Parameter,
    Reduce,
    Scalar,
    Term,
    Value,
    as_scalar,
)
from boundcheck.language.tree import Index, IndexError_, Node
from boundcheck.language.vectors import Mean, Minimum, Point

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


Formula = TypeVar("Formula", bound=Node)


@dataclass(frozen=True)
class Column:
    """A leaf with its index called n. `local`: x_{n+1} is the exact image of the stored x_n (for claims about one step)."""

    formula: Scalar
    local: bool = False

    @cached_property
    def key(self) -> tuple[Any, ...]:
        return (*self.formula.key, self.local)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Column) and self.key == other.key)

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return str(self.formula)


def free_offsets(node: Node) -> Iterator[Index]:
    """The indices at which a leaf reads entries, where they are not bound in it.

    The fixed start of a mean is none: its column is read at its end. Nor are the ends of a sum, which may be over nothing, or an
    index that stands there as a number.
    """
    bound = node.letter if isinstance(node, Mean | Reduce) else None
    if not isinstance(node, IndexNumber):
        yield from node.indices
    if isinstance(node, Mean):
        yield from (end for end in (node.low, node.high) if end is node.high or end.letter is not None)
    for child in node.children:
        yield from (index for index in free_offsets(child) if index.letter is None or index.letter != bound)


def as_column(leaf: Scalar, local: bool = False) -> tuple[Column, Index]:
    """The column that a leaf reads, and at which index. A chord between unindexed points is read at every n."""
    column, index = _read(leaf, local)
    return _KNOWN.setdefault(column.key, column), index  # one object for a column: looked up by identity first


_KNOWN: WeakValueDictionary[Any, Column] = WeakValueDictionary()


def _read(leaf: Scalar, local: bool) -> tuple[Column, Index]:
    letters = sorted(leaf.free)
    if len(letters) > 1:
        raise IndexError_(
            f"{leaf} mixes the indices {' and '.join(letters)}: a run records one number for each index, not for each pair"
        )
    if any(isinstance(n, Point) and n.index is None for n in leaf.walk()):
        return Column(leaf), Index("k")
    if not letters:
        leaf = standard(leaf)
        constants = [index.offset for index in free_offsets(leaf) if index.letter is None]
        if not constants:
            return Column(leaf), Index(None, 0)
        first = min(constants)
        return Column(_lift(leaf, first)), Index(None, first)
    letter = letters[0]
    if local:
        return Column(put_index(leaf, letter, Index(LETTER)), True), Index(letter)
    leaf = standard(leaf)
    offset = min((index.offset for index in free_offsets(leaf) if index.letter == letter), default=0)
    return Column(put_index(leaf, letter, Index(LETTER, -offset))), Index(letter, offset)


def _lift(leaf: Scalar, first: int) -> Scalar:
    """A leaf at constant indices, x_0, as the entry `first` of a column over n."""

    def change(node: Node) -> Node | None:
        if isinstance(node, Point | Term) and node.index is not None and node.index.letter is None:
            return replace(node, index=Index(LETTER, node.index.offset - first))
        if isinstance(node, Mean) and node.high.letter is None:
            return Mean(node.of, node.weight, node.letter, node.low, Index(LETTER, node.high.offset - first))
        return node if isinstance(node, Reduce) else None  # a sum at constant indices is a number, the same at every entry

    return transform(leaf, change)


def entries(xp: Arithmetic, values: Scalars, low: int, high: int) -> Scalars:
    """The entries low..high - 1 of a column, as many as asked for. Before its first entry and past its last all are undefined."""
    shape = values.shape
    if 0 <= low and high <= shape[-1]:
        return values[..., low:high]
    first, end = min(max(low, 0), shape[-1]), max(min(high, shape[-1]), 0)
    reason = f"an entry {low if low < 0 else high - 1} is read; there are the entries 0 to {shape[-1] - 1}"
    before, after = max(min(high, 0) - low, 0), max(high - max(low, shape[-1]), 0)
    parts = [
        xp.undefined((*shape[:-1], before), reason),
        values[..., first : max(first, end)],
        xp.undefined((*shape[:-1], after), reason),
    ]
    return xp.concatenate([part for part in parts if part.shape[-1]] or parts[:1])


def in_gaps(relation: Formula) -> Formula:
    """The relation with f(p) read as f(p) - f*, and so f(x*) as 0: the same claim where f + C does not move it."""

    def change(node: Node) -> Node | None:
        if isinstance(node, Value):
            return as_scalar(0) if isinstance(node.at, Minimum) else Gap(transform(node.at, change))
        return None

    return transform(relation, change)


def put_inside(relation: Relation, values: Mapping[str, Any]) -> Relation:
    """The relation with the values of parameters in place of them inside its leaves: a column is of one value."""
    if not values:
        return relation

    def put(node: Node) -> Node | None:
        return as_scalar(values[node.name]) if isinstance(node, Parameter) and node.name in values else None

    return transform(relation, lambda node: transform(node, put) if isinstance(node, LEAVES) else None)


def reads(
    node: Node, letter: str, local: bool = False, tops: Mapping[str, Index] | None = None
) -> Iterator[tuple[Column, Index]]:
    """Each column with the largest index at which it is read: `letter` plus a constant, or a constant."""
    tops = tops or {letter: Index(letter)}
    if isinstance(node, LEAVES):
        for inner in node.walk():
            if isinstance(inner, Mean):
                bound = {**tops, inner.letter: _top(inner.high, tops)}
                yield from reads(inner.weight, letter, local, bound)
        column, index = as_column(node, local)
        yield column, _top(index, tops)
        return
    if isinstance(node, Reduce):
        tops = {**tops, node.letter: _top(node.high, tops)}
    for child in node.children:
        yield from reads(child, letter, local, tops)


def _top(index: Index, tops: Mapping[str, Index]) -> Index:
    return tops[index.letter].shift(index.offset) if index.letter is not None and index.letter in tops else index


def last_reads(node: Node, tops: Mapping[str, Index] | None = None) -> Iterator[tuple[str, str, Index]]:
    """The points and numbers of a run that a column's formula reads: of which run, which sequence, at which index at most.

    The index is n plus a constant, or a constant.
    """
    tops = tops or {LETTER: Index(LETTER)}
    if isinstance(node, Point | Term) and node.index is not None:
        yield node.run, node.name, _top(node.index, tops)
    if isinstance(node, Reduce | Mean):
        tops = {**tops, node.letter: _top(node.high, tops)}
    for child in node.children:
        yield from last_reads(child, tops)


def lead(formula: Node, states: Mapping[str, frozenset[str]]) -> int:
    """How many points past x_n the entry n needs: 1 for a chord or a step. What is not carried exists once step n is made."""
    tops = [index.offset + _made_later(states, *at) for *at, index in last_reads(formula) if index.letter is not None]
    return max(tops, default=0)


def floor(formula: Node, states: Mapping[str, frozenset[str]]) -> int:
    """The last point that every entry needs: that of the largest constant index."""
    tops = [index.offset + _made_later(states, *at) for *at, index in last_reads(formula) if index.letter is None]
    return max(tops, default=0)


def _made_later(states: Mapping[str, frozenset[str]], run: str, name: str) -> bool:
    """Does entry k of a sequence exist only once step k is made?"""
    return name not in states.get(run, frozenset())


def is_one_step(node: Node, letter: str) -> bool:
    """Does the formula read x_k, x_{k+1} and eta_k only, so that every point may stand for x_k?"""
    if any(isinstance(n, Reduce | Mean | IndexNumber) for n in node.walk()):
        return False
    for n in node.walk():
        for index in n.indices:
            limit = 1 if isinstance(n, Point) else 0
            if index.letter != letter or not 0 <= index.offset <= limit:
                return False
    return True

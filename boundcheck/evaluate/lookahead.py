"""How far a formula reads: the largest entry of each column that it needs at index k."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boundcheck.evaluate.columns import Column, as_column
from boundcheck.evaluate.standard_form import LETTER
from boundcheck.language.leaves import LEAVES
from boundcheck.language.scalars import IndexNumber, Reduce, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean, Point


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

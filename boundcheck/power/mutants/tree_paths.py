"""Places in a tree: every node with the way to it, so that one occurrence can be changed and its twins left alone."""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck.language.relations import Chain, Statement, links
from boundcheck.language.scalars import Reduce
from boundcheck.language.tree import Node, field_names
from boundcheck.language.vectors import Mean

Way = tuple[tuple[str, int], ...]  # from the root: a field, and a position where the field is a tuple (else -1)


def places(node: Node, way: Way = ()) -> Iterator[tuple[Way, Node]]:
    """Each node of the tree and the way to it, the root first."""
    yield way, node
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield from places(value, (*way, (name, -1)))
        elif isinstance(value, tuple):
            for position, item in enumerate(value):
                if isinstance(item, Node):
                    yield from places(item, (*way, (name, position)))


def with_at(root: Node, way: Way, new: Node) -> Node:
    """The tree with another node at the end of the way."""
    if not way:
        return new
    (name, position), rest = way[0], way[1:]
    values = {n: getattr(root, n) for n in field_names(type(root))}
    if position < 0:
        values[name] = with_at(values[name], rest, new)
    else:
        items = list(values[name])
        items[position] = with_at(items[position], rest, new)
        values[name] = tuple(items)
    return type(root)(**values)


def with_link(states: Statement, number: int, link: Node) -> Statement:
    """The statement with one of its relations replaced."""
    if not isinstance(states, Chain):
        return link  # type: ignore[return-value]
    found = list(links(states))
    found[number] = link  # type: ignore[call-overload]
    return Chain(tuple(found))


def bound_letters(node: Node) -> frozenset[str]:
    """The letters of its sums, products and means."""
    return frozenset(n.letter for n in node.walk() if isinstance(n, Reduce | Mean))

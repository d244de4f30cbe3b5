"""A path in a tree leads to one node, so that one occurrence of a formula can be changed and its twins left alone."""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck.language.relations import Chain, Statement, links
from boundcheck.language.scalars import Reduce
from boundcheck.language.tree import Node, field_names
from boundcheck.language.vectors import Mean

TreePath = tuple[tuple[str, int], ...]  # from the root: a field, and a position where the field is a tuple (else -1)


def nodes_with_paths(node: Node, path: TreePath = ()) -> Iterator[tuple[TreePath, Node]]:
    """Yield the path to each node of the tree and the node, the root first."""
    yield path, node
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield from nodes_with_paths(value, (*path, (name, -1)))
        elif isinstance(value, tuple):
            for position, item in enumerate(value):
                if isinstance(item, Node):
                    yield from nodes_with_paths(item, (*path, (name, position)))


def replace_at(root: Node, path: TreePath, new: Node) -> Node:
    """Return the tree with another node at the end of the path."""
    if not path:
        return new
    (name, position), rest = path[0], path[1:]
    values = {n: getattr(root, n) for n in field_names(type(root))}
    if position < 0:
        values[name] = replace_at(values[name], rest, new)
    else:
        items = list(values[name])
        items[position] = replace_at(items[position], rest, new)
        values[name] = tuple(items)
    return type(root)(**values)


def replace_link(states: Statement, number: int, link: Node) -> Statement:
    """Return the statement with one of its relations replaced."""
    if not isinstance(states, Chain):
        return link  # type: ignore[return-value]
    found = list(links(states))
    found[number] = link  # type: ignore[call-overload]
    return Chain(tuple(found))


def bound_letters(node: Node) -> frozenset[str]:
    """Return the letters of the sums, products and means of a formula."""
    return frozenset(n.letter for n in node.walk() if isinstance(n, Reduce | Mean))

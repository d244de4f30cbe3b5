"""The leaves of a formula: its smallest pieces that are numbers of a run, each of which a run records as a column."""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck.language.scalars import Chord, Gap, Inner, Norm, Normsq, Parameter, Scalar, Term, Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean

LEAVES = (Value, Gap, Inner, Norm, Normsq, Chord, Term)


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

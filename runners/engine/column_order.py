"""Which columns a recorder records, and in which order: what others weigh or scale with comes first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boundcheck.evaluate.columns import Column, as_column
from boundcheck.language.ranges import leaves
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import Reduce, Scalar, Term, as_scalar
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean, Point, Scaled


def with_weights(wanted: Iterable[Column]) -> set[Column]:
    """The columns, and those that the weights of their means and the factors of their vectors read."""
    found: set[Column] = set()
    left = set(wanted)
    while left:
        found |= left
        left = {read for column in left for read in column_reads(column)} - found
    return found


def column_reads(column: Column) -> set[Column]:
    """The columns that the weights of means and the factors of vectors of this one read."""
    inside = list(column.formula.walk())
    numbers = [n.weight for n in inside if isinstance(n, Mean)] + [n.factor for n in inside if isinstance(n, Scaled)]
    return {as_column(leaf)[0] for number in numbers for leaf in leaves(number)}


def without_weights(formula: Scalar) -> Scalar:
    """The formula with every mean that weighs by the steps taken plainly."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, Mean) or not isinstance(node.weight, Term) or node.weight.name != "eta" or node.weight.run:
            return None
        return Mean(node.of, as_scalar(1), node.letter, node.low, node.high)

    return transform(formula, change)


def only_offset(formula: Scalar, states: Mapping[str, frozenset[str]]) -> int | None:
    """The offset of the one point that a formula reads, beside x*; None where it reads several, or a mean, or a step.

    Or a point of a sequence that ends before the others do, so that it is not there in all of a stretch.
    """
    if any(isinstance(n, Mean | Term | Reduce) for n in formula.walk()):
        return None
    found = {(n.name, n.run, n.index) for n in formula.walk() if isinstance(n, Point)}
    if len(found) != 1:
        return None
    name, run, index = found.pop()
    return None if index is None or index.letter is None or name not in states.get(run, frozenset()) else index.offset


def ordered(wanted: Iterable[Column]) -> list[Column]:
    """Columns that others weigh or scale with come before those that read them; steps before numbers of points."""
    ranks: dict[Column, int] = {}

    def rank(column: Column) -> int:
        if column not in ranks:
            own = 0 if isinstance(column.formula, Term) else 1
            ranks[column] = max([own, *(rank(read) + 1 for read in column_reads(column))])
        return ranks[column]

    return sorted(set(wanted), key=lambda c: (rank(c), str(c), c.local))

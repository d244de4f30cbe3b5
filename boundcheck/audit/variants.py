"""What someone may have computed in place of a formula: the formula with one part of it left out or changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import IndexNumber, Larger, Number, Scalar, Smaller
from boundcheck.language.tree import Node

PART, INDEX, LATER, NUMBER = "part ignored", "index ignored", "index shifted", "number changed"


@dataclass(frozen=True)
class Variant:
    """A changed formula, and what was changed, in words."""

    kind: str
    formula: Scalar
    words: str
    is_whole: bool = False  # a bound on the step itself is ignored, not one inside its formula


def variants(formula: Scalar) -> Iterator[Variant]:
    """All of them, the likeliest first."""
    yield from _without_parts(formula)
    yield from _without_indices(formula)
    yield from _with_other_numbers(formula)


def _without_parts(formula: Scalar) -> Iterator[Variant]:
    """min(a, b) as b, and as a; max likewise."""
    for node in dict.fromkeys(n for n in formula.walk() if isinstance(n, Smaller | Larger)):
        for kept, ignored in ((node.right, node.left), (node.left, node.right)):
            bound = "bound" if isinstance(node, Smaller) else "lower bound"
            yield Variant(PART, _put(formula, node, kept), f"the {bound} {ignored} is not applied", node is formula)


def _without_indices(formula: Scalar) -> Iterator[Variant]:
    """The index as it stands at step 0, and one step later or earlier: in all places at once."""
    written = [n for n in formula.walk() if isinstance(n, IndexNumber) and n.index.letter is not None]
    if not written:
        return
    letters = " and ".join(dict.fromkeys(str(n.index.letter) for n in written))
    first = _each_index(formula, lambda n: Number(Fraction(1 if n.index.letter == "K" else n.index.offset)))
    yield Variant(INDEX, first, f"the dependence on {letters} is not used")
    for by, words in ((1, "too far by one"), (-1, "too low by one")):
        moved = _each_index(formula, lambda n, by=by: IndexNumber(n.index.shift(by)))  # type: ignore[misc]
        yield Variant(LATER, moved, f"the index {letters} is {words}")


def _with_other_numbers(formula: Scalar) -> Iterator[Variant]:
    for node in dict.fromkeys(n for n in formula.walk() if isinstance(n, Number) and n.value):
        for value in dict.fromkeys(c for c in (node.value * 2, node.value / 2, Fraction(1), -node.value) if c != node.value):
            yield Variant(NUMBER, _put(formula, node, Number(value)), f"{value} stands where the formula has {node.value}")


def _put(formula: Scalar, old: Node, new: Scalar) -> Scalar:
    return transform(formula, lambda n: new if n is old else None)


def _each_index(formula: Scalar, change: Callable[[IndexNumber], Scalar]) -> Scalar:
    return transform(formula, lambda n: change(n) if isinstance(n, IndexNumber) and n.index.letter is not None else None)

"""Small changes of a formula that a misprint or a slip of a proof would make: what the mutants of a claim are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from boundcheck.language.chords import DeclaredChord
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import (
    Add,
    Chord,
    IndexNumber,
    Mul,
    Neg,
    Norm,
    Normsq,
    Number,
    Power,
    Reduce,
    Scalar,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean, Minus, Plus, Point
from boundcheck.library.declarations import chord_quantities
from boundcheck.power.mutants.tree_paths import bound_letters, places, with_at

Changed = tuple[str, Relation]  # what was changed, in words, and the relation with it
FACTORS = (Fraction(9, 10), Fraction(1, 2))
FLIPPED: dict[type[Node], type[Node]] = {Add: Sub, Sub: Add, Plus: Minus, Minus: Plus}


def _with(relation: Relation, way: tuple[tuple[str, int], ...], new: Node) -> Relation:
    made = with_at(relation, way, new)
    assert isinstance(made, Relation)
    return made


def whole_side_scaled(relation: Relation) -> Iterator[Changed]:
    """The larger side times 9/10 and times 1/2."""
    name = "left" if relation.op in (">=", ">") else "right"
    side: Scalar = getattr(relation, name)
    if isinstance(side, Number) and side.value == 0:
        return
    for factor in FACTORS:
        sides = {"left": relation.left, "right": relation.right, name: Mul(Number(factor), side)}
        yield f"the {name} side was multiplied by {factor}", Relation(relation.op, sides["left"], sides["right"])


def constants_scaled(relation: Relation) -> Iterator[Changed]:
    """Each number of the formula times 9/10 and times 1/2."""
    for way, node in places(relation):
        if isinstance(node, Number) and node.value != 0:
            for factor in FACTORS:
                new = Number(node.value * factor)
                yield f"the constant {node} became {new} in {_around(relation, way)}", _with(relation, way, new)


def _around(relation: Relation, way: tuple[tuple[str, int], ...]) -> str:
    """The formula that a changed piece stands in, one or two levels up."""
    here: Node = relation
    above = [here]
    for name, position in way:
        value = getattr(here, name)
        here = value if position < 0 else value[position]
        above.append(here)
    return str(above[max(0, len(above) - 3)])


def ranges_shifted(relation: Relation) -> Iterator[Changed]:
    """Each end of each sum, product, minimum, maximum and mean, one up and one down."""
    for way, node in places(relation):
        if not isinstance(node, Reduce | Mean):
            continue
        name = node.kind if isinstance(node, Reduce) else "mean"
        for by in (1, -1):
            for end, word in (("high", "to"), ("low", "from")):
                old: Index = getattr(node, end)
                low, high = (old.shift(by) if e == end else getattr(node, e) for e in ("low", "high"))
                change = f"{name} {word} {old} became {name} {word} {old.shift(by)} in {node}"
                yield change, _with(relation, way, _ranged(node, low, high))


def _ranged(node: Reduce | Mean, low: Index, high: Index) -> Node:
    if isinstance(node, Reduce):
        return Reduce(node.kind, node.body, node.letter, low, high, node.where)
    return Mean(node.of, node.weight, node.letter, low, high)


def indices_shifted(relation: Relation, letter: str) -> Iterator[Changed]:
    """The left side asked one step later or earlier; each entry of a sequence, and each k as a number, one up and one down."""
    for by in (1, -1):
        left = put_index(relation.left, letter, Index(letter, by))
        if left is not relation.left:
            yield f"the left side {relation.left} became {left}", Relation(relation.op, left, relation.right)
    for way, node in places(relation):
        if isinstance(node, Term | IndexNumber) and node.index.letter is not None:
            for by in (1, -1):
                index = node.index.shift(by)
                new = Term(node.name, index, node.dimension, node.run) if isinstance(node, Term) else IndexNumber(index)
                yield f"{node} became {new} in {_around(relation, way)}", _with(relation, way, new)


def means_exchanged(relation: Relation, letter: str) -> Iterator[Changed]:
    """f at a mean, a minimum or a maximum, against the last of them; and f at the last point against the others."""
    for way, node in places(relation):
        if isinstance(node, Value) and isinstance(node.at, Mean):
            last = Value(put_index(node.at.of, node.at.letter, node.at.high))
            yield f"{node} became {last}", _with(relation, way, last)
        elif isinstance(node, Reduce) and node.kind in ("min", "max"):
            body = put_index(node.body, node.letter, node.high)
            yield f"{node} became its last, {body}", _with(relation, way, body)
    side = "right" if relation.op in (">=", ">") else "left"
    for way, node in places(relation):
        is_last = isinstance(node, Value) and isinstance(node.at, Point) and node.at.index is not None
        if is_last and way[0][0] == side and node.at.index.letter == letter:  # type: ignore[attr-defined]
            for new in _instead_of_last(node, relation):  # type: ignore[arg-type]
                yield f"{node} became {new}", _with(relation, way, new)


def _instead_of_last(node: Value, relation: Relation) -> Iterator[Scalar]:
    taken = bound_letters(relation) | relation.free
    i = next(name for name in ("i", "j", "m", "n") if name not in taken)
    assert isinstance(node.at, Point) and node.at.index is not None
    any_point = Point(node.at.name, Index(i), node.at.run)
    yield Value(Mean(any_point, Number(Fraction(1)), i, Index(None, 0), node.at.index))
    yield Reduce("min", Value(any_point), i, Index(None, 0), node.at.index)


def ends_swapped(relation: Relation) -> Iterator[Changed]:
    """M(x, y) against M(y, x)."""
    for way, node in places(relation):
        if isinstance(node, Chord | DeclaredChord) and node.start.key != node.end.key:
            new = replace(node, start=node.end, end=node.start)
            yield f"{node} became {new}", _with(relation, way, new)


def chords_exchanged(relation: Relation) -> Iterator[Changed]:
    """D, A and H, and what else papers declare, where they are named, in each other's place."""
    known = chord_quantities()
    names = list(known)
    for way, node in places(relation):
        name = node.kind if isinstance(node, Chord) else node.quantity.name if isinstance(node, DeclaredChord) else ""
        if isinstance(node, Chord | DeclaredChord) and name in known:
            at = names.index(name)
            for other in (names[at - 1], names[at - 2]):
                new = known[other](node.start, node.end)
                yield f"{node} became {new}", _with(relation, way, new)


def signs_changed(relation: Relation) -> Iterator[Changed]:
    """One plus to minus, or one minus to plus."""
    for way, node in places(relation):
        if type(node) in FLIPPED:
            new = FLIPPED[type(node)](node.left, node.right)  # type: ignore[attr-defined, call-arg]
        elif isinstance(node, Neg):
            new = node.of
        else:
            continue
        yield f"{node} became {new}", _with(relation, way, new)


def exponents_changed(relation: Relation) -> Iterator[Changed]:
    """A square to its root or to a cube, a root to what is under it, a squared norm to the norm and back."""
    for way, node in places(relation):
        found: list[Scalar] = []
        if isinstance(node, Power):
            others = {Fraction(2): (1, 3), Fraction(3): (2,), Fraction(1, 2): (1,)}.get(node.exponent, ())
            found = [node.base if p == 1 else Power(node.base, Fraction(p)) for p in others]
        elif isinstance(node, Normsq):
            found = [Norm(node.of)]
        elif isinstance(node, Norm):
            found = [Normsq(node.of)]
        for new in found:
            yield f"{node} became {new}", _with(relation, way, new)

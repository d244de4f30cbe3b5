"""The changes of a formula that a misprint or a slip of a proof would make, each at one path in its tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from boundcheck.language.chords import DeclaredChord
from boundcheck.language.relations import Chain, Relation, Statement, links
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
    is_zero,
)
from boundcheck.language.tree import Index, Node, field_names
from boundcheck.language.vectors import Mean, Minus, Plus, Point
from boundcheck.library.declarations import chord_quantities

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


Change = tuple[str, Relation]  # what was changed, in words, and the relation with it
FACTORS = (Fraction(9, 10), Fraction(1, 2))
FLIPPED: dict[type[Node], type[Node]] = {Add: Sub, Sub: Add, Plus: Minus, Minus: Plus}


def _put_node(relation: Relation, way: tuple[tuple[str, int], ...], new: Node) -> Relation:
    made = replace_at(relation, way, new)
    assert isinstance(made, Relation)
    return made


def scale_side(relation: Relation) -> Iterator[Change]:
    """Yield the larger side times 9/10 and times 1/2."""
    name = "left" if relation.op in (">=", ">") else "right"
    side: Scalar = getattr(relation, name)
    if is_zero(side):
        return
    for factor in FACTORS:
        sides = {"left": relation.left, "right": relation.right, name: Mul(Number(factor), side)}
        yield f"the {name} side was multiplied by {factor}", Relation(relation.op, sides["left"], sides["right"])


def scale_constants(relation: Relation) -> Iterator[Change]:
    """Yield each number of the formula times 9/10 and times 1/2."""
    for way, node in nodes_with_paths(relation):
        if isinstance(node, Number) and node.value != 0:
            for factor in FACTORS:
                new = Number(node.value * factor)
                yield f"the constant {node} became {new} in {_surrounding_text(relation, way)}", _put_node(relation, way, new)


def _surrounding_text(relation: Relation, way: tuple[tuple[str, int], ...]) -> str:
    """Return the formula that a changed piece stands in, one or two levels up."""
    here: Node = relation
    above = [here]
    for name, position in way:
        value = getattr(here, name)
        here = value if position < 0 else value[position]
        above.append(here)
    return str(above[max(0, len(above) - 3)])


def shift_ranges(relation: Relation) -> Iterator[Change]:
    """Yield each end of each sum, product, minimum, maximum and mean, one up and one down."""
    for way, node in nodes_with_paths(relation):
        if not isinstance(node, Reduce | Mean):
            continue
        name = node.kind if isinstance(node, Reduce) else "mean"
        for by in (1, -1):
            for end, word in (("high", "to"), ("low", "from")):
                old: Index = getattr(node, end)
                low, high = (old.shift(by) if e == end else getattr(node, e) for e in ("low", "high"))
                change = f"{name} {word} {old} became {name} {word} {old.shift(by)} in {node}"
                yield change, _put_node(relation, way, _set_range(node, low, high))


def _set_range(node: Reduce | Mean, low: Index, high: Index) -> Node:
    if isinstance(node, Reduce):
        return Reduce(node.kind, node.body, node.letter, low, high, node.where)
    return Mean(node.of, node.weight, node.letter, low, high)


def shift_indices(relation: Relation, letter: str) -> Iterator[Change]:
    """Yield the left side one step later and earlier; each entry of a sequence, and each k as a number, one up and one down."""
    for by in (1, -1):
        left = put_index(relation.left, letter, Index(letter, by))
        if left is not relation.left:
            yield f"the left side {relation.left} became {left}", Relation(relation.op, left, relation.right)
    for way, node in nodes_with_paths(relation):
        if isinstance(node, Term | IndexNumber) and node.index.letter is not None:
            for by in (1, -1):
                index = node.index.shift(by)
                new = Term(node.name, index, node.dimension, node.run) if isinstance(node, Term) else IndexNumber(index)
                yield f"{node} became {new} in {_surrounding_text(relation, way)}", _put_node(relation, way, new)


def exchange_means(relation: Relation, letter: str) -> Iterator[Change]:
    """Yield f at the last point for f at a mean, a minimum or a maximum, and the other way round."""
    for way, node in nodes_with_paths(relation):
        if isinstance(node, Value) and isinstance(node.at, Mean):
            last = Value(put_index(node.at.of, node.at.letter, node.at.high))
            yield f"{node} became {last}", _put_node(relation, way, last)
        elif isinstance(node, Reduce) and node.kind in ("min", "max"):
            body = put_index(node.body, node.letter, node.high)
            yield f"{node} became its last, {body}", _put_node(relation, way, body)
    side = "right" if relation.op in (">=", ">") else "left"
    for way, node in nodes_with_paths(relation):
        is_last = isinstance(node, Value) and isinstance(node.at, Point) and node.at.index is not None
        if is_last and way[0][0] == side and node.at.index.letter == letter:  # type: ignore[attr-defined]
            for new in _last_value_substitutes(node, relation):  # type: ignore[arg-type]
                yield f"{node} became {new}", _put_node(relation, way, new)


def _last_value_substitutes(node: Value, relation: Relation) -> Iterator[Scalar]:
    taken = bound_letters(relation) | relation.free
    i = next(name for name in ("i", "j", "m", "n") if name not in taken)
    assert isinstance(node.at, Point) and node.at.index is not None
    any_point = Point(node.at.name, Index(i), node.at.run)
    yield Value(Mean(any_point, Number(Fraction(1)), i, Index(None, 0), node.at.index))
    yield Reduce("min", Value(any_point), i, Index(None, 0), node.at.index)


def swap_chord_ends(relation: Relation) -> Iterator[Change]:
    """Yield M(y, x) for each M(x, y)."""
    for way, node in nodes_with_paths(relation):
        if isinstance(node, Chord | DeclaredChord) and node.start.key != node.end.key:
            new = replace(node, start=node.end, end=node.start)
            yield f"{node} became {new}", _put_node(relation, way, new)


def exchange_chords(relation: Relation) -> Iterator[Change]:
    """Yield D, A and H, and what else papers declare, where they are named, in each other's place."""
    known = chord_quantities()
    names = list(known)
    for way, node in nodes_with_paths(relation):
        name = node.kind if isinstance(node, Chord) else node.quantity.name if isinstance(node, DeclaredChord) else ""
        if isinstance(node, Chord | DeclaredChord) and name in known:
            at = names.index(name)
            for other in (names[at - 1], names[at - 2]):
                new = known[other](node.start, node.end)
                yield f"{node} became {new}", _put_node(relation, way, new)


def change_signs(relation: Relation) -> Iterator[Change]:
    """Yield a minus for each plus and a plus for each minus."""
    for way, node in nodes_with_paths(relation):
        if type(node) in FLIPPED:
            new = FLIPPED[type(node)](node.left, node.right)  # type: ignore[attr-defined, call-arg]
        elif isinstance(node, Neg):
            new = node.of
        else:
            continue
        yield f"{node} became {new}", _put_node(relation, way, new)


def change_exponents(relation: Relation) -> Iterator[Change]:
    """Yield for each square its root and its cube, for each root what is under it, for each squared norm the norm, and back."""
    for way, node in nodes_with_paths(relation):
        found: list[Scalar] = []
        if isinstance(node, Power):
            others = {Fraction(2): (1, 3), Fraction(3): (2,), Fraction(1, 2): (1,)}.get(node.exponent, ())
            found = [node.base if p == 1 else Power(node.base, Fraction(p)) for p in others]
        elif isinstance(node, Normsq):
            found = [Norm(node.of)]
        elif isinstance(node, Norm):
            found = [Normsq(node.of)]
        for new in found:
            yield f"{node} became {new}", _put_node(relation, way, new)

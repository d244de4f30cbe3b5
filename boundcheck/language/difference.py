"""Where two formulas differ: the smallest pieces of each that are not in the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from boundcheck.language.relations import Chain, Relation
from boundcheck.language.scalars import Add, Mul, Neg, Scalar, Sub
from boundcheck.language.tree import Index, Node, field_names
from boundcheck.language.vectors import Minus, Plus

Place = tuple[Node, str]  # a node of the tree, and the name of its index or sign that differs; "" for all of it
Operand = tuple[str, Node]  # with its sign


@dataclass(frozen=True)
class Marked:
    """A formula, and the places of it to mark. No two pieces of its tree are one object, so that a place is in one spot."""

    tree: Node
    places: frozenset[Place] = frozenset()


def differences(one: Node, other: Node) -> tuple[Marked, Marked]:
    """Both formulas with what differs to be marked; nothing is where they are the same."""
    here, there = _apart(one), _apart(other)
    found = _Places()
    found.compare(here, there)
    return Marked(here, frozenset(found.here)), Marked(there, frozenset(found.there))


def _apart(node: Node) -> Node:
    """The same formula with a node of its own for each piece: one that is written twice is two."""
    fields = {name: getattr(node, name) for name in field_names(type(node))}
    return replace(node, **{name: _copied(value) for name, value in fields.items()})


def _copied(value: Any) -> Any:
    if isinstance(value, Node):
        return _apart(value)
    return tuple(_copied(item) for item in value) if isinstance(value, tuple) else value


class _Places:
    def __init__(self) -> None:
        self.here: set[Place] = set()
        self.there: set[Place] = set()

    def compare(self, a: Node, b: Node) -> None:
        if a.key == b.key:
            return
        if isinstance(a, Chain) or isinstance(b, Chain):
            self._align([("", part) for part in _parts(a)], [("", part) for part in _parts(b)])
            self._signs(a, b)
        elif any(isinstance(n, Add | Sub | Plus | Minus) for n in (a, b)):
            self._align(_terms(a), _terms(b))
        elif any(isinstance(n, Mul) for n in (a, b)):
            self._align([("", n) for n in _factors(a)], [("", n) for n in _factors(b)])
        elif type(a) is type(b):
            self._fields(a, b)
        else:
            self._whole(a, b)

    def _whole(self, a: Node, b: Node) -> None:
        self.here.add((a, ""))
        self.there.add((b, ""))

    def _fields(self, a: Node, b: Node) -> None:
        """The same kind of node: what differs is in its indices, in its sign, or further down; a name makes it another node."""
        pairs = [(name, getattr(a, name), getattr(b, name)) for name in field_names(type(a))]
        if any(not _may_differ(name, x, y) and x != y for name, x, y in pairs if not isinstance(x, Node)):
            self._whole(a, b)
            return
        for name, x, y in pairs:
            if isinstance(x, Node) and isinstance(y, Node):
                self.compare(x, y)
            elif isinstance(x, Node) or isinstance(y, Node):  # a condition that only one of them has
                self._whole(a, b)
            elif x != y:
                self.here.add((a, name))
                self.there.add((b, name))

    def _signs(self, a: Node, b: Node) -> None:
        links = [n.links if isinstance(n, Chain) else (n,) for n in (a, b)]
        for x, y in zip(*links, strict=False):
            if isinstance(x, Relation) and isinstance(y, Relation) and x.op != y.op:
                self.here.add((x, "op"))
                self.there.add((y, "op"))

    def _align(self, a: Sequence[Operand], b: Sequence[Operand]) -> None:
        """Operands that both have are matched; as many new as old are compared one by one; the rest is marked."""
        here, there = ([(sign, node.key) for sign, node in operands] for operands in (a, b))
        for what, i, j, m, n in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
            if what == "equal":
                continue
            if j - i == n - m:
                for (sign, x), (other, y) in zip(a[i:j], b[m:n], strict=True):
                    self._one(sign, x, other, y)
            else:
                self.here.update((node, "") for _, node in a[i:j])
                self.there.update((node, "") for _, node in b[m:n])

    def _one(self, sign: str, x: Node, other: str, y: Node) -> None:
        if sign == other and (type(x) is type(y) or isinstance(x, Mul) or isinstance(y, Mul)):
            self.compare(x, y)
        else:
            self._whole(x, y)


def _may_differ(name: str, x: Any, y: Any) -> bool:
    return name in ("low", "high", "index", "op") and isinstance(x, Index | str) and type(x) is type(y)


def _parts(node: Node) -> list[Node]:
    if isinstance(node, Chain):
        return [node.links[0].left, *(link.right for link in node.links)]
    return [node.left, node.right] if isinstance(node, Relation) else [node]


def _terms(node: Node, sign: str = "+") -> list[Operand]:
    """a - (b + c) as it is written: +a, -(b + c)."""
    if isinstance(node, Add | Plus | Sub | Minus):
        return [*_terms(node.left, sign), ("-" if isinstance(node, Sub | Minus) else "+", node.right)]
    return [("-", node.of)] if isinstance(node, Neg) and sign == "+" else [(sign, node)]


def _factors(node: Node) -> list[Scalar | Node]:
    return [*_factors(node.left), *_factors(node.right)] if isinstance(node, Mul) else [node]

"""Changing trees: putting one thing in place of another. Every rewriting returns a new tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from boundcheck.language.scalars import Average, Chord, Constant, Reduce
from boundcheck.language.tree import Draw, Index, Node, field_names
from boundcheck.language.vectors import Mean, PartsMean

N = TypeVar("N", bound=Node)
BINDERS = (Reduce, Mean, Average, PartsMean)  # what runs over a letter of its own


def transform(node: N, change: Callable[[Node], Node | None]) -> N:
    """The tree with `change` applied from the top: a node for which it answers is replaced, and not entered again."""
    new = change(node)
    if new is not None:
        return new  # type: ignore[return-value]
    values = {name: getattr(node, name) for name in field_names(type(node))}
    changed = {name: _inside(value, change) for name, value in values.items()}
    if all(changed[name] is values[name] for name in values):
        return node
    return type(node)(**changed)


def _inside(value: Any, change: Callable[[Node], Node | None]) -> Any:
    if isinstance(value, Node):
        return transform(value, change)
    if isinstance(value, tuple):
        new = tuple(_inside(item, change) for item in value)
        return value if all(a is b for a, b in zip(new, value, strict=True)) else new
    return value


def put_index(node: N, letter: str, value: Index) -> N:
    """The tree with the free `letter` replaced. The value's own letter must not be bound inside."""
    if letter not in node.free:
        return node
    values: dict[str, Any] = {}
    for name in field_names(type(node)):
        old = getattr(node, name)
        bound = isinstance(node, BINDERS) and node.letter == letter
        if isinstance(old, Index | Draw):
            values[name] = old.put(letter, value)
        elif isinstance(old, Node) and not bound:
            values[name] = put_index(old, letter, value)
        elif isinstance(old, tuple):
            values[name] = tuple(put_index(item, letter, value) for item in old)
        else:
            values[name] = old
    return type(node)(**values)


def rename_hidden(node: N, taken: frozenset[str] | None = None) -> N:
    """The tree in which no sum or mean runs over a letter that stands for another index around it; itself where none does."""
    around = node.free if taken is None else taken
    if not node.ranged or not _hides(node, around):
        return node
    values = {name: getattr(node, name) for name in field_names(type(node))}
    if isinstance(node, BINDERS):
        letter = node.letter
        if letter in around:
            used = around | {n.letter for n in node.walk() if isinstance(n, BINDERS)} | _letters(node)
            letter = next(name for name in LETTERS if name not in used)
            values = {name: put_index(v, node.letter, Index(letter)) if isinstance(v, Node) else v for name, v in values.items()}
            values["letter"] = letter
        around = around | {letter}
    changed = {name: _renamed(value, around) for name, value in values.items()}
    same = all(changed[name] is getattr(node, name) for name in values)
    return node if same else type(node)(**changed)


def _hides(node: Node, around: frozenset[str]) -> bool:
    """Does a sum or a mean in this tree run over one of these letters, or over that of another around it?"""
    if isinstance(node, BINDERS):
        if node.letter in around:
            return True
        around = around | {node.letter}
    return any(_hides(child, around) for child in node.children if child.ranged)


def _renamed(value: Any, taken: frozenset[str]) -> Any:
    if isinstance(value, Node):
        return rename_hidden(value, taken)
    if isinstance(value, tuple):
        new = tuple(_renamed(item, taken) for item in value)
        return value if all(a is b for a, b in zip(new, value, strict=True)) else new
    return value


def _letters(node: Node) -> set[str]:
    return {letter for n in node.walk() for letter in n.free}


LETTERS = (*"jlmnpqrs", *(f"{letter}{n}" for n in range(1, 100) for letter in "ij"))


def bind_smoothness(node: N, kind: str | Callable[[Any, Any], Node]) -> N:
    """M replaced by a number of the chord: D, A or H, the constant L, or a declared quantity."""

    def change(n: Node) -> Node | None:
        if isinstance(n, Chord) and n.kind == "M":
            if kind == "L":
                return Constant("L")
            ends = transform(n.start, change), transform(n.end, change)
            return Chord(kind, *ends) if isinstance(kind, str) else kind(*ends)
        return None

    return transform(node, change)


def mentions(node: Node, kind: str) -> bool:
    """Does the tree read the chord number `kind`?"""
    return any(isinstance(n, Chord) and n.kind == kind for n in node.walk())

"""Nodes of a claim, and the indices that they read.

A claim is a tree. Operators build it; it has no truth value and `==` makes a relation, so identity of meaning is asked
of `key`: a nested tuple that two trees share exactly when they are the same formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from boundcheck.support.errors import UserError
from boundcheck.support.pickling import PickledByFields

if TYPE_CHECKING:
    from fractions import Fraction

    from boundcheck.language.scalars import Exponent, Scalar, ScalarLike
    from boundcheck.language.vectors import Scaled, Vector


class IndexError_(UserError):
    """An index is used outside its range, or cannot be evaluated in one pass."""


@dataclass(frozen=True)
class IndexRange:
    """`k >= 1`: the values for which a claim is stated."""

    letter: str
    start: int


@dataclass(frozen=True)
class Index:
    """A letter plus a constant (`i + 1`), or a constant alone (letter None)."""

    letter: str | None
    offset: int = 0

    @overload
    def __add__(self, other: int) -> Index: ...
    @overload
    def __add__(self, other: Scalar | Index | float | Fraction) -> Scalar: ...
    def __add__(self, other: ScalarLike) -> Index | Scalar:
        if isinstance(other, int):
            return Index(self.letter, self.offset + other)
        return self.number() + other

    @overload
    def __sub__(self, other: int) -> Index: ...
    @overload
    def __sub__(self, other: Scalar | Index | float | Fraction) -> Scalar: ...
    def __sub__(self, other: ScalarLike) -> Index | Scalar:
        if isinstance(other, int):
            return Index(self.letter, self.offset - other)
        return self.number() - other

    @overload
    def __radd__(self, other: int) -> Index: ...
    @overload
    def __radd__(self, other: float | Fraction) -> Scalar: ...
    def __radd__(self, other: float | Fraction) -> Index | Scalar:
        return self + other if isinstance(other, int) else other + self.number()

    def __rsub__(self, other: float | Fraction) -> Scalar:
        return other - self.number()

    @overload
    def __mul__(self, other: Vector) -> Scaled: ...
    @overload
    def __mul__(self, other: ScalarLike) -> Scalar: ...
    def __mul__(self, other: Vector | ScalarLike) -> Scaled | Scalar:
        return self.number() * other

    def __rmul__(self, other: float | Fraction) -> Scalar:
        return other * self.number()

    def __truediv__(self, other: ScalarLike) -> Scalar:
        return self.number() / other

    def __rtruediv__(self, other: float | Fraction) -> Scalar:
        return other / self.number()

    def __pow__(self, exponent: Exponent) -> Scalar:
        return self.number() ** exponent

    def __rpow__(self, base: float | Fraction) -> Scalar:
        from boundcheck.language.scalars import as_scalar

        return as_scalar(base) ** self

    def __neg__(self) -> Scalar:
        return -self.number()

    def __ge__(self, start: int) -> IndexRange:
        if self.letter is None or not isinstance(start, int):
            raise TypeError("a range is a letter and a whole number, as in k >= 1")
        return IndexRange(self.letter, start - self.offset)

    def __bool__(self) -> bool:
        raise TypeError(f"the index {self} has no truth value")

    def number(self) -> Scalar:
        """The index as a number, as in 1 / (k + 1)."""
        from boundcheck.language.scalars import IndexNumber

        return IndexNumber(self)

    def shift(self, by: int) -> Index:
        return Index(self.letter, self.offset + by)

    def put(self, letter: str, value: Index) -> Index:
        """This index with `letter` replaced."""
        return Index(value.letter, value.offset + self.offset) if self.letter == letter else self

    def __str__(self) -> str:
        if self.letter is None:
            return str(self.offset)
        return self.letter if self.offset == 0 else f"{self.letter}{self.offset:+d}"


@dataclass(frozen=True)
class Draw:
    """The index of a component that is drawn at a step, uniformly and independently: j[k]."""

    name: str
    index: Index

    def put(self, letter: str, value: Index) -> Draw:
        """This draw with `letter` replaced in the step that it belongs to."""
        return Draw(self.name, self.index.put(letter, value))

    def __str__(self) -> str:
        return (
            f"{self.name}_{self.index}" if self.index.letter is None or not self.index.offset else f"{self.name}_{{{self.index}}}"
        )


Part = Index | Draw  # which component of a finite sum, or which round's function: f_3, f_i, f_{j_k}


def as_index(value: Index | int) -> Index:
    if isinstance(value, Index):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Index(None, value)
    raise TypeError(f"{value!r} is not an index; write a letter such as i, i + 1, or a whole number")


_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def field_names(kind: type[Node]) -> tuple[str, ...]:
    """The names of a node's fields, in order."""
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(f.name for f in fields(kind))
    return names


_PARTS: dict[type[Node], tuple[tuple[str, str], ...]] = {}


def _part_fields(kind: type[Node]) -> tuple[tuple[str, str], ...]:
    """The fields of a node that name a component, and how they are declared."""
    found = _PARTS.get(kind)
    if found is None:
        declared = ((f.name, str(f.type)) for f in fields(kind))
        found = _PARTS[kind] = tuple((name, type_) for name, type_ in declared if type_ in ("Part", "Part | None"))
    return found


NEEDS = {
    "Part": "a component, such as i, 3 or j[k]",
    "Vector": "a point, such as x[k], xstar, grad(x[k]) or mean(...)",
    "Scalar": "a number, such as f(x[k]), eta[k], L or Fraction(1, 2)",
    "Index": "an index, such as k, i + 1 or 0",
    "Fraction": "an exact number, such as Fraction(1, 2)",
    "str": "a name in quotes",
}
_WANTED: dict[type[Node], tuple[tuple[str, str], ...]] = {}
_FITS: set[tuple[type, str]] = set()


def _wanted(kind: type[Node]) -> tuple[tuple[str, str], ...]:
    """The fields of a node that are of one kind, and that kind."""
    found = _WANTED.get(kind)
    if found is None:
        found = _WANTED[kind] = tuple((f.name, str(f.type)) for f in fields(kind) if str(f.type) in NEEDS)
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Node(PickledByFields):
    """A piece of a formula. Subclasses are frozen dataclasses whose fields are nodes, indices, names and numbers."""

    def __post_init__(self) -> None:
        """What stands where a point, a number, an index or a name belongs is one: `f([k])` is refused where it is written."""
        for name, wanted in _wanted(type(self)):
            value = getattr(self, name)
            if (type(value), wanted) not in _FITS:
                names = {kind.__name__ for kind in type(value).__mro__}
                if not names & ({"Index", "Draw"} if wanted == "Part" else {wanted}):
                    raise TypeError(f"{value!r:.60} stands as `{name}` of {type(self).__name__}; needs {NEEDS[wanted]}")
                _FITS.add((type(value), wanted))

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What makes two nodes the same formula (bound letters as written; see `canonical` for renaming)."""
        return (type(self).__name__, *(_key(getattr(self, name)) for name in field_names(type(self))))

    @cached_property
    def identity(self) -> int:
        """A small number that two nodes of this process share exactly when they are the same formula."""
        shape = (type(self).__name__, *(_identity(getattr(self, name)) for name in field_names(type(self))))
        return IDENTITIES.setdefault(shape, len(IDENTITIES))

    @cached_property
    def children(self) -> tuple[Node, ...]:
        found: list[Node] = []
        for name in field_names(type(self)):
            value = getattr(self, name)
            if isinstance(value, Node):
                found.append(value)
            elif isinstance(value, tuple):
                found.extend(item for item in value if isinstance(item, Node))
        return tuple(found)

    @cached_property
    def ranged(self) -> bool:
        """Is there a sum or a mean in it, which runs over a letter of its own?"""
        return any(child.ranged for child in self.children)

    @cached_property
    def indices(self) -> tuple[Index, ...]:
        """The indices written in this node itself, bounds of a range excepted."""
        return (own,) if isinstance(own := getattr(self, "index", None), Index) else ()

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The components written in this node itself, in fields of the kind `Part`."""
        named = (getattr(self, name) for name, kind in _part_fields(type(self)))
        return tuple(value for value in named if value is not None)

    @cached_property
    def free(self) -> frozenset[str]:
        """The letters that are not bound inside."""
        written = (*self.indices, *(part.index if isinstance(part, Draw) else part for part in self.parts))
        letters = {i.letter for i in written if i.letter is not None}
        for child in self.children:
            letters |= child.free
        return frozenset(letters)

    def walk(self) -> Iterator[Node]:
        """Every node of the tree, this one first."""
        left: list[Node] = [self]
        while left:
            node = left.pop()
            yield node
            left.extend(reversed(node.children))

    def __bool__(self) -> bool:
        meant = "boundcheck decides it with a verdict; a <= b <= c is chain(a, '<=', b, '<=', c)"
        raise TypeError(f"the formula {self} has no truth value: {meant}")

    __hash__ = object.__hash__

    @cached_property
    def _text(self) -> str:
        from boundcheck.language.text import text

        return text(self)

    def __repr__(self) -> str:
        return self._text

    __str__ = __repr__


IDENTITIES: dict[tuple[object, ...], int] = {}  # of all formulas that this process has evaluated


def _identity(value: object) -> object:
    if isinstance(value, Node):
        return value.identity
    return tuple(_identity(item) for item in value) if isinstance(value, tuple) else value


def _key(value: object) -> object:
    if isinstance(value, Node):
        return value.key
    if isinstance(value, Index):
        return (value.letter, value.offset)
    if isinstance(value, Draw):
        return (value.name, _key(value.index))
    if isinstance(value, tuple):
        return tuple(_key(v) for v in value)
    return value

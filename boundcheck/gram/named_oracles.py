"""Reads formulas about named functions, sets and operators: what an oracle is known by, and the vectors that inclusions define.

An oracle is known by its data: points, each with the vector that stands there for a gradient or an image, and with a value where
it is a function. z = prox(h, t, p) is p - t g for a new vector g, and (z, g) is then among the data of h. Where an equation says
what a point satisfies, one of the new vectors in it is put in terms of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from boundcheck.claims.bound import Bound
from boundcheck.gram.affine import ZERO, Affine, Combination, NotModelled, Quantity, affine, combine, value
from boundcheck.gram.algebra import NEGATIVE, ONE
from boundcheck.gram.formulas import At, GramFormulas, Missing
from boundcheck.language.interpreter import index_at
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.scalars import Average, Gap, NamedValue, Term, Value
from boundcheck.language.tree import Index, Part
from boundcheck.language.vectors import (
    Block,
    Grad,
    Image,
    LinearMinimum,
    Minimum,
    PartsMean,
    Pick,
    Point,
    Prox,
)

Name = tuple[str, int | None]  # of an oracle, and which component


@dataclass(frozen=True)
class Row:
    """What is known of an oracle at one point."""

    point: Combination
    image: Combination
    value: int  # the symbol ("F", n) of its value


class Noted(NamedTuple):
    """What is known of the oracles at some time."""

    data: dict[Name, list[Row]]
    values: int
    are_gradients: list[bool]
    made: dict[Any, Combination]
    free: dict[Any, Any]
    blocks: dict[tuple[tuple[int, Any], ...], list[Combination]]
    equal: list[Affine]


@dataclass(kw_only=True)
class NamedOracles(GramFormulas):
    """The reader of formulas in which named oracles stand. Rows of data are noted as they are asked for."""

    bound: Bound
    components: int
    summed: frozenset[str]  # the functions of which the claim reads components
    linear: frozenset[str] = frozenset()  # the operators that are linear, and their adjoints

    def __post_init__(self) -> None:
        super().__post_init__()
        self.data: dict[Name, list[Row]] = {}
        self.values = 0
        self.equal: list[Affine] = []
        self.path: dict[tuple[str, int], int] = {}  # which component each draw is, on the path that is read
        self.drawn: set[tuple[str, int]] = set()  # the draws that something read
        self.runs: dict[tuple[int, ...], dict[tuple[str, str], dict[Any, Any]]] = {}
        self.made: dict[Any, Combination] = {}  # points that inclusions define, by what defines them
        self.starts: dict[str, Combination] = {}
        self.free: dict[Any, Any] = {}
        self.blocks: dict[tuple[tuple[int, Any], ...], list[Combination]] = {}

    # -- oracles -------------------------------------------------------------------------------------------------------

    def row(self, name: Name, point: Combination, image: Combination | None = None) -> Row:
        """Return the data of an oracle at a point: what is there already, or a new row."""
        point = dict(point)
        if image is None:
            for row in self.data.get(name, ()):
                if row.point == point:
                    return row
        if image is None and not point and name[0] in self.linear:
            image = {}
        made = Row(point, self.fresh(is_gradient=True) if image is None else dict(image), self.values)
        self.values += 1
        self.data.setdefault(name, []).append(made)
        return made

    def eliminate(self, zero: Combination) -> None:
        """Put the newest vector of an equation `zero` == 0 in terms of the others, wherever it stands."""
        if not (left := {n: c for n, c in zero.items() if c}):
            return
        gone = max(left)
        by = {n: -c / left[gone] for n, c in left.items() if n != gone}

        def put(vector: Any) -> Any:
            if not isinstance(vector, dict) or gone not in vector:
                return vector
            return combine([(ONE, {n: c for n, c in vector.items() if n != gone}), (vector[gone], by)])

        self.data = {name: [Row(put(r.point), put(r.image), r.value) for r in rows] for name, rows in self.data.items()}
        for entries in (self.entries, *self.runs.values()):
            for key, sequence in entries.items():
                entries[key] = {n: put(entry) for n, entry in sequence.items()}
        self.made = {key: put(vector) for key, vector in self.made.items()}
        self.starts = {key: put(vector) for key, vector in self.starts.items()}
        self.names = {key: put(vector) for key, vector in self.names.items()}
        self.free = {key: put(vector) for key, vector in self.free.items()}

    def noted(self) -> Noted:
        """Return what is known of the oracles by now, for `take_back`."""
        rows = {name: list(known) for name, known in self.data.items()}
        made = (dict(self.made), dict(self.free), dict(self.blocks))
        return Noted(rows, self.values, list(self.are_gradients), *made, list(self.equal))

    def take_back(self, to: Noted) -> None:
        """Forget what was asked since then: a formula was begun of which the run has not all entries."""
        self.data, self.values, self.are_gradients, self.made, self.free, self.blocks, self.equal = to

    def part(self, part: Part | None, at: At) -> int | None:
        """Return which component is meant."""
        if part is None:
            return None
        if isinstance(part, Index):
            return index_at(part, at)
        key = (part.name, index_at(part.index, at))
        self.drawn.add(key)
        return self.path.setdefault(key, 1)

    # -- vectors -------------------------------------------------------------------------------------------------------

    def anywhere(self) -> Combination:
        return self.fresh()

    def read_minimum(self, node: Minimum, at: At) -> Combination:
        return {}

    def read_point(self, node: Point, at: At) -> Combination:
        if node.index is None:
            if node.name not in self.names:
                self.names[node.name] = self.fresh()
            return self.names[node.name]
        return self.entry_of(node, at)  # type: ignore[no-any-return]

    def read_term(self, node: Term, at: At) -> Quantity:
        return self.entry_of(node, at)  # type: ignore[no-any-return]

    def entry_of(self, node: Point | Term, at: At) -> Any:
        """Return an entry of a run; one that is free is made when it is first read."""
        assert node.index is not None
        role, n = node.run or self.role, index_at(node.index, at)
        part = self.part(node.part, at) if isinstance(node, Point) else None
        entries = self.entries.get((role, node.name), {})
        key = n if part is None else (n, part)
        if key in entries:
            return entries[key]
        free = {(f.name, f.index.letter is None) for _, m in self.bound.runs.roles for f in m.free if f.index is not None}
        if (node.name, n == 0) in free or (node.name, False) in free:
            if (role, node.name, key) not in self.free:
                self.free[role, node.name, key] = self.fresh()
            return self.free[role, node.name, key]
        raise Missing(f"{node.name}_{n}")

    def read_gradient(self, node: Grad, at: At) -> Combination:
        return self.gradient((OBJECTIVE, None), self.vector(node.at, at))

    def gradient(self, name: Name, point: Combination) -> Combination:
        """Return the gradient, or the image; of a finite sum the mean of its components'."""
        if name == (OBJECTIVE, None) and self.has_components(OBJECTIVE):
            parts = [self.gradient((OBJECTIVE, i), point) for i in self.all_components]
            return combine([(Fraction(1, self.components), one) for one in parts])
        return self.row(name, point).image

    def has_components(self, name: str) -> bool:
        """Whether a function is the mean of components that the claim reads."""
        return name in self.summed

    @property
    def all_components(self) -> range:
        return range(1, self.components + 1)

    def read_image(self, node: Image, at: At) -> Combination:
        of = adjoint(node.of) if node.kind == "adjoint" else node.of
        return self.gradient((of, self.part(node.part, at)), self.vector(node.at, at))

    def read_prox(self, node: Prox, at: At) -> Combination:
        name, start = (node.of, self.part(node.part, at)), self.vector(node.at, at)
        step = self.number(node.step, at)
        key = (name, _frozen(start), step)
        if key not in self.made:
            image = self.fresh(is_gradient=True)
            point = combine([(ONE, start), (-step, image)])
            self.row(name, point, image)
            self.made[key] = point
        return self.made[key]

    def read_linear_minimum(self, node: LinearMinimum, at: At) -> Combination:
        towards = self.vector(node.towards, at)
        key = (node.of, "towards", _frozen(towards))
        if key not in self.made:
            self.made[key] = self.fresh()
            self.row((node.of, None), self.made[key], combine([(NEGATIVE, towards)]))
        return self.made[key]

    def read_block(self, node: Block, at: At) -> Combination:
        """Return a block of a vector. Blocks of vectors are new vectors, different blocks orthogonal to each other."""
        whole, part = self.vector(node.whole, at), self.part(node.part, at)
        assert part is not None
        if part > self.components:
            raise NotModelled(f"{node} is one of {self.components} blocks only")
        return self.blocks_of(whole)[part - 1]

    def blocks_of(self, whole: Combination) -> list[Combination]:
        """Return the blocks of a vector: the last is what is left of it."""
        if not whole:
            return [whole] * self.components
        key = _frozen(whole)
        if key not in self.blocks:
            parts: list[Combination] = [self.fresh() for _ in range(self.components - 1)]
            parts.append(combine([(ONE, whole), *((NEGATIVE, one) for one in parts)]))
            for others in [parts, *self.blocks.values()]:
                pairs = [(i, j) for i in range(len(parts)) for j in range(len(others)) if i != j]
                self.equal += [affine(self.algebra.inner(parts[i], others[j])) for i, j in pairs if parts[i] and others[j]]
            self.blocks[key] = parts
        return self.blocks[key]

    def read_pick(self, node: Pick, at: At) -> Combination:
        same = self.part(node.part, at) == self.part(node.drawn, at)
        return self.vector(node.then if same else node.otherwise, at)

    def read_parts_mean(self, node: PartsMean, at: At) -> Combination:
        weight = Fraction(1, self.components)
        return combine([(weight, self.vector(node.of, {**at, node.letter: i})) for i in self.all_components])

    # -- numbers -------------------------------------------------------------------------------------------------------

    def value_of(self, name: Name, point: Combination) -> Affine:
        """Return the value of a function at a point; of a finite sum the mean of its components'."""
        if name == (OBJECTIVE, None) and self.has_components(OBJECTIVE):
            total = Affine(ZERO)
            for i in self.all_components:
                total = total.plus(self.value_of((OBJECTIVE, i), point), Fraction(1, self.components))
            return total
        return value(self.row(name, point).value)

    def read_value(self, node: Value, at: At) -> Quantity:
        return self.value_of((OBJECTIVE, None), self.vector(node.at, at))

    def read_named_value(self, node: NamedValue, at: At) -> Quantity:
        return self.value_of((node.of, self.part(node.part, at)), self.vector(node.at, at))

    def read_gap(self, node: Gap, at: At) -> Quantity:
        here = self.value_of((OBJECTIVE, None), self.vector(node.at, at))
        return here.plus(self.value_of((OBJECTIVE, None), {}), NEGATIVE)

    def read_average(self, node: Average, at: At) -> Quantity:
        total, weight = Affine(ZERO), Fraction(1, self.components)
        for i in self.all_components:
            total = total.plus(affine(self.scalar(node.body, {**at, node.letter: i})), weight)
        return total


def adjoint(name: str) -> str:
    """Return the name by which the adjoint of a linear operator is known among the oracles."""
    return f"{name}^T"


def _frozen(vector: Combination) -> tuple[tuple[int, Any], ...]:
    return tuple(sorted(vector.items()))

"""Reads the formulas of a claim's JSON, as the checker of certificates does, with affine numbers in the place of fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import log
from operator import eq, ge, gt, le, lt
from typing import Any

from boundcheck.gram.affine import (
    ZERO,
    Affine,
    Combination,
    NotAffine,
    Number,
    Quantity,
    Root,
    affine,
    combine,
    inner,
    minus,
    normsq,
    over,
    raised,
    times,
    value,
)

COMPARE = {"<": lt, "<=": le, "==": eq, ">": gt, ">=": ge}
ONE, NEGATIVE = Fraction(1), Fraction(-1)
UNKNOWN: Combination = {-1: ONE}  # the point after a step that is not known yet: M to it is a number all the same
ORIGIN = -2  # in the basis: where x*, or the first point, lies. A claim about differences of points does not read it


class Excluded(ValueError):
    """These numbers break a hypothesis of the claim: it says nothing here."""


class Undefined(Excluded):
    """A formula of the claim divides by 0, whatever f is: it says nothing here."""


class Missing(LookupError):
    """The run has no such entry yet."""


@dataclass(frozen=True)
class Pair:
    """D, H or A from one point of the data to another is this number."""

    kind: str
    start: int
    end: int
    is_: Fraction


@dataclass(kw_only=True)
class Formulas:
    """What formulas are read with. Points, gradients and what belongs to them are noted as they are asked for."""

    M: str
    constants: Mapping[str, Fraction | None]
    parameters: Mapping[str, Fraction]
    chords: tuple[Fraction, ...]
    reads_least: bool
    is_convex: bool
    with_A: bool
    points: list[Combination] = field(default_factory=list)
    gradients: list[Combination] = field(default_factory=list)
    entries: dict[tuple[str, str], dict[int, Any]] = field(default_factory=dict)
    names: dict[str, Combination] = field(default_factory=dict)
    pairs: dict[Any, Pair] = field(default_factory=dict)
    pieces: list[tuple[int, list[Affine]]] = field(default_factory=list)  # of ("T", n): 1 for the most, -1 for the least
    basis: int = 0
    role: str = ""

    def fresh(self) -> Combination:
        self.basis += 1
        return {self.basis - 1: ONE}

    def anywhere(self) -> Combination:
        """A point without a formula. Where nothing else fixes the origin, the first is there."""
        return {ORIGIN: ONE, **(self.fresh() if self.reads_least or self.names else {})}

    def oracle(self, point: Combination) -> int:
        """Which of the points of the data it is; f and its gradient are asked there. x* is the origin, with gradient 0."""
        if point is UNKNOWN:
            raise Missing("the point after this step")
        if point not in self.points:
            self.points.append(point)
            self.gradients.append({} if self.reads_least and point == {ORIGIN: ONE} else self.fresh())
        return self.points.index(point)

    def value(self, node: Any, at: Mapping[str, int]) -> Any:
        kind = node["is"]
        read = getattr(self, f"_{kind.lower()}", None)
        if read is None:
            raise NotAffine(f"{kind} is not known here")
        return read(node, at)

    def parts(self, node: Any, at: Mapping[str, int], *names: str) -> list[Any]:
        return [self.value(node[name], at) for name in names]

    def index(self, index: Any, at: Mapping[str, int]) -> int:
        return int(index["plus"]) + (0 if index["index"] is None else at[index["index"]])

    def _entry(self, node: Any, at: Mapping[str, int]) -> Any:
        entries = self.entries.get((node["run"] or self.role, node["name"]), {})
        if (n := self.index(node["index"], at)) not in entries:
            raise Missing(f"{node['name']}_{n}")
        return entries[n]

    _term = _entry

    def _point(self, node: Any, at: Mapping[str, int]) -> Combination:
        if node["index"] is not None:
            return self._entry(node, at)  # type: ignore[no-any-return]
        if node["name"] not in self.names:
            self.names[node["name"]] = self.anywhere()
        return self.names[node["name"]]

    def _minimum(self, node: Any, at: Any) -> Combination:
        return {ORIGIN: ONE}

    def _grad(self, node: Any, at: Any) -> Combination:
        return self.gradients[self.oracle(self.value(node["at"], at))]

    def _plus(self, node: Any, at: Any) -> Combination:
        u, v = self.parts(node, at, "left", "right")
        return combine([(ONE, u), (ONE, v)])

    def _minus(self, node: Any, at: Any) -> Combination:
        return minus(*self.parts(node, at, "left", "right"))

    def _scaled(self, node: Any, at: Any) -> Combination:
        return combine([(self.number(node["factor"], at), self.value(node["of"], at))])

    def _mean(self, node: Any, at: Any) -> Combination:
        places = self.places(node, at)
        weights = [self.number(node["weight"], place) for place in places]
        total = sum(weights, ZERO)
        return combine([(w / total, self.value(node["of"], p)) for w, p in zip(weights, places, strict=True)])

    def number(self, node: Any, at: Any) -> Number:
        found = affine(self.value(node, at))
        if not found.is_number:
            raise NotAffine("a vector is scaled by a quantity of the run")
        return found.constant

    def _number(self, node: Any, at: Any) -> Affine:
        return Affine(Fraction(node["value"]))

    def _indexnumber(self, node: Any, at: Any) -> Affine:
        return Affine(Fraction(self.index(node["index"], at)))

    def _parameter(self, node: Any, at: Any) -> Affine:
        return Affine(self.parameters[node["name"]])

    def _constant(self, node: Any, at: Any) -> Affine:
        if (known := self.constants.get(node["name"])) is None:
            raise NotAffine(f"the constant {node['name']} is not one of the class")
        return Affine(known)

    def _value(self, node: Any, at: Any) -> Affine:
        return value(self.oracle(self.value(node["at"], at)))

    def _inner(self, node: Any, at: Any) -> Affine:
        return inner(*self.parts(node, at, "left", "right"))

    def _normsq(self, node: Any, at: Any) -> Affine:
        return normsq(self.value(node["of"], at))

    def _norm(self, node: Any, at: Any) -> Quantity:
        return raised(self._normsq(node, at), Fraction(1, 2))

    def _add(self, node: Any, at: Any) -> Quantity:
        a, b = self.parts(node, at, "left", "right")
        return affine(a).plus(affine(b))

    def _sub(self, node: Any, at: Any) -> Quantity:
        a, b = self.parts(node, at, "left", "right")
        return affine(a).plus(affine(b), NEGATIVE)

    def _neg(self, node: Any, at: Any) -> Quantity:
        return times(Affine(NEGATIVE), self.value(node["of"], at))

    def _mul(self, node: Any, at: Any) -> Quantity:
        return times(*self.parts(node, at, "left", "right"))

    def _div(self, node: Any, at: Any) -> Quantity:
        return over(*self.parts(node, at, "left", "right"))

    def _power(self, node: Any, at: Any) -> Quantity:
        return raised(self.value(node["base"], at), Fraction(node["exponent"]))

    def _log(self, node: Any, at: Any) -> Affine:
        inside = self.number(node["of"], at)
        if inside <= 0:
            raise Excluded("a logarithm of what is not positive")
        return Affine(ZERO if inside == 1 else log(inside))

    def _abs(self, node: Any, at: Any) -> Affine:
        inside = affine(self.value(node["of"], at))
        return self.extreme([inside, inside.scaled(NEGATIVE)], 1)

    def _larger(self, node: Any, at: Any) -> Affine:
        return self.extreme([affine(v) for v in self.parts(node, at, "left", "right")], 1)

    def _smaller(self, node: Any, at: Any) -> Affine:
        return self.extreme([affine(v) for v in self.parts(node, at, "left", "right")], -1)

    def extreme(self, values: list[Affine], sign: int) -> Affine:
        if not values:
            raise Excluded("the extreme of no numbers")
        if all(v.is_number for v in values):
            return (max if sign > 0 else min)(values, key=lambda v: v.constant)
        self.pieces.append((sign, values))
        return Affine(ZERO, {("T", len(self.pieces) - 1): ONE})

    def places(self, node: Any, at: Mapping[str, int]) -> list[dict[str, int]]:
        low, high = self.index(node["low"], at), self.index(node["high"], at)
        return [{**at, node["letter"]: n} for n in range(low, high + 1)]

    def _reduce(self, node: Any, at: Mapping[str, int]) -> Quantity:
        here = [p for p in self.places(node, at) if node["where"] is None or self.decided(node["where"], p)]
        values = [self.value(node["body"], p) for p in here]
        if node["kind"] in ("min", "max"):
            return self.extreme([affine(v) for v in values], 1 if node["kind"] == "max" else -1)
        total: Quantity = Affine(ZERO if node["kind"] == "sum" else ONE)
        for v in values:
            total = affine(total).plus(affine(v)) if node["kind"] == "sum" else times(total, v)
        return total

    def _chord(self, node: Any, at: Any) -> Affine:
        """D, H or A of a pair of points is a number that is chosen; `Program` says what that asks of the data."""
        kind = self.M if node["kind"] == "M" else node["kind"]
        if kind == "L":
            return Affine(self.constants["L"] or ONE)
        if kind not in ("D", "H") and not (kind == "A" and self.with_A):
            raise NotAffine(f"{kind} of a chord depends on f between its ends")
        start, end = self.parts(node, at, "start", "end")
        if start is UNKNOWN or end is UNKNOWN:
            return Affine(self.chosen(kind, start, end))
        ends = [self.oracle(start), self.oracle(end)]
        if ends[0] == ends[1]:
            raise Excluded("a chord of length 0")
        key = (kind, *(sorted(ends) if kind == "D" else ends))
        if key not in self.pairs:
            self.pairs[key] = Pair(kind, ends[0], ends[1], self.chosen(kind, start, end))
        return Affine(self.pairs[key].is_)

    def chosen(self, kind: str, start: Combination, end: Combination) -> Fraction:
        """The number for a pair: where it is a step of the run its own (the next, of H backwards), else the next in turn."""
        x = self.entries.get((self.role, "x"), {})
        turn = len(self.pairs)
        for n in x:
            if n + 1 in x and {*map(id, (start, end))} == {id(x[n]), id(x[n + 1])}:
                turn = n + (kind == "H" and start is x[n + 1])
        return self.chords[turn % len(self.chords)]

    def difference(self, relation: Any, at: Mapping[str, int]) -> Affine:
        """Left - right; the difference of the squares where both are norms."""
        a, b = self.parts(relation, at, "left", "right")
        if isinstance(a, Root) or isinstance(b, Root):
            return _squared(a).plus(_squared(b), NEGATIVE)
        return affine(a).plus(affine(b), NEGATIVE)

    def decided(self, relation: Any, at: Mapping[str, int]) -> bool:
        found = self.difference(relation, at)
        if not found.is_number:
            raise NotAffine("which steps a sum runs over depends on the run")
        return bool(COMPARE[relation["op"]](found.constant, 0))


def _squared(side: Quantity) -> Affine:
    if isinstance(side, Root):
        if side.factor < 0:
            raise NotAffine("a norm with a negative factor")
        return side.square.scaled(side.factor**2)
    if not side.is_number or side.constant < 0:
        raise NotAffine("a norm is compared with a quantity of the run")
    return Affine(side.constant**2)

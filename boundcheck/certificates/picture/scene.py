"""What a picture shows, from a certificate: the function, the points of the runs in exact numbers, and both sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.picture.svg import equals, greek, number_text, point
from boundcheck.certificates.write import NotCertified, certify, kept_for
from boundcheck.claims.bound import Bound
from boundcheck.language.canonical import from_json
from boundcheck.verify import NotComputed, Replay

BITS = (256, 8192)
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
MEAN, LEAST = "mean", "x*"


@dataclass(frozen=True)
class Mark:
    """A point of the picture: its name (x₀), where it is, f there, and its gradient."""

    name: str
    point: tuple[Any, ...]
    value: Any
    gradient: tuple[Any, ...]
    kind: str  # x, y, v, ...: the entry of the run; chord; x*; mean
    role: str = ""  # which run
    k: int = 0

    @property
    def floats(self) -> tuple[float, ...]:
        return tuple(as_float(v) for v in self.point)

    @property
    def height(self) -> float:
        return as_float(self.value)

    @property
    def place(self) -> str:
        """x₀ = 9/2."""
        return equals(self.name, point(self.point))

    @property
    def told(self) -> str:
        """x₀ = 9/2, f(x₀) = 5."""
        return f"{self.place}, {self.worth}"

    @property
    def worth(self) -> str:
        return equals(f"f({self.name.partition(' =')[0]})", number_text(self.value))


@dataclass(frozen=True)
class Scene:
    """A counterexample, ready to be drawn."""

    bound: Bound
    data: Mapping[str, Any]
    replay: Replay
    left: Any
    right: Any
    marks: tuple[Mark, ...]

    @property
    def dimension(self) -> int:
        return int(self.replay.f.dimension)

    @property
    def minimiser(self) -> Mark | None:
        return next((mark for mark in self.marks if mark.kind == LEAST), None)

    @property
    def is_chord(self) -> bool:
        return "chord" in self.data

    @property
    def where(self) -> str:
        """k = 1, or nothing of a chord."""
        return ", ".join(f"{letter} = {k}" for letter, k in self.data["at"].items())

    @property
    def op(self) -> str:
        return str(self.replay.relation["op"])

    def formula(self, side: str) -> str:
        """Return one side of the claim as text, with what M is."""
        tree = from_json(self.replay.relation[side])
        told = str(self.bound.with_M(tree, self.data["smoothness"] or ""))
        for n, letter in enumerate("ijmn"):
            told = told.replace(f"#{n}", letter)
        return greek(told.replace("grad f(", "f'(") if self.dimension == 1 else told)

    @property
    def places(self) -> list[Mark]:
        """The marks, those at one point as one: x₀ = y₀."""
        found: dict[tuple[str, ...], Mark] = {}
        for mark in self.marks:
            key = tuple(map(str, mark.point))
            if key in found and mark.name not in found[key].name.split(" = "):
                found[key] = replace(found[key], name=f"{found[key].name} = {mark.name}")
            found.setdefault(key, mark)
        return list(found.values())

    def path(self, kind: str, role: str) -> list[Mark]:
        return [mark for mark in self.marks if (mark.kind, mark.role) == (kind, role)]

    @property
    def moves(self) -> list[tuple[Mark, Mark]]:
        """From point to point: x_0, y_0, x_1, y_1, ... where a method steps from y_k, else x_0, x_1, ..."""
        found: list[tuple[Mark, Mark]] = []
        for role in dict.fromkeys(role for _, role in self.paths):
            own = [mark for kind in ("x", "y") for mark in self.path(kind, role)]
            found += pairwise(sorted(own, key=lambda mark: (mark.k, mark.kind)))
        return [(a, b) for a, b in found if a.point != b.point]

    @property
    def paths(self) -> list[tuple[str, str]]:
        """The sequences of points that were drawn: (entry, run)."""
        return list(dict.fromkeys((m.kind, m.role) for m in self.marks if m.kind not in (LEAST, "chord", MEAN)))


def scene(bound: Bound) -> Scene | None:
    """Return the counterexample of a false claim; None where it carries none, or where that does not refute it."""
    data = _certificate(bound)
    if data is None:
        return None
    for bits in BITS:
        with Precision(bits):
            try:
                replay = Replay(data)
                left, right = replay.sides()
                if replay.fails():
                    return Scene(bound, data, replay, left, right, tuple(_marks(replay, data)))
            except (NotComputed, ValueError):
                continue
    return None


def _certificate(bound: Bound) -> Mapping[str, Any] | None:
    """Return the kept certificate of this very claim; else one made from the instance that it carries."""
    found = kept_for(bound)
    if found is not None:
        return found
    if bound.refuted_by is None:
        return None
    try:
        return certify(bound)
    except (NotCertified, ValueError):
        return None


def _marks(replay: Replay, data: Mapping[str, Any]) -> list[Mark]:
    found: list[Mark] = []
    function = data["function"]
    is_bowl = replay.f.dimension == 2 and function["kind"] == "quadratic" and replay.f.is_strongly_convex
    if LEAST not in replay.ends and is_bowl:
        found += _mark(replay, LEAST, [fmpq(*Fraction(c).as_integer_ratio()) for c in function["minimiser"]], LEAST)
    for name, end in replay.ends.items():
        found += _mark(replay, name, end, LEAST if name == LEAST else "chord")
    for (role, name), entries in replay.entries.items():
        for k, entry in entries.items():
            if isinstance(entry, list) and len(name) == 1:  # x, y, v; not what a method only remembers
                found += _mark(replay, name + _subscript(k) + ("′" if role else ""), entry, name, role, k)
    if data["at"] and (mean := _first_mean(replay.relation)) is not None:
        found += _mark(replay, MEAN, replay.value(mean, replay.at), MEAN)
    return found


def _mark(replay: Replay, name: str, here: Any, kind: str, role: str = "", k: int = 0) -> list[Mark]:
    try:
        return [Mark(name, tuple(here), replay.f.value(here), tuple(replay.f.gradient(here)), kind, role, k)]
    except NotComputed:  # an interpolation says nothing of f there
        return []


def _subscript(k: int) -> str:
    return str(k).translate(SUBSCRIPTS).replace("-", "₋")


def _first_mean(node: Any) -> Any:
    """Return the first mean of points that a formula reads outside sums."""
    if isinstance(node, dict):
        if node.get("is") == "Mean":
            return node
        if node.get("is") == "Reduce":
            return None
        return next((found for part in node.values() if (found := _first_mean(part)) is not None), None)
    return None


def as_float(value: Any) -> float:
    return int(value.p) / int(value.q) if isinstance(value, fmpq) else float(value)

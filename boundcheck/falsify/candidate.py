"""Candidates: a function, a run or a chord, and letters, in exact numbers: what a counterexample is made of.

A function is a sum of ridges phi(<a, x>); its data are those that a certificate carries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from boundcheck.falsify.shapes import ClosedForm, PiecewiseShape, Shape, Vector


@dataclass(frozen=True)
class RidgeTerm:
    direction: Vector
    shape: Shape


@dataclass(frozen=True)
class Ridges:
    """f(x) = the sum of phi(<a, x - centre>) over ridges, and a constant. Where no shape is tilted, the centre is stationary."""

    ridges: tuple[RidgeTerm, ...]
    shift: Fraction = Fraction(0)
    centre: Vector = ()  # () is 0

    @property
    def dimension(self) -> int:
        return len(self.ridges[0].direction)

    @property
    def is_plain(self) -> bool:
        """One variable, and phi itself."""
        return len(self.ridges) == 1 and self.ridges[0].direction == (Fraction(1),)

    @property
    def is_convex(self) -> bool:
        return all(ridge.shape.low >= 0 for ridge in self.ridges)

    @property
    def is_quadratic(self) -> bool:
        return all(ridge.shape.is_quadratic for ridge in self.ridges)

    @property
    def size(self) -> int:
        return sum(ridge.shape.size for ridge in self.ridges)

    @cached_property
    def _are_orthogonal(self) -> bool:
        rows = [ridge.direction for ridge in self.ridges]
        return all(_dot(a, b) == 0 for n, a in enumerate(rows) for b in rows[:n])

    @cached_property
    def L(self) -> Fraction | None:
        """A number that bounds the Hessian from above and below: the least, where the directions are orthogonal."""
        bent = []
        for low, high, a in ((r.shape.low, r.shape.high, r.direction) for r in self.ridges):
            if high is None:
                return None
            bent.append(max(abs(low), abs(high)) * _dot(a, a))
        return max(bent) if self._are_orthogonal else sum(bent, Fraction(0))

    @cached_property
    def mu(self) -> Fraction:
        """A number that bounds the Hessian from below, 0 or more where f is convex."""
        bent = [ridge.shape.low * _dot(ridge.direction, ridge.direction) for ridge in self.ridges]
        if not self.is_convex:
            return sum((b for b in bent if b < 0), Fraction(0))
        return min(bent) if self._are_orthogonal and len(bent) == self.dimension else Fraction(0)

    @property
    def minimiser(self) -> Vector | None:
        """The centre, where it is known to be one: f is convex, or of one variable and nowhere below."""
        flat = all(not isinstance(r.shape, PiecewiseShape) or r.shape.tilt == 0 for r in self.ridges)
        is_least = self.is_convex or (self.is_plain and self.ridges[0].shape.is_least_at_0)
        return (self.centre or (Fraction(0),) * self.dimension) if flat and is_least else None

    def data(self) -> dict[str, Any]:
        centre = self.centre or (Fraction(0),) * self.dimension
        if self.is_plain:
            return self.ridges[0].shape.data(self.shift, centre[0])
        shifts = [self.shift, *[Fraction(0)] * (len(self.ridges) - 1)]
        terms = [
            {"direction": [str(a) for a in r.direction], "function": r.shape.data(shift, _dot(r.direction, centre))}
            for r, shift in zip(self.ridges, shifts, strict=True)
        ]
        return {"kind": "ridge sum", "terms": terms}


@dataclass(frozen=True)
class InterpolationData:
    """Values and gradients at finitely many points, which some L-smooth, mu-strongly convex function has.

    That one exists is n^2 inequalities between rationals (Taylor, Hendrickx and Glineur). x* is the point `minimiser`, by number.
    """

    points: tuple[Vector, ...]
    gradients: tuple[Vector, ...]
    values: Vector
    L: Fraction
    mu: Fraction = Fraction(0)
    least: int | None = None  # which point is the minimiser

    is_convex, is_quadratic = True, False

    @property
    def dimension(self) -> int:
        return len(self.points[0])

    @property
    def size(self) -> int:
        return 3 * len(self.points)

    @property
    def minimiser(self) -> Vector | None:
        return None if self.least is None else self.points[self.least]

    def data(self) -> dict[str, Any]:
        return {
            "kind": "interpolation",
            "points": [[str(c) for c in point] for point in self.points],
            "gradients": [[str(c) for c in gradient] for gradient in self.gradients],
            "values": [str(value) for value in self.values],
            "L": str(self.L),
            "mu": str(self.mu),
        }


Function = Ridges | InterpolationData
Steps = tuple[Fraction | None, ...]


@dataclass(frozen=True)
class Candidate:
    """Where a claim may fail: with M chosen, at k, in the relation `link` of a chain.

    `chosen` has, for each run of the claim, its steps and what else no update of its method sets. A step that is None follows the
    equation that the claim gives. A claim about chords has `chord` instead: its points by name.
    """

    function: Function
    k: int
    smoothness: str = ""
    parameters: tuple[tuple[str, Fraction], ...] = ()
    link: int = 0
    start: Vector = ()
    chosen: tuple[tuple[str, tuple[tuple[str, Steps], ...]], ...] = ()
    chord: tuple[tuple[str, Vector], ...] = ()

    @property
    def dimension(self) -> int:
        return self.function.dimension

    def place(self, letter: str) -> dict[str, Any]:
        """Return the run or the chord, and where to look, as a certificate says it."""
        if self.chord:
            return {"chord": {name: _texts(point) for name, point in self.chord}, "at": {}}
        roles = {role: {"start": _texts(self.start), **{n: _texts(v) for n, v in own}} for role, own in self.chosen}
        return {"run": {"roles": roles}, "at": {letter: self.k}}


def steps_of(candidate: Candidate) -> Steps:
    """Return the steps of the main run."""
    return next((steps for _, own in candidate.chosen for name, steps in own if name == "eta"), ())


def with_steps(candidate: Candidate, steps: Sequence[Fraction | None]) -> Candidate:
    """Return the same steps in every run; another sequence that a run chooses is cut to their number."""
    chosen = tuple(
        (role, tuple((name, tuple(steps) if name == "eta" else values[: len(steps)]) for name, values in own))
        for role, own in candidate.chosen
    )
    return replace(candidate, chosen=chosen)


def _texts(values: Sequence[Fraction | None]) -> list[str | None]:
    return [None if value is None else str(value) for value in values]


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((u * v for u, v in zip(a, b, strict=True)), Fraction(0))


def constants_of(function: Function, names: Mapping[str, Any] | set[str]) -> dict[str, Fraction | None]:
    """Return the constants that a claim reads, of this function; None for one that it does not have."""
    known: dict[str, Fraction | None] = {"L": function.L, "mu": function.mu}
    if isinstance(function, Ridges) and function.is_plain and isinstance(shape := function.ridges[0].shape, ClosedForm):
        if shape.kind == "smooth abs":
            known |= {"eps": shape.number, "slope": Fraction(1)}
        if shape.kind == "logistic pair":
            known |= {"slope": Fraction(1), "gram": Fraction(2)}
    return {name: known.get(name) for name in sorted(names)}

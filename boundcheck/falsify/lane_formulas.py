"""The values of a formula for many candidates at once, in floating point, by the plain definition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np

from boundcheck.falsify.lane_functions import Floats, Functions
from boundcheck.language.chords import END, START, ChordQuantity
from boundcheck.language.interpreter import Interpreter, index_at, places
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Chord, Constant, Div, Exp, IndexNumber, Log, Parameter, Power, Reduce, Scalar, Term, Value
from boundcheck.language.vectors import Grad, Mean, Minimum, Point, Vector

Lane = Floats | float  # a number for each candidate, or one for all of them
At = Mapping[str, int]
Mark = int | str  # tells a point of a run, or an end of a chord, from all others


NEARLY = 1e-12  # an equation or inequality that floating point misses by no more may hold


class UnreadableEntry(LookupError):
    """An entry that the run does not have (yet)."""


class LaneNumbers:
    """Floating point, a lane a candidate: what has no value there is infinite or no number."""

    def number(self, value: Fraction) -> Lane:
        return float(value)

    def quotient(self, above: Lane, below: Lane, node: Div) -> Lane:
        return np.divide(above, below)

    def logarithm(self, of: Lane, node: Log) -> Lane:
        return np.log(of)

    def exponential(self, of: Lane, node: Exp) -> Lane:
        return np.exp(of)

    def power(self, base: Lane, node: Power) -> Lane:
        return np.power(base, float(node.exponent))

    def absolute(self, of: Lane) -> Lane:
        return np.abs(of)

    def larger(self, left: Lane, right: Lane) -> Lane:
        return np.maximum(left, right)

    def smaller(self, left: Lane, right: Lane) -> Lane:
        return np.minimum(left, right)

    def scale(self, factor: Lane, of: Floats) -> Floats:
        return np.asarray(_as_column(factor) * of)

    def inner(self, left: Floats, right: Floats) -> Lane:
        made: Floats = (left * right).sum(-1)
        return made

    def norm(self, of: Floats) -> Lane:
        made: Floats = np.sqrt((of * of).sum(-1))
        return made

    def normsq(self, of: Floats) -> Lane:
        made: Floats = (of * of).sum(-1)
        return made


class LaneFormulas(Interpreter[At, Lane, Floats]):
    """Values of formulas, a lane a candidate: of the entries of its runs, the ends of its chord, its letters and constants."""

    algebra = LaneNumbers()

    def __init__(
        self, functions: Functions, smoothness: str | ChordQuantity, parameters: Mapping[str, Floats], ends: Mapping[str, Floats]
    ) -> None:
        self.f, self.M = functions, smoothness
        self.parameters, self.constants, self.ends = dict(parameters), functions.constants, dict(ends)
        self.role, self.limit = "", 0  # whose entries are read, and from how many steps
        self.entries: dict[tuple[str, str], dict[int, Any]] = {}
        self.made: dict[tuple[str, str, int], int] = {}  # at which step an entry was made
        self.new_mark = count().__next__
        self._marks: dict[tuple[str, str, int], Mark] = {}  # an entry that is made anew has another mark
        self._known: dict[tuple[str | Mark, ...], Floats] = {}  # f, gradients and numbers of chords, by the marks of their points

    def put(self, name: str, index: int, value: Lane | Floats, step: int) -> None:
        """Make an entry of the run that is being made."""
        entry = (self.role, name, index)
        self.entries.setdefault(entry[:2], {})[index] = value
        self.made[entry], self._marks[entry] = step, self.new_mark()

    def value(self, node: Scalar | Vector, at: At) -> Any:
        """Return the number (lanes,) or vector (lanes, d) that a formula means."""
        return self.vector(node, at) if isinstance(node, Vector) else self.scalar(node, at)

    def read_index(self, node: IndexNumber, at: At) -> Lane:
        return float(index_at(node.index, at))

    def read_parameter(self, node: Parameter, at: At) -> Lane:
        return self.parameters[node.name]

    def read_constant(self, node: Constant, at: At) -> Lane:
        return self.constants[node.name]

    def read_term(self, node: Term, at: At) -> Lane:
        made: Lane = self._entry(node.run or self.role, node.name, index_at(node.index, at))
        return made

    def read_value(self, node: Value, at: At) -> Lane:
        return self._value(self.vector(node.at, at), self._mark(node.at, at))

    def read_chord(self, node: Chord, at: At) -> Lane:
        x, y = self.vector(node.start, at), self.vector(node.end, at)
        marks = self._mark(node.start, at), self._mark(node.end, at)
        if node.kind != "M":
            return self.chord(node.kind, x, y, *marks)
        found = self.chord(self.M, x, y, *marks)
        if isinstance(self.M, ChordQuantity):  # nor is it one where f is above its parabola
            d = y - x
            rise = self._value(y, marks[1]) - self._value(x, marks[0]) - (self.gradient(x, marks[0]) * d).sum(-1)
            most = found * (d * d).sum(-1) / 2
            found = np.where(rise - most <= NEARLY * np.abs(most), found, np.nan)
        return np.where(found >= 0, found, np.nan)  # a directional smoothness function is not negative

    def read_reduce(self, node: Reduce, at: At) -> Lane:
        nothing, combine = REDUCES[node.kind]
        total: Lane = nothing
        for place in places(node, at):
            value = self.scalar(node.body, place)
            if node.where is not None:
                assert isinstance(node.where, Relation)
                holds = HOLDS[node.where.op](self.scalar(node.where.left, place), self.scalar(node.where.right, place))
                value = np.where(holds, value, nothing)
            total = combine(total, value)
        return total

    # -- vectors -------------------------------------------------------------------------------------------------------

    def read_point(self, node: Point, at: At) -> Floats:
        if node.index is None:
            return self.ends[node.name]
        made: Floats = self._entry(node.run or self.role, node.name, index_at(node.index, at))
        return made

    def read_minimum(self, node: Minimum, at: At) -> Floats:
        return self.ends["x*"]

    def read_gradient(self, node: Grad, at: At) -> Floats:
        return self.gradient(self.vector(node.at, at), self._mark(node.at, at))

    def read_mean(self, node: Mean, at: At) -> Floats:
        here = places(node, at)
        weights = [self.scalar(node.weight, place) for place in here]
        points = [self.vector(node.of, place) for place in here]
        total = sum(_as_column(w) * p for w, p in zip(weights, points, strict=True))
        return np.asarray(total / _as_column(sum(weights)))

    # -- points --------------------------------------------------------------------------------------------------------

    def _entry(self, role: str, name: str, index: int) -> Any:
        if self.made.get((role, name, index), self.limit) >= self.limit:
            raise UnreadableEntry(name)
        return self.entries[role, name][index]

    def _mark(self, node: Vector, at: At) -> Mark | None:
        """Return what tells a point that is stored from all others; None for one that is computed, which nobody reads twice."""
        if isinstance(node, Point):
            return node.name if node.index is None else self._marks[node.run or self.role, node.name, index_at(node.index, at)]
        return "x*" if isinstance(node, Minimum) else None

    def _value(self, point: Floats, mark: Mark | None) -> Floats:
        if mark is None:
            return self.f.value(point)
        found = self._known.get(("value", mark))
        if found is None:
            found = self._known["value", mark] = self.f.value(point)
        return found

    def gradient(self, point: Floats, mark: Mark | None) -> Floats:
        """Return the gradient at a point, computed once for each mark."""
        if mark is None:
            return self.f.grad(point)
        found = self._known.get(("gradient", mark))
        if found is None:
            found = self._known["gradient", mark] = self.f.grad(point)
        return found

    def chord(self, kind: str | ChordQuantity, x: Floats, y: Floats, start: Mark | None, end: Mark | None) -> Floats:
        """D, H, A or mu of the chord from x to y, or L, or a declared quantity; computed once where both points have a mark."""
        if kind == "L":
            return self.constants["L"]
        if isinstance(kind, ChordQuantity):
            there = LaneFormulas(self.f, "", {}, {START.name: x, END.name: y})
            return np.broadcast_to(there.scalar(kind.formula, {}), (self.f.lanes,))
        key = None if start is None or end is None else (kind, start, end)
        if key is not None and key in self._known:
            return self._known[key]
        d = y - x
        square = (d * d).sum(-1)
        if kind == "D":
            change = self.gradient(y, end) - self.gradient(x, start)
            made = 2 * np.sqrt((change * change).sum(-1) / square)
        elif kind == "H":
            rise = self._value(y, end) - self._value(x, start)
            made = 2 * np.abs(rise - (self.gradient(x, start) * d).sum(-1)) / square
        else:
            pick = np.fmax.reduce if kind == "A" else np.fmin.reduce
            made = pick(self.f.secants(x, y), 1)
        if key is not None:
            self._known[key] = made
        return np.asarray(made)


def _as_column(factor: Any) -> Any:
    """Return a factor for each lane, to multiply the coordinates of its vector with."""
    return factor[:, None] if np.ndim(factor) else factor


HOLDS: dict[str, Callable[..., Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
}
REDUCES: dict[str, tuple[float, Callable[..., Any]]] = {  # the value over nothing, and how a term is added
    "sum": (0.0, np.add),
    "prod": (1.0, np.multiply),
    "min": (np.inf, np.minimum),
    "max": (-np.inf, np.maximum),
}

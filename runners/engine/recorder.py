"""Turns the points of a run into the columns that claims read, chunk by chunk, so that memory does not grow with d * K."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars, Truth, Vectors
from boundcheck.evaluate.columns import LETTER, Column, entries, floor, lead
from boundcheck.evaluate.scans import Parts, RunningMean, Weights, moving_means, shrinking_means
from boundcheck.evaluate.series import Series, Unknown
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Scalar, Term
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Grad, Mean, Point, Vector
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import IsQuadratic, Problem
from boundcheck.runners.engine.leaf_values import Leaves
from boundcheck.runners.engine.segment import (
    Chunk,
    FixedVectors,
    Stretch,
    cut,
    only_offset,
    ordered,
    with_weights,
    without_weights,
)


class Window:
    """The indices low..high - 1 of a chunk, as the place where leaves are read. Local: x_n is stored, x_{n+1} its exact image."""

    def __init__(self, recorder: Recorder, chunk: Stretch, low: int, high: int, local: bool, kind: str = "path") -> None:
        self.recorder, self.chunk, self.low, self.high, self.local, self.kind = recorder, chunk, low, high, local, kind

    def point(self, node: Point) -> Vectors:
        return self._read("points", node)

    def gradient(self, node: Point) -> Vectors:
        return self._read("grads", node)

    def _read(self, what: str, node: Point) -> Vectors:
        """The points at the indices of the window; a point at a constant index is one, beside all the others."""
        assert node.index is not None
        offset = node.index.offset
        if node.index.letter is None:
            return self.recorder.fixed_point(what, node, self.chunk)
        kind = self.kind if not self.local else "image" if offset else "exact"
        known = getattr(self.chunk.of(node.run), what)(node.name, kind)
        start = self.low - self.chunk.first + offset
        return cut(known, start, start + self.high - self.low, f"{node} at n = {self.low}..{self.high - 1}")

    def step(self, start: Vector, end: Vector) -> tuple[Scalars, Point] | None:
        """x_{n+1} - x_n = -s_n grad f(x_n), where the method moves so."""
        if not (isinstance(start, Point) and isinstance(end, Point) and start.index is not None and end.index is not None):
            return None
        forward = end.index.offset - start.index.offset
        if abs(forward) != 1 or end.index.letter != start.index.letter or end.run != start.run:
            return None
        if start.index.letter is None:  # two points that stand still
            return None
        if start.name != "x" or end.name != "x":
            return None
        scale = self.chunk.of(start.run).step_scale("exact" if self.local else self.kind)
        if scale is None:
            return None
        first = start if forward == 1 else end
        assert first.index is not None
        offset = self.low - self.chunk.first + first.index.offset
        return self.recorder.lengths(scale, offset, offset + self.high - self.low, forward), first

    def mean(self, node: Mean) -> Vectors:
        return self.recorder.means(node, self)["point"]

    def mean_gradient(self, node: Mean) -> Vectors | None:
        return self.recorder.means(node, self).get("gradient")

    def number(self, node: Scalar) -> Scalars:
        return self.recorder.series.values(node, LETTER, self.low, self.high)


class Recorder:
    """Columns of one batch of runs, grown chunk by chunk."""

    def __init__(
        self,
        problem: Problem,
        xp: Arithmetic,
        wanted: Iterable[Column],
        letters: Mapping[str, Any],
        state: frozenset[str] | Mapping[str, frozenset[str]] = GRADIENT_DESCENT.state,
        even: bool = False,
    ) -> None:
        """`state`: the sequences that reach one entry further than the steps do, for each run where there are several.

        `even`: all steps are one number, and means with steps for weights are means without.
        """
        self.problem, self.xp = problem, xp
        states = state if isinstance(state, Mapping) else {"": state}
        self.leads = {column: lead(column.formula, states) for column in ordered(with_weights(wanted))}
        self.floors = {column: floor(column.formula, states) for column in self.leads}
        self.offsets = {column: only_offset(column.formula, states) for column in self.leads}
        self.formulas = {column: without_weights(column.formula) if even else column.formula for column in self.leads}
        self.plain = {c: put_index(c.formula, LETTER, Index(LETTER, -o)) for c, o in self.offsets.items() if o is not None}
        self.parts: dict[Column, list[Scalars]] = {column: [] for column in self.leads}
        self.done = dict.fromkeys(self.leads, 0)
        self.refused: dict[Column, str] = {}
        self.series = Series(xp, self, letters)
        self._means: dict[Any, RunningMean] = {}
        self._lengths: dict[tuple[int, int, int], list[tuple[Scalars, Scalars]]] = {}
        self._always: dict[str, Vectors] = {}
        self._fixed = FixedVectors(xp, self.formulas.values(), states)

    @property
    def span(self) -> int:
        """How many points past the first of them some entry needs: so many, and one, must be there at a time."""
        return max((*self.leads.values(), *self.floors.values()), default=0)

    @property
    def keep_from(self) -> int:
        """The first point that is still needed."""
        return min(self.done.values(), default=np.iinfo(np.int64).max)

    def take(self, first: int, x: Any, g: Any, eta: Any, radius: Any) -> Chunk:
        """Record what the next points give, and say how far off the trajectory may be."""
        with self.xp.sharing():
            chunk = Chunk(self.problem, self.xp, first, x, g, eta, radius)
            self._feed(chunk)
        self.series.forget()
        return chunk

    def take_whole(self, history: Stretch) -> None:
        """Record a run that is there from its first point to its last."""
        with self.xp.sharing():
            self._feed(history)
        self.series.forget()

    def lengths(self, scale: Scalars, low: int, high: int, forward: int) -> Scalars:
        """Steps with their sign, made once for a chunk: what is scaled by the same numbers is then the same."""
        name = (low, high, forward)
        known = self._lengths.setdefault(name, [])
        for of, made in known:
            if of is scale:
                return made
        part = cut(scale, low, high, "the steps of a chunk")
        known.append((scale, -part if forward == 1 else part))
        return known[-1][1]

    def _feed(self, chunk: Stretch) -> None:
        windows: dict[Any, Leaves] = {}
        made: dict[Any, Scalars] = {}
        self._lengths.clear()
        self._fixed.look_at_points(chunk)
        for column, reach in self.leads.items():
            low, high = self.done[column], chunk.first + chunk.count - reach
            if high <= low or self.floors[column] >= chunk.first + chunk.count:
                continue
            self.done[column] = high
            if column in self.refused:
                continue
            if isinstance(column.formula, Term):
                start = low - chunk.first
                try:
                    numbers = chunk.of(column.formula.run).numbers(column.formula.name)
                    self.parts[column].append(cut(numbers, start, start + high - low, str(column)))
                except NotInThisArithmetic as no:
                    self.refused[column] = str(no)
                continue
            name = (self.formulas[column].key, column.local, low, high)
            try:
                if name not in made:
                    value = self._value(column, chunk, low, high, windows)
                    made[name] = _full(self.xp, value, chunk.runs, high - low)
            except (NotInThisArithmetic, Unknown) as no:
                self.refused[column] = str(no)
                continue
            self.parts[column].append(made[name])
        self._fixed.look_at_means(self, chunk)

    def _value(self, column: Column, chunk: Stretch, low: int, high: int, windows: dict[Any, Leaves]) -> Scalars:
        """A column at low..high - 1. One of a single point is read off the whole chunk, so its middles agree at all offsets."""
        offset = self.offsets[column]
        if offset is None:
            at = (low, high, column.local)
            if at not in windows:
                windows[at] = Leaves(self.problem, self.xp, Window(self, chunk, *at), self._always)
            return windows[at].value(self.formulas[column])
        kind = "path" if not column.local else "image" if offset else "exact"
        if kind not in windows:
            windows[kind] = Leaves(
                self.problem, self.xp, Window(self, chunk, chunk.first, chunk.first + chunk.count, False, kind), self._always
            )
        start = low - chunk.first + offset
        whole = windows[kind].once(self.plain[column])
        return cut(whole, start, start + high - low, str(column)) if whole.shape[-1:] == (chunk.count,) else whole

    def fixed_point(self, what: str, node: Point, chunk: Stretch) -> Vectors:
        """A point, or its gradient, at a constant index."""
        return self._fixed.point(what, node, chunk)

    def means(self, node: Mean, window: Window) -> dict[str, Vectors]:
        """The means at the indices of the window: of the points, and of their gradients where these are the gradients there."""
        low, high, chunk, count = node.low, node.high, window.chunk, window.high - window.low
        if low.letter is None and high.letter is None:
            return self._fixed.means(node, self, chunk)
        given = self.weights_and_parts(node, chunk)
        if high.letter is None:
            return shrinking_means(self.xp, window.low + low.offset, high.offset, count, *given)
        if low.letter is not None:
            return moving_means(self.xp, window.low + low.offset, window.low + high.offset, count, *given)
        behind = chunk.first + chunk.count - window.high  # columns that end at different points go on from different ones
        carried = self._means.setdefault((node.key, behind), RunningMean(node, self.xp))
        return carried.means(window.low + high.offset, window.high + high.offset, *given)

    def weights_and_parts(self, node: Mean, chunk: Stretch) -> tuple[Weights, Parts]:
        """What a mean is made of, at the indices low..high - 1 of its own letter."""
        if LETTER in node.of.free | node.weight.free:
            raise NotInThisArithmetic(
                f"{node} reads {LETTER} inside: the mean of each {LETTER} is another sum, not the one before with a term more"
            )
        if node.low.letter is None and node.low.offset < 0:
            raise NotInThisArithmetic(f"{node} reads an entry {node.low.offset}; the first one is 0")

        def part(vector: Vector) -> Any:
            return lambda low, high: self._along(put_index(vector, node.letter, Index(LETTER)), chunk, low, high)

        parts = {"point": part(node.of)}
        if self.problem.has(IsQuadratic):
            parts["gradient"] = part(Grad(node.of))
        return (lambda low, high: self._weights(node, low, high)), parts

    def _along(self, vector: Vector, chunk: Stretch, low: int, high: int) -> Vectors:
        """A vector at n = low..high - 1; for high = low, zeros of its shape."""
        if high <= low:
            return self.xp.vectors(np.zeros((chunk.runs, 1, self.problem.dimension)))
        made = Leaves(self.problem, self.xp, Window(self, chunk, low, high, False)).vector(vector)
        if made.shape[-1:] == (high - low,):
            return made
        return made + self.xp.vectors(np.zeros((chunk.runs, high - low, self.problem.dimension)))  # it stands still

    def _weights(self, node: Mean, low: int, high: int) -> Scalars:
        w = self.series.values(node.weight, node.letter, low, high)
        return w if w.shape[-1:] == (high - low,) else w + self.xp.scalars(np.zeros((1, high - low)))

    def window(self, column: Column, low: int, high: int) -> Scalars:
        """Columns recorded so far, for the weights of means."""
        if column in self.refused:
            raise NotInThisArithmetic(self.refused[column])
        parts = self.parts[column]
        if not parts:
            raise NotInThisArithmetic(f"the run is too short for {column}")
        if len(parts) > 1:
            self.parts[column] = parts = [self.xp.concatenate(parts)]
        return entries(self.xp, parts[0], low, high)

    def too_short(self, steps: int) -> dict[Column, str]:
        """Why columns that nobody refused are not there: no run got as far as their first entry."""
        absent = [column for column, parts in self.parts.items() if not parts and column not in self.refused]
        return {c: f"the run is too short for {c}: it made {steps} steps" for c in absent}

    def accept(self, columns: Mapping[Column, Scalars]) -> None:
        """Columns that were made elsewhere, whole."""
        self.parts.update({column: [values] for column, values in columns.items()})

    def columns(self, steps: Any = None) -> dict[Column, Scalars]:
        """All columns. `steps`: how many each run made, where some went on past their end; there is nothing to read then."""
        whole = {c: self.xp.concatenate(p) if len(p) > 1 else p[0] for c, p in self.parts.items() if p and c not in self.refused}
        return whole if steps is None else {c: self._within(c, values, np.asarray(steps)) for c, values in whole.items()}

    def _within(self, column: Column, values: Scalars, steps: Any) -> Scalars:
        """A column as long as the longest run's, undefined where a run has no such entry."""
        lengths = np.where(steps >= self.floors[column], np.maximum(steps + 1 - self.leads[column], 0), 0)
        longest = int(lengths.max(initial=0))
        if longest < values.shape[-1]:
            values = values[..., :longest]
        if lengths.min(initial=longest) >= values.shape[-1]:
            return values
        there = np.where(np.arange(values.shape[-1]) < lengths[:, None], Truth.YES, Truth.NO).astype(np.int8)
        return self.xp.choose(there, values, self.xp.undefined((1, 1), "the run ended before"))


def _full(xp: Arithmetic, value: Scalars, runs: int, length: int) -> Scalars:
    """A column of the length asked for: what stands still is repeated, and nothing else is."""
    if value.shape == (runs, length):
        return value
    if value.shape[-1:] not in ((), (1,), (length,)):
        raise LookupError(f"found {value.shape[-1]} entries of a column where {length} were asked for")
    return value + xp.scalars(np.zeros((runs, length)))

"""Turns the points of a run into the columns that claims read, chunk by chunk, so that memory does not grow with d * K."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars, Vectors
from boundcheck.evaluate.columns import Column, as_column, leaves
from boundcheck.evaluate.series import Series
from boundcheck.language.ranges import highest
from boundcheck.language.rewrite import put_index, transform
from boundcheck.language.scalars import Scalar, Term, as_scalar
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Point, Scaled, Vector
from boundcheck.method import GRADIENT_DESCENT
from boundcheck.problem import IsQuadratic, Problem
from boundcheck.runners.chunk import Chunk
from boundcheck.runners.history import History, Together
from boundcheck.runners.leaves import Leaves
from boundcheck.runners.means import RunningMean

Stretch = Chunk | History | Together


class Window:
    """The indices low..high - 1 of a chunk, as the place where leaves are read. Local: x_n is stored, x_{n+1} its exact image."""

    def __init__(self, recorder: Recorder, chunk: Stretch, low: int, high: int, local: bool, kind: str = "path") -> None:
        self.recorder, self.chunk, self.low, self.high, self.local, self.kind = recorder, chunk, low, high, local, kind

    def _slice(self, node: Point) -> tuple[str, slice]:
        assert node.index is not None
        offset = node.index.offset
        if node.index.letter is None:
            raise NotInThisArithmetic(f"{node} beside a moving index in one leaf")
        start = self.low - self.chunk.first
        if self.local:
            return ("exact" if offset == 0 else "image"), slice(start + offset, start + offset + self.high - self.low)
        return self.kind, slice(start + offset, start + offset + self.high - self.low)

    def point(self, node: Point) -> Vectors:
        kind, where = self._slice(node)
        return self.chunk.of(node.run).points(node.name, kind)[:, where]

    def gradient(self, node: Point) -> Vectors:
        kind, where = self._slice(node)
        return self.chunk.of(node.run).grads(node.name, kind)[:, where]

    def step(self, start: Vector, end: Vector) -> tuple[Scalars, Point] | None:
        """x_{n+1} - x_n = -s_n grad f(x_n), where the method moves so."""
        if not (isinstance(start, Point) and isinstance(end, Point) and start.index is not None and end.index is not None):
            return None
        forward = end.index.offset - start.index.offset
        if abs(forward) != 1 or end.index.letter != start.index.letter or end.run != start.run:
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
        return self.recorder.series.values(node, "n", self.low, self.high)


class Recorder:
    """Columns of one batch of runs, grown chunk by chunk."""

    def __init__(
        self,
        problem: Problem,
        xp: Arithmetic,
        wanted: Iterable[Column],
        letters: Mapping[str, Any],
        state: frozenset[str] = GRADIENT_DESCENT.state,
        even: bool = False,
    ) -> None:
        """`even`: all steps are one number, and means with steps for weights are means without."""
        self.problem, self.xp = problem, xp
        self.leads = {column: lead(column.formula, state) for column in _ordered(_with_weights(wanted))}
        self.offsets = {column: only_offset(column.formula) for column in self.leads}
        self.formulas = {column: without_weights(column.formula) if even else column.formula for column in self.leads}
        self.plain = {c: put_index(c.formula, "n", Index("n", -o)) for c, o in self.offsets.items() if o is not None}
        self.parts: dict[Column, list[Scalars]] = {column: [] for column in self.leads}
        self.done = dict.fromkeys(self.leads, 0)
        self.refused: dict[Column, str] = {}
        self.series = Series(xp, self, letters)
        self._means: dict[Any, RunningMean] = {}
        self._lengths: dict[Any, tuple[Scalars, Scalars]] = {}
        self._always: dict[str, Vectors] = {}
        self._latest: dict[Any, tuple[tuple[int, int], dict[str, Vectors]]] = {}

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
        name = (id(scale), low, high, forward)
        if name not in self._lengths:
            part = scale[:, low:high]
            self._lengths[name] = (-part if forward == 1 else part, scale)
        return self._lengths[name][0]

    def _feed(self, chunk: Stretch) -> None:
        windows: dict[Any, Leaves] = {}
        made: dict[Any, Scalars] = {}
        self._lengths.clear()
        for column, reach in self.leads.items():
            low, high = self.done[column], chunk.first + chunk.count - reach
            if high <= low:
                continue
            self.done[column] = high
            if column in self.refused:
                continue
            if isinstance(column.formula, Term):
                start = low - chunk.first
                try:
                    numbers = chunk.of(column.formula.run).numbers(column.formula.name)
                    self.parts[column].append(numbers[:, start : start + high - low])
                except NotInThisArithmetic as no:
                    self.refused[column] = str(no)
                continue
            name = (self.formulas[column].key, column.local, low, high)
            try:
                if name not in made:
                    value = self._value(column, chunk, low, high, windows)
                    made[name] = _full(self.xp, value, chunk.runs, high - low)
            except NotInThisArithmetic as no:
                self.refused[column] = str(no)
                continue
            self.parts[column].append(made[name])

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
        return windows[kind].once(self.plain[column])[..., start : start + high - low]

    def means(self, node: Mean, window: Window) -> dict[str, Vectors]:
        if node.low.letter is not None:
            raise NotInThisArithmetic(f"{node} begins at {node.low}: only means from a fixed start are carried along a run")
        at, chunk = (window.low + node.high.offset, window.high + node.high.offset), window.chunk
        behind = chunk.first + chunk.count - window.high  # columns that end at different points go on from different ones
        name = (node.key, behind)
        if name not in self._means:
            self._means[name] = RunningMean(node, self.xp)
        elif self._latest[name][0] == at:
            return self._latest[name][1]

        def part(vector: Vector) -> Any:
            return lambda low, high: Leaves(self.problem, self.xp, Window(self, chunk, low, high, False)).vector(
                _put(vector, node.letter)
            )

        parts = {"point": part(node.of)}
        if self.problem.has(IsQuadratic):
            parts["gradient"] = part(Grad(node.of))
        result = self._means[name].extend(*at, lambda low, high: self._weights(node, low, high), parts)
        self._latest[name] = (at, result)
        return result

    def _weights(self, node: Mean, low: int, high: int) -> Scalars:
        w = self.series.values(node.weight, node.letter, low, high)
        return w if w.shape[-1:] == (high - low,) else w + self.xp.scalars(np.zeros((1, high - low)))

    def window(self, column: Column, low: int, high: int) -> Scalars:
        """Columns recorded so far, for the weights of means."""
        if column in self.refused:
            raise NotInThisArithmetic(self.refused[column])
        parts = self.parts[column]
        if len(parts) > 1:
            self.parts[column] = parts = [self.xp.concatenate(parts)]
        return parts[0][..., low:high]

    def accept(self, columns: Mapping[Column, Scalars]) -> None:
        """Columns that were made elsewhere, whole."""
        self.parts.update({column: [values] for column, values in columns.items()})

    def columns(self) -> dict[Column, Scalars]:
        return {c: self.xp.concatenate(p) if len(p) > 1 else p[0] for c, p in self.parts.items() if p and c not in self.refused}


def lead(formula: Scalar, state: frozenset[str]) -> int:
    """How many points past x_n the entry n needs: 1 for a chord or a step. What is not carried exists once step n is made."""
    tops = [offset + (name not in state) for (_, name), offset in highest(formula, "n").items()]
    return max(tops, default=0)


def _with_weights(wanted: Iterable[Column]) -> set[Column]:
    """The columns, and those that the weights of their means and the factors of their vectors read."""
    wanted = set(wanted)
    inside = [n for c in wanted for n in c.formula.walk()]
    numbers = [n.weight for n in inside if isinstance(n, Mean)] + [n.factor for n in inside if isinstance(n, Scaled)]
    return wanted | {as_column(leaf)[0] for number in numbers for leaf in leaves(number)}


def without_weights(formula: Scalar) -> Scalar:
    """The formula with every mean that weighs by the steps taken plainly."""

    def change(node: Node) -> Node | None:
        if not isinstance(node, Mean) or not isinstance(node.weight, Term) or node.weight.name != "eta" or node.weight.run:
            return None
        return Mean(node.of, as_scalar(1), node.letter, node.low, node.high)

    return transform(formula, change)


def only_offset(formula: Scalar) -> int | None:
    """The offset of the one point that a formula reads, beside x*; None where it reads several, or a mean, or a step."""
    if any(isinstance(n, Mean | Term) for n in formula.walk()):
        return None
    found = {(n.name, n.run, n.index) for n in formula.walk() if isinstance(n, Point)}
    if len(found) != 1:
        return None
    *_, index = found.pop()
    return None if index is None or index.letter is None else index.offset


def _ordered(wanted: Iterable[Column]) -> list[Column]:
    """Columns that others weigh or scale with come before those that read them: steps, then numbers of points, then means."""

    def rank(column: Column) -> int:
        kinds = {type(n) for n in column.formula.walk()}
        return 0 if isinstance(column.formula, Term) else 3 if Mean in kinds else 2 if Scaled in kinds else 1

    return sorted(set(wanted), key=lambda c: (rank(c), str(c), c.local))


def _put(vector: Vector, letter: str) -> Vector:
    return put_index(vector, letter, Index("n"))


def _full(xp: Arithmetic, value: Scalars, runs: int, length: int) -> Scalars:
    return value if value.shape == (runs, length) else value + xp.scalars(np.zeros((runs, length)))

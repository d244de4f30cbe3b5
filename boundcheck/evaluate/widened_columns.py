"""Columns of a run whose steps were frozen, or whose points were rounded, as wide as that could have moved them.

A step that a rule chooses is frozen to a number just below it, and the run is that of the frozen steps. What it decides must not
rest on that: `3 eta_k - 1 >= 0` fails for every number below 1/3, and holds for the rule that says 1/3. So a decision on such a
run is kept only if it is the same for all columns near the recorded ones: within `frozen_within` of themselves, relatively, and
of the largest of the entries just before, within nearly all bits. What rests on no step, f(x_0), is as it was.

Where the gradient is that small, the rule's own steps may have landed on a minimiser exactly, and ended the run there: what comes
after, and chords from there, may not exist, and are not known. The same is so where the ends of a chord are that near.

The same is asked of claims about one step, which are asked of stored points, where those are only near the run's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Arithmetic, Order, Scalars
from boundcheck.evaluate.columns import LETTER, Column, as_column
from boundcheck.language.letters import grad, i, normsq
from boundcheck.language.ranges import last_step
from boundcheck.language.scalars import Chord, Gap, Normsq, Term
from boundcheck.language.vectors import Point

LANDED = 2.0**32  # units of the last bit: how far freezing may have moved a column, of the entries just before
BEFORE = 8  # entries: along a run that converges, steps move what is left of it by as little as they move a step


@runtime_checkable
class Replayed(Protocol):
    """A trace: columns, and others by running again."""

    @property
    def columns(self) -> Mapping[Column, Scalars]: ...
    def window(self, column: Column, low: int, high: int) -> Scalars: ...

    def with_columns(self, wanted: Iterable[Column]) -> Replayed: ...


class Widened:
    """The columns of a trace, each entry with a radius more."""

    def __init__(self, xp: Arithmetic, trace: Replayed) -> None:
        self.xp, self.trace = xp, trace
        self._landings: dict[str, NDArray[np.int64]] = {}
        self._closings: dict[tuple[Column, Column], NDArray[np.bool_]] = {}

    def window(self, column: Column, low: int, high: int) -> Scalars:
        values = self.trace.window(column, low, high)
        first = max(0, low - BEFORE)
        size = np.abs(self.xp.middle(self.trace.window(column, first, high)))
        before, size = _largest_before(size)[..., low - first :], size[..., low - first :]
        far = self._far
        if isinstance(column.formula, Gap | Normsq):  # squares: d^2 moves by 2 d e + e^2, where d moves by e
            apart = 2 * far * np.sqrt(size) * np.sqrt(before) + far * far * before
        else:
            apart = far * before
        error = np.nan_to_num(self.xp.frozen_within * size + apart, nan=np.inf)
        step = _last_step(column)
        if step is not None:
            if low == 0 and step < 0:
                error[..., 0] = 0.0
            last = self.landed(_runs(column)) - (max(step, 0) if _has_chord(column) else step)
            error = np.where(np.arange(low, low + size.shape[-1]) >= last[:, None], np.inf, error)
        if _may_close(column):
            error = np.full(error.shape, np.inf)
        for distance, step_there, inside in _ends_that_move(column):
            closed = self._closed(distance, step_there)
            closed = (np.logical_or.accumulate(closed, -1) if inside else closed)[..., low:high]
            error[..., : closed.shape[-1]][closed] = np.inf
        return self.xp.scalars(values, error)

    @property
    def _far(self) -> float:
        return LANDED * self.xp.frozen_within**2  # of the bits, half are `frozen_within`

    def landed(self, runs: frozenset[str]) -> NDArray[np.int64]:
        """For each row, the first point at which the rule's own steps may have ended one of these runs; past the last if none."""
        first, *others = [self._landed(run) for run in sorted(runs)]
        for other in others:
            first = np.minimum(first, other)
        return first

    def _closed(self, distance: Column, step: Column) -> NDArray[np.bool_]:
        """Where the ends of a chord are so near, for the steps taken there, that the rule's own steps may have joined them."""
        if (distance, step) not in self._closings:
            trace = self.trace.with_columns([distance, step])
            if distance not in trace.columns:
                return np.zeros((1, 0), dtype=bool)  # points that were recorded, not run: they are the run's own
            apart = self.xp.middle(trace.columns[distance])
            scale = apart.copy()
            if step in trace.columns:
                moved = self.xp.middle(trace.columns[step])[..., : apart.shape[-1]]
                scale[..., : moved.shape[-1]] = np.fmax(scale[..., : moved.shape[-1]], moved)
            self._closings[distance, step] = apart <= self._far**2 * _largest_before(scale)
        return self._closings[distance, step]

    def _landed(self, run: str) -> NDArray[np.int64]:
        if run not in self._landings:
            self._landings[run] = self._find_landing(_gradient(run))
        return self._landings[run]

    def _find_landing(self, gradient: Column) -> NDArray[np.int64]:
        trace = self.trace if gradient in self.trace.columns else self.trace.with_columns([gradient])
        if gradient not in trace.columns:
            return np.array([np.iinfo(np.int32).max])
        squares = self.xp.middle(trace.columns[gradient])
        with np.errstate(all="ignore"):
            small = squares <= self._far**2 * _largest_before(squares)
        at_start = self.xp.compare(trace.window(gradient, 0, 1), self.xp.scalar(0)) != Order.GREATER
        small[:, :1] |= np.broadcast_to(at_start, small[:, :1].shape)
        return np.where(small.any(-1), small.argmax(-1), np.iinfo(np.int32).max)


def _largest_before(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each entry the largest of it and of the BEFORE entries before it."""
    largest = sizes.copy()
    for n in range(1, min(BEFORE, sizes.shape[-1] - 1) + 1):
        np.fmax(largest[..., n:], sizes[..., :-n], out=largest[..., n:])
    return largest


@lru_cache(maxsize=4096)
def _last_step(column: Column) -> int | None:
    """The latest step on which entry n rests, as an offset from n: -1 for f(x_n). None where it rests on none."""
    return last_step(column.formula, LETTER)


@lru_cache(maxsize=4096)
def _may_close(column: Column) -> bool:
    """Whether the ends of a chord may be one point of the rule's own run, though the frozen steps keep them apart.

    Points two steps apart or more may be: 2/L comes back. So may a moving point and a fixed one, and points of two runs: how far
    they were apart before says nothing. Of the ends of one step, of x_k and y_k or a mean it does: `_closed` looks for it.
    """
    for node in column.formula.walk():
        ends = [node.start, node.end] if isinstance(node, Chord) else []
        points = [end for end in ends if isinstance(end, Point) and end.index is not None]
        if len(points) == 2 and (
            len({(end.run, end.index.letter) for end in points if end.index is not None}) == 2
            or abs(points[0].index.offset - points[1].index.offset) > 1  # type: ignore[union-attr]
        ):
            return True
    return False


@lru_cache(maxsize=4096)
def _ends_that_move(column: Column) -> tuple[tuple[Column, Column, bool], ...]:
    """Of each chord between two moving ends: the columns of its squared length and of a step's; whether a mean is over it."""
    chords = [node for node in column.formula.walk() if isinstance(node, Chord) and node.start.free and node.end.free]
    return tuple(
        (as_column(Normsq(chord.start - chord.end), column.local)[0], _step(run), LETTER not in chord.free)
        for chord in dict.fromkeys(chords)
        for run in sorted({node.run for node in chord.walk() if isinstance(node, Point)})
    )


@lru_cache(maxsize=64)
def _step(run: str) -> Column:
    return as_column(normsq(Point("x", i + 1, run) - Point("x", i, run)))[0]


@lru_cache(maxsize=4096)
def _runs(column: Column) -> frozenset[str]:
    """The runs whose points or steps a column reads; the first run where it names none."""
    return frozenset(node.run for node in column.formula.walk() if isinstance(node, Point | Term)) or frozenset({""})


@lru_cache(maxsize=64)
def _gradient(run: str) -> Column:
    return as_column(normsq(grad(Point("x", i, run))))[0]


@lru_cache(maxsize=4096)
def _has_chord(column: Column) -> bool:
    return any(isinstance(node, Chord) for node in column.formula.walk())

"""Columns of a run whose steps were frozen, as wide as the freezing could have moved them.

A step that a rule chooses is frozen to a number just below it, and the run is that of the frozen steps. What it decides must not
rest on that: `3 eta_k - 1 >= 0` fails for every number below 1/3, and holds for the rule that says 1/3. So a decision on such a
run is kept only if it is the same for all columns near the recorded ones: within `frozen_within` of themselves, relatively, and
of the largest entry so far, by what freezing moved times LANDED. What rests on no step, as f(x_0) does, is as it was.

Where the gradient is that small, the rule's own steps may have landed on a minimiser exactly, and ended the run there: what comes
after, and chords from there, may not exist, and are not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Arithmetic, Scalars
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.evaluate.standard import LETTER
from boundcheck.language.letters import grad, i, normsq, x
from boundcheck.language.scalars import Chord
from boundcheck.lint.horizon import last_step

LANDED = 2.0**24  # times what freezing moved a step by: how far it may have moved a column, of its largest entry so far
GRADIENT = as_column(normsq(grad(x[i])))[0]


@runtime_checkable
class Replayed(Protocol):
    """A trace: columns, and others by running again."""

    @property
    def columns(self) -> Mapping[Column, Scalars]: ...

    @property
    def moved(self) -> float: ...

    def window(self, column: Column, low: int, high: int) -> Scalars: ...

    def with_columns(self, wanted: Iterable[Column]) -> Replayed: ...


class Widened:
    """The columns of a trace, each entry with a radius more."""

    def __init__(self, xp: Arithmetic, trace: Replayed) -> None:
        self.xp, self.trace = xp, trace
        self._largest: dict[Column, tuple[int, Any]] = {}  # of each column, up to which entry, and how large it has been by then

    def window(self, column: Column, low: int, high: int) -> Scalars:
        values = self.trace.window(column, low, high)
        size = np.abs(self.xp.middle(values))
        until, largest = self._largest.get(column, (0, 0.0))
        if until < low:
            before = np.abs(self.xp.middle(self.trace.window(column, until, low))).max(-1, keepdims=True, initial=0.0)
            largest = np.fmax(largest, before)
        so_far = np.fmax.accumulate(np.fmax(size, largest if until <= low else 0.0), axis=-1)
        if high > until and size.shape[-1]:
            self._largest[column] = (high, np.fmax(largest, so_far[..., -1:]))
        error = np.nan_to_num(self.xp.frozen_within * size + LANDED * self.trace.moved * so_far, nan=np.inf)
        step = _last_step(column)
        if step is not None:
            if low == 0 and step < 0:
                error[..., 0] = 0.0
            last = self.landed - (max(step, 0) if _has_chord(column) else step)
            error = np.where(np.arange(low, low + size.shape[-1]) >= last[:, None], np.inf, error)
        return self.xp.scalars(values, error)

    @cached_property
    def landed(self) -> NDArray[np.int64]:
        """For each run, the first point at which the rule's own steps may have ended it; past the last where there is none."""
        trace = self.trace if GRADIENT in self.trace.columns else self.trace.with_columns([GRADIENT])
        if GRADIENT not in trace.columns:
            return np.array([np.iinfo(np.int32).max])
        squares = self.xp.middle(trace.columns[GRADIENT])
        with np.errstate(all="ignore"):
            small = squares <= (LANDED * self.trace.moved) ** 2 * np.fmax.accumulate(squares, axis=-1)
        return np.where(small.any(-1), small.argmax(-1), np.iinfo(np.int32).max)


@lru_cache(maxsize=4096)
def _last_step(column: Column) -> int | None:
    """The latest step on which entry n rests, as an offset from n: -1 for f(x_n). None where it rests on none."""
    return last_step(column.formula, LETTER)


@lru_cache(maxsize=4096)
def _has_chord(column: Column) -> bool:
    return any(isinstance(node, Chord) for node in column.formula.walk())

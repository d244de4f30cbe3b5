"""Columns of a run whose steps were frozen, as wide as the freezing could have moved them.

A step that a rule chooses is frozen to a number just below it, and the run is that of the frozen steps. What it decides must not
rest on that: `3 eta_k - 1 >= 0` fails for every number below 1/3, and holds for the rule that says 1/3. So a decision on such a
run is kept only if it is the same for all columns near the recorded ones: within `frozen_within` of themselves, relatively, and
of the largest entry so far, times LANDED. Where the rule's own steps land on a minimiser exactly, all that a run has is freezing.
What rests on no step, as f(x_0) does, is as it was.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Scalars
from boundcheck.evaluate.columns import Column
from boundcheck.evaluate.standard import LETTER
from boundcheck.lint.horizon import last_step

LANDED = 2.0**-32


class Recorded(Protocol):
    """Where columns are read: a trace."""

    def window(self, column: Column, low: int, high: int) -> Scalars: ...


class Widened:
    """The columns of a trace, each entry with a radius more."""

    def __init__(self, xp: Arithmetic, trace: Recorded) -> None:
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
        error = np.nan_to_num(self.xp.frozen_within * (size + LANDED * so_far), nan=np.inf)
        if low == 0 and _rests_on_no_step(column):
            error[..., 0] = 0.0
        return self.xp.scalars(values, error)


@lru_cache(maxsize=4096)
def _rests_on_no_step(column: Column) -> bool:
    """Is entry 0 of a column the same for all steps, as f(x_0) is? Then freezing did not move it."""
    step = last_step(column.formula, LETTER)
    return not column.local and (step is None or step < 0)

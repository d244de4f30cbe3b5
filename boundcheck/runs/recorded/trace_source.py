"""From a recorded run to what a trace holds: its columns on demand, the method it was seen to be, and what verdicts must say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars
from boundcheck.evaluate.columns import Column
from boundcheck.runs.recorded.agreement import refuse_contradictions
from boundcheck.runs.recorded.columns import Columns
from boundcheck.runs.recorded.descent import Descent, descent
from boundcheck.runs.recorded.recording import Recorded
from boundcheck.runs.recorded.rounding import errors


@dataclass(frozen=True)
class Sealed:
    """A recorded run that contradicts nothing that is said of it."""

    run: Recorded
    steps: Descent
    xp: Arithmetic
    constants: dict[str, Any]
    columns: Columns
    refused: dict[str, str]  # filled as columns are asked for

    def replay(self, missing: Iterable[Column]) -> dict[Column, Scalars]:
        made = {}
        for column in missing:
            try:
                with np.errstate(all="ignore"):
                    made[column] = self.columns.column(column)
            except NotInThisArithmetic as no:
                self.refused[str(column)] = str(no)
        return made

    @property
    def notes(self) -> tuple[str, ...]:
        run, said = self.run, self.steps.notes
        problem = run.problem.notes if run.problem is not None else ()
        error = f"errors of the recorded numbers are assumed, {run.relative_error:.1g} relatively, not bounded"
        drift = "" if run.L is not None or not self.steps.holds else "no L is declared: the drift is judged by the largest seen"
        return (*run.notes, *said, *problem, *filter(None, (self.columns.star.note(run), error, drift)))

    @property
    def open(self) -> str:
        """What the run does not tell of an estimated x* or f*, or ""."""
        return self.columns.star.open(self.run)


def seal(run: Recorded) -> Sealed:
    xp = arithmetic("float64")
    steps = descent(run)
    known = errors(run, steps, xp)
    refuse_contradictions(run, known)
    of_problem = run.problem.constants if run.problem is not None else {}
    constants = {"L": run.L, "mu": run.mu, **of_problem}
    columns = Columns(replace(run, eta=steps.eta), steps, known, xp, constants)
    return Sealed(run, steps, xp, constants, columns, {})

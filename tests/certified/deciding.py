"""The verdicts under test: those of the ladder, each with the trace that it was decided on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from boundcheck.check.answer import answer
from boundcheck.check.precision_ladder import climb, rungs
from boundcheck.check.question import Question
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.runs.trace import Experiment, Trace
from boundcheck.suite.grid import GridSetting

Decided = list[tuple[Verdict, Trace]]


def decide_cell(setting: GridSetting, experiment: Experiment, asked: Sequence[Question]) -> Decided:
    """Each question by the ladder of the setting's arithmetic."""
    made: list[tuple[Sequence[Question], Trace]] = []

    def trace(some: Sequence[Question], name: str, unfrozen: bool) -> Trace | None:
        found = setting._run(experiment, some, name, unfrozen)
        if found is not None:
            made.append((some, found))
        return found

    size = setting.problem.dimension * setting.steps_for(experiment)
    verdicts = climb(asked, trace, rungs(setting.arithmetic, size))
    return [
        (v, _decided_on(v, [t for some, t in made if any(q is s for s in some)])) for q, v in zip(asked, verdicts, strict=True)
    ]


def _decided_on(verdict: Verdict, traces: Sequence[Trace]) -> Trace:
    """Of the traces on which a question was asked, that of its verdict: unfrozen steps are tried after frozen ones were near."""
    mine = [t for t in traces if t.xp.name == verdict.cell.arithmetic]
    return next((t for t in mine if bool(t.follows) != verdict.near), mine[0])


def in_float64(setting: GridSetting, experiment: Experiment, asked: Sequence[Question]) -> Decided:
    """float64 with its error bounds, and no more."""
    trace = setting.trace(experiment, asked, "float64")
    return [(verdict, trace) for verdict in answer(asked, trace)]


def by_looking(setting: GridSetting, experiment: Experiment, asked: Sequence[Question]) -> Decided:
    """A mistake on purpose: lhs <= rhs of the float64 numbers, as if they had no error."""
    trace = setting.trace(experiment, asked, "float64")
    return [(_plainly(verdict), trace) for verdict in answer(asked, trace, sides=True)]


def _plainly(verdict: Verdict) -> Verdict:
    if verdict.left is None or verdict.right is None:
        return verdict
    said = np.where(verdict.left <= verdict.right, np.int8(Outcome.HOLDS), np.int8(Outcome.VIOLATED))
    return replace(verdict, outcomes=np.where(verdict.outcomes == Outcome.VACUOUS, verdict.outcomes, said))

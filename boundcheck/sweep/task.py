"""Doing one work: every question that can be asked there, each with a number of its own, and a verdict or an error."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic, perf_counter
from typing import Any

from boundcheck.check.question import Question
from boundcheck.runs.trace import CHORDS, Experiment
from boundcheck.store import Failure, Journal, Packed, Settled, pack
from boundcheck.suite.grid import GridSetting, GridWork
from boundcheck.support.errors import error_with_place
from boundcheck.sweep.plan import RATIONAL, SweepPlan, Unit

Numbered = list[tuple[int, Question]]
ENOUGH = 2.0  # seconds, for the works that a process is given together
BROKEN = -1  # the number of the row that stands for cells which are not known


@dataclass(frozen=True)
class Done:
    """What came of a work: its cells by their numbers, those that failed, and why it has none. It can be pickled."""

    work: int
    found: dict[int, Packed] = field(default_factory=dict)
    failed: dict[int, Failure] = field(default_factory=dict)
    nothing: str = ""
    seconds: float = 0.0

    def settled(self, key: str) -> Settled:
        return Settled(key, self.found, self.failed, self.nothing, self.seconds)


Wanted = tuple[int, frozenset[int] | None]  # the number of a work, and which of its cells: None for all


def each(plan: SweepPlan, wanted: Sequence[Wanted]) -> Iterator[Done]:
    """The works, one after the other."""
    for number, only in wanted:
        yield do(plan, number, only)


@dataclass(frozen=True)
class Rest:
    """Works that are given back: those before them took longer than was thought, and others may have nothing to do."""

    wanted: list[Wanted]


def each_kept(plan: SweepPlan, wanted: Sequence[Wanted], journal: Journal) -> Iterator[Rest | None]:
    """The same, each in the journal before the next is begun; what is left after a while is given back."""
    began = monotonic()
    for number, done in enumerate(each(plan, wanted), 1):
        journal.add(done.settled(plan.planned[done.work].key))
        yield None
        if number < len(wanted) and monotonic() - began > ENOUGH:
            yield Rest(list(wanted[number:]))
            return


def do(plan: SweepPlan, number: int, only: frozenset[int] | None = None) -> Done:
    """One work, or those of its cells that failed. Nothing that goes wrong in it goes further."""
    started, unit = perf_counter(), plan.units[number]
    try:
        work = plan.work(unit)
        if why := _nothing(work, unit):
            return Done(number, nothing=why)
        asked = _numbered(plan, work)
        if not asked:
            return Done(number, nothing=_why_not_asked(plan, work, unit))
    except Exception as wrong:
        return Done(number, failed={BROKEN: broken(unit, error_with_place(wrong))}, seconds=perf_counter() - started)
    found: dict[int, Packed] = {}
    failed: dict[int, Failure] = {}
    for experiment, numbered in asked:
        chosen = [(n, q) for n, q in numbered if only is None or n in only or BROKEN in only]
        if chosen:
            _answer(plan, work.setting, experiment, chosen, found, failed)
    return Done(number, found, failed, seconds=perf_counter() - started)


def too_long(seconds: float) -> str:
    return f"took longer than {seconds:g} s, and was ended; time_limit says how long it may take"


def broken(unit: Unit, error: str) -> Failure:
    """A work that broke before its cells were known: one row stands for them."""
    return Failure(_said(unit.problem, unit.method), error)


def _numbered(plan: SweepPlan, work: GridWork) -> list[tuple[Experiment, Numbered]]:
    """The experiments of a work, each with its questions, numbered through."""
    found, number = [], 0
    for experiment, asked in work.experiments(plan.spec.smoothness or None):
        found.append((experiment, list(enumerate(asked, number))))
        number += len(asked)
    return found


def _answer(
    plan: SweepPlan,
    setting: GridSetting,
    experiment: Experiment,
    asked: Numbered,
    found: dict[int, Packed],
    failed: dict[int, Failure],
) -> None:
    """What fails together is asked one by one: a claim that breaks takes no other with it."""
    try:
        verdicts = setting.answers(experiment, [q for _, q in asked], sides=plan.spec.iterates)
        found |= {n: pack(verdict) for (n, _), verdict in zip(asked, verdicts, strict=True)}
    except Exception as wrong:
        if len(asked) > 1:
            for one in asked:
                _answer(plan, setting, experiment, [one], found, failed)
            return
        ((number, q),) = asked
        method = CHORDS if experiment.rule is None else experiment.rule.name
        said = _said(setting.problem.name, method, q.bound.id, q.smoothness, {name: str(value) for name, value in q.values})
        failed[number] = Failure(said, error_with_place(wrong))


def _said(problem: str, method: str, claim: str = "", smoothness: str = "", parameters: dict[str, str] | None = None) -> str:
    cell: dict[str, Any] = {"claim": claim, "problem": problem, "method": method, "smoothness": smoothness}
    return json.dumps({**cell, "parameters": parameters or {}}, ensure_ascii=False)


# -- why there is no cell ------------------------------------------------------------------------------------------------


def _nothing(work: GridWork, unit: Unit) -> str:
    problem = work.setting.problem
    if unit.arithmetic == RATIONAL and not problem.rational:
        return f"{problem.name} cannot be evaluated in exact rationals"
    return "" if work.rule is None else work.rule.missing(problem)


def _why_not_asked(plan: SweepPlan, work: GridWork, unit: Unit) -> str:
    """Why no claim says anything here: the first reason of all."""
    smoothness = plan.spec.smoothness or None
    for bound in work.bounds:
        if bound.is_about_chords != (unit.method == CHORDS):
            continue
        if bound.untested:
            return f"{bound.id} cannot be tried: {bound.untested}"
        for q, why in work.setting.considered(bound, work.rule, smoothness):
            if why is not None:
                return why.why if q.out_of_place else f"{bound.id} by {unit.method}: {why.why}"
    return f"no claim can be asked of {work.setting.problem.name} by {unit.method} with these M"

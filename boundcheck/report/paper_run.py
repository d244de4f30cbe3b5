"""The runs of a paper as works for a store: done in several processes, each kept as it finishes, none done twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.library.names import problem_named
from boundcheck.model.problem import Problem
from boundcheck.model.rule import RuleError
from boundcheck.report.content import EVERYWHERE, OWN, REFUTATION
from boundcheck.store import Packed, PlannedWork, Store, pack
from boundcheck.store.database import PLANNED
from boundcheck.suite.grid import GridCell, GridSetting, works
from boundcheck.suite.instances import cells_on
from boundcheck.suite.work import refutation
from boundcheck.support.processes.workers import Failed, stream
from boundcheck.support.terminal import Bar


@dataclass(frozen=True)
class PaperTask:
    """Something to do: what it is for, how people call it, and its verdicts, with both sides at each k."""

    kind: str
    name: str
    problem: Problem
    verdicts: Callable[[], Iterable[Verdict]]


def tasks(everywhere: Sequence[GridSetting], bounds: Sequence[Bound]) -> list[PaperTask]:
    """Return where false claims are seen to fail, the instances that claims name for themselves, and the suite."""
    found = [
        PaperTask(REFUTATION, f"{b.id} where it fails", problem_named(b.refuted_by.problem), partial(_refutation, b))
        for b in bounds
        if b.refuted_by is not None
    ]
    for bound in bounds:
        for n, at in enumerate(bound.try_on):
            for cell in cells_on(bound, at):
                name = f"{bound.id} on its instance {n + 1}, {at.problem} by {at.method}"
                found.append(PaperTask(OWN, name, cell.setting.problem, partial(_answered, cell)))
    todo = works(everywhere, bounds)
    return found + [PaperTask(EVERYWHERE, str(w), w.setting.problem, partial(w.verdicts, sides=True)) for w in todo]


def _refutation(bound: Bound) -> list[Verdict]:
    found = refutation(bound, sides=True)
    return [] if found is None else [found]


def _answered(cell: GridCell) -> list[Verdict]:
    return [cell.answered(sides=True)]


def planned(todo: Sequence[PaperTask], same: Mapping[str, Any]) -> list[PlannedWork]:
    """Return each with a key of its own, which other code or claims do not share."""
    run = sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for task in todo:
        seen[task.kind, task.name] += 1
        key = sha256(f"{run}\0{task.kind}\0{task.name}\0{seen[task.kind, task.name]}".encode()).hexdigest()[:32]
        found.append(PlannedWork(key, task.kind, task.name))
    return found


@dataclass(frozen=True)
class _GaveUp:
    """A rule found no step."""

    why: str


def do(store: Store, todo: Sequence[PaperTask], plan: Sequence[PlannedWork], jobs: int) -> int:
    """Do what the store does not have yet; returns how many works it had."""
    open_ones = {work.key for work in store.works() if work.status == PLANNED}
    left = [(task, work) for task, work in zip(todo, plan, strict=True) if work.key in open_ones]
    taken = len(plan) - len(left)
    with ExitStack() as stack:
        bar = stack.enter_context(Bar("checking", len(plan), taken))
        for event in stream([partial(_work, task) for task, _ in left], jobs):
            if event is not None:
                number, what = event
                task, work = left[number]
                if _keep(store, work.key, what):
                    bar.advance(task.name)
            bar.draw()
    return taken


def _keep(store: Store, key: str, what: Any) -> bool:
    """Return whether this settles the work."""
    if isinstance(what, Failed):
        return store.fail(key, what.why)
    if isinstance(what, _GaveUp):
        return store.give_up(key, what.why)
    return isinstance(what, list) and store.finish(key, what)


def _work(task: PaperTask, attempt: int) -> Iterator[list[Packed] | _GaveUp]:
    """In a process of its own."""
    try:
        yield [pack(verdict) for verdict in task.verdicts()]
    except RuleError as why:
        yield _GaveUp(str(why))

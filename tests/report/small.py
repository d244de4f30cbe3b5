"""A small library and what a run of it leaves: two claims, one of them false, on one problem."""

from __future__ import annotations

from functools import cache

from boundcheck.library.catalogue import bounds, problems, rules
from boundcheck.report.paper_run import planned, tasks
from boundcheck.store import Store, pack
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

SAME = {"profile": "quick", "claims": {}}


@cache
def library():
    """The descent lemma, and a printed statement that is false."""
    descent = next(b for b in bounds() if b.label == "lemma:local-descent-lemma")
    refuted = next(b for b in bounds() if b.label == "eq:10" and b.is_refuted)
    return descent, refuted


@cache
def settings():
    return (GridSetting(problems()["huber"](), "rational", PROFILES["quick"], (rules()["1/L"], rules()["polyak(1)"])),)


@cache
def works():
    """The tasks, and what each finds."""
    found = tasks(settings(), library())
    return found, [[pack(verdict) for verdict in task.verdicts()] for task in found]


def store_at(path, *, done=None, failed=(), gave_up=()):
    """A store of the small library's run in which only some works are done: all, unless `done` says how many."""
    todo, found = works()
    same = {**SAME, "claims": {bound.id: bound.hash for bound in library()}}
    plan = planned(todo, same)
    store = Store(path, write=True)
    store.begin(same, {"started": "2026-01-01", "command": "boundcheck paper small"}, plan)
    for n, (work, verdicts) in enumerate(zip(plan, found, strict=True)):
        if n in failed:
            store.fail(work.key, "ZeroDivisionError: division by zero")
        elif n in gave_up:
            store.give_up(work.key, "rule 'x' returned nan at step 3")
        elif done is None or n < done:
            store.finish(work.key, verdicts)
    return store

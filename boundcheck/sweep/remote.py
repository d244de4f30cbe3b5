"""What a worker of a cluster does: it makes the plan from what it is sent, once, and does the works that it is asked for.

Its numbers have one precision at a time for the whole process (python-flint), so works in threads of one process wait for each
other: a cluster has a thread a process.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from boundcheck.report.provenance import code_hash, versions
from boundcheck.sweep.doing import BROKEN, Done, Wanted, broken, each, too_long
from boundcheck.sweep.interrupting import TimeIsUp, interrupted_after
from boundcheck.sweep.plan import Plan
from boundcheck.sweep.sources import beside, shipped
from boundcheck.sweep.spec import Sweep

_alone = Lock()


@dataclass(frozen=True)
class Brief:
    """A sweep as data: its words, the files that it names, and which code and libraries it is of."""

    spec: tuple[tuple[str, Any], ...]
    files: tuple[tuple[str, bytes], ...]
    code: str
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Refused:
    """A worker that would come to other results."""

    why: str


def brief(plan: Plan, folder: Path) -> Brief:
    spec, files = shipped(beside(plan.spec, folder))
    same = plan.same
    return Brief(tuple(spec.to_json().items()), tuple(files.items()), same["code"], tuple(same["versions"].items()))


def work(sent: Brief, wanted: Sequence[Wanted]) -> list[Done] | Refused:
    """On a worker: what came of these works."""
    with _alone:
        if why := _other(sent.code, sent.versions):
            return Refused(why)
        plan = _made(sent)[0]
        return [_limited(plan, one, plan.spec.time_limit) for one in wanted]


def _limited(plan: Plan, wanted: Wanted, seconds: float) -> Done:
    """A work that is interrupted after so many seconds, when it next comes to a line of Python."""
    try:
        with interrupted_after(seconds):
            return next(each(plan, [wanted]))
    except TimeIsUp:
        return Done(wanted[0], failed={BROKEN: broken(plan.units[wanted[0]], too_long(seconds))}, seconds=seconds)


@lru_cache(maxsize=2)
def _made(sent: Brief) -> tuple[Plan, tempfile.TemporaryDirectory[str]]:
    """The plan, and the folder with its files: errors name their lines as long as they are there."""
    folder = tempfile.TemporaryDirectory(prefix="boundcheck-sweep-")
    for name, content in sent.files:
        path = Path(folder.name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return Plan(Sweep(**dict(sent.spec)), Path(folder.name)), folder


@lru_cache(maxsize=2)
def _other(code: str, wanted: tuple[tuple[str, str], ...]) -> str:
    """In what this worker differs, or ""."""
    here = versions()
    for name, version in wanted:
        if here.get(name) != version:
            return f"it has {name} {here.get(name, 'not at all')}, and this sweep {version}"
    return "" if code == code_hash() else "it has other source files of boundcheck, or of what it finds"

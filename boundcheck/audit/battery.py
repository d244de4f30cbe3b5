"""The battery: the problems on which a rule is audited, built by the groups that the catalogues declare."""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.library.catalogue import NotFound, needing, problems
from boundcheck.library.declarations import audit_battery
from boundcheck.model.problem import Problem

STEPS = 100  # of one run


@dataclass(frozen=True)
class BatteryProblem:
    """A problem of the battery, and the group that it stands for."""

    group: str
    problem: Problem


@dataclass(frozen=True)
class SkippedProblem:
    """A problem of the battery that cannot be built here, and why."""

    group: str
    name: str
    why: str


def battery(groups: tuple[str, ...] = ()) -> tuple[list[BatteryProblem], list[SkippedProblem]]:
    """Return the problems of these groups (all, unless some are named), and what had to be left out."""
    known = audit_battery()
    for group in groups:
        if group not in known:
            raise NotFound(f"no group '{group}' in the battery; there are {', '.join(known)}")
    places: list[BatteryProblem] = []
    skipped: list[SkippedProblem] = []
    for group in groups or known:
        for name in known[group]:
            found = _built(name)
            if isinstance(found, Problem):
                places.append(BatteryProblem(group, found))
            else:
                skipped.append(SkippedProblem(group, name, found))
    return places, skipped


def _built(name: str) -> Problem | str:
    """Return the problem, or why it is not there."""
    make = problems().get(name)
    if make is not None:
        return make()
    if name not in needing():
        return "no such problem is installed"
    try:
        return needing()[name]()
    except (ValueError, ImportError) as wrong:
        return str(wrong)

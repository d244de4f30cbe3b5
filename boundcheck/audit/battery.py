"""The battery: problems of the catalogue on which a rule is audited, by what they are there to show. All of them are small."""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.library.catalogue import NotFound, needing, problems
from boundcheck.model.problem import Problem

STEPS = 100  # of one run

GROUPS: dict[str, tuple[str, ...]] = {
    "quadratic": ("isotropic-4d", "quadratic-2d", "quadratic-3d", "rank-deficient-6d"),
    "ill-conditioned": ("ill-conditioned-2d", "quadratic-30d"),
    "logistic": ("logistic-40x5", "logistic-280x34"),
    "logistic on real data": ("ionosphere-attained", "mammographic"),
    "separable": ("logistic-separable", "ionosphere"),
    "sqrt(x^2 + eps^2)": ("smooth-abs", "smooth-abs-1/100"),
    "Huber": ("huber", "ridge-2d"),
    "not L-smooth": ("quartic", "power-6"),
}


@dataclass(frozen=True)
class Place:
    """A problem of the battery, and the group that it stands for."""

    group: str
    problem: Problem


@dataclass(frozen=True)
class Skipped:
    """A problem of the battery that cannot be built here, and why."""

    group: str
    name: str
    why: str


def battery(groups: tuple[str, ...] = ()) -> tuple[list[Place], list[Skipped]]:
    """The problems of these groups (all, unless some are named), and what had to be left out."""
    for group in groups:
        if group not in GROUPS:
            raise NotFound(f"no group '{group}' in the battery; there are {', '.join(GROUPS)}")
    places: list[Place] = []
    skipped: list[Skipped] = []
    for group in groups or GROUPS:
        for name in GROUPS[group]:
            found = _built(name)
            if isinstance(found, Problem):
                places.append(Place(group, found))
            else:
                skipped.append(Skipped(group, name, found))
    return places, skipped


def _built(name: str) -> Problem | str:
    """The problem, or why it is not there."""
    make = problems().get(name)
    if make is not None:
        return make()
    if name not in needing():
        return "no such problem is installed"
    try:
        return needing()[name]()
    except (ValueError, ImportError) as wrong:
        return str(wrong)

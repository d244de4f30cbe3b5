"""The table: every family, or one claim, at every k, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from boundcheck.gram.solver import clarabel
from boundcheck.library.catalogue import UnknownName, did_you_mean
from boundcheck.support.errors import UserError
from boundcheck.support.processes.pool import cores, in_processes
from boundcheck.tightness.families import families
from boundcheck.tightness.result import WorstCase
from boundcheck.tightness.row import Row

KS = range(1, 11)


def rows(ks: Iterable[int] = KS, only: Sequence[str] = ()) -> list[Row]:
    """Return what the table asks, a family after the other; `only` names families, or how their names begin."""
    known, ks = families(), list(ks)
    if bad := [k for k in ks if k < 1]:
        raise UserError(f"k is a number of steps; found {bad[0]}, needs at least 1")
    for name in only:
        if not any(family.startswith(name) for family in known):
            raise UnknownName(f"no family '{name}'" + (did_you_mean(name, known) or f"; there are: {'; '.join(known)}"))
    chosen = [make for family, make in known.items() if not only or any(family.startswith(name) for name in only)]
    return [row for make in chosen for k in ks for row in make(k)]


def solved(asked: Sequence[Row], jobs: int | None = None) -> Iterator[WorstCase]:
    """Yield their answers, in order, as they come."""
    clarabel()  # is loaded before the processes fork, or says that it is not installed
    with in_processes([row.solved for row in asked], cores() if jobs is None else jobs) as results:
        for result in results:
            yield result()


def worst_cases(
    ks: Iterable[int] = KS,
    progress: Callable[[WorstCase], None] | None = None,
    *,
    only: Sequence[str] = (),
    jobs: int | None = None,
) -> list[WorstCase]:
    """Return each family's bound against the worst case over its class, for k steps. `progress` is told each as it is known."""
    return all_of(rows(ks, only), progress, jobs)


def all_of(asked: Sequence[Row], progress: Callable[[WorstCase], None] | None = None, jobs: int | None = None) -> list[WorstCase]:
    """Return the answers of rows. `progress` is told each as it is known."""
    found = []
    for case in solved(asked, jobs):
        found.append(case)
        if progress is not None:
            progress(case)
    return found

"""Verdicts made in several processes: of a grid, and of the instances that claims name for themselves.

It stands apart from `tally`, which `boundcheck list` reads: what only counts verdicts needs no engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.model.rule import RuleError
from boundcheck.suite.grid import GridSetting, GridWork, works
from boundcheck.suite.instances import cells_on, try_instance
from boundcheck.support.processes.pool import in_processes
from boundcheck.support.terminal import progress


def run_all(
    chosen: Sequence[GridSetting],
    bounds: Sequence[Bound],
    smoothness: Sequence[str] | None = None,
    gave_up: Callable[[str], None] | None = None,
    jobs: int = 1,
) -> Iterator[Verdict]:
    """Every verdict, in an order that does not depend on `jobs`.

    That a rule gave up (a step that is not positive) is told to `gave_up`; without one it ends everything.
    """
    todo = works(chosen, bounds)
    with in_processes([partial(_verdicts, work, smoothness) for work in todo], jobs) as results:
        for _, result in zip(progress(todo, "checking"), results, strict=True):
            try:
                yield from result()
            except RuleError as wrong:
                if gave_up is None:
                    raise
                gave_up(str(wrong))


def _verdicts(work: GridWork, smoothness: Sequence[str] | None) -> list[Verdict]:
    return list(work.verdicts(smoothness))


def on_their_own(bounds: Sequence[Bound], jobs: int = 1) -> Iterator[Verdict]:
    """The verdicts on the instances that claims name for themselves."""
    own = [cell for bound in bounds for at in bound.try_on for cell in cells_on(bound, at)]
    with in_processes([cell.answered for cell in own], jobs) as results:
        for _, result in zip(progress(own, "checking on their own instances") if own else (), results, strict=True):
            yield result()


def refutation(bound: Bound, *, sides: bool = False) -> Verdict | None:
    """The verdict on the instance where a false claim is seen to fail: VIOLATED there if any of its cells is."""
    return None if bound.refuted_by is None else try_instance(bound, bound.refuted_by, sides=sides).verdict

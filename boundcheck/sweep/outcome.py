"""A sweep in Python: `run(spec)` does it, and what it found can be looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from boundcheck.check.verdict import Verdict
from boundcheck.store import Kept, Store, cells_of, unpack
from boundcheck.suite.tally import Tally
from boundcheck.support.errors import extra
from boundcheck.support.terminal import aside
from boundcheck.sweep.driver import Job, Silent, go, places
from boundcheck.sweep.plan import SweepPlan, Unit
from boundcheck.sweep.spec import BadSpec, Sweep, is_whole, read
from boundcheck.sweep.table import SweepResults, blocks, row


@dataclass(frozen=True, repr=False)
class Swept:
    """What a sweep found: a tally for each claim, what failed, and every cell, which is read from the store."""

    plan: SweepPlan
    found: SweepResults
    store: Path
    notes: list[str] = field(default_factory=list)

    @property
    def tallies(self) -> dict[str, Tally]:
        """By the claim's id."""
        return self.found.tallies

    @property
    def works(self) -> int:
        return len(self.plan.units)

    @property
    def cells(self) -> int:
        return self.found.cells

    @property
    def failed(self) -> int:
        """Cells with an error instead of a verdict."""
        return self.found.failed

    @property
    def failures(self) -> list[str]:
        """The first of them, in words."""
        return self.found.failures

    @property
    def tables(self) -> list[Path]:
        return self.found.tables

    def verdicts(self) -> Iterator[tuple[Unit, Verdict]]:
        """Every verdict with the work that it is of, in the order of the spec."""
        yield from ((unit, verdict) for unit, _, verdict in self._cells() if verdict is not None)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of the table: docs/sweep.md says what is in each column."""
        yield from (row(*cell) for cell in self._cells())

    def to_pandas(self) -> Any:
        return extra("pandas", what="to_pandas()", extra="report").DataFrame(list(self.rows()))

    def _cells(self) -> Iterator[tuple[Unit, Kept, Verdict | None]]:
        with Store(self.store) as store:
            for low, high in blocks(self.plan):
                for kept in cells_of(store, low, high):
                    verdict = None if kept.numbers is None else unpack(kept.said, kept.numbers)
                    yield self.plan.units[kept.place], kept, verdict

    def __repr__(self) -> str:
        lines = [f"{self.cells} cells of {self.works} works, in {self.store}"]
        lines += [f"{tally.word} {claim}: {tally.line()}" for claim, tally in self.tallies.items()]
        return "\n".join([*lines, *(f"FAILED {line}" for line in self.failures)])


def run(
    spec: Sweep | str | Path,
    *,
    store: str | Path | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    time_limit: float | None = None,
    retry_failed: bool = False,
    fresh: bool = False,
) -> Swept:
    """Do a sweep: a Sweep, or the file of one. What the store has of it is taken; the files that a Sweep names lie here.

    The store is `store`, or the spec's name with .sqlite; a table is written where `out` says so. After an interrupt or a kill,
    the same call does the rest. Processes are forked: on a system that cannot, all is done in this one, without a limit.
    """
    if jobs is not None and (not is_whole(jobs) or jobs < 1):
        raise BadSpec(f"jobs is {jobs!r}; needs a whole number, 1 or more")
    if jobs is not None and cluster is not None:
        raise BadSpec("jobs counts processes here, and a cluster has its own; give one of them")
    with aside():
        said, path = (spec, None) if isinstance(spec, Sweep) else read(str(spec))
        plan = SweepPlan(
            said if time_limit is None else replace(said, time_limit=time_limit), Path() if path is None else path.parent
        )
    called = "sweep" if path is None else str(path)
    kept = Path(f"{Path(called).stem}.sqlite") if store is None else Path(store)
    where, teller = places(path, kept, None if out is None else Path(out)), Silent()
    job = Job(plan=plan, called=called, where=where, jobs=jobs, cluster=cluster, retry=retry_failed, fresh=fresh)
    return Swept(plan, go(job, teller), where.store, teller.notes)

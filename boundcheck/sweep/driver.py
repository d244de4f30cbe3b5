"""A sweep from its plan to what it found, on a terminal and in Python: a store begun or gone on with, and works done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from boundcheck.check.verdict import Verdict
from boundcheck.library.catalogue import NotFound
from boundcheck.report.provenance import now
from boundcheck.store import Kept, Shared, Store, cells_of, unpack
from boundcheck.store.database import DONE, FAILED, GAVE_UP, PLANNED
from boundcheck.suite.tally import Tally
from boundcheck.support.errors import extra
from boundcheck.support.processes.pool import cores
from boundcheck.support.processes.workers import Manner, serve
from boundcheck.support.terminal import aside
from boundcheck.sweep.dispatcher import Dispatcher
from boundcheck.sweep.plan import SweepPlan, Unit
from boundcheck.sweep.spec import BadSpec, Sweep, is_whole, read
from boundcheck.sweep.table import SweepResults, Tables, blocks, gather, row
from boundcheck.sweep.task import each_kept


@dataclass(frozen=True)
class Places:
    """No table where none is wanted, or none can be written."""

    store: Path
    out: Path | None


def places(spec: Path | None, store: Path, out: Path | None) -> Places:
    """These, if they can be written and are not one and the same, nor the sweep's own file."""
    for path, option in ((store, "--store"), (out, "--out")):
        if path is None:
            continue
        if option == "--out" and path.suffix != ".parquet":
            raise NotFound(f"{option} {path}: the table is Parquet; needs a name that ends with .parquet")
        if path.is_dir():
            raise NotFound(f"{path} is a directory; {option} needs a file")
        if not path.parent.is_dir():
            raise NotFound(f"{path} cannot be written, there is no folder {path.parent}; give another place with {option}")
        if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
            raise NotFound(f"{path} cannot be written; give another place with {option}")
        same = [other for other in (spec, store if option == "--out" else None) if other is not None]
        if any(path.resolve() == other.resolve() for other in same):
            raise NotFound(f"{option} {path} is another file of this sweep; give another place")
    return Places(store, out)


DIFFERS = {
    "sweep": "another sweep",
    "claims": "other claims",
    "files": "other claims",
    "versions": "other versions of its libraries",
    "code": "other code",
}
SEEDS = "a seed draws the problem of a family; of a fixed problem it draws the start (0: its own), and for chords their ends"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; it says how far the sweep came."""


@dataclass
class Silent:
    """Who is told how far a sweep is: here nobody, but notes are kept. The command line has a bar."""

    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def begin(self, total: int, done: int) -> None: ...
    def advance(self, what: str, count: int) -> None: ...
    def see(self, done: int) -> None: ...
    def end(self) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Job:
    """A sweep as it is asked for: the plan, what its file is called, where results go, and who does the works."""

    plan: SweepPlan
    called: str
    where: Places
    jobs: int | None = None
    cluster: str | None = None
    retry: bool = False
    fresh: bool = False


def go(job: Job, teller: Silent) -> SweepResults:
    """Everything that is not finished yet, by us or by others; then what there is. What somebody's code prints goes to stderr."""
    plan, where = job.plan, job.where
    with ExitStack() as stack:
        stack.enter_context(aside())
        events, hands = _hands(stack, job)
        store = stack.enter_context(Store(where.store, write=True))
        changed = _changed(store, job)
        _begin(store, job)
        shared = Shared(store, plan.digest, fresh=job.fresh)
        stack.callback(shared.release)
        tables = None if where.out is None else Tables(plan, shared, where.out)
        counts = shared.counts()
        for text in (changed, _taken(counts, job)):
            if text:
                teller.note(text)
        try:
            teller.begin(len(plan.units), sum(counts.get(status, 0) for status in (DONE, GAVE_UP, FAILED)))
            stack.callback(teller.end)
            running = Dispatcher(plan, shared, hands, teller.advance, teller.see)
            running.follow(events(running), lambda: tables.advance() if tables is not None else None)
            teller.end()
            found = gather(plan, shared, tables)
        except KeyboardInterrupt:
            left = shared.counts().get(PLANNED, 0)
            kept = f"{len(plan.units) - left} of {_works(len(plan.units))} are kept in {where.store}"
            raise Interrupted(f"interrupted: {kept}; the same command goes on") from None
        store.end(now())
        store.is_still_there()
        return found


def _hands(stack: ExitStack, job: Job) -> tuple[Callable[[Dispatcher], Any], int]:
    """Who does the works: processes here, or a cluster, which must answer before anything is written."""
    if job.cluster is None:
        many_hands = job.jobs or cores()
        return lambda running: _crew(job.plan, many_hands, running), many_hands
    from boundcheck.sweep.cluster import Cluster, brief, connected

    client = stack.enter_context(connected(job.cluster))
    crowd = Cluster(client, job.cluster, brief(job.plan, job.plan.folder))
    return lambda running: crowd.serve(running.asked), crowd.workers


def _crew(plan: SweepPlan, hands: int, running: Dispatcher) -> Iterator[tuple[Any, Any] | None]:
    """Processes here: what they finish goes to the journal."""
    journal = running.shared.journal
    return serve(
        lambda wanted: each_kept(plan, wanted, journal), hands, running.asked, Manner(running.ahead, plan.spec.time_limit)
    )


def _changed(store: Store, job: Job) -> str:
    """A store of another sweep is left alone. What is to be said of works whose files are others now."""
    way_out = "give another --store, or drop what it has with --fresh"
    plan, path = job.plan, job.where.store
    if job.fresh:
        return ""
    if differs := store.differs(plan.same):
        raise NotFound(f"{path} is of {DIFFERS[differs]}; {way_out}")
    names, keys = {work.name for work in plan.planned}, {work.key for work in plan.planned}
    gone = [work for work in store.works() if work.status == DONE and work.key not in keys]
    if others := [work.name for work in gone if work.name not in names]:
        raise NotFound(f"{path} has {_works(len(others))} that {job.called} does not name, such as {others[0]}; {way_out}")
    return f"{_works(len(gone))} of {path} are of files that changed since, and are done again" if gone else ""


def _begin(store: Store, job: Job) -> None:
    plan = job.plan
    about = {"command": f"boundcheck sweep {Path(job.called).name}", "seeds": SEEDS, "plan": plan.digest, "started": now()}
    store.begin(plan.same, about, plan.planned, fresh=job.fresh, retry=job.retry)


def _taken(counts: dict[str, int], job: Job) -> str:
    finished = counts.get(DONE, 0) + counts.get(GAVE_UP, 0)
    taken = f"{finished} of {_works(len(job.plan.planned))} are taken from {job.where.store}"
    return f"{taken}; --fresh does them again" if finished else ""


def _works(count: int) -> str:
    return f"{count} work{'' if count == 1 else 's'}"


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

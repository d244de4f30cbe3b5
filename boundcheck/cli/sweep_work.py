"""The work of `boundcheck sweep`: the store begun or gone on with, the works done here or on a cluster, the table written."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from boundcheck.cli.group import INTERRUPTED, complain
from boundcheck.cli.show import Bar, many
from boundcheck.crew import Manner, serve
from boundcheck.extras import NotInstalled
from boundcheck.processes import cores
from boundcheck.registry import NotFound
from boundcheck.report.provenance import now
from boundcheck.report.tables import can_write_parquet
from boundcheck.store import Shared, Store
from boundcheck.store.database import DONE, FAILED, GAVE_UP, PLANNED
from boundcheck.sweep.cells import Found, gather
from boundcheck.sweep.doing import each_kept
from boundcheck.sweep.plan import Plan
from boundcheck.sweep.running import Running
from boundcheck.sweep.table import Tables

DIFFERS = {
    "sweep": "another sweep",
    "claims": "other claims",
    "files": "other claims",
    "versions": "other versions of its libraries",
    "code": "other code",
}
SEEDS = "a seed draws the problem of a family; of a fixed problem it draws the start (0: its own), and for chords their ends"
NO_TABLE = "no table: Parquet needs pyarrow, which is not installed: pip install 'boundcheck[sweep]'"


@dataclass(frozen=True)
class Places:
    """Where the store and the table of a sweep are; no table where none can be written."""

    store: Path
    out: Path | None


def places(spec: Path, store: Path | None, out: Path | None) -> Places:
    """As given, or called like the sweep. What could not be written is refused before the work."""
    if not can_write_parquet():
        if out is not None:
            raise NotInstalled(f"--out: {NO_TABLE}")
        click.echo(f"boundcheck: {NO_TABLE}", err=True)
    table = (out or Path(f"{spec.stem}.parquet")) if can_write_parquet() else None
    kept = store or Path(f"{spec.stem}.sqlite")
    for path, option in ((kept, "--store"), (table, "--out")):
        if path is None:
            continue
        if path.is_dir():
            raise NotFound(f"{path} is a directory; {option} needs a file")
        if not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
            raise NotFound(f"{path} cannot be written; give another place with {option}")
        if path.resolve() == spec.resolve() or (option == "--out" and path.resolve() == kept.resolve()):
            raise NotFound(f"{option} {path} is another file of this sweep; give another place")
    return Places(kept, table)


def go(plan: Plan, spec: Path, where: Places, jobs: int | None, cluster: str | None, *, retry: bool, fresh: bool) -> Found | int:
    """Everything that is not finished yet, by us or by others; then what there is. An exit code if it was interrupted."""
    with ExitStack() as stack:
        events, hands = _hands(stack, plan, spec.parent, jobs, cluster)
        store = stack.enter_context(Store(where.store, write=True))
        _begin(store, plan, spec, where.store, retry=retry, fresh=fresh)
        shared = Shared(store, plan.digest, fresh=fresh)
        stack.callback(shared.release)
        counts = shared.counts()
        done = sum(counts.get(status, 0) for status in (DONE, GAVE_UP, FAILED))
        tables = None if where.out is None else Tables(plan, shared, where.out)
        try:
            with Bar("sweeping", len(plan.units), done) as bar:
                running = Running(plan, shared, hands, bar.advance, bar.see)
                running.follow(events(running), lambda: tables.advance() if tables is not None else None)
            found = gather(plan, shared, tables)
        except KeyboardInterrupt:
            left = shared.counts().get(PLANNED, 0)
            kept = f"{len(plan.units) - left} of {many(len(plan.units), 'work')} are kept in {where.store}"
            return complain(f"interrupted: {kept}; the same command goes on", INTERRUPTED)
        store.end(now())
        return found


def _hands(
    stack: ExitStack, plan: Plan, folder: Path, jobs: int | None, cluster: str | None
) -> tuple[Callable[[Running], Any], int]:
    """Who does the works: processes here, or a cluster, which must answer before anything is written."""
    if cluster is None:
        many_hands = jobs or cores()
        return lambda running: _crew(plan, many_hands, running), many_hands
    from boundcheck.sweep.cluster import Cluster, connected
    from boundcheck.sweep.remote import brief

    client = stack.enter_context(connected(cluster))
    crowd = Cluster(client, cluster, brief(plan, folder))
    return lambda running: crowd.serve(running.asked), crowd.workers


def _crew(plan: Plan, hands: int, running: Running) -> Any:
    journal = running.shared.journal
    return serve(lambda wanted: each_kept(plan, wanted, journal), hands, running.asked, Manner(running.ahead))


def _begin(store: Store, plan: Plan, spec: Path, path: Path, *, retry: bool, fresh: bool) -> None:
    """Plan the works. A store of another sweep is left alone; one of less of this sweep is gone on with."""
    way_out = "give another --store, or drop what it has with --fresh"
    if not fresh:
        if differs := store.differs(plan.same):
            raise NotFound(f"{path} is of {DIFFERS[differs]}; {way_out}")
        names, keys = {work.name for work in plan.planned}, {work.key for work in plan.planned}
        gone = [work for work in store.works() if work.status == DONE and work.key not in keys]
        if others := [work.name for work in gone if work.name not in names]:
            raise NotFound(f"{path} has {many(len(others), 'work')} that {spec} does not name, such as {others[0]}; {way_out}")
        if gone:
            click.echo(f"{many(len(gone), 'work')} of {path} are of files that changed since, and are done again", err=True)
    about = {"command": f"boundcheck sweep {spec.name}", "seeds": SEEDS, "plan": plan.digest, "started": now()}
    store.begin(plan.same, about, plan.planned, fresh=fresh, retry=retry)
    if store.finished:
        taken = f"{store.finished} of {many(len(plan.planned), 'work')} are taken from {path}"
        click.echo(f"{taken}; --fresh does them again", err=True)

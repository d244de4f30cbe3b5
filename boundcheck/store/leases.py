"""A store that several processes work on at once: each takes works on lease, and a cell that failed keeps its error.

A lease ends with its holder. So a killed process loses what it had not finished, and nothing else; and a work
that is finished all the same by two is kept once. `tries` of a work counts every time that someone came with what he found.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from boundcheck.store.database import DONE, FAILED, GAVE_UP, INSERT_VERDICT, NotAStore, Store, sealed_row
from boundcheck.store.journal import Journal, Settled, left_in

EXPIRES = 60.0  # seconds after its last sign of life, a process is taken for dead


@dataclass(frozen=True)
class Holder:
    """A process. Numbers of processes come again; beside the time of its birth one is unique."""

    host: str
    pid: int
    born: str

    def is_gone(self, beat: float) -> bool:
        """Is it dead, or has it said nothing for so long that it may as well be?"""
        return time.time() - beat > EXPIRES or self.is_dead

    @property
    def is_dead(self) -> bool:
        """For certain: it was on this machine, and is not here any more."""
        return self.host == _host() and not self._is_here()

    def _is_here(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return self.born == _born(self.pid)


def me() -> Holder:
    return Holder(_host(), os.getpid(), _born(os.getpid()))


def _host() -> str:
    """The machine, and the space in which its processes are numbered: containers have their own."""
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")
    return f"{socket.gethostname()} {space}".strip()


def _born(pid: int) -> str:
    """When a process began, in ticks since the machine did; "" where the system does not tell."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return "" if fields[0] == "Z" else fields[19]
    return ""


TABLES = (
    "CREATE TABLE IF NOT EXISTS holders (id INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT NOT NULL, pid INTEGER NOT NULL, "
    "born TEXT NOT NULL, beat REAL NOT NULL)",
    "CREATE TABLE IF NOT EXISTS leases (work INTEGER PRIMARY KEY REFERENCES works (id) ON DELETE CASCADE, "
    "holder INTEGER NOT NULL REFERENCES holders (id) ON DELETE CASCADE)",
    "CREATE TABLE IF NOT EXISTS journals (holder INTEGER PRIMARY KEY REFERENCES holders (id) ON DELETE CASCADE, "
    "name TEXT NOT NULL, read INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS works_by_place ON works (place)",
    "CREATE TABLE IF NOT EXISTS failures (work INTEGER NOT NULL REFERENCES works (id) ON DELETE CASCADE, "
    "number INTEGER NOT NULL, said TEXT NOT NULL, error TEXT NOT NULL, seal TEXT NOT NULL, PRIMARY KEY (work, number))",
)
FREE = (
    "SELECT id, key FROM works WHERE status = 'planned' AND NOT EXISTS (SELECT 1 FROM leases WHERE work = works.id) "
    "ORDER BY place LIMIT ?"
)
SETTLE = (
    "UPDATE works SET status = ?, error = ?, tries = tries + 1 WHERE key = ? AND status IN ('planned', 'failed') "
    "RETURNING id, tries"
)
CELLS = (
    "SELECT place, number, work, claim, outcome, said, numbers, '', verdicts.seal FROM verdicts JOIN works ON works.id = work "
    "WHERE place >= ? AND place < ? "
    "UNION ALL "
    "SELECT place, number, work, NULL, NULL, said, NULL, failures.error, failures.seal FROM failures "
    "JOIN works ON works.id = work WHERE place >= ? AND place < ? "
    "ORDER BY 1, 2"
)
JOURNAL, NOWHERE = "-journal-", 2**62  # in the name of a journal; beyond the end of each
OTHERS = (
    "SELECT id, host, pid, born, beat, name, read FROM holders LEFT JOIN journals ON journals.holder = holders.id WHERE id != ?"
)
LOOK = 2.0  # seconds between looks for holders that are gone

_here: set[str] = set()  # the journals of this process: a holder that could not release the store is gone all the same


@dataclass(frozen=True)
class Kept:
    """A cell in the store: its work's place in the plan, its number there, and its verdict as packed, or its error."""

    place: int
    number: int
    said: str
    numbers: bytes | None
    error: str


class Shared:
    """The works of a store, as one process among several sees them. `plan` is what all of them agree on.

    What processes that are gone had finished is taken over from their journals; with `fresh`, it is dropped.
    """

    def __init__(self, store: Store, plan: str, *, fresh: bool = False) -> None:
        self.store, self.plan = store, plan
        self.looked, self.left_behind = -LOOK, list[Path]()
        files = set(store.path.parent.glob(f"{store.path.name}{JOURNAL}*"))
        with store.transaction() as database:
            for statement in TABLES:
                database.execute(statement)
            if fresh:
                database.execute("UPDATE journals SET read = ?", (NOWHERE,))
            mine = me()
            row = database.execute(
                "INSERT INTO holders (host, pid, born, beat) VALUES (?, ?, ?, ?) RETURNING id",
                (mine.host, mine.pid, mine.born, time.time()),
            ).fetchone()
            self.id = int(row[0])
            self.name = f"{store.path.name}{JOURNAL}{secrets.token_hex(8)}"
            database.execute("INSERT INTO journals VALUES (?, ?, 0)", (self.id, self.name))
            _here.add(self.name)
            self._beat(database)
            known = {store.path.with_name(one) for (one,) in database.execute("SELECT name FROM journals")}
        self.left_behind += files - known  # a journal has a row before it has a file: these were taken over
        self._tidy()
        self.looked = -LOOK
        self.journal = Journal(store.path.with_name(self.name))

    def take(self, count: int) -> list[str]:
        """The keys of so many works that nobody does yet, or fewer: they are ours until they are settled."""
        with self.store.transaction() as database:
            plan = database.execute("SELECT value FROM about WHERE name = 'plan'").fetchone()
            if plan is None or json.loads(plan[0]) != self.plan:
                raise NotAStore(f"{self.store.path} was begun anew by another process, with another plan; give another place")
            self._beat(database)
            found = database.execute(FREE, (count,)).fetchall()
            database.executemany("INSERT INTO leases VALUES (?, ?)", [(work, self.id) for work, _ in found])
        self._tidy()
        return [key for _, key in found]

    def beat(self) -> None:
        """Say that this process is there, and end the leases of those that are not."""
        with self.store.transaction() as database:
            self._beat(database)
        self._tidy()

    def _beat(self, database: sqlite3.Connection) -> None:
        now = time.monotonic()
        if now - self.looked < LOOK:
            return
        self.looked = now
        known = database.execute("UPDATE holders SET beat = ? WHERE id = ? RETURNING id", (time.time(), self.id)).fetchone()
        if known is None:  # it was taken for dead while it slept
            mine = me()
            database.execute("INSERT INTO holders VALUES (?, ?, ?, ?, ?)", (self.id, mine.host, mine.pid, mine.born, time.time()))
            database.execute("INSERT INTO journals VALUES (?, ?, ?)", (self.id, self.name, self.journal.read))
        for number, host, pid, born, beat, name, read in database.execute(OTHERS, (self.id,)).fetchall():
            holder = Holder(host, pid, born)
            gave_up = holder == me() and name is not None and name not in _here
            if gave_up or holder.is_gone(beat):
                self._take_over(database, number, name, read, for_good=gave_up or holder.is_dead)

    def _take_over(self, database: sqlite3.Connection, number: int, name: str | None, read: int, *, for_good: bool) -> None:
        """What somebody who is gone had finished is kept; what he had begun is for others."""
        if name is not None:
            path = self.store.path.with_name(name)
            for one in left_in(path, read):
                _settle(database, one)
            self.left_behind += [path] if for_good else []
        database.execute("DELETE FROM holders WHERE id = ?", (number,))

    def _tidy(self) -> None:
        """Away with journals that were taken over, once the store has it."""
        while self.left_behind:
            self.left_behind.pop().unlink(missing_ok=True)

    def release(self) -> None:
        """Nothing is ours any more. What is finished goes into the store first; where it cannot, the journal stays."""
        _here.discard(self.name)
        with self.store.transaction() as database:
            for one in self.journal.news()[0]:
                _settle(database, one)
            database.execute("DELETE FROM holders WHERE id = ?", (self.id,))
        self.journal.remove()

    def settle(self, results: Sequence[Settled]) -> int:
        """Keep what works found, cell by cell, in one transaction. How many nobody else had settled before."""
        with self.store.transaction() as database:
            return sum(_settle(database, one) for one in results)

    def settle_news(self) -> tuple[list[Settled], int]:
        """What the journal has that the store has not; and how much of it nobody else had settled before."""
        results, read = self.journal.news()
        if not results:
            return [], 0
        with self.store.transaction() as database:
            new = sum(_settle(database, one) for one in results)
            database.execute("UPDATE journals SET read = ? WHERE holder = ?", (read, self.id))
        self.journal.read = read
        return results, new

    def failed_cells(self) -> dict[str, frozenset[int]]:
        """Of works that are planned again, by key: the cells that failed. The others are finished."""
        query = "SELECT key, number FROM failures JOIN works ON works.id = work WHERE status = 'planned'"
        with self.store.transaction() as database:
            found: dict[str, set[int]] = {}
            for key, number in database.execute(query):
                found.setdefault(key, set()).add(number)
        return {key: frozenset(numbers) for key, numbers in found.items()}

    def counts(self) -> dict[str, int]:
        """How many works there are of each status."""
        with self.store.transaction() as database:
            return dict(database.execute("SELECT status, count(*) FROM works GROUP BY status").fetchall())

    def nothing(self) -> dict[str, int]:
        """Why works had no cell, and how many each."""
        query = "SELECT error, count(*) FROM works WHERE status = 'gave up' GROUP BY error ORDER BY min(place)"
        return dict(self.store.read(query))

    def open_blocks(self, size: int) -> set[int]:
        """The plan in blocks of so many works: the numbers of those in which something is not settled."""
        with self.store.transaction() as database:
            rows = database.execute("SELECT DISTINCT place / ? FROM works WHERE status = 'planned'", (size,)).fetchall()
        return {int(number) for (number,) in rows}

    def cells(self, low: int, high: int) -> Iterator[Kept]:
        return cells_of(self.store, low, high)


def cells_of(store: Store, low: int, high: int) -> Iterator[Kept]:
    """The cells of the works at these places, in the order of the plan, a row at a time."""
    for place, number, work, claim, outcome, said, numbers, error, written in store.read(CELLS, (low, high, low, high)):
        if claim is None:
            store.whole_row("failures", (work, number, said, error, written))
        else:
            store.whole_row("verdicts", (work, number, claim, outcome, said, numbers, written))
        yield Kept(place, number, said, numbers, error)


def _settle(database: sqlite3.Connection, one: Settled) -> bool:
    """False where someone was quicker. The lease of a work that is done stays until its holder goes: it is not taken any more."""
    status = FAILED if one.failed else GAVE_UP if one.nothing else DONE
    error = next(iter(one.failed.values())).error if one.failed else one.nothing
    row = database.execute(SETTLE, (status, error, one.key)).fetchone()
    if row is None:
        database.execute("UPDATE works SET tries = tries + 1 WHERE key = ?", (one.key,))
        return False
    work, tries = row
    if tries > 1:
        database.execute("DELETE FROM failures WHERE work = ?", (work,))
    cells = [sealed_row(work, n, cell.claim, cell.outcome, cell.said, cell.numbers) for n, cell in one.found.items()]
    database.executemany(f"{INSERT_VERDICT} ON CONFLICT DO NOTHING", cells)  # two may have done the same
    if one.failed:
        database.execute("DELETE FROM leases WHERE work = ?", (work,))  # someone may try it again
        failed = [sealed_row(work, n, cell.said, cell.error) for n, cell in one.failed.items()]
        database.executemany("INSERT INTO failures VALUES (?, ?, ?, ?, ?)", failed)
    return True

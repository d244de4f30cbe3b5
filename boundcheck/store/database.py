"""The store: a table of works, each with its verdicts, its error or nothing yet; and what the run was, word for word.

A work is what is done in one go. Its verdicts are written in one transaction: they are all there, or none is. Several processes
may write to one store; who finishes a work first has done it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.store.encoding import Packed, unpack
from boundcheck.support.atomic_files import seal
from boundcheck.support.errors import UserError

APPLICATION, FORMAT = 0x62636B73, 2  # how the file is told from other databases, and the layout of its tables
PAGES = 8000  # of 4 kB, in the log before they are moved into the file: each time waits for the disk
WAIT = 60.0  # seconds for another process to finish its transaction
PLANNED, DONE, GAVE_UP, FAILED = "planned", "done", "gave up", "failed"

TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT NOT NULL);
CREATE TABLE works (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    place INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'planned' CHECK (status IN ('planned', 'done', 'gave up', 'failed')),
    tries INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    seal TEXT NOT NULL DEFAULT ''
);
CREATE INDEX works_by_status ON works (status, place);
CREATE TABLE verdicts (
    work INTEGER NOT NULL REFERENCES works (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    claim TEXT NOT NULL,
    outcome INTEGER NOT NULL,
    said TEXT NOT NULL,
    numbers BLOB NOT NULL,
    seal TEXT NOT NULL,
    PRIMARY KEY (work, number)
);
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT NOT NULL);
"""
SEALED = "id, key, kind, name, place, status, tries, error"  # of a work; what updates it need not think of its checksum
TRIGGERS = tuple(
    f"CREATE TRIGGER works_{event.split()[0].lower()} AFTER {event} ON works BEGIN "
    f"UPDATE works SET seal = seal({', '.join(f'NEW.{name}' for name in SEALED.split(', '))}) WHERE id = NEW.id; END"
    for event in ("INSERT", f"UPDATE OF {SEALED}")
)
BY_NAME = {"claims", "problems", "beside", "versions"}  # what `about` has of these is a value for each name
HEAD = {"works": SEALED, "about": "name, value", "kept": "name, value"}  # read as a whole; the rest is checked row by row
PLAN = "INSERT INTO works (key, kind, name, place) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET place = excluded.place"
WAYS_OUT = {  # by SQLite's name of an error; what is kept must not be thrown away for the others
    "SQLITE_FULL": "what is finished is kept: make room, and the same command goes on",
    "SQLITE_BUSY": "another program holds it: end that, and the same command goes on",
    "SQLITE_IOERR": "look at its disk; what is finished is kept, and the same command goes on",
    "SQLITE_READONLY": "make it writable, or give another place",
    "SQLITE_CANTOPEN": "look at its folder, or give another place",
}


class NotAStore(UserError):
    """A file that is no store of results, or one that cannot be read."""


@dataclass(frozen=True)
class PlannedWork:
    """A work to be done: a key that is its own, what it is for, and how people call it."""

    key: str
    kind: str
    name: str


@dataclass(frozen=True)
class StoredWork:
    """A work as it stands."""

    key: str
    kind: str
    name: str
    status: str
    tries: int
    error: str


class Store:
    """One file. `write=False` changes nothing in it."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path, self.writes = path, write
        if not write and not path.is_file():
            raise NotAStore(f"there is no {path}; `boundcheck paper --out {path.parent}` makes it")
        self._database = self._open()
        self._file = os.stat(path).st_ino if path.exists() else 0
        try:
            with self._told():
                self._check()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *wrong: object) -> None:
        self.close()

    def is_still_there(self) -> None:
        """Refuse to go on as if nothing had happened where somebody took the file away, or put another in its place."""
        if not self.path.exists() or os.stat(self.path).st_ino != self._file:
            raise NotAStore(f"{self.path} was deleted or replaced while it was used, and nothing is kept; run it again")

    def close(self) -> None:
        self._database.close()

    # -- opening -------------------------------------------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        mode = "rwc" if self.writes else "rw" if _can_write(self.path) else "ro&immutable=1"
        with self._told():
            made = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode={mode}", uri=True, timeout=WAIT, isolation_level=None)
            made.create_function("seal", -1, seal, deterministic=True)
            made.execute("PRAGMA foreign_keys = ON")
            return made

    def _check(self) -> None:
        """Ours, and of this format; new ones get their tables."""
        empty = not self._database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()  # first: another may be making it
        number, layout = (self._database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if empty and self.writes:
            self._database.execute("PRAGMA journal_mode = WAL")
            with self._change():
                if not self._database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
                    self._file = os.stat(self.path).st_ino
                    for statement in (*TABLES.split(";\n"), *TRIGGERS):
                        self._database.execute(statement)
                    self._database.execute(f"PRAGMA application_id = {APPLICATION}")
                    self._database.execute(f"PRAGMA user_version = {FORMAT}")
        elif number != APPLICATION:
            raise NotAStore(f"{self.path} is another program's database, no store of results; give another place")
        elif layout != FORMAT:
            raise NotAStore(
                f"{self.path} has layout {layout}, of another version of boundcheck; needs {FORMAT}: delete it, or use that one"
            )
        else:
            self._look_for_damage()
        if self.writes:
            self._database.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing that it had finished
            self._database.execute(f"PRAGMA wal_autocheckpoint = {PAGES}")

    def _look_for_damage(self) -> None:
        """Every page is where it belongs, and the rows that all others hang on are what was written."""
        (said,) = self._database.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            raise self.damaged(str(said))
        for table, columns in HEAD.items():
            bad = self._database.execute(f"SELECT rowid FROM {table} WHERE seal IS NOT seal({columns}) LIMIT 1").fetchone()
            if bad is not None:
                raise self.damaged(f"row {bad[0]} of its table '{table}' is not what was written")

    def damaged(self, how: str) -> NotAStore:
        """What to say of a store that is not what was written."""
        way_out = "bring back a copy, or delete it and run the same command again"
        return NotAStore(f"{self.path} is damaged ({' '.join(how.split())}); {way_out}")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite says of a bad file, in one line."""
        try:
            yield
        except sqlite3.DatabaseError as wrong:
            kind = getattr(wrong, "sqlite_errorname", None) or ""
            way_out = next((way for name, way in WAYS_OUT.items() if kind.startswith(name)), "delete it, or give another place")
            raise NotAStore(f"{self.path} cannot be used as a store of results ({wrong}); {way_out}") from None
        except UnicodeDecodeError as wrong:  # what SQLite had to say quotes the bytes that were damaged
            raise self.damaged(f"it has text that is not UTF-8: {wrong.reason}") from None

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """A transaction that nobody else's gets in between."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield self._database
        except BaseException:
            if self._database.in_transaction:  # on a full disk SQLite has ended it by itself
                self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The same, and what SQLite says against it in one line."""
        with self._told(), self._change() as database:
            yield database

    def read(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, one at a time."""
        with self._told():
            yield from self._database.execute(query, values)

    # -- what the run is -----------------------------------------------------------------------------------------------------

    @property
    def about(self) -> dict[str, Any]:
        """What the run was: the command, the claims' hashes, versions and so on."""
        with self._told():
            about = {name: json.loads(value) for name, value in self._database.execute("SELECT name, value FROM about")}
        for name in BY_NAME & about.keys():
            if not isinstance(about[name], dict):
                raise NotAStore(
                    f"{self.path} is damaged: its {name} are {about[name]!r:.40}; delete it, and run the same command again"
                )
        return about

    def differs(self, same: Mapping[str, Any]) -> str:
        """The first thing in which the run of this store is another one; "" where there is none, or no run yet."""
        before = self.about
        return next((name for name, value in _plain(same).items() if before.get(name) != value), "") if before else ""

    def begin(
        self,
        same: Mapping[str, Any],
        more: Mapping[str, Any],
        works: Sequence[PlannedWork],
        *,
        fresh: bool = False,
        retry: bool = True,
    ) -> str:
        """Plan works. What another run finished is kept if that was `same`; else all is dropped, and what differs is returned.

        With `retry`, works that failed are planned again; those that are no longer planned are dropped.
        """
        with self.transaction() as database:
            before, differs = self.about, self.differs(same)
            if fresh or differs:
                for table in ("verdicts", "works", "kept", "about"):
                    database.execute(f"DELETE FROM {table}")
            said = {**same, **more}
            if before and not fresh and not differs:
                said = {**said, **{name: before[name] for name in ("started",) if name in before}}
            said["finished"] = None
            for name, value in said.items():
                _put(database, "about", name, value)
            planned = [(work.key, work.kind, work.name, place) for place, work in enumerate(works)]
            database.executemany(PLAN, planned)
            if retry:
                database.execute("UPDATE works SET status = 'planned', error = '' WHERE status = 'failed'")
            gone = {key for (key,) in database.execute("SELECT key FROM works")} - {work.key for work in works}
            database.executemany("DELETE FROM works WHERE key = ?", [(key,) for key in gone])
        return "" if fresh else differs

    def end(self, when: str) -> None:
        """Every work was tried."""
        with self.transaction() as database:
            _put(database, "about", "finished", when)

    # -- works ---------------------------------------------------------------------------------------------------------------

    def finish(self, key: str, verdicts: Iterable[Packed]) -> bool:
        """Keep what a work found; False where it is not planned here, or someone was quicker."""
        rows = list(verdicts)
        with self.transaction() as database:
            if (number := self._settle(key, DONE, "")) is None:
                return False
            database.executemany(
                INSERT_VERDICT,
                (sealed_row(number, n, row.claim, row.outcome, row.said, row.numbers) for n, row in enumerate(rows)),
            )
        return True

    def give_up(self, key: str, why: str) -> bool:
        """A rule found no step: there is nothing to do again."""
        with self.transaction():
            return self._settle(key, GAVE_UP, why) is not None

    def fail(self, key: str, error: str) -> bool:
        """A work that ended in an error."""
        with self.transaction():
            return self._settle(key, FAILED, error) is not None

    def _settle(self, key: str, status: str, error: str) -> int | None:
        """Its number, if it was open."""
        row = self._database.execute(
            "UPDATE works SET status = ?, error = ?, tries = tries + 1 "
            "WHERE key = ? AND status IN ('planned', 'failed') RETURNING id",
            (status, error, key),
        ).fetchone()
        return None if row is None else int(row[0])

    def works(self) -> list[StoredWork]:
        """In the order in which they were planned."""
        with self._told():
            rows = self._database.execute("SELECT key, kind, name, status, tries, error FROM works ORDER BY place").fetchall()
        return [StoredWork(*row) for row in rows]

    @property
    def finished(self) -> int:
        """How many works need not be done."""
        with self._told():
            return int(self._database.execute("SELECT count(*) FROM works WHERE status IN ('done', 'gave up')").fetchone()[0])

    def verdicts(self, outcome: Outcome | None = None) -> Iterator[tuple[str, Verdict]]:
        """(kind of the work, verdict), in the order in which works were planned, whoever was first; of one outcome, if given."""
        query = (
            "SELECT kind, work, number, claim, outcome, said, numbers, verdicts.seal FROM verdicts "
            "JOIN works ON works.id = work WHERE outcome = ? OR ? ORDER BY place, number"
        )
        with self._told():
            for kind, *row in self._database.execute(query, (-1 if outcome is None else int(outcome), outcome is None)):
                _, _, _, _, said, numbers = self.whole_row("verdicts", row)
                yield kind, unpack(said, numbers)

    def whole_row(self, table: str, row: Sequence[Any]) -> Sequence[Any]:
        """A row without its checksum, which is the last; refused where it is not what was written."""
        *values, written = row
        if written != seal(*values):
            raise self.damaged(f"row {values[1]} of work {values[0]} in its table '{table}' is not what was written")
        return values

    # -- what else is worth keeping --------------------------------------------------------------------------------------

    def kept(self, name: str) -> Any:
        """What was kept by this name, or None."""
        with self._told():
            row = self._database.execute("SELECT value FROM kept WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def keep(self, name: str, value: Any) -> None:
        with self.transaction() as database:
            _put(database, "kept", name, value)


INSERT_VERDICT = "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?)"


def sealed_row(*values: Any) -> tuple[Any, ...]:
    """A row with its checksum."""
    return *values, seal(*values)


def _put(database: sqlite3.Connection, table: str, name: str, value: Any) -> None:
    database.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", sealed_row(name, json.dumps(value)))


def _plain(said: Mapping[str, Any]) -> dict[str, Any]:
    """As it comes back from the file."""
    plain: dict[str, Any] = json.loads(json.dumps(said))
    return plain


def _can_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)

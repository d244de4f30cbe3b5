"""A mutation run finds the fates of all mutants of many claims, in several processes, and keeps a journal of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from boundcheck.claims.bound import PROVED, Bound
from boundcheck.library.catalogue import NotFound
from boundcheck.power import fates as power
from boundcheck.power.fates import FATES, IMPLIED, KILLED, SURVIVED, TRUE, Fate, KnownFates, targets
from boundcheck.power.mutant import mutants, why_none
from boundcheck.power.page import Score
from boundcheck.support.atomic_files import CHECKSUM, is_whole, sealed
from boundcheck.support.processes.workers import Ended, Failed, stream

FORMAT = 2  # 1 had no checksums
BEGINS = f'{{"power": {FORMAT}, '  # every line does, so that a line which was cut off is told from another's file
OLD = '{"power": 1, '


class FateJournal:
    """The file, and what is read from it by a claim's id and hash, then by a mutant's hash and the seed.

    So a fate that was found for a claim which has changed since is not used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> None:
        """Make the file ready for more lines: it is there, can be written, and its last line has an end."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        cut = self.path.is_file() and not self.path.read_bytes().endswith(b"\n") and self.path.stat().st_size > 0
        self._add(b"\n" if cut else b"")

    def add(self, fate: Fate) -> None:
        """Add a line, in one write: several processes may do it at once."""
        said = sealed({"power": FORMAT, **fate.to_json()})
        self._add(json.dumps(said, allow_nan=False).encode() + b"\n")

    def _add(self, line: bytes) -> None:
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            if os.write(handle, line) != len(line):
                raise OSError(0, "the last line could not be written whole; is the disk full?", str(self.path))
        finally:
            os.close(handle)

    def read(self) -> dict[tuple[str, str], dict[tuple[str, int], Fate]]:
        """Return what earlier runs found. A line that a kill cut off is left out; a file of anything else is refused."""
        found: dict[tuple[str, str], dict[tuple[str, int], Fate]] = {}
        if not self.path.exists():
            return found
        try:
            lines = self.path.read_bytes().decode().split("\n")
        except UnicodeDecodeError:
            raise self._foreign(1) from None
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            fate = self._fate(line, number)
            if fate is not None:
                found.setdefault((fate.claim, fate.claim_hash), {})[fate.key] = fate
        return found

    def _fate(self, line: str, number: int) -> Fate | None:
        """Return the fate of a line; None for a line that was cut off."""
        if line.startswith(OLD):
            return None  # of a version without checksums: done again
        if not line.startswith(BEGINS) and not BEGINS.startswith(line):
            raise self._foreign(number)
        try:
            said = json.loads(line)
        except ValueError:
            return None
        if isinstance(said, dict) and is_whole(said) is False:
            raise NotFound(f"{self.path} is damaged: line {number} is not what was written; delete that line, and run again")
        try:
            del said["power"], said[CHECKSUM]
            fate = Fate.from_json(said)
        except (KeyError, TypeError, AttributeError):
            raise self._foreign(number) from None
        if not _has_valid_fields(fate):
            raise self._foreign(number)
        return fate

    def _foreign(self, line: int) -> NotFound:
        return NotFound(f"{self.path} is no store of `boundcheck power`: see its line {line}; give another file with --store")


def _has_valid_fields(fate: Fate) -> bool:
    """Return whether every field is of its type: then nothing that reads the fate can stumble."""
    words = (fate.claim, fate.mutant, fate.hash, fate.kind, fate.change, fate.fate, fate.how, fate.claim_hash, fate.contradicts)
    numbers = (fate.seed, fate.seconds) if fate.k is None else (fate.seed, fate.seconds, fate.k)
    return all(isinstance(w, str) for w in words) and fate.fate in FATES and all(isinstance(n, int | float) for n in numbers)


def choose(claims: Sequence[Bound]) -> tuple[list[Bound], dict[str, str]]:
    """Return the claims whose mutants are made, and why the others have none, by their ids."""
    chosen = targets(claims)
    ids = {bound.id for bound in chosen}
    left_out = {bound.id: _why_not(bound, claims) for bound in claims if bound.id not in ids}
    if not chosen:
        name, why = next(iter(left_out.items()))
        raise NotFound(f"there is nothing to change: {name}: {why}; name a claim that is not known to be false")
    return chosen, left_out


def _why_not(bound: Bound, claims: Sequence[Bound]) -> str:
    if why := why_none(bound):
        return why
    if bound.is_refuted:
        return "the claim is false, and a change of it need not be"
    if any(other.label == bound.label and other.reading == PROVED for other in claims):
        return "the reading that is proved stands for it"
    return "it is neither the printed nor the proved reading"


class MutationRun:
    """The work on some claims: which fates earlier runs stored, and which this one has found so far."""

    def __init__(self, bounds: list[Bound], left_out: dict[str, str], journal: FateJournal, seed: int) -> None:
        self.bounds, self.left_out, self.journal, self.seed = bounds, left_out, journal, seed
        self.before = journal.read()
        self.order: dict[int, list[str]] = {}  # of a claim begun: its mutants' hashes
        self.found: dict[tuple[int, str], Fate] = {}
        self.ended: set[int] = set()
        self.unfinished: dict[str, str] = {}
        self.began, self.stored = perf_counter(), 0

    def run(self, jobs: int, tick: Callable[[], None] | None = None) -> Score:
        """Find every fate that is missing. `tick` is called again and again meanwhile, to show how far the run is."""
        self.journal.open()
        tasks = [partial(self._task, bound) for bound in self.bounds]
        for event in stream(tasks, jobs):
            if event is not None:
                self._take(*event)
            if tick is not None:
                tick()
        return self._score()

    def _task(self, bound: Bound, attempt: int) -> Iterator[Any]:
        """Yield the hashes of a claim's mutants, then the fate of each. This runs in a process of its own."""
        if attempt:
            self.journal.open()
        known: KnownFates = (self.journal.read() if attempt else self.before).get((bound.id, bound.hash), {})
        yield [mutant.bound.hash for mutant in mutants(bound)]
        for fate in power.find_fates(bound, known, self.seed):
            if fate.key not in known:
                self.journal.add(fate)
            yield fate

    def _take(self, number: int, what: Any) -> None:
        if isinstance(what, Fate):
            self.found[number, what.hash] = what
            self.stored += what.key in self.before.get((what.claim, what.claim_hash), {})
        elif isinstance(what, Failed):
            self.unfinished[self.bounds[number].id] = what.why
            self.ended.add(number)
        elif isinstance(what, Ended):
            self.ended.add(number)
        else:
            self.order[number] = what

    def _score(self) -> Score:
        """Return the score, with fates in the order of the claims and of their mutants, whichever came first."""
        none = {self.bounds[n].id: "there is nothing in it to change" for n, order in sorted(self.order.items()) if not order}
        return Score(
            fates=tuple(self.found[n, name] for n in sorted(self.order) for name in self.order[n] if (n, name) in self.found),
            not_mutated={**self.left_out, **none},
            unfinished=self.unfinished,
            seed=self.seed,
        )

    # -- progress -------------------------------------------------------------------------------------------------------

    @property
    def expected(self) -> int:
        """The number of mutants; a claim that is not begun counts as many as the others have on average."""
        begun = sum(map(len, self.order.values()))
        return round(begun * len(self.bounds) / len(self.order)) if self.order else 0

    def so_far(self) -> str:
        """Return a line such as "12 of about 40 mutants: 7 killed, 4 explained, 1 survived"."""
        fates = [fate.fate for fate in self.found.values()]
        about = "" if len(self.order) == len(self.bounds) else "about "
        explained = sum(1 for fate in fates if fate in (IMPLIED, TRUE))
        counts = f"{fates.count(KILLED)} killed, {explained} explained, {fates.count(SURVIVED)} survived"
        return f"{len(fates)} of {about}{self.expected} mutants: {counts}"

    def seconds_left(self) -> float | None:
        """Return an estimate: each mutant that is left takes as long as those that this run did."""
        done = len(self.found) - self.stored
        return (perf_counter() - self.began) * (self.expected - len(self.found)) / done if done else None

"""The store of fates: a line of JSON a mutant, added by the process that found it: a kill loses what is in work and no more."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import NotFound
from boundcheck.power import fates as power
from boundcheck.power.fates import IMPLIED, KILLED, SURVIVED, TRUE, Fate
from boundcheck.power.mutants.mutant import Mutant
from boundcheck.support.checksums import CHECKSUM, is_whole, sealed

FORMAT = 2  # 1 had no checksums
BEGINS = f'{{"power": {FORMAT}, '  # every line does, so that a line which was cut off is told from another's file
OLD = '{"power": 1, '
FATES = (KILLED, IMPLIED, TRUE, SURVIVED)


@dataclass(frozen=True, kw_only=True)
class StoredFate:
    """A fate, the hash of the claim that was changed, and, of a mutant that was broken, why it would have been true."""

    fate: Fate
    of: str
    contradicts: str = ""

    def to_json(self) -> dict[str, Any]:
        said = {name: value for name, value in asdict(self.fate).items() if name != "contradicts"}
        return {**said, "of": self.of, "contradicts": self.contradicts}


StoredFates = Mapping[tuple[str, int], StoredFate]


def entries(bound: Bound, made: list[Mutant], known: StoredFates, seed: int) -> Iterator[StoredFate]:
    """What becomes of each mutant of a claim: of those known first, then of the rest as they are found."""
    mine = [mutant.bound.hash for mutant in made]
    if all((name, seed) in known for name in mine):
        yield from (known[name, seed] for name in mine)
        return
    for fate in power.fates(bound, {key: entry.fate for key, entry in known.items()}, seed):
        before = known.get(fate.key)
        yield before or StoredFate(fate=fate, of=bound.hash, contradicts=fate.contradicts)


class FateJournal:
    """The file. Its keys are a claim's id and hash, then a mutant's hash and the seed: what has changed since is not used."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> None:
        """Make it ready for more lines: it is there, can be written, and its last line has an end."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        cut = self.path.is_file() and not self.path.read_bytes().endswith(b"\n") and self.path.stat().st_size > 0
        self._add(b"\n" if cut else b"")

    def add(self, entry: StoredFate) -> None:
        """One line more, in one write: several processes may do it at once."""
        said = sealed({"power": FORMAT, **entry.to_json()})
        self._add(json.dumps(said, allow_nan=False).encode() + b"\n")

    def _add(self, line: bytes) -> None:
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            if os.write(handle, line) != len(line):
                raise OSError(0, "the last line could not be written whole; is the disk full?", str(self.path))
        finally:
            os.close(handle)

    def read(self) -> dict[tuple[str, str], dict[tuple[str, int], StoredFate]]:
        """What earlier runs found. A line that a kill cut off is left out; a file of anything else is refused."""
        found: dict[tuple[str, str], dict[tuple[str, int], StoredFate]] = {}
        if not self.path.exists():
            return found
        try:
            lines = self.path.read_bytes().decode().split("\n")
        except UnicodeDecodeError:
            raise self._foreign(1) from None
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            entry = self._entry(line, number)
            if entry is not None:
                found.setdefault((entry.fate.claim, entry.of), {})[entry.fate.key] = entry
        return found

    def _entry(self, line: str, number: int) -> StoredFate | None:
        """None: a line that was cut off."""
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
            of, contradicts = said.pop("of"), said.pop("contradicts")
            entry = StoredFate(fate=Fate(**said), of=of, contradicts=contradicts)
        except (KeyError, TypeError, AttributeError):
            raise self._foreign(number) from None
        if not _is_whole(entry):
            raise self._foreign(number)
        return entry

    def _foreign(self, line: int) -> NotFound:
        return NotFound(f"{self.path} is no store of `boundcheck power`: see its line {line}; give another file with --store")


def _is_whole(entry: StoredFate) -> bool:
    """Is every field of its type? Then nothing that reads it can stumble."""
    fate = entry.fate
    words = (fate.claim, fate.mutant, fate.hash, fate.kind, fate.change, fate.fate, fate.how, entry.of, entry.contradicts)
    numbers = (fate.seed, fate.seconds) if fate.k is None else (fate.seed, fate.seconds, fate.k)
    return all(isinstance(w, str) for w in words) and fate.fate in FATES and all(isinstance(n, int | float) for n in numbers)

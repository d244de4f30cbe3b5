"""The journal of fates is a file with one line of JSON for each mutant, added by the process that found its fate.

A process that is killed loses the mutant that it worked on and nothing else.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from boundcheck.library.catalogue import NotFound
from boundcheck.power.fates import FATES, Fate
from boundcheck.support.checksums import CHECKSUM, is_whole, sealed

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

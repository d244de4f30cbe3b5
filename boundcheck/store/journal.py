"""What is finished and not in the store yet: a file beside it with a line a work, written by the process that did the work.

A line is appended by one write: it is there, whole, before the next work begins, and stays there through a kill -9. From there
the store takes over many at a time, in one transaction that also says up to where the file was read.
"""

from __future__ import annotations

import errno
import json
import os
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from boundcheck.store.encoding import Packed
from boundcheck.support.atomic_files import seal

PIECE = 1 << 20  # bytes
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class Failure:
    """A cell that could not be decided because something broke: what is known of the cell, as JSON, and the error."""

    said: str
    error: str


@dataclass(frozen=True)
class Settled:
    """What came of a work: its cells by their numbers, those that failed, and why it has none."""

    key: str
    found: Mapping[int, Packed] = field(default_factory=dict)
    failed: Mapping[int, Failure] = field(default_factory=dict)
    nothing: str = ""
    seconds: float = 0.0


class Journal:
    """A file that processes append to which were forked from this one, and that this one reads."""

    def __init__(self, path: Path) -> None:
        self.path, self.read = path, 0
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)

    def add(self, one: Settled) -> None:
        """In one write. A line that was cut off, on a full disk, spoils none that comes after."""
        line = b"\n" + _line(one) + b"\n"
        if os.write(self._file, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))

    def news(self) -> tuple[list[Settled], int]:
        """The lines since `read`, and where they end. The file is read even where somebody took its name away."""
        return _whole_lines(self._file, self.read)

    def remove(self) -> None:
        os.close(self._file)
        self.path.unlink(missing_ok=True)


def left_in(path: Path, read: int) -> list[Settled]:
    """What somebody else's journal has from there on; nothing where there is none."""
    with suppress(FileNotFoundError):
        file = os.open(path, os.O_RDONLY)
        try:
            return _whole_lines(file, read)[0]
        finally:
            os.close(file)
    return []


def _whole_lines(file: int, at: int) -> tuple[list[Settled], int]:
    pieces: list[bytes] = []
    while piece := os.pread(file, PIECE, at + sum(len(one) for one in pieces)):
        pieces.append(piece)
    text, newline, _ = b"".join(pieces).rpartition(b"\n")
    found = (_settled(line) for line in text.split(b"\n") if line)
    return [one for one in found if one is not None], at + len(text) + len(newline)


def _line(one: Settled) -> bytes:
    cells = [(n, c.claim, c.outcome, c.said, b2a_base64(c.numbers, newline=False).decode()) for n, c in one.found.items()]
    failed = [(n, c.said, c.error) for n, c in one.failed.items()]
    body = _ENCODER.encode((one.key, cells, failed, one.nothing, one.seconds)).encode("utf-8", "surrogatepass")
    return seal(body).encode() + b" " + body


def _settled(line: bytes) -> Settled | None:
    """None for a line that was cut off or damaged: its work is done again."""
    written, _, body = line.partition(b" ")
    if written != seal(body).encode():
        return None
    key, cells, failed, nothing, seconds = json.loads(body)
    found = {n: Packed(claim, outcome, said, a2b_base64(numbers)) for n, claim, outcome, said, numbers in cells}
    return Settled(key, found, {n: Failure(said, error) for n, said, error in failed}, nothing, seconds)

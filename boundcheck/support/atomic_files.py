"""Files that are there whole or not at all: all are written beside their places first, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class AtomicFiles:
    """`with Whole() as files`: what is written inside takes its place at the end, unless something went wrong."""

    def __init__(self) -> None:
        self._ready: list[tuple[Path, Path]] = []

    def __enter__(self) -> AtomicFiles:
        return self

    def text(self, path: Path, text: str) -> None:
        """A file with this text; half of a character pair, which UTF-8 cannot hold, is written as its escape."""
        self.bytes(path, text.encode("utf-8", "backslashreplace"))

    def bytes(self, path: Path, content: bytes) -> None:
        place = self.place(path)
        with named(path):
            place.write_bytes(content)

    def place(self, path: Path) -> Path:
        """A new empty file that becomes this one."""
        with named(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        os.close(handle)
        self._ready.append((Path(name), path))
        os.chmod(name, 0o644)
        return Path(name)

    def __exit__(self, wrong: object, error: object, *more: object) -> None:
        try:
            if isinstance(error, OSError):
                self._name(error)
            for made, path in self._ready if wrong is None else ():
                with named(path):
                    _to_disk(made)
            for made, path in self._ready if wrong is None else ():
                with named(path):
                    made.replace(path)
        finally:
            for made, _ in self._ready:
                made.unlink(missing_ok=True)

    def _name(self, wrong: OSError) -> None:
        """An error about a file that nobody will see is about the one that it would have become."""
        path = {str(made): path for made, path in self._ready}.get(str(wrong.filename))
        if path is not None or (wrong.filename is None and self._ready):
            wrong.filename = str(path or self._ready[-1][1])


def write_whole(path: Path, text: str) -> None:
    """One file with this text. The old one stays as it is where the new one cannot be written."""
    with AtomicFiles() as files:
        files.text(path, text)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Whatever the system says against a file is told of this path: a full disk, a folder that may only be read."""
    try:
        yield
    except OSError as wrong:
        wrong.filename, wrong.filename2 = str(path), None
        raise


def _to_disk(made: Path) -> None:
    """What a full or failing disk has against a file is known before the old one is gone."""
    handle = os.open(made, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

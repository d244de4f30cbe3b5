"""Files that are there whole or not at all, written beside their places first; a checksum refuses those that were changed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

CHECKSUM = "checksum"  # the key of a JSON object that has one


def seal(*values: Any) -> str:
    """A checksum of a row: of numbers, texts and bytes, each with its kind and length."""
    made = blake2b(digest_size=8)
    for value in values:
        content = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
        made.update(f"{type(value).__name__} {len(content)} ".encode())
        made.update(content)
    return made.hexdigest()


def sealed(said: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object with its checksum as the last key."""
    return {**said, CHECKSUM: _sum(said)}


def is_whole(said: Mapping[str, Any]) -> bool | None:
    """Is it what was written? None where it has no checksum, so that nobody can tell."""
    return said[CHECKSUM] == _sum(said) if CHECKSUM in said else None


def _sum(said: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in said.items() if key != CHECKSUM}
    return seal(json.dumps(json.loads(json.dumps(rest)), sort_keys=True, ensure_ascii=True))


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

"""Files that are there whole or not at all: all are written beside their places first, then renamed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


class Whole:
    """`with Whole() as files`: what is written inside takes its place at the end, unless something went wrong."""

    def __init__(self) -> None:
        self._ready: list[tuple[Path, Path]] = []

    def __enter__(self) -> Whole:
        return self

    def text(self, path: Path, text: str) -> None:
        self.place(path).write_text(text, encoding="utf-8")

    def bytes(self, path: Path, content: bytes) -> None:
        self.place(path).write_bytes(content)

    def place(self, path: Path) -> Path:
        """A new empty file that becomes this one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        self._ready.append((Path(name), path))
        os.chmod(name, 0o644)
        return Path(name)

    def __exit__(self, wrong: object, *more: object) -> None:
        try:
            for made, path in self._ready if wrong is None else ():
                made.replace(path)
        finally:
            for made, _ in self._ready:
                made.unlink(missing_ok=True)

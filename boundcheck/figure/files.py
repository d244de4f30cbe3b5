"""Files that are there whole or not at all, and a table as CSV."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from boundcheck.figure.frame import Numbers


def write_whole(path: Path, content: bytes) -> None:
    """Written beside its place, then moved there: who reads it, or kills this, never meets half a file."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def as_csv(numbers: Numbers) -> bytes:
    """A row a point, numbers in full: what is read back is what was drawn. Nothing stands where there is no number."""
    names = list(numbers.columns)
    rows = zip(*(numbers.columns[name].tolist() for name in names), strict=True)
    lines = [",".join(names), *(",".join(map(_cell, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else repr(value)
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\n') else text

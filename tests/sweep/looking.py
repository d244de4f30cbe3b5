"""What a sweep left: its works and its rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet

from boundcheck.store import Store, StoredWork


def works(path: Path | str) -> list[StoredWork]:
    with Store(Path(path)) as store:
        return store.works()


def rows(path: Path | str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return found


def where(row: dict[str, Any]) -> tuple[Any, ...]:
    """What makes a row the one of its cell."""
    return tuple(row[name] for name in ("claim", "problem", "method", "M", "parameters", "seed", "arithmetic"))


def once_each(path: Path | str) -> bool:
    """Is there exactly one row for each cell?"""
    return set(Counter(map(where, rows(path))).values()) == {1}


def edited(path: Path, **keys: str) -> None:
    """The same spec with some keys written otherwise."""
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line.partition("=")[0].strip() not in keys]
    path.write_text("\n".join([*kept, *(f"{name} = {value}" for name, value in keys.items())]) + "\n", encoding="utf-8")

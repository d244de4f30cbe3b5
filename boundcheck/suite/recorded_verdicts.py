"""Recorded verdicts: what the last full check of a paper found, kept beside its claims.

Each entry is for one hash: a claim that changed since is untested.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import NotFound, beside, bounds_of, folder_of, papers, papers_of
from boundcheck.suite.tally import UNTESTED, Tally
from boundcheck.support.atomic_files import AtomicFiles

FILE = "verdicts.json"


@cache
def recorded() -> Mapping[str, dict[str, Any]]:
    """The recorded entries of every paper, by claim id."""
    found: dict[str, dict[str, Any]] = {}
    for paper in papers():
        found.update(_read(beside(paper, FILE)))
    return found


def _read(file: Traversable) -> dict[str, dict[str, Any]]:
    """The entries of a record; none where there is no such file."""
    if not file.is_file():
        return {}
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as wrong:
        raise NotFound(f"{file} is not a record of verdicts ({wrong}); make it again with `boundcheck paper --record`") from None


def record_of(bound: Bound) -> dict[str, Any] | None:
    """What is recorded of exactly this claim."""
    entry = recorded().get(bound.id)
    return entry if entry is not None and entry.get("hash") == bound.hash else None


def status(bound: Bound) -> tuple[str, bool]:
    """(status, certified)."""
    entry = record_of(bound)
    return (entry["status"], bool(entry["certified"])) if entry is not None else (UNTESTED, False)


def write_records(tallies: Mapping[str, Tally]) -> list[Path]:
    """Write the record of every paper whose claims were all checked, beside its claims."""
    written = []
    for paper in papers_of(tally.bound for tally in tallies.values()):
        ids = [bound.id for bound in bounds_of(paper)]
        if ids and all(name in tallies for name in ids):
            path = folder_of(paper) / FILE
            # a folder may hold several files of claims: what is recorded of the others stays
            others = {} if hasattr(paper, "__path__") else _read(path)
            said = {**others, **{name: tallies[name].record() for name in ids}}
            write({path: json.dumps(said, indent=1, ensure_ascii=False) + "\n"}.items())
            written.append(path)
    recorded.cache_clear()
    return written


def write(contents: Iterable[tuple[Path, str]]) -> None:
    """Write files so that each is there whole or not at all."""
    with AtomicFiles() as files:
        for path, text in contents:
            files.text(path, text)

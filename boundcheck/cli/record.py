"""Recorded verdicts: what the last full check of a paper found, kept beside its claims.

Each entry is for one hash: a claim that changed since is untested.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from boundcheck.bound import Bound
from boundcheck.registry import NotFound, bounds_of, papers
from boundcheck.report.tally import UNTESTED, Tally
from boundcheck.whole import Whole

FILE = "verdicts.json"


@cache
def recorded() -> Mapping[str, dict[str, Any]]:
    """The recorded entries of every paper, by claim id."""
    found: dict[str, dict[str, Any]] = {}
    for paper in papers():
        file = files(paper.__name__).joinpath(FILE)
        if file.is_file():
            try:
                found.update(json.loads(file.read_text(encoding="utf-8")))
            except (ValueError, TypeError) as wrong:
                raise NotFound(
                    f"{file} is not a record of verdicts ({wrong}); make it again with `boundcheck paper --record`"
                ) from None
    return found


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
    for paper in papers():
        ids = [bound.id for bound in bounds_of(paper)]
        if ids and all(name in tallies for name in ids):
            path = Path(next(iter(paper.__path__))) / FILE
            write({path: json.dumps({name: tallies[name].record() for name in ids}, indent=1, ensure_ascii=False) + "\n"}.items())
            written.append(path)
    recorded.cache_clear()
    return written


def write(contents: Iterable[tuple[Path, str]]) -> None:
    """Write files so that each is there whole or not at all."""
    with Whole() as files:
        for path, text in contents:
            files.text(path, text)

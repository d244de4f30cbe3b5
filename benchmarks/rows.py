"""What the scripts measured, kept: a line of JSON for each number, and one for each script that says when and on what it ran.

A script that is run again replaces its own lines only. No line names a machine or a path.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from harness import Measured

KEPT = Path(__file__).parent / "results" / "rows.jsonl"
LIBRARIES = ("numpy", "python-flint", "mpmath", "numba")
OF_MEASURED = {f.name for f in fields(Measured)}


@dataclass(frozen=True)
class Run:
    """One run of a script: what it measured, and if it did not end well, why."""

    script: str
    date: str
    cores: int
    versions: dict[str, str]
    seconds: float
    load: float | None = None  # of the machine when it began: how many processes wanted a core
    quick: bool = False
    failed: str = ""
    measured: tuple[Measured, ...] = field(default=(), compare=False)

    @property
    def command(self) -> str:
        return f"python benchmarks/{self.script}.py{' --quick' if self.quick else ''}"


class Malformed(ValueError):
    """A file of rows that is none."""


def here() -> dict[str, Any]:
    """The date, the number of cores, the versions and the load of a run that begins now."""
    versions = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            continue
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"date": datetime.datetime.now(datetime.UTC).date().isoformat(), "cores": cores, "versions": versions, "load": load}


def measured_from(text: str) -> tuple[Measured, ...]:
    """The rows that `told` left."""
    return tuple(_measured(json.loads(line)) for line in text.splitlines() if line.strip())


def _measured(row: dict[str, Any]) -> Measured:
    return Measured(**{name: value for name, value in row.items() if name in OF_MEASURED})


def written(runs: Iterable[Run]) -> str:
    lines = []
    for run in sorted(runs, key=lambda r: r.script):
        head = {name: value for name, value in asdict(run).items() if name not in ("script", "measured")}
        lines.append({"script": run.script, "run": head | {"seconds": round(run.seconds, 1)}})
        for m in run.measured:
            defaults = {f.name: f.default for f in fields(Measured)}
            told = {name: _short(value) for name, value in asdict(m).items() if value != defaults[name]}
            lines.append({"script": run.script, **told})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _short(value: Any) -> Any:
    """Six digits are more than any of these is worth."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def read(path: Path) -> list[Run]:
    runs: dict[str, Run] = {}
    found: dict[str, list[Measured]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            script = row.pop("script")
            if "run" in row:
                runs[script] = Run(script=script, **row["run"])
            else:
                found.setdefault(script, []).append(_measured(row))
        except (ValueError, KeyError, TypeError, AttributeError) as wrong:
            raise Malformed(
                f"line {number} of {path.name} is no row: {wrong}; `python benchmarks/table.py` writes them"
            ) from None
    if strange := found.keys() - runs.keys():
        raise Malformed(f"{path.name} has rows of {sorted(strange)[0]} and no line that says when it ran")
    return [Run(**{**asdict_flat(run), "measured": tuple(found.get(script, ()))}) for script, run in runs.items()]


def asdict_flat(run: Run) -> dict[str, Any]:
    return {f.name: getattr(run, f.name) for f in fields(Run)}


def replaced(kept: Iterable[Run], new: Sequence[Run]) -> list[Run]:
    """The runs kept, with the new ones in the place of those of the same scripts."""
    fresh = {run.script for run in new}
    return sorted([*(run for run in kept if run.script not in fresh), *new], key=lambda r: r.script)

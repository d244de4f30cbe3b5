"""Tidy tables with a row for each cell, claim and worst case: CSV always, Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.check.verdict import EACH, EXERCISED, Verdict
from boundcheck.report.content import Report, largest_ratio
from boundcheck.report.gather import Gathered
from boundcheck.report.iterates import cell_columns
from boundcheck.tightness.result import CERTAINTY

NAMES = tuple(outcome.name for outcome in EACH)
COUNTED = tuple(name.lower() for name in NAMES)
WORST = ("claim", "name", "k", "bound", "worst", "ratio", "at_most", "verdict", "certainty", "given", "note")


def can_write_parquet() -> bool:
    return find_spec("pyarrow") is not None


def cell_rows(found: Gathered) -> Iterator[dict[str, Any]]:
    for kind, verdict in found.cells:
        seconds = None if verdict.cost is None else float(verdict.cost.seconds)
        row = cell_row(kind, verdict)
        why = {name: row.pop(name) for name in ("reason", "notes")}
        yield {**row, "seconds": seconds, **why}


def cell_row(kind: str, verdict: Verdict) -> dict[str, Any]:
    """All that is said of a cell but how long it took."""
    outcome = verdict.outcome
    exercised = outcome in EXERCISED
    tightest, violation = verdict.tightest, verdict.violation
    residual = None if verdict.residual is None or np.isnan(verdict.residual).all() else float(np.nanmin(verdict.residual))
    return {
        **cell_columns(kind, verdict.cell),
        "verdict": NAMES[outcome],
        "certified": verdict.certified and exercised,
        "grade": verdict.grade if exercised else "",
        **dict(zip(COUNTED, verdict.counts.values(), strict=True)),
        "tightest_ratio": None if tightest is None or not np.isfinite(tightest.ratio) else float(tightest.ratio),
        "tightest_at": "" if tightest is None else tightest.place,
        "violated_at": "" if violation is None else violation.place,
        "violated_left": "" if violation is None else violation.left,
        "violated_right": "" if violation is None else violation.right,
        "hypothesis_residual": residual,
        "reason": verdict.reason,
        "notes": "; ".join(verdict.notes),
    }


def claim_rows(report: Report) -> Iterator[dict[str, Any]]:
    for row in report.rows.values():
        largest, measured = largest_ratio(report, row), report.tightness.get(row["id"])
        kept = ("id", "label", "reading", "title", "statement", "status", "certified", "expected", "surprise", "cells", "holds")
        yield {
            **{name: "" if row[name] is None else row[name] for name in kept},
            **{name: row[name] for name in ("violated", "undecided", "vacuous", "certified_cells", "near_cells")},
            "problems": ", ".join(row["problems"]),
            "largest_ratio": None if largest is None else largest[0],
            "largest_where": "" if largest is None else largest[1],
            "median": None if measured is None else float(measured.median),
            "left_exponent": None if measured is None else measured.left_exponent,
            "right_exponent": None if measured is None else measured.right_exponent,
            "over_classical": None if measured is None else measured.classical,
            "reason": row["reason"] or "",
            "hash": row["hash"],
        }


def worst_rows(report: Report) -> Iterator[dict[str, Any]]:
    for one in report.worst_cases:
        yield {
            "claim": one.claim,
            "name": one.name,
            "k": one.k,
            "bound": float(one.bound),
            "worst": float(one.worst),
            "ratio": float(one.ratio),
            "at_most": float(one.at_most),
            "verdict": one.verdict,
            "certainty": CERTAINTY,
            "given": one.given,
            "note": one.note,
        }


def write_rows(
    rows: Iterable[Mapping[str, Any]], csv_path: Path, parquet_path: Path | None, names: Sequence[str] = ("claim",)
) -> None:
    """A small table, in both forms; `names` are the columns of an empty one."""
    held = list(rows)
    names = list(held[0]) if held else names
    with csv_path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(["" if row[name] is None else row[name] for name in names] for row in held)
    if parquet_path is not None:
        import pyarrow
        import pyarrow.parquet

        columns = {name: [row[name] for row in held] for name in names}
        made = {
            name: pyarrow.array(v, type=pyarrow.float64() if not any(x is not None for x in v) else None)
            for name, v in columns.items()
        }
        pyarrow.parquet.write_table(pyarrow.table(made), parquet_path, compression="zstd")

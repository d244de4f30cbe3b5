"""Tidy tables with a row for each cell, claim, worst case or arithmetic: CSV always, Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.check.verdict import CERTIFIED, EACH, EXERCISED, NEAR, NUMERICAL, Verdict
from boundcheck.report.content import GatheredReport, Report, largest_ratio
from boundcheck.report.iterate_table import cell_columns
from boundcheck.support.table import markdown_table
from boundcheck.tightness.result import CERTAINTY

COLUMNS = ("decided in", "cells", "certified", "certified for steps near the rule's", "numerical", "not decided", "seconds")


@dataclass
class ArithmeticCost:
    """The cells whose verdict comes from one arithmetic."""

    arithmetic: str
    certified: int = 0
    near: int = 0
    numerical: int = 0
    open: int = 0
    seconds: float = 0.0

    def texts(self) -> tuple[str, ...]:
        counts = (self.certified, self.near, self.numerical, self.open)
        return (self.arithmetic, str(sum(counts)), *map(str, counts), f"{self.seconds:.1f}")


def arithmetic_costs(cells: Sequence[dict[str, Any]]) -> list[ArithmeticCost]:
    """From the cells as JSON, exact rationals first, then the ladder upwards."""
    rows: dict[str, ArithmeticCost] = {}
    for cell in cells:
        row = rows.setdefault(cell["arithmetic"], ArithmeticCost(cell["arithmetic"]))
        row.certified += cell["grade"] == CERTIFIED
        row.near += cell["grade"] == NEAR
        row.numerical += cell["grade"] == NUMERICAL
        row.open += cell["grade"] is None
        row.seconds += cell["cost"]["seconds"] if cell["cost"] is not None else 0.0
    return sorted(rows.values(), key=lambda row: _cost_order(row.arithmetic))


def _cost_order(name: str) -> tuple[int, int, str]:
    kind, _, detail = name.partition(":")
    known = ("rational", "float64", "ball")
    return known.index(kind) if kind in known else len(known), int(detail) if detail.isdigit() else 0, name


def costs_markdown(rows: Sequence[ArithmeticCost]) -> list[str]:
    """Return the lines of the section of the summary."""
    return ["## Where cells were decided", "", *markdown_table(COLUMNS, [row.texts() for row in rows])]


NAMES = tuple(outcome.name for outcome in EACH)
COUNTED = tuple(name.lower() for name in NAMES)
WORST = ("claim", "name", "k", "bound", "worst", "ratio", "at_most", "verdict", "certainty", "given", "note")


def can_write_parquet() -> bool:
    return find_spec("pyarrow") is not None


def cell_rows(found: GatheredReport) -> Iterator[dict[str, Any]]:
    for kind, verdict in found.cells:
        seconds = None if verdict.cost is None else float(verdict.cost.seconds)
        row = cell_row(kind, verdict)
        why = {name: row.pop(name) for name in ("reason", "notes")}
        yield {**row, "seconds": seconds, **why}


def cell_row(kind: str, verdict: Verdict) -> dict[str, Any]:
    """Return all that is said of a cell but how long it took."""
    outcome = verdict.outcome
    exercised = outcome in EXERCISED
    tightest, violation = verdict.tightest, verdict.violation
    residual = None if verdict.residual is None or np.isnan(verdict.residual).all() else float(np.nanmin(verdict.residual))
    return {
        **cell_columns(kind, verdict.cell),
        "verdict": NAMES[outcome],
        "certified": verdict.certified and exercised,
        "grade": verdict.grade if exercised else "",
        **{name: verdict.counts.get(outcome, 0) for name, outcome in zip(COUNTED, EACH, strict=True)},
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

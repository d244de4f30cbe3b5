"""Where cells were decided, and at what cost: one row for each arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.check.verdict import CERTIFIED, NEAR, NUMERICAL
from boundcheck.support.table import markdown_table

COLUMNS = ("decided in", "cells", "certified", "certified for steps near the rule's", "numerical", "not decided", "seconds")


@dataclass
class Row:
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


def costs(cells: Sequence[dict[str, Any]]) -> list[Row]:
    """From the cells as JSON, exact rationals first, then the ladder upwards."""
    rows: dict[str, Row] = {}
    for cell in cells:
        row = rows.setdefault(cell["arithmetic"], Row(cell["arithmetic"]))
        row.certified += cell["grade"] == CERTIFIED
        row.near += cell["grade"] == NEAR
        row.numerical += cell["grade"] == NUMERICAL
        row.open += cell["grade"] is None
        row.seconds += cell["cost"]["seconds"] if cell["cost"] is not None else 0.0
    return sorted(rows.values(), key=lambda row: _order(row.arithmetic))


def _order(name: str) -> tuple[int, int, str]:
    kind, _, detail = name.partition(":")
    known = ("rational", "float64", "ball")
    return known.index(kind) if kind in known else len(known), int(detail) if detail.isdigit() else 0, name


def markdown(rows: Sequence[Row]) -> list[str]:
    """Return the lines of the section of the summary."""
    return ["## Where cells were decided", "", *markdown_table(COLUMNS, [row.texts() for row in rows])]

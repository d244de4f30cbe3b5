"""An audit as data frames, as HTML for a notebook, and as Markdown for a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boundcheck.audit import tables
from boundcheck.runs.trace_views import pandas
from boundcheck.support.errors import UserError
from boundcheck.support.escaping import markdown_code, markdown_items, markdown_text
from boundcheck.support.table import Row, html_table, markdown_table

if TYPE_CHECKING:
    from boundcheck.audit.audit import Audit

TABLES = ("behaviour", "theorems", "cells", "comparison")


def frame(audit: Audit, table: str) -> Any:
    """Return one of TABLES."""
    if table not in TABLES:
        raise UserError(f"an audit has no table '{table}'; it has {', '.join(TABLES)}")
    if table == "cells":
        from boundcheck.check.verdicts import Verdicts

        return Verdicts(audit.checked.verdicts).to_pandas()
    rows = {"behaviour": _behaviour, "theorems": _theorems, "comparison": _comparison}[table](audit)
    return pandas().DataFrame(rows)


def _behaviour(audit: Audit) -> list[dict[str, Any]]:
    rows = []
    for one in audit.behaviours:
        row = {name: value for name, value in one.to_json().items() if name != "adapted"}
        for kind, found in one.adapted.items():
            for name in ("at_most_1", "below_2", "low", "high"):
                row[f"eta {kind} {name}"] = None if found is None else getattr(found, name)
        rows.append(row)
    return rows


def _theorems(audit: Audit) -> list[dict[str, Any]]:
    kept = ("id", "title", "main", "outcome", "applies", "certified", "grade", "cells", "reason")
    rows = []
    for one in audit.checked.theorems:
        said, best = one.to_json(), one.tightest
        ratio = best.tightest.ratio if best is not None and best.tightest is not None else None
        rows.append({**{name: said[name] for name in kept}, "tightest": ratio, "M": " ".join(one.smoothness)})
    return rows


def _comparison(audit: Audit) -> list[dict[str, Any]]:
    return [
        {
            "problem": race.problem,
            "rule": lane.rule,
            "goal": goal,
            "k": None if at is None else at.k,
            "calls": None if at is None else at.total,
            "why": lane.why,
        }
        for race in audit.races
        for lane in race.lanes
        for goal, at in lane.reached.items()
    ]


COLOURS = {"green": "green", "red": "#b00020", "yellow": "#b8860b"}


def _parts(audit: Audit) -> list[tuple[str, Row, Sequence[Row]]]:
    sheets = [tables.theorems(audit)] if audit.checked.problems else []
    sheets += [tables.behaviour(audit)]
    sheets += [tables.comparison(audit)] if audit.races else []
    return [(sheet.title, sheet.columns, sheet.rows) for sheet in sheets]


def _beside(audit: Audit) -> str:
    return tables.beside(audit) if audit.checked.problems else ""


def as_html(audit: Audit) -> str:
    """Return what a notebook shows."""
    from boundcheck.support.table import render

    colour = COLOURS[tables.STYLES.get(audit.word, "yellow")]
    parts = [(title, html_table(columns, rows)) for title, columns, rows in _parts(audit)]
    return render("boundcheck.audit", "audit", audit=audit, colour=colour, parts=parts, beside=_beside(audit))


def as_markdown(audit: Audit) -> str:
    """Return the report that --out writes."""
    lines = [f"# Audit of {markdown_code(str(audit.rule))}", "", f"**{markdown_text(audit.verdict)}**", ""]
    lines += markdown_items(audit.diagnosis.details)
    for title, columns, rows in _parts(audit):
        lines += ["", f"## {markdown_text(title)}", "", *markdown_table(columns, rows)]
    lines += ["", f"{markdown_text(_beside(audit))}."] if _beside(audit) else []
    lines += [f"Left out: {markdown_text(line)}." for line in tables.left_out(audit)]
    return "\n".join(lines) + "\n"

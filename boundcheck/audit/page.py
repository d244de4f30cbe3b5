"""An audit as HTML, for a notebook, and as Markdown, for a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boundcheck.audit import tables
from boundcheck.support.escaping import markdown_code, markdown_items, markdown_text
from boundcheck.support.table import Row, html_table, markdown_table

if TYPE_CHECKING:
    from boundcheck.audit.audit import Audit

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
    from boundcheck.support.rendering import render

    colour = COLOURS[tables.STYLES.get(audit.word, "yellow")]
    parts = [(title, html_table(columns, rows)) for title, columns, rows in _parts(audit)]
    return render("boundcheck.audit", "audit", audit=audit, colour=colour, parts=parts, beside=_beside(audit))


def as_markdown(audit: Audit) -> str:
    """The report that --out writes."""
    lines = [f"# Audit of {markdown_code(str(audit.rule))}", "", f"**{markdown_text(audit.verdict)}**", ""]
    lines += markdown_items(audit.diagnosis.details)
    for title, columns, rows in _parts(audit):
        lines += ["", f"## {markdown_text(title)}", "", *markdown_table(columns, rows)]
    lines += ["", f"{markdown_text(_beside(audit))}."] if _beside(audit) else []
    lines += [f"Left out: {markdown_text(line)}." for line in tables.left_out(audit)]
    return "\n".join(lines) + "\n"

"""An audit as HTML, for a notebook, and as Markdown, for a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from boundcheck.auditing import tables

if TYPE_CHECKING:
    from boundcheck.auditing.audit import Audit

COLOURS = {"green": "green", "red": "#b00020", "yellow": "#b8860b"}


def _parts(audit: Audit) -> list[tuple[str, Sequence[str], list[tuple[str, ...]]]]:
    found = [
        (f"Theorems, on {len(audit.checked.problems)} problems", tables.THEOREMS, list(tables.theorem_rows(audit))),
        ("Behaviour", tables.BEHAVIOUR, list(tables.behaviour_rows(audit))),
    ]
    if audit.races:
        title = "Iterations (and oracle calls) until f - f* is this share of what it was at x_0"
        found.append((title, tables.comparison_columns(audit), list(tables.comparison_rows(audit))))
    return found  # type: ignore[return-value]


def as_html(audit: Audit) -> str:
    colour = COLOURS[tables.STYLES.get(audit.word, "yellow")]
    head = f"<p><b style='color:{colour}'>{escape(audit.verdict)}</b></p>"
    lines = "".join(f"<div>{escape(line)}</div>" for line in (*audit.diagnosis.details, *audit.errors))
    parts = "".join(_html_table(*part) for part in _parts(audit))
    return f"{head}{lines}{parts}<div>{escape(tables.beside(audit))}</div>"


def _html_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th style='text-align:left'>{escape(word)}</th>" for word in columns)
    body = "".join(f"<tr>{''.join(f'<td style=text-align:left>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<h4>{escape(title)}</h4><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def as_markdown(audit: Audit) -> str:
    """The report that --out writes."""
    lines = [f"# Audit of `{audit.rule}`", "", f"**{_safe(audit.verdict)}**", ""]
    lines += [f"- {_safe(line)}" for line in (*audit.diagnosis.details, *audit.errors)]
    for title, columns, rows in _parts(audit):
        lines += ["", f"## {title}", "", f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
        lines += [f"| {' | '.join(_safe(cell) for cell in (*row, *[''] * (len(columns) - len(row))))} |" for row in rows]
    lines += ["", f"{tables.beside(audit)}."]
    lines += [f"Left out: {_safe(line)}." for line in (*audit.skipped, *audit.checked.skipped)]
    return "\n".join(lines) + "\n"


def _safe(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")

"""The paper's report: a table of claims, as Markdown and as one HTML file that needs nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from boundcheck.report import costs

Row = dict[str, Any]

MEANING = (
    "holds: nothing violates the claim on the cells counted here; it is not a proof of the theorem. "
    "refuted: at least one cell violates it, and one is enough. undecided: no cell could be decided. "
    "untested: nothing exercised it. certified: decided by exact rationals or by ball arithmetic; certified for steps near the "
    "rule's: likewise, for frozen steps that are not exactly what the claim's formula says; numerical: by error bounds that are "
    "no proofs."
)

COLUMNS = ("claim", "reading", "statement", "status", "certified", "cells", "tightest", "counterexample or reason")

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem;
  color: #1b1b1b; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #ddd }
th { position: sticky; top: 0; background: #f4f4f4 }
code { font-size: 13px; overflow-wrap: anywhere }
td:nth-child(3), td:nth-child(8) { min-width: 16rem }
.holds { color: #0a6b2d } .refuted { color: #a4161a } .undecided, .untested { color: #8a5a00 }
section { border-top: 1px solid #ddd; max-width: 60rem }
pre { overflow-x: auto; background: #f4f4f4; padding: .6rem }
.unexpected { background: #fff1f0 }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #161616 } th, pre { background: #242424 } th, td { border-color: #3a3a3a }
  .holds { color: #6fd08c } .refuted { color: #ff8080 } .undecided, .untested { color: #e0b050 }
  .unexpected { background: #3a1a1a }
}
""".strip()


def headline(rows: Sequence[Row]) -> str:
    """42 claims: 30 holds, 12 refuted."""
    counts = Counter(row["status"] for row in rows)
    return f"{len(rows)} claims: " + ", ".join(
        f"{counts[s]} {s}" for s in ("holds", "refuted", "undecided", "untested") if counts[s]
    )


def cells_of(row: Row) -> tuple[str, ...]:
    """What each column says."""
    decided = {"holds": row["holds"], "refuted": row["violated"]}.get(row["status"])
    certified = f"{row['certified_cells']} of {decided}" if decided is not None else "-"
    tightest = row["tightest"]
    tight = f"{tightest['ratio']:.6g} at {tightest['place']} {tightest['where']}" if tightest is not None else "-"
    return (
        f"{row['label']}: {row['title']}" if row["title"] else row["label"],
        row["reading"],
        row["statement"],
        row["status"],
        certified,
        ", ".join(f"{row[o]} {o}" for o in ("holds", "violated", "undecided", "vacuous") if row[o]) or "none",
        tight,
        _remark(row),
    )


def _remark(row: Row) -> str:
    violation = row["violation"]
    if violation is None:
        return row["surprise"] or row["reason"] or ""
    m = f" (M={violation['smoothness']})" if violation["smoothness"] else ""
    at = violation["violation"]
    numbers = f": {at['place']}: left {at['left']}, right {at['right']}" if at is not None else ""
    return f"on {violation['problem']} by {violation['method']}{m}{numbers}"


def markdown(rows: Sequence[Row], notes: Sequence[str], decided: Sequence[costs.Row] = ()) -> str:
    unexpected = [row for row in rows if not row["expected"]]
    lines = ["# Every claim of the paper, checked", "", f"{headline(rows)}.", ""]
    lines += [f"- UNEXPECTED {row['id']}: {row['surprise']}" for row in unexpected] or ["Every verdict is the expected one."]
    lines += ["", MEANING, "", f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    lines += [f"| {' | '.join(_cell(text) for text in cells_of(row))} |" for row in rows]
    lines += ["", *costs.markdown(decided)] if decided else []
    lines += ["", "Not run:", "", *(f"- {note}" for note in notes)] if notes else []
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def html(rows: Sequence[Row], notes: Sequence[str], more: str = "") -> str:
    """The page; `more` is HTML that comes after the table."""
    body = "".join(_row(row) for row in rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in COLUMNS)
    unexpected = [f"<li>{escape(row['id'])}: {escape(row['surprise'])}</li>" for row in rows if not row["expected"]]
    found = f"<ul>{''.join(unexpected)}</ul>" if unexpected else "<p>Every verdict is the expected one.</p>"
    jump = " <a href='#costs'>Where cells were decided</a>, <a href='#errata'>errata</a>, <a href='#inventory'>inventory</a>."
    jump = jump if more else ""
    left = f"<h2>Not run</h2><ul>{''.join(f'<li>{escape(note)}</li>' for note in notes)}</ul>\n" if notes else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>boundcheck: every claim, checked</title><style>{STYLE}</style></head><body>\n"
        f"<h1>Every claim of the paper, checked</h1>\n<p>{escape(headline(rows))}.{jump}</p>\n{found}\n<p>{escape(MEANING)}</p>\n"
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>\n{left}{more}</body></html>\n"
    )


def inventory_markdown(places: Sequence[Row]) -> str:
    """Every place of the paper in order, the claims that cover it, and their verdicts."""
    lines = ["# Every statement of the paper, in order", "", _inventory_headline(places), ""]
    lines += ["| where | statement | meaning | covered by |", "|---|---|---|---|"]
    lines += [f"| {_cell(p['where'])} | {_cell(p['label'])} | {_cell(p['meaning'])} | {_cell(_covered(p))} |" for p in places]
    return "\n".join(lines) + "\n"


def inventory_html(places: Sequence[Row]) -> str:
    rows = "".join(
        f"<tr><td>{escape(p['where'])}</td><td>{escape(p['label'])}</td><td>{escape(p['meaning'])}</td><td>{escape(_covered(p))}</td></tr>"
        for p in places
    )
    head = "".join(f"<th>{name}</th>" for name in ("where", "statement", "meaning", "covered by"))
    return (
        f"<h2 id='inventory'>Every statement of the paper, in order</h2><p>{escape(_inventory_headline(places))}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _inventory_headline(places: Sequence[Row]) -> str:
    covered = sum(bool(p["claims"]) for p in places)
    return f"{len(places)} places: {covered} covered by claims, {len(places) - covered} with nothing to test."


def _covered(place: Row) -> str:
    if place["nothing_testable"]:
        return f"nothing testable: {place['nothing_testable']}"
    return "; ".join(f"{claim['id']}: {claim['status']}" for claim in place["claims"])


def _row(row: Row) -> str:
    claim, reading, statement, status, *rest = (escape(text) for text in cells_of(row))
    first = f"<td>{claim}</td><td>{reading}</td><td><code>{statement}</code></td><td class={status}>{status}</td>"
    kind = "" if row["expected"] else " class=unexpected"
    return f"<tr id='{escape(row['id'])}'{kind}>{first}{''.join(f'<td>{text}</td>' for text in rest)}</tr>\n"

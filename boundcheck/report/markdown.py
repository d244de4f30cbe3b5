"""The report as Markdown: a table of claims, and the paper place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from boundcheck.report import costs
from boundcheck.report.content import Report, Row, largest_ratio, nothing_unexpected, unexpected
from boundcheck.support.escaping import markdown_items, markdown_text
from boundcheck.support.table import markdown_table

MEANING = (
    "holds: nothing violates the claim on the cells counted here; it is not a proof of the theorem. "
    "refuted: at least one cell violates it, and one is enough. undecided: no cell could be decided. "
    "untested: nothing exercised it. certified: decided by exact rationals or by ball arithmetic; certified for steps near the "
    "rule's: likewise, for frozen steps that are not exactly what the claim's formula says; numerical: by error bounds that are "
    "no proofs."
)

COLUMNS = ("claim", "reading", "statement", "status", "certified", "cells", "largest left / right", "counterexample or reason")


def headline(rows: Sequence[Row]) -> str:
    """42 claims: 30 holds, 12 refuted."""
    counts = Counter(row["status"] for row in rows)
    return f"{len(rows)} claims: " + ", ".join(
        f"{counts[s]} {s}" for s in ("holds", "refuted", "undecided", "untested") if counts[s]
    )


def cells_of(report: Report, row: Row) -> tuple[str, ...]:
    """What each column says."""
    decided = {"holds": row["holds"], "refuted": row["violated"]}.get(row["status"])
    certified = f"{row['certified_cells']} of {decided}" if decided is not None else "-"
    largest = largest_ratio(report, row)
    tight = f"{largest[0]:.6g} {largest[1]}" if largest is not None else "-"
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


def summary(report: Report, decided: Sequence[costs.Row] = ()) -> str:
    """A line a claim, what is unexpected, where cells were decided, and what was not run."""
    rows, notes = list(report.rows.values()), report.notes
    wrong, unfinished = unexpected(report)
    state = [f"**{markdown_text(report.state)}**", ""] if report.state else []
    lines = [f"# {markdown_text(report.title)}", "", *state, f"{headline(rows)}.", ""]
    lines += ["Runs that ended in an error:", "", *markdown_items(report.failures), ""] if report.failures else []
    surprises = markdown_items(f"UNEXPECTED {row['id']}: {row['surprise']}" for row in wrong)
    lines += surprises or [nothing_unexpected(report, unfinished)]
    lines += ["", MEANING, "", *markdown_table(COLUMNS, [cells_of(report, row) for row in rows])]
    lines += ["", *costs.markdown(decided)] if decided else []
    lines += ["", "Not run:", "", *markdown_items(notes)] if notes else []
    return "\n".join(lines) + "\n"


def inventory_markdown(places: Sequence[Row]) -> str:
    """Every place of the paper in order, the claims that cover it, and their verdicts."""
    lines = ["# Every statement of the paper, in order", "", _inventory_headline(places), ""]
    rows = [(p["where"], p["label"], p["meaning"], _covered(p)) for p in places]
    lines += markdown_table(("where", "statement", "meaning", "covered by"), rows)
    return "\n".join(lines) + "\n"


def _inventory_headline(places: Sequence[Row]) -> str:
    covered = sum(bool(p["claims"]) for p in places)
    return f"{len(places)} places: {covered} covered by claims, {len(places) - covered} with nothing to test."


def _covered(place: Row) -> str:
    if place["nothing_testable"]:
        return f"nothing testable: {place['nothing_testable']}"
    return "; ".join(f"{claim['id']}: {claim['status']}" for claim in place["claims"])

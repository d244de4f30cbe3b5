"""The paper's own words beside our formula, where the reader gave its source; never without it."""

from __future__ import annotations

from boundcheck.claims.bound import PRINTED, Bound
from boundcheck.report.content import Report
from boundcheck.report.page.markup import Markup, join, tag


def quotation(report: Report, bound: Bound) -> Markup | None:
    """What the source says at the place of this claim; None for a statement that is not the paper's, or without --source."""
    quoted = report.quotations.get(bound.id) if bound.reading == PRINTED else None
    if quoted is None:
        return None
    summary = f"The paper's own words: {quoted.tells}" if quoted.is_found else f"The paper's words were {quoted.tells}"
    words = tag("pre", tag("code", quoted.text), tabindex="0") if quoted.text.strip() else None
    instead = tag("p", "There it says now:", class_="muted") if words is not None and not quoted.is_found else None
    return tag(
        "details",
        tag("summary", summary),
        join(instead, words),
        open=True,
        class_="quotation" if quoted.is_found else "quotation misquote",
    )

"""The top of the page: what this is, what came out, what state it is in, and what the words mean."""

from __future__ import annotations

from collections import Counter

from boundcheck.bound import PRINTED
from boundcheck.report.content import Report, nothing_unexpected, unexpected
from boundcheck.report.page.cells import CODES
from boundcheck.report.page.claims import SYMBOLS
from boundcheck.report.page.markup import Markup, join, tag

MEANS = {
    "holds": "nothing violates it on the cells counted here. That is no proof of it.",
    "refuted": "at least one cell violates it, and one is enough.",
    "undecided": "no cell could be decided.",
    "untested": "nothing exercised it.",
}
CERTIFIED = (
    "Certified means decided by exact rationals or by ball arithmetic, which encloses every rounding error; numerical means by "
    "error bounds in floating point that are no proofs. A cell is one claim on one problem with one method and one choice of M."
)


def counts(report: Report) -> Counter[str]:
    """How many claims have each status."""
    return Counter(row["status"] for row in report.rows.values())


def top(report: Report, sections: list[tuple[str, str]]) -> Markup:
    return tag(
        "header",
        tag("div", tag("h1", report.title), _tools(), class_="bar"),
        _state(report),
        tag("div", [_count(report, status) for status in SYMBOLS], class_="counts"),
        _surprises(report),
        tag("nav", [tag("a", name, href=f"#{key}") for key, name in sections], aria_label="Sections"),
        _meaning(),
        class_="top",
    )


def _tools() -> Markup:
    return tag("button", "Theme", type="button", id="theme", aria_label="Switch between light and dark")


def _count(report: Report, status: str) -> Markup:
    many, cells = counts(report)[status], _cells(report, status)
    return tag(
        "a",
        tag("span", SYMBOLS[status], class_=f"symbol {status}", aria_hidden="true"),
        tag("b", str(many)),
        tag("span", status),
        tag("small", f"tried on {cells:,} cells".replace(",", " ") if cells else "–"),
        tag("small", _as_printed(report)) if status == "refuted" and many else None,
        href="#matrix",
        class_=f"count {status}",
        data_status=status,
    )


def _as_printed(report: Report) -> str:
    """How many of the refuted claims the paper prints: other readings are refuted to show what cannot be left out."""
    readings = [bound.reading for bound in report.bounds if report.rows.get(bound.id, {}).get("status") == "refuted"]
    printed = readings.count(PRINTED)
    return f"{printed} as printed, {len(readings) - printed} in other readings"


def _cells(report: Report, status: str) -> int:
    return sum(row.get("cells", 0) for row in report.rows.values() if row["status"] == status)


def _state(report: Report) -> Markup | None:
    """A report of part of a run says so before anything else."""
    if not report.state and not report.failures:
        return None
    failed = len(report.failures)
    return tag(
        "div",
        tag("strong", "This report is not complete. "),
        tag("span", f"{report.state}. ") if report.state else None,
        tag("span", tag("a", f"{failed} run{'' if failed == 1 else 's'} ended in an error", href="#failures"), ".")
        if failed
        else None,
        " It shows what there is.",
        class_="state",
        role="alert",
    )


def _surprises(report: Report) -> Markup:
    found, unfinished = unexpected(report)
    if not found:
        return tag("p", nothing_unexpected(report, unfinished), class_="expected")
    items = [tag("li", tag("a", row["id"], href=f"#claim={row['id']}"), f": {row['surprise']}") for row in found]
    summary = tag("summary", f"{len(found)} of {len(report.rows)} verdicts are not the expected ones")
    return tag("details", summary, tag("ul", items), class_="surprise", open=len(found) < 6)


def _meaning() -> Markup:
    words = [join(tag("dt", _symbol(SYMBOLS[word], word), word), tag("dd", told)) for word, told in MEANS.items()]
    marks = [
        join(tag("dt", tag("i", sign or "·", class_=f"v-{key if key != '.' else 'none'}"), name), tag("dd", told))
        for key, (sign, name, told) in CODES.items()
    ]
    return tag(
        "details",
        tag("summary", "What the words and signs mean, and what they do not"),
        tag(
            "div",
            tag("div", tag("h3", "A claim"), tag("dl", words)),
            tag("div", tag("h3", "A cell"), tag("dl", marks)),
            class_="pair",
        ),
        tag("p", CERTIFIED),
        class_="meaning",
    )


def _symbol(sign: str, status: str) -> Markup:
    return tag("span", sign, class_=f"symbol {status}", aria_hidden="true")

"""The top of the page: which paper, how it stands, what state the report is in; and what came out, with what the words mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from boundcheck.claims.bound import LEMMA, PRINTED, Bound, Paper
from boundcheck.report.content import Report, nothing_unexpected, unexpected
from boundcheck.report.page.cells import CODES
from boundcheck.report.page.inline_math import told
from boundcheck.report.page.markup import Markup, join, tag
from boundcheck.report.page.numbered import SYMBOLS

LABEL = re.compile(r"(?<![\w:.-])([A-Za-z]+:[\w.:-]*\w)")  # thm:ngd
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


def papers(report: Report) -> list[Paper]:
    """The papers of the claims, each once, in their order."""
    return list({bound.source.paper.name: bound.source.paper for bound in report.bounds}.values())


def title(report: Report) -> str:
    """What a window, a bookmark or a tab calls the page: the paper, where it is one that has a title."""
    found = papers(report)
    return f"{found[0].title} · {report.title}" if len(found) == 1 and found[0].title else report.title


def top(report: Report, sections: list[tuple[str, str]]) -> Markup:
    """The paper, whether the report is whole, how the paper stands, and where to go from here."""
    return tag(
        "header",
        _paper(report),
        _state(report),
        _summary(report),
        _surprises(report),
        tag("nav", [tag("a", name, href=f"#{key}") for key, name in sections], aria_label="Sections"),
        class_="top",
    )


def outcome(report: Report) -> Markup:
    """How many claims hold, are refuted or open, and what these words mean."""
    found, unfinished = unexpected(report)
    return join(
        tag("div", [_count(report, status) for status in SYMBOLS], class_="counts"),
        tag("p", nothing_unexpected(report, unfinished), class_="expected") if not found else None,
        _meaning(),
    )


def _paper(report: Report) -> Markup:
    """Title and authors; of several papers, each."""
    found = papers(report)
    if len(found) == 1 and found[0].title:
        return join(
            tag("div", tag("h1", found[0].title), _tools(), class_="bar"),
            tag("p", _authors(found[0]), class_="authors") if _authors(found[0]) else None,
            tag("p", report.title, class_="about"),
        )
    each = [tag("li", tag("cite", paper.title or paper.name), _by(paper)) for paper in found]
    return join(tag("div", tag("h1", report.title), _tools(), class_="bar"), tag("ul", each, class_="papers") if each else None)


def _authors(paper: Paper) -> str:
    return ", ".join(part for part in (paper.authors, str(paper.year) if paper.year else "") if part)


def _by(paper: Paper) -> Markup | None:
    return tag("span", f" {_authors(paper)}", class_="authors") if _authors(paper) else None


def _summary(report: Report) -> Markup | None:
    """How the paper stands, in lines that can be read aloud; the paper itself is named above them."""
    named = {f"{paper.cited}." for paper in papers(report)}
    lines = [tag("li", _linked(line, report.bounds)) for line in report.summary if line not in named]
    return tag("ul", lines, class_="summary", aria_label="Summary") if lines else None


def _linked(line: str, bounds: Sequence[Bound]) -> Markup:
    """The line with the labels of printed claims as links."""
    claims = {bound.label: bound.id for bound in bounds if bound.reading == PRINTED}
    parts = [line] if "$" in line else LABEL.split(line)
    return join([tag("a", part, href=f"#claim={claims[part]}") if n % 2 and part in claims else told(part)
                 for n, part in enumerate(parts)])  # fmt: skip


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
        tag("small", _as_printed(report, status)) if many else None,
        href="#matrix",
        class_=f"count {status}",
        data_status=status,
    )


def _as_printed(report: Report, status: str) -> str:
    """How many of these claims the paper prints: others are readings of what it says, or lemmas of the library."""
    readings = Counter(bound.reading for bound in report.bounds if report.rows.get(bound.id, {}).get("status") == status)
    printed, lemmas = readings[PRINTED], readings[LEMMA]
    others = readings.total() - printed - lemmas
    own = f", {lemmas} lemma{'' if lemmas == 1 else 's'} of the library" if lemmas else ""
    return f"{printed} as printed, {others} in other readings{own}"


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


def _surprises(report: Report) -> Markup | None:
    found, _ = unexpected(report)
    if not found:
        return None
    items = [tag("li", tag("a", row["id"], href=f"#claim={row['id']}"), f": {row['surprise']}") for row in found]
    summary = tag("summary", f"{len(found)} of {len(report.rows)} verdicts are not the expected ones")
    return tag("details", summary, tag("ul", items), class_="surprise", open=len(found) < 6)


def _meaning() -> Markup:
    words = [join(tag("dt", _symbol(SYMBOLS[word], word), word), tag("dd", means)) for word, means in MEANS.items()]
    marks = [
        join(tag("dt", tag("i", sign or "·", class_=f"v-{key if key != '.' else 'none'}"), name), tag("dd", means))
        for key, (sign, name, means) in CODES.items()
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

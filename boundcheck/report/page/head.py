"""The top of the page: which paper, how it stands, and what state the report is in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from boundcheck.claims.bound import PRINTED, Bound, Paper
from boundcheck.report.content import Report, Row, unexpected
from boundcheck.report.page.inline_math import told

LABEL = re.compile(r"(?<![\w:.-])([A-Za-z]+:[\w.:-]*\w)")  # a label: its kind, a colon, its name
LINK = Markup('<a href="#claim={}">{}</a>')


def papers(report: Report) -> list[Paper]:
    """The papers of the claims, each once, in their order."""
    return list({bound.source.paper.name: bound.source.paper for bound in report.bounds}.values())


def title(report: Report) -> str:
    """What a window, a bookmark or a tab calls the page: the paper, where it is one that has a title."""
    found = papers(report)
    return f"{found[0].title} · {report.title}" if len(found) == 1 and found[0].title else report.title


@dataclass(frozen=True)
class Top:
    """The paper, whether the report is whole, how the paper stands, and where to go from here."""

    report: Report
    paper: Paper | None  # the one that the report is about, if it has a title
    papers: list[Paper]
    summary: list[Markup]
    surprises: list[Row]
    sections: list[tuple[str, str]]


def top(report: Report, sections: list[tuple[str, str]]) -> Top:
    """Return the top of the page. A report of part of a run says so before anything else."""
    found = papers(report)
    one = found[0] if len(found) == 1 and found[0].title else None
    return Top(report, one, found, _summary(report), unexpected(report)[0], sections)


def authors(paper: Paper) -> str:
    """Return the authors of a paper and its year, as far as they are known."""
    return ", ".join(part for part in (paper.authors, str(paper.year) if paper.year else "") if part)


def _summary(report: Report) -> list[Markup]:
    """How the paper stands, in lines that can be read aloud; the paper itself is named above them."""
    named = {f"{paper.cited}." for paper in papers(report)}
    return [_linked(line, report.bounds) for line in report.summary if line not in named]


def _linked(line: str, bounds: Sequence[Bound]) -> Markup:
    """The line with the labels of printed claims as links."""
    claims = {bound.label: bound.id for bound in bounds if bound.reading == PRINTED}
    parts = [line] if "$" in line else LABEL.split(line)
    made = [LINK.format(claims[part], part) if n % 2 and part in claims else told(part) for n, part in enumerate(parts)]
    return Markup("").join(made)

"""The overview on a page: the paper and the state of its report at the top; places, figures and costs below the matrix."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from boundcheck.claims.bound import PRINTED, Bound, Paper
from boundcheck.report.content import Record, Report, unexpected
from boundcheck.report.page.cells import DECIDED, CellCode
from boundcheck.report.page.inline_math import told
from boundcheck.report.tables import COLUMNS, arithmetic_costs

LABEL = re.compile(r"(?<![\w:.-])([A-Za-z]+:[\w.:-]*\w)")  # a label: its kind, a colon, its name
LINK = Markup('<a href="#claim={}">{}</a>')


def papers(report: Report) -> list[Paper]:
    """Return the papers of the claims, each once, in their order."""
    return list({bound.source.paper.name: bound.source.paper for bound in report.bounds}.values())


def title(report: Report) -> str:
    """Return what a window, a bookmark or a tab calls the page: the paper, where it is one that has a title."""
    found = papers(report)
    return f"{found[0].title} · {report.title}" if len(found) == 1 and found[0].title else report.title


@dataclass(frozen=True)
class PageTop:
    """The paper, whether the report is whole, how the paper stands, and where to go from here."""

    report: Report
    paper: Paper | None  # the one that the report is about, if it has a title
    papers: list[Paper]
    summary: list[Markup]
    surprises: list[Record]
    sections: list[tuple[str, str]]


def top(report: Report, sections: list[tuple[str, str]]) -> PageTop:
    """Return the top of the page. A report of part of a run says so before anything else."""
    found = papers(report)
    one = found[0] if len(found) == 1 and found[0].title else None
    return PageTop(report, one, found, _summary(report), unexpected(report)[0], sections)


def authors(paper: Paper) -> str:
    """Return the authors of a paper and its year, as far as they are known."""
    return ", ".join(part for part in (paper.authors, str(paper.year) if paper.year else "") if part)


def _summary(report: Report) -> list[Markup]:
    """Return how the paper stands, in lines that can be read aloud; the paper itself is named above them."""
    named = {f"{paper.cited}." for paper in papers(report)}
    return [_linked(line, report.bounds) for line in report.summary if line not in named]


def _linked(line: str, bounds: Sequence[Bound]) -> Markup:
    """Return the line with the labels of printed claims as links."""
    claims = {bound.label: bound.id for bound in bounds if bound.reading == PRINTED}
    parts = [line] if "$" in line else LABEL.split(line)
    made = [LINK.format(claims[part], part) if n % 2 and part in claims else told(part) for n, part in enumerate(parts)]
    return Markup("").join(made)


@dataclass(frozen=True)
class ClaimLink:
    """The short name of a claim, which is a link where this report has the claim."""

    claim: str
    name: str
    is_known: bool


def claim_link(claim: str, known: Container[str]) -> ClaimLink:
    """Return the link to a claim, without its paper's name."""
    return ClaimLink(claim, claim.partition("/")[2].removesuffix("@printed") or claim, claim in known)


def inventory(report: Report) -> list[Record]:
    """Return every place of the paper, and the claims that cover it as pairs of status and link."""
    return [
        {**place, "claims": [(claim["status"], claim_link(claim["id"], report.rows)) for claim in place["claims"]]}
        for place in report.places
    ]


def figures(report: Report) -> list[tuple[str, str, str]]:
    """Return name, caption and address of the paper's figures: they are inside the page, which may be sent without its folder."""
    return [(name, caption, _inside(drawn)) for name, (caption, drawn) in report.figures.items()]


def _inside(drawn: str) -> str:
    content = drawn.encode("utf-8", "backslashreplace")
    return f"data:image/svg+xml;base64,{b64encode(content).decode()}"


def cost_table(shown: Mapping[str, Sequence[CellCode]]) -> list[Sequence[str]]:
    """Return which arithmetic decided how many cells, and at what cost: the first row has the names of the columns."""
    cells = [_cost(one) for found in shown.values() for one in found]
    return [COLUMNS, *(row.texts() for row in arithmetic_costs(cells))] if cells else []


def _cost(one: CellCode) -> Record:
    verdict = one.verdict
    cost = verdict.cost.to_json() if verdict.cost is not None else None
    return {"arithmetic": verdict.cell.arithmetic, "grade": verdict.grade if one.code in DECIDED else None, "cost": cost}

"""The lists below the matrix: the paper place by place, figures, costs, what was not run."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from boundcheck.report.content import Report, Row
from boundcheck.report.costs import COLUMNS, costs
from boundcheck.report.page.cells import DECIDED, Shown


@dataclass(frozen=True)
class ClaimLink:
    """The short name of a claim, which is a link where this report has the claim."""

    claim: str
    name: str
    is_known: bool


def claim_link(claim: str, known: Container[str]) -> ClaimLink:
    """Return the link to a claim, without its paper's name."""
    return ClaimLink(claim, claim.partition("/")[2].removesuffix("@printed") or claim, claim in known)


def inventory(report: Report) -> list[Row]:
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


def cost_table(shown: Mapping[str, Sequence[Shown]]) -> list[Sequence[str]]:
    """Return which arithmetic decided how many cells, and at what cost: the first row has the names of the columns."""
    cells = [_cost(one) for found in shown.values() for one in found]
    return [COLUMNS, *(row.texts() for row in costs(cells))] if cells else []


def _cost(one: Shown) -> Row:
    verdict = one.verdict
    cost = verdict.cost.to_json() if verdict.cost is not None else None
    return {"arithmetic": verdict.cell.arithmetic, "grade": verdict.grade if one.code in DECIDED else None, "cost": cost}

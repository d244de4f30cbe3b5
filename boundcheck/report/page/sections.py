"""The lists below the matrix: the paper place by place, figures, costs, what was not run, provenance."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Container, Mapping, Sequence

from boundcheck.report.content import Report, Row
from boundcheck.report.costs import COLUMNS, costs
from boundcheck.report.page.cells import DECIDED, Shown
from boundcheck.report.page.markup import Markup, join, table, tag
from boundcheck.report.page.numbered import SYMBOLS
from boundcheck.report.page.prose import prose


def claim_link(claim: str, known: Container[str], name: str = "") -> Markup:
    """A link to a claim of this report; only its name where the report has no such claim."""
    name = name or claim.partition("/")[2].removesuffix("@printed") or claim
    return tag("a", name, href=f"#claim={claim}") if claim in known else tag("code", name)


def inventory(report: Report) -> Markup | None:
    """Every place of the paper in order, and the claims that cover it."""
    if not report.places:
        return None
    covered = sum(bool(place["claims"]) for place in report.places)
    rows = [
        (place["where"], tag("code", place["label"]), prose(place["meaning"]), _covered(place, report.rows))
        for place in report.places
    ]
    told = f"{len(report.places)} places: {covered} covered by claims, {len(report.places) - covered} with nothing to test."
    columns = ("where", "label", "what it says", "covered by")
    return tag("section", tag("h2", "The paper, place by place"), tag("p", told), table(columns, rows), id="inventory")


def _covered(place: Row, known: Container[str]) -> Markup:
    if place.get("nothing_testable"):
        return tag("span", "nothing to test: ", prose(place["nothing_testable"]), class_="muted")
    return join([_claim(claim, known) for claim in place["claims"]])


def _claim(claim: Row, known: Container[str]) -> Markup:
    sign = tag("span", SYMBOLS.get(claim["status"], "–"), class_=f"symbol {claim['status']}", title=claim["status"])
    return tag(
        "span",
        sign,
        " ",
        claim_link(claim["id"], known),
        tag("span", f", {claim['status']}", class_="visually-hidden"),
        class_="covers",
    )


def figures(report: Report) -> Markup | None:
    """The paper's figures, inside this page: it may be sent on without its folder."""
    if not report.figures:
        return None
    shown = [
        tag(
            "figure",
            tag("img", src=_inside(drawn), alt=caption, loading="lazy"),
            tag("figcaption", tag("b", f"{name}. "), caption),
        )
        for name, (caption, drawn) in report.figures.items()
    ]
    return tag("section", tag("h2", "The paper's figures"), shown, id="figures")


def _inside(drawn: str) -> str:
    content = drawn.encode("utf-8", "backslashreplace")
    return f"data:image/svg+xml;base64,{b64encode(content).decode()}"


def decided(shown: Mapping[str, Sequence[Shown]]) -> Markup | None:
    """Which arithmetic decided how many cells, and at what cost."""
    cells = [_cost(one) for found in shown.values() for one in found]
    if not cells:
        return None
    rows = [row.texts() for row in costs(cells)]
    return tag("section", tag("h2", "Where cells were decided"), table(COLUMNS, rows, class_="figures"), id="costs")


def _cost(one: Shown) -> Row:
    verdict = one.verdict
    cost = verdict.cost.to_json() if verdict.cost is not None else None
    return {"arithmetic": verdict.cell.arithmetic, "grade": verdict.grade if one.code in DECIDED else None, "cost": cost}


def not_run(report: Report) -> Markup | None:
    if not report.notes and not report.failures:
        return None
    failed = join(tag("h3", "Ended in an error", id="failures"), _list(report.failures)) if report.failures else None
    left = join(tag("h3", "Left out"), _list(report.notes)) if report.notes else None
    return tag("section", tag("h2", "What was not run"), failed, left, id="not-run")


def _list(lines: Sequence[str]) -> Markup:
    return tag("ul", [tag("li", line) for line in lines], class_="lines")


def provenance(report: Report) -> Markup | None:
    if not report.provenance:
        return None
    rows = [tag("div", tag("dt", key), tag("dd", str(value))) for key, value in report.provenance.items()]
    return tag("section", tag("h2", "Provenance"), tag("dl", rows, class_="numbers"), id="provenance")

"""The page of one claim: what it says, in which readings, what came of it, why it fails if it does, and how tight it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boundcheck.certificates.errata import Erratum
from boundcheck.certificates.errata.mathwords import sentence
from boundcheck.claims.bound import LEMMA, PRINTED, Bound
from boundcheck.report.content import UNFINISHED, Report, Row, largest_ratio
from boundcheck.report.page.inline_math import told
from boundcheck.report.page.markup import Markup, join, tag
from boundcheck.report.page.numbered import SYMBOLS, lines, number
from boundcheck.report.page.proof import links, proof
from boundcheck.report.page.prose import capital, prose
from boundcheck.report.page.quoted import quotation
from boundcheck.report.page.refutation import refutation, why
from boundcheck.report.page.statement import changes, compared, stated
from boundcheck.report.page.tight import tightness

UNDONE = "without-"
OURS = "A lemma of the library: the paper does not state it."


def readings(bounds: Sequence[Bound]) -> dict[Any, list[Bound]]:
    """The readings of each place of a paper, in order."""
    found: dict[Any, list[Bound]] = {}
    for bound in bounds:
        found.setdefault((bound.source.paper.name, bound.label), []).append(bound)
    return found


def article(
    report: Report,
    bound: Bound,
    same: list[Bound],
    wrong: Erratum | None,
    certificate: Mapping[str, Any] | None,
    finding: Markup | None = None,
) -> Markup:
    """One claim, for the page's script to show when it is opened."""
    row = report.rows.get(bound.id, {})
    return tag(
        "article",
        _head(bound),
        _verdict(report, row, bound),
        finding,
        tag("div", role="tablist", aria_label="Readings of this statement", class_="tabs", hidden=True),
        _statement(report, bound, compared(bound, same)),
        why(report, bound, wrong),
        refutation(report, bound, wrong, certificate),
        tightness(report, bound),
        tag("section", tag("h3", "Verdicts, cell by cell"), tag("div", class_="cells"), class_="verdicts"),
        class_="claim",
        data_claim=bound.id,
    )


def _head(bound: Bound) -> Markup:
    source = bound.source
    own = bound.reading == LEMMA
    printed = () if own else (number(bound), lines(bound))
    where = [part for part in (source.paper.cited, source.place, *printed) if part]
    return tag(
        "header",
        tag("h2", told(capital(bound.title) or bound.label), tabindex="-1"),
        tag("p", " · ".join(dict.fromkeys(where)), class_="source"),
        tag("p", OURS, class_="ours") if own else None,
        tag(
            "p",
            tag("code", bound.label),
            tag("span", bound.reading, class_="reading"),
            tag("button", "Copy link", type="button", class_="copy-link"),
        ),
    )


def _verdict(report: Report, row: Row, bound: Bound) -> Markup:
    """The line that says what came of it, and what that does not mean."""
    status = row.get("status", "untested")
    return tag(
        "div",
        tag("span", SYMBOLS.get(status, "–"), class_="symbol", aria_hidden="true"),
        tag("div", tag("strong", headline(row, bound)), tag("p", prose(beside(report, row, bound)))),
        tag("p", _surprise(row["surprise"]), class_="surprise") if row.get("surprise") else None,
        class_=f"verdict {status}",
    )


def _surprise(why: str) -> str:
    return f"Not known yet: {why}" if why == UNFINISHED else f"Not what was expected: {why}"


def headline(row: Row, bound: Bound) -> str:
    """Refuted, certified. / Holds on 120 of 130 cells."""
    status = row.get("status", "untested")
    if status == "refuted":
        how = "certified" if row.get("certified") else "numerical"
        return f"False{_so(bound)}: refuted, {how}"
    if status == "holds":
        return f"Holds on {row['holds']} of {row['cells']} cells, {row['certified_cells']} of them certified"
    return {"undecided": "Undecided: no cell could be decided"}.get(status, "Untested: nothing exercised it")


def _so(bound: Bound) -> str:
    """As what it is false."""
    if bound.reading in (PRINTED, LEMMA):
        return " as printed" if bound.reading == PRINTED else ""
    change = bound.reading.removeprefix(UNDONE).replace("-", " ")
    return f" without the change of {change}" if bound.reading.startswith(UNDONE) else f", read as {change}"


def beside(report: Report, row: Row, bound: Bound) -> str:
    if not row:
        return "It was not run."
    counts = ", ".join(f"{row[o]} {o}" for o in ("holds", "violated", "undecided", "vacuous") if row.get(o))
    parts = [f"Cells: {counts}" if counts else "No cell"]
    if row.get("status") == "refuted":
        parts += _failing(row.get("violation"))
    elif (largest := largest_ratio(report, row)) is not None:
        parts.append(f"largest left / right {largest[0]:.6g} {largest[1]}")
    parts += [row["reason"]] if row.get("reason") else []
    parts += ["that is no proof of the claim"] if row.get("status") == "holds" else []
    return "; ".join(parts) + "."


def _failing(cell: Row | None) -> list[str]:
    """Where it fails, and by how much; how tight it is elsewhere would only distract."""
    at = cell["violation"] if cell else None
    if cell is None or at is None:
        return []
    M = f" (M={cell['smoothness']})" if cell["smoothness"] else ""
    by = "" if at["ratio"] is None else f", left over right {at['ratio']:.6g}"
    return [f"fails at {at['place']} on {cell['problem']} by {cell['method']}{M}{by}"]


def _statement(report: Report, bound: Bound, against: Bound | None) -> Markup:
    copies = [
        tag("button", "Copy LaTeX", type="button", class_="copy", data_text=bound.latex()),
        tag("button", "Copy text", type="button", class_="copy", data_copies=".plain code"),
    ]
    return tag(
        "section",
        tag("h3", "Statement"),
        quotation(report, bound),
        stated(bound, against),
        tag("p", copies, class_="buttons"),
        tag("details", tag("summary", "As text"), tag("pre", tag("code", str(bound.states))), class_="plain"),
        _because(report, bound, against),
        proof(report, bound),
        class_="statement",
    )


def _because(report: Report, bound: Bound, against: Bound | None) -> Markup | None:
    why_so = told(sentence(bound.because), links(report, bound)) if bound.because else None
    shown = tag("p", tag("strong", "Why this reading. "), why_so) if why_so is not None else None
    if against is None:
        return shown
    found = changes(bound, against)
    marked = " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found) or "nothing that is written here"
    link = tag("a", f"the {against.reading} reading", href=f"#claim={against.id}")
    return join(
        shown, tag("p", tag("span", "Marked", class_="differs"), ": what differs from ", link, f", in {marked}.", class_="marked")
    )

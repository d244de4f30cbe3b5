"""The whole page: one text that needs nothing else, from the network or from the disk."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from boundcheck.certificates.write import kept
from boundcheck.report.content import Report
from boundcheck.report.page import audits, findings, head, matrix, measured, numbered, sections, worst
from boundcheck.report.page.cells import Shown, Words, row, shown
from boundcheck.report.page.claims import article, readings
from boundcheck.report.page.curves import curves
from boundcheck.report.page.markup import Markup, data, join, tag

STYLES, SCRIPTS = ("style.css", "findings.css", "claim.css"), ("chart.js", "matrix.js", "numbers.js", "claim.js", "script.js")
NAMES = {
    "places": "By number",
    "findings": "Findings",
    "matrix": "Matrix",
    "tightness": "Tightness",
    "rankings": "Which bound",
    "worst-cases": "Worst cases",
    "audits": "Audits",
    "figures": "Figures",
    "inventory": "Place by place",
    "costs": "Where decided",
    "not-run": "Not run",
    "provenance": "Provenance",
}


def page(report: Report) -> str:
    """The report as one HTML text."""
    cells = shown(report)
    made = {
        "places": numbered.index(report),
        "findings": findings.section(report),
        "matrix": matrix.section(cells, head.outcome(report)),
        "tightness": measured.tightness(report),
        "rankings": measured.rankings(report),
        "worst-cases": worst.section(report),
        "audits": audits.section(report),
        "figures": sections.figures(report),
        "inventory": sections.inventory(report),
        "costs": sections.decided(cells),
        "not-run": sections.not_run(report),
        "provenance": sections.provenance(report),
    }
    parts = {key: part for key, part in made.items() if part is not None}
    body = join(
        tag("a", "Skip to the claims", href="#matrix", class_="skip"),
        tag("div", head.top(report, [(key, NAMES[key]) for key in parts]), tag("main", *parts.values()), id="overview"),
        tag("main", id="claim", hidden=True),
        tag("noscript", tag("p", "The matrix and the pages of the claims need JavaScript; all else is below.", class_="state")),
        data(matrix.summary(report, cells), id="data"),
        _claims(report, cells),
    )
    script = "\n".join(_file(name) for name in SCRIPTS)
    whole = tag("html", _head(report, script), tag("body", body, Markup(f"<script>{script}</script>")), lang="en")
    return f"<!doctype html>\n{whole}\n"


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _head(report: Report, script: str) -> Markup:
    """No request may leave the page: the browser itself refuses them."""
    known = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{known}'; img-src data:; font-src data:"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", head.title(report)),
        tag("style", Markup("\n".join(_file(name) for name in STYLES))),
    )


def _claims(report: Report, cells: Mapping[str, Sequence[Shown]]) -> Markup:
    """The page and the cells of each claim as data, which cost nothing until it is opened."""
    certificates, wrong = kept(), {e.bound.id: e for e in report.errata}
    found = findings.by_claim(report)
    parts: list[Markup] = []
    for same in readings(report.bounds).values():
        for bound in same:
            certificate = certificates.get(bound.id)
            if certificate is not None and certificate["hash"] != bound.hash:  # of another claim, whatever its name says
                certificate = None
            made = article(report, bound, same, wrong.get(bound.id), certificate, findings.belongs(found, bound))
            inside = {"page": made, "certificate": certificate, **_cells(report, cells[bound.id])}
            parts.append(data(inside, class_="claim", data_claim=bound.id))
    return join(parts)


def _cells(report: Report, cells: Sequence[Shown]) -> Mapping[str, Any]:
    words = Words({})
    rows = [row(one, words) for one in cells]
    drawn = curves(report, cells, words)
    return {"rows": rows, "curves": drawn, "words": list(words.texts)}

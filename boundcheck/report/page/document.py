"""The whole page: one text that needs nothing else, from the network or from the disk."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from boundcheck.certificates.write import kept
from boundcheck.report.content import Report
from boundcheck.report.page.audits import audits
from boundcheck.report.page.bounds import ranked_runs, tightest_first, worst_cases
from boundcheck.report.page.cells import CellCode, Words, matrix, row, shown, summary
from boundcheck.report.page.claims import claim_page, readings
from boundcheck.report.page.curves import curves
from boundcheck.report.page.findings import by_claim, findings
from boundcheck.report.page.overview import cost_table, figures, inventory, title, top
from boundcheck.report.page.paper_index import index
from boundcheck.report.page.render import render

STYLES, SCRIPTS = ("style.css", "findings.css", "claim.css"), ("chart.js", "matrix.js", "numbers.js", "claim.js", "script.js")
NAMES = {  # of the sections, each of which has a template of its own
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


@dataclass(frozen=True)
class Document:
    """The parts of the page: what is markup here was rendered from its own template, or comes from a file of ours."""

    title: str
    policy: str
    style: Markup
    top: Markup
    sections: list[Markup]
    summary: Mapping[str, Any]
    claims: list[tuple[str, Mapping[str, Any]]]
    script: Markup


def page(report: Report) -> str:
    """Return the report as one HTML text."""
    cells = shown(report)
    records = {
        "places": index(report),
        "findings": findings(report),
        "matrix": matrix(report, cells),
        "tightness": tightest_first(report),
        "rankings": ranked_runs(report),
        "worst-cases": worst_cases(report),
        "audits": audits(report),
        "figures": figures(report),
        "inventory": inventory(report),
        "costs": cost_table(cells),
        "not-run": report if report.notes or report.failures else None,
        "provenance": report.provenance,
    }
    sections = {key: render(key, record) for key, record in records.items() if record}
    script = "\n".join(_file(name) for name in SCRIPTS)
    made = Document(
        title=title(report),
        policy=_policy(script),
        style=Markup("\n".join(_file(name) for name in STYLES)),
        top=render("top", top(report, [(key, NAMES[key]) for key in sections])),
        sections=list(sections.values()),
        summary=summary(report, cells),
        claims=list(_claims(report, cells)),
        script=Markup(script),
    )
    return str(render("page", made))


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    """Return what the browser may load and run: our one script, and nothing from elsewhere."""
    known = b64encode(sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{known}'; img-src data:; font-src data:"


def _claims(report: Report, cells: Mapping[str, Sequence[CellCode]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the page and the cells of each claim as data, which cost nothing until it is opened."""
    certificates, wrong, found = kept(), {e.bound.id: e for e in report.errata}, by_claim(report)
    for same in readings(report.bounds).values():
        for bound in same:
            certificate = certificates.get(bound.id)
            if certificate is not None and certificate["hash"] != bound.hash:  # of another claim, whatever its name says
                certificate = None
            made = render("claim", claim_page(report, bound, same, wrong.get(bound.id), certificate, found.get(bound.id)))
            yield bound.id, {"page": made, "certificate": certificate, **_cells(report, cells[bound.id])}


def _cells(report: Report, cells: Sequence[CellCode]) -> Mapping[str, Any]:
    words = Words({})
    rows = [row(one, words) for one in cells]
    drawn = curves(report, cells, words)
    return {"rows": rows, "curves": drawn, "words": list(words.texts)}

"""The whole page: one text that needs nothing else, from the network or from the disk, with both sides of claims against k."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from boundcheck.certificates.write import kept
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.report.content import Report, cell_key
from boundcheck.report.page.audits import audits
from boundcheck.report.page.bounds import ranked_runs, tightest_first, worst_cases
from boundcheck.report.page.cells import DECIDED, VIOLATED, CellCode, Words, matrix, rounded, row, shown, summary
from boundcheck.report.page.claims import claim_page, readings
from boundcheck.report.page.findings import by_claim, findings
from boundcheck.report.page.overview import cost_table, figures, inventory, title, top
from boundcheck.report.page.paper_index import index
from boundcheck.report.page.render import render

POINTS, CURVES, LONG = 50, 6, 8  # of a curve; of a claim; from which a run is worth looking at first
LETTERS = {Outcome.HOLDS: "h", Outcome.VIOLATED: "x", Outcome.UNDECIDED: "u", Outcome.VACUOUS: "v", Outcome.NOT_EVALUATED: "v"}


def curves(report: Report, shown: Sequence[CellCode], words: Words) -> list[dict[str, Any]]:
    """Return the curves that the page draws for a claim, the most telling first."""
    return [_curve(report, one, words) for one in chosen(shown)]


def chosen(shown: Sequence[CellCode], limit: int = CURVES) -> list[CellCode]:
    """Return where it fails, the tightest long run, then the longest ones: one cell a problem, and no more than `limit`."""
    drawn = [one for one in shown if one.code in DECIDED and _is_curve(one.verdict)]
    failing = [one for one in drawn if one.code in VIOLATED]
    ranked = sorted(failing, key=lambda one: (one.code, -_length(one)))[:2]
    long = [one for one in drawn if one.code not in VIOLATED and _length(one) >= LONG]
    ranked += sorted(long, key=_ratio, reverse=True)[:1]
    ranked += sorted((one for one in drawn if one.verdict.cell.smoothness in ("", "D")), key=_length, reverse=True)
    first = {one.verdict.cell.problem: one for one in reversed([*ranked, *drawn])}
    return _each_once(one for one in [*ranked, *drawn] if first[one.verdict.cell.problem] is one)[:limit]


def _each_once(shown: Iterable[CellCode]) -> list[CellCode]:
    found: list[CellCode] = []
    for one in shown:
        if not any(one is known for known in found):
            found.append(one)
    return found


def _length(one: CellCode) -> int:
    return len(one.verdict.outcomes)


def _is_curve(verdict: Verdict) -> bool:
    at = verdict.tightest or verdict.violation
    if verdict.left is None or verdict.right is None or (at is not None and at.chord):
        return False
    return len(verdict.outcomes) > 1 and bool(np.isfinite(verdict.left).any() and np.isfinite(verdict.right).any())


def _ratio(one: CellCode) -> float:
    return one.verdict.tightest.ratio if one.verdict.tightest is not None else 0.0


def _curve(report: Report, one: CellCode, words: Words) -> dict[str, Any]:
    verdict = one.verdict
    assert verdict.left is not None and verdict.right is not None
    kept = thinned(verdict)
    classical = report.classical.get(cell_key(verdict.cell), ())
    sides = {"left": verdict.left, "right": verdict.right}
    if len(classical) == len(verdict.outcomes):
        sides["classical"] = np.asarray(classical, dtype=np.float64)
    cell = verdict.cell
    return {
        "at": words(str(cell)[len(cell.claim) + 4 :]),
        "in": words(cell.arithmetic),
        "code": one.code,
        "k": [int(n) + verdict.first_k for n in kept],
        "outcomes": "".join(LETTERS[Outcome(int(verdict.outcomes[n]))] for n in kept),
        **{name: [_number(side[n]) for n in kept] for name, side in sides.items()},
    }


def _number(value: Any) -> float | None:
    return rounded(float(value)) if np.isfinite(value) else None


def thinned(verdict: Verdict, points: int = POINTS) -> NDArray[np.int64]:
    """Return which k to keep: evenly on a logarithmic scale, with the first and last, the tightest, and the first that fails."""
    count = len(verdict.outcomes)
    if count <= points:
        return np.arange(count)
    marks = [m.k - verdict.first_k for m in (verdict.tightest, verdict.violation) if m is not None and not m.chord]
    failing = np.flatnonzero(verdict.outcomes == Outcome.VIOLATED)[:1]
    wanted = [n for n in (*marks, *failing, count - 1) if 0 <= n < count]
    spread = np.unique(np.geomspace(1, count, points - len(set(wanted))).astype(int) - 1)
    return np.unique(np.concatenate([spread, np.asarray(wanted, dtype=int)])).astype(np.int64)


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

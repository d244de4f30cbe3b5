"""The folder of a report: its page, Markdown, tables for a paper and origin. All of it is replaced, or nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boundcheck.certificates.errata import ErrataContent, errata_page, letter_latex, letter_markdown, misprints_about
from boundcheck.report import folder, tables
from boundcheck.report.content import GatheredReport, Record, Report, largest_ratio, nothing_unexpected, unexpected
from boundcheck.report.iterate_table import write_iterates
from boundcheck.suite.tally import REFUTED
from boundcheck.support.atomic_files import AtomicFiles
from boundcheck.support.escaping import latex_text, markdown_items, markdown_text
from boundcheck.support.table import LatexCell, Row, latex_table, markdown_table

MEANING = (
    "holds: nothing violates the claim on the cells counted here; it is not a proof of the theorem. "
    "refuted: at least one cell violates it, and one is enough. undecided: no cell could be decided. "
    "untested: nothing exercised it. certified: decided by exact rationals or by ball arithmetic; certified for steps near the "
    "rule's: likewise, for frozen steps that are not exactly what the claim's formula says; numerical: by error bounds that are "
    "no proofs."
)

COLUMNS = ("claim", "reading", "statement", "status", "certified", "cells", "largest left / right", "counterexample or reason")


def headline(rows: Sequence[Record]) -> str:
    """42 claims: 30 holds, 12 refuted."""
    counts = Counter(row["status"] for row in rows)
    return f"{len(rows)} claims: " + ", ".join(
        f"{counts[s]} {s}" for s in ("holds", "refuted", "undecided", "untested") if counts[s]
    )


def cells_of(report: Report, row: Record) -> tuple[str, ...]:
    """Return what each column says."""
    decided = {"holds": row["holds"], "refuted": row["violated"]}.get(row["status"])
    certified = f"{row['certified_cells']} of {decided}" if decided is not None else "-"
    largest = largest_ratio(report, row)
    tight = f"{largest[0]:.6g} {largest[1]}" if largest is not None else "-"
    return (
        f"{row['label']}: {row['title']}" if row["title"] else row["label"],
        row["reading"],
        row["statement"],
        row["status"],
        certified,
        ", ".join(f"{row[o]} {o}" for o in ("holds", "violated", "undecided", "vacuous") if row[o]) or "none",
        tight,
        _remark(row),
    )


def _remark(row: Record) -> str:
    violation = row["violation"]
    if violation is None:
        return row["surprise"] or row["reason"] or ""
    m = f" (M={violation['smoothness']})" if violation["smoothness"] else ""
    at = violation["violation"]
    numbers = f": {at['place']}: left {at['left']}, right {at['right']}" if at is not None else ""
    return f"on {violation['problem']} by {violation['method']}{m}{numbers}"


def summary(report: Report, decided: Sequence[tables.ArithmeticCost] = ()) -> str:
    """Return a line a claim, what is unexpected, where cells were decided, and what was not run."""
    rows, notes = list(report.rows.values()), report.notes
    wrong, unfinished = unexpected(report)
    state = [f"**{markdown_text(report.state)}**", ""] if report.state else []
    lines = [f"# {markdown_text(report.title)}", "", *state, f"{headline(rows)}.", ""]
    lines += ["Runs that ended in an error:", "", *markdown_items(report.failures), ""] if report.failures else []
    surprises = markdown_items(f"UNEXPECTED {row['id']}: {row['surprise']}" for row in wrong)
    lines += surprises or [nothing_unexpected(report, unfinished)]
    lines += ["", MEANING, "", *markdown_table(COLUMNS, [cells_of(report, row) for row in rows])]
    lines += ["", *tables.costs_markdown(decided)] if decided else []
    lines += ["", "Not run:", "", *markdown_items(notes)] if notes else []
    return "\n".join(lines) + "\n"


def inventory_markdown(places: Sequence[Record]) -> str:
    """Return every place of the paper in order, the claims that cover it, and their verdicts."""
    lines = ["# Every statement of the paper, in order", "", _inventory_headline(places), ""]
    rows = [(p["where"], p["label"], p["meaning"], _covered(p)) for p in places]
    lines += markdown_table(("where", "statement", "meaning", "covered by"), rows)
    return "\n".join(lines) + "\n"


def _inventory_headline(places: Sequence[Record]) -> str:
    covered = sum(bool(p["claims"]) for p in places)
    return f"{len(places)} places: {covered} covered by claims, {len(places) - covered} with nothing to test."


def _covered(place: Record) -> str:
    if place["nothing_testable"]:
        return f"nothing testable: {place['nothing_testable']}"
    return "; ".join(f"{claim['id']}: {claim['status']}" for claim in place["claims"])


PREAMBLE = "% needs \\usepackage{amsmath,booktabs,longtable}\n"


def verdicts_table(report: Report) -> str:
    """Return each claim, what it states, what was found, on how many cells."""
    head = ("claim", "statement", "verdict", "cells", "certified", "left / right")
    rows = []
    for bound in report.bounds:
        row = report.rows[bound.id]
        largest = largest_ratio(report, row)
        tightest = LatexCell("--") if largest is None else _number(largest[0])
        words = (f"{bound.label}, {bound.reading}", LatexCell(f"$ {bound.latex()} $"), row["status"])
        rows.append((*words, str(row["cells"]), str(row["certified_cells"]), tightest))
    caption = f"{_state(report)}What came of each claim. \\emph{{holds}} is no proof: it counts cells."
    return _table(r"p{0.22\linewidth}p{0.38\linewidth}lrrr", head, rows, caption, "tab:verdicts")


def tightness_table(report: Report) -> str:
    """Return each claim that was measured: left over right at its largest, in the median, and how both sides fall with k."""
    head = ("claim", "supremum", "median", "left", "right", "over classical", "where")
    rows = []
    for bound in report.bounds:
        one = report.tightness.get(bound.id)
        if one is not None:
            numbers = (one.supremum, one.median, one.left_exponent, one.right_exponent, one.classical)
            rows.append((f"{bound.label}, {bound.reading}", *map(_number, numbers), one.where))
    caption = (
        f"{_state(report)}Left side over right side: the supremum over all cells and $k \\geq 1$, the median over cells, "
        "the exponents of $k$ fitted to both sides, and the right side over the classical one."
    )
    return _table(r"p{0.24\linewidth}rrrrrp{0.24\linewidth}", head, rows, caption, "tab:tightness")


def worst_case_table(report: Report) -> str:
    """Bounds against the worst case over the class, as a solver computes it."""
    head = ("claim", "steps", LatexCell("$k$"), "bound", "worst case", "ratio", "")
    rows = [
        (
            one.claim.partition("/")[2] or one.claim,
            f"{one.name}; {one.given}" if one.given else one.name,
            str(one.k),
            _number(one.bound),
            _number(one.worst),
            _number(one.ratio),
            one.verdict,
        )
        for one in report.worst_cases
    ]
    caption = "The bound against the worst case over the class, by a semidefinite program: a solver's numbers, not certified."
    return _table(r"p{0.2\linewidth}p{0.16\linewidth}rrrrp{0.24\linewidth}", head, rows, caption, "tab:worst-cases")


def _state(report: Report) -> str:
    return f"\\textbf{{{latex_text(report.state)}}}. " if report.state else ""


def _number(value: float | None) -> LatexCell:
    """$1.25 \\cdot 10^{-7}$."""
    if value is None or value != value:
        return LatexCell("--")
    text = f"{value:.4g}"
    if "inf" in text:
        return LatexCell(f"${text.replace('inf', chr(92) + 'infty')}$")
    base, exponent, power = text.partition("e")
    return LatexCell(f"${base} \\cdot 10^{{{int(power)}}}$" if exponent else f"${base}$")


def _table(alignment: str, head: Row, rows: Sequence[Row], caption: str, label: str) -> str:
    return PREAMBLE + latex_table(alignment, head, rows, caption=caption, label=label)


def whole_document(names: Sequence[str]) -> str:
    """Return a document that shows the tables of these files."""
    inputs = "\n".join(f"\\input{{{name}}}" for name in names)
    packages = "\\usepackage[landscape,margin=1.5cm]{geometry}\n\\usepackage{amsmath,booktabs,longtable}"
    return f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n\\small\n{inputs}\n\\end{{document}}\n"


STORE, FIGURES = "results.sqlite", "figures"
LATEX = {
    "verdicts.tex": folder.verdicts_table,
    "tightness.tex": folder.tightness_table,
    "worst_cases.tex": folder.worst_case_table,
}


def write_folder(found: GatheredReport, out: Path, about: Mapping[str, Any]) -> None:
    """Everything but the store and the figures, which are there already."""
    from boundcheck.report.page import page

    report, told = found.report, sheet(found.report)
    cells = [verdict.to_json() for _, verdict in found.cells]
    words = {
        "index.html": page(report),
        "summary.md": summary(report, tables.arithmetic_costs(cells)),
        "errata.md": errata_page(told),
        "letter.md": letter_markdown(told),
        "letter.tex": letter_latex(told),
        "inventory.md": inventory_markdown(report.places),
        "verdicts.json": json.dumps(_verdicts(found, cells), ensure_ascii=False),
        "provenance.json": json.dumps(_provenance(found, about), indent=1, ensure_ascii=False) + "\n",
        **{f"tables/{name}": make(report) for name, make in LATEX.items()},
        "tables/tables.tex": folder.whole_document(list(LATEX)),
    }
    with AtomicFiles() as files:
        for name, text in words.items():
            files.text(out / name, text)
        _tables(found, out / "tables", files)


def sheet(report: Report) -> ErrataContent:
    """Return what the errata and the letter to the authors say of a report."""
    return ErrataContent(
        bounds=report.bounds,
        errata=report.errata,
        findings=report.findings,
        summary=report.summary,
        quotations=report.quotations,
        misprints=misprints_about(report.bounds),
        command=report.provenance.get("command", ""),
        state=report.state,
        certified=frozenset(name for name, row in report.rows.items() if row["status"] == REFUTED and row["certified"]),
    )


def _tables(found: GatheredReport, folder: Path, files: AtomicFiles) -> None:
    parquet = tables.can_write_parquet()
    small = {
        "cells": tables.cell_rows(found),
        "claims": tables.claim_rows(found.report),
        "worst_cases": tables.worst_rows(found.report),
    }
    for name, rows in small.items():
        beside = files.place(folder / f"{name}.parquet") if parquet else None
        tables.write_rows(
            rows, files.place(folder / f"{name}.csv"), beside, tables.WORST if name == "worst_cases" else ("claim",)
        )
    large = files.place(folder / "iterates.parquet") if parquet else None
    write_iterates(found.cells, files.place(folder / "iterates.csv.gz"), large)


def quotation_rows(report: Report) -> list[dict[str, Any]]:
    """Return where each printed claim was looked for in the paper's source, and found; without the words."""
    return [
        {"id": claim, "number": one.place.number, "expected": one.place.lines, "found": one.found, "file": one.file}
        for claim, one in report.quotations.items()
    ]


def _verdicts(found: GatheredReport, cells: list[dict[str, Any]]) -> dict[str, Any]:
    report = found.report
    return {
        "profile": found.profile,
        "claims": list(report.rows.values()),
        "inventory": list(report.places),
        "cells": cells,
        "notes": list(report.notes),
        "state": report.state or None,
        "failures": list(report.failures),
        **({"source": report.source, "quotations": quotation_rows(report)} if report.source else {}),
    }


def _provenance(found: GatheredReport, about: Mapping[str, Any]) -> dict[str, Any]:
    return {**about, "state": found.report.state or "complete", "failures": list(found.report.failures)}

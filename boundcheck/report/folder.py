"""The folder of a report: the page, its words, its tables, and where it comes from. All of it is replaced, or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boundcheck.certificates.errata import ErrataContent, errata_page, letter_latex, letter_markdown, misprints_about
from boundcheck.report import documents, tables
from boundcheck.report.content import GatheredReport, Report
from boundcheck.report.documents import inventory_markdown, summary
from boundcheck.report.iterate_table import write_iterates
from boundcheck.suite.tally import REFUTED
from boundcheck.support.atomic_files import AtomicFiles

STORE, FIGURES = "results.sqlite", "figures"
LATEX = {
    "verdicts.tex": documents.verdicts_table,
    "tightness.tex": documents.tightness_table,
    "worst_cases.tex": documents.worst_case_table,
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
        "tables/tables.tex": documents.whole_document(list(LATEX)),
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

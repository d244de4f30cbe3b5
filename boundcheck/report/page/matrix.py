"""Claims against problems, at a glance: the frame that the page's script fills, and its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.claims.bound import LEMMA, PRINTED, PROVED, Bound
from boundcheck.report.content import UNFINISHED, Report, nothing_unexpected, unexpected
from boundcheck.report.page.cells import CODES, Shown, problems_of, worst
from boundcheck.report.page.numbered import SYMBOLS, number

OTHER = "other"
READINGS = ((PRINTED, "printed"), (PROVED, "proved"), (LEMMA, "lemma of the library"), (OTHER, "other"))
MEANINGS = {
    "holds": "nothing violates it on the cells counted here. That is no proof of it.",
    "refuted": "at least one cell violates it, and one is enough.",
    "undecided": "no cell could be decided.",
    "untested": "nothing exercised it.",
}
Cells = Mapping[str, Sequence[Shown]]


def summary(report: Report, shown: Cells) -> dict[str, Any]:
    """What the script needs at once: a line a claim with a letter a problem."""
    problems = problems_of(shown)
    return {
        "problems": problems,
        "codes": {key: list(shown) for key, shown in CODES.items()},
        "claims": [_claim(report, bound, shown[bound.id], problems) for bound in report.bounds],
    }


def _claim(report: Report, bound: Bound, shown: Sequence[Shown], problems: list[str]) -> dict[str, Any]:
    row, found = report.rows.get(bound.id, {}), dict[str, list[str]]()
    for one in shown:
        found.setdefault(one.verdict.cell.problem, []).append(one.code)
    return {
        "id": bound.id,
        "label": bound.label,
        "reading": bound.reading,
        "kind": bound.reading if bound.reading in (PRINTED, PROVED, LEMMA) else OTHER,
        "title": bound.title,
        "text": str(bound.states),
        "where": bound.source.place,
        "number": number(bound),
        "paper": bound.source.paper.name,
        "status": row.get("status", "untested"),
        "certified": bool(row.get("certified")),
        "surprise": row.get("surprise") not in (None, "", UNFINISHED),
        "cells": "".join(worst(found.get(problem, ())) for problem in problems),
    }


@dataclass(frozen=True)
class StatusCount:
    """How many claims have a status, on how many cells they were tried, and how many of them the paper prints."""

    status: str
    claims: int
    tried: str
    printed: str


@dataclass(frozen=True)
class Matrix:
    """What came out, claim by claim and problem by problem: the frame that the page's script fills."""

    problems: list[str]
    counts: list[StatusCount]
    as_expected: str  # empty where something is not
    readings = READINGS
    meanings = MEANINGS


def matrix(report: Report, shown: Cells) -> Matrix:
    """Return the frame of the matrix, with how many claims hold, are refuted or open."""
    found, unfinished = unexpected(report)
    counts = [_count(report, status) for status in SYMBOLS]
    return Matrix(problems_of(shown), counts, "" if found else nothing_unexpected(report, unfinished))


def _count(report: Report, status: str) -> StatusCount:
    rows = [row for row in report.rows.values() if row["status"] == status]
    cells = sum(row.get("cells", 0) for row in rows)
    tried = f"tried on {cells:,} cells".replace(",", " ") if cells else "–"
    return StatusCount(status, len(rows), tried, _as_printed(report, status))


def _as_printed(report: Report, status: str) -> str:
    """How many of these claims the paper prints: others are readings of what it says, or lemmas of the library."""
    readings = Counter(bound.reading for bound in report.bounds if report.rows.get(bound.id, {}).get("status") == status)
    printed, lemmas = readings[PRINTED], readings[LEMMA]
    others = readings.total() - printed - lemmas
    own = f", {lemmas} lemma{'' if lemmas == 1 else 's'} of the library" if lemmas else ""
    return f"{printed} as printed, {others} in other readings{own}"

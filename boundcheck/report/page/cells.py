"""The cells of a claim as short codes, and the matrix of claims against problems that shows them at a glance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from boundcheck.check.verdict import ASKED, Moment, Outcome, Verdict
from boundcheck.claims.bound import LEMMA, PRINTED, PROVED, Bound
from boundcheck.report.content import UNFINISHED, Report, nothing_unexpected, unexpected
from boundcheck.report.page.paper_index import SYMBOLS, number

# code -> (symbol, name, what it says); "." is a claim that was not tried there
CODES = {
    "x": ("✕", "VIOLATED, certified", "some k violates the claim, by exact or ball arithmetic: it is false"),
    "y": ("✕", "VIOLATED, numerical", "some k violates it in floating point; no proof"),
    "c": ("●", "HOLDS, certified", "every k that was decided satisfies it, by exact or ball arithmetic"),
    "n": ("◐", "HOLDS, near", "certified for steps near the rule's: frozen numbers that are not exactly the claim's formula"),
    "h": ("○", "HOLDS, numerical", "by error bounds in floating point that are no proofs"),
    "u": ("?", "UNDECIDED", "two numbers could not be told apart, or something was not a number"),
    "v": ("–", "VACUOUS", "a hypothesis failed at every k: nothing was tested, which is not a pass"),
    ".": ("", "not tried", "the claim was not asked of this problem"),
}
WORST_FIRST = "xyhncuv."  # what holds is as certain as its least certain cell
VIOLATED, DECIDED = "xy", "xycnh"
REASON = r"( fails at step | cannot be decided at step )"


@dataclass(frozen=True)
class CellCode:
    """A verdict with its letter, which is worked out once."""

    verdict: Verdict
    code: str

    @property
    def at(self) -> Moment | None:
        """Where it fails, or where it is tightest."""
        return self.verdict.violation if self.code in VIOLATED else self.verdict.tightest


def shown(report: Report) -> dict[str, list[CellCode]]:
    """Return every verdict, by claim."""
    return {bound.id: [CellCode(v, code(v)) for v in report.verdicts.get(bound.id, ())] for bound in report.bounds}


def code(verdict: Verdict) -> str:
    """Return the letter of a verdict."""
    outcome = verdict.outcome
    if outcome is Outcome.VIOLATED:
        return "x" if verdict.certified else "y"
    if outcome is Outcome.HOLDS:
        return "c" if verdict.certified else "n" if verdict.near else "h"
    return "u" if outcome is Outcome.UNDECIDED else "v"


def worst(codes: Iterable[str]) -> str:
    """Return what one cell of the matrix says of many verdicts."""
    return min(codes, key=WORST_FIRST.index, default=".")


@dataclass
class Words:
    """Texts that many rows share, each kept once."""

    texts: dict[str, int]

    def __call__(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


def row(one: CellCode, words: Words) -> list[Any]:
    """Problem, method, M, parameters, arithmetic, code, left over right where it is tightest or fails, place, counts, reason."""
    verdict, cell, at = one.verdict, one.verdict.cell, one.at
    letters = ", ".join(f"{name}={value}" for name, value in cell.parameters)
    ratio = None if at is None or not isfinite(at.ratio) else rounded(at.ratio)
    place = "" if at is None else at.place
    counts = np.bincount(verdict.outcomes, minlength=len(ASKED)).tolist()[: len(ASKED)]
    reason = verdict.reason or ("" if one.code in DECIDED else "no k ≥ 1 was reached")
    shown = (cell.problem, cell.method, cell.smoothness, letters, cell.arithmetic)
    return [*(words(text) for text in shown), one.code, ratio, words(place), counts, [words(part) for part in _parts(reason)]]


def _parts(reason: str) -> list[str]:
    """Cut where the numbers of the run begin: what comes before is the same in many rows."""
    said, verb, numbers = re.split(REASON, reason, maxsplit=1) if re.search(REASON, reason) else (reason, "", "")
    return [part for part in (said, verb + numbers) if part]


def rounded(value: float, digits: int = 6) -> float:
    """As many digits as a reader compares."""
    return float(f"{value:.{digits}g}")


def problems_of(shown: Mapping[str, Sequence[CellCode]]) -> list[str]:
    """Return every problem, in the order in which it is first met."""
    return list(dict.fromkeys(one.verdict.cell.problem for found in shown.values() for one in found))


OTHER = "other"
READINGS = ((PRINTED, "printed"), (PROVED, "proved"), (LEMMA, "lemma of the library"), (OTHER, "other"))
MEANINGS = {
    "holds": "nothing violates it on the cells counted here. That is no proof of it.",
    "refuted": "at least one cell violates it, and one is enough.",
    "undecided": "no cell could be decided.",
    "untested": "nothing exercised it.",
}
Cells = Mapping[str, Sequence[CellCode]]


def summary(report: Report, shown: Cells) -> dict[str, Any]:
    """Return what the script needs at once: a line a claim with a letter a problem."""
    problems = problems_of(shown)
    return {
        "problems": problems,
        "codes": {key: list(shown) for key, shown in CODES.items()},
        "claims": [_claim(report, bound, shown[bound.id], problems) for bound in report.bounds],
    }


def _claim(report: Report, bound: Bound, shown: Sequence[CellCode], problems: list[str]) -> dict[str, Any]:
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
    """Return how many of these claims the paper prints: others are readings of what it says, or lemmas of the library."""
    readings = Counter(bound.reading for bound in report.bounds if report.rows.get(bound.id, {}).get("status") == status)
    printed, lemmas = readings[PRINTED], readings[LEMMA]
    others = readings.total() - printed - lemmas
    own = f", {lemmas} lemma{'' if lemmas == 1 else 's'} of the library" if lemmas else ""
    return f"{printed} as printed, {others} in other readings{own}"

"""The cells of a claim as short codes: what the matrix and the tables of verdicts show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from boundcheck.check.verdict import Moment, Outcome, Verdict
from boundcheck.report.content import Report

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
class Shown:
    """A verdict with its letter, which is worked out once."""

    verdict: Verdict
    code: str

    @property
    def at(self) -> Moment | None:
        """Where it fails, or where it is tightest."""
        return self.verdict.violation if self.code in VIOLATED else self.verdict.tightest


def shown(report: Report) -> dict[str, list[Shown]]:
    """Every verdict, by claim."""
    return {bound.id: [Shown(v, code(v)) for v in report.verdicts.get(bound.id, ())] for bound in report.bounds}


def code(verdict: Verdict) -> str:
    """The letter of a verdict."""
    outcome = verdict.outcome
    if outcome is Outcome.VIOLATED:
        return "x" if verdict.certified else "y"
    if outcome is Outcome.HOLDS:
        return "c" if verdict.certified else "n" if verdict.near else "h"
    return "u" if outcome is Outcome.UNDECIDED else "v"


def worst(codes: Iterable[str]) -> str:
    """What one cell of the matrix says of many verdicts."""
    return min(codes, key=WORST_FIRST.index, default=".")


@dataclass
class Words:
    """Texts that many rows share, each kept once."""

    texts: dict[str, int]

    def __call__(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


def row(one: Shown, words: Words) -> list[Any]:
    """Problem, method, M, parameters, arithmetic, code, left over right where it is tightest or fails, place, counts, reason."""
    verdict, cell, at = one.verdict, one.verdict.cell, one.at
    letters = ", ".join(f"{name}={value}" for name, value in cell.parameters)
    ratio = None if at is None or not isfinite(at.ratio) else rounded(at.ratio)
    place = "" if at is None else at.place
    counts = np.bincount(verdict.outcomes, minlength=len(Outcome)).tolist()
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


def problems_of(shown: Mapping[str, Sequence[Shown]]) -> list[str]:
    """Every problem, in the order in which it is first met."""
    return list(dict.fromkeys(one.verdict.cell.problem for found in shown.values() for one in found))

"""The result of one theorem in an audit: whether it applies, whether it holds, how tightly, and for which M."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from boundcheck.check.verdict import NEAR, Outcome, Verdict
from boundcheck.claims.bound import Bound

MAIN = re.compile(r"(thm|theorem|prop|proposition|lem|lemma|cor|corollary):[^.]+")
FAILS = re.compile(r"^hypothesis .* fails at ", re.DOTALL)
NOT_APPLICABLE = "DOES NOT APPLY"


@dataclass(frozen=True, eq=False)
class TheoremResult:
    """One claim on all the cells where it was asked: a problem, an M, values of its parameters."""

    bound: Bound
    verdicts: tuple[Verdict, ...]
    never_asked: str = ""  # why, where there is no verdict at all

    @property
    def is_main(self) -> bool:
        """A theorem, proposition, lemma or corollary, and not a line of a proof or a remark."""
        return MAIN.fullmatch(self.bound.label) is not None or ":" not in self.bound.label

    @cached_property
    def exercised(self) -> tuple[Verdict, ...]:
        return tuple(v for v in self.verdicts if v.exercised)

    @property
    def applies(self) -> bool:
        return bool(self.exercised)

    @cached_property
    def violation(self) -> Verdict | None:
        """A cell where it fails, a certified one if there is any."""
        failed = [v for v in self.exercised if v.outcome is Outcome.VIOLATED]
        return min(failed, key=lambda v: not v.certified, default=None)

    @property
    def word(self) -> str:
        if self.violation is not None:
            return "VIOLATED"
        if self.exercised:
            return "HOLDS"
        return "UNDECIDED" if any(_is_undecided(v) for v in self.verdicts) else NOT_APPLICABLE

    @property
    def grade(self) -> str:
        """How it was decided, on how many cells."""
        cells = [v for v in self.exercised if self.violation is None or v.outcome is Outcome.VIOLATED]
        certified, near = sum(v.certified for v in cells), sum(v.near and not v.certified for v in cells)
        numerical = len(cells) - certified - near
        parts = [(certified, "certified"), (near, NEAR), (numerical, "numerical")]
        return ", ".join(f"{count} {word}" for count, word in parts if count)

    @cached_property
    def tightest(self) -> Verdict | None:
        """The cell where left over right is largest."""
        measured = [v for v in self.exercised if v.outcome is Outcome.HOLDS and v.tightest is not None]
        return max(measured, key=lambda v: v.tightest.ratio if v.tightest is not None else 0.0, default=None)

    @cached_property
    def smoothness(self) -> dict[str, str]:
        """For each M that it is stated for, what came of it."""
        found = {}
        for M in dict.fromkeys(v.cell.smoothness for v in self.verdicts if v.cell.smoothness):
            own = TheoremResult(self.bound, tuple(v for v in self.verdicts if v.cell.smoothness == M))
            found[M] = own.word
        return found

    @cached_property
    def elsewhere(self) -> tuple[Verdict, ...]:
        """The verdicts on problems where it does not apply at all."""
        reached = {v.cell.problem for v in self.exercised}
        return tuple(v for v in self.verdicts if v.cell.problem not in reached and v.reason)

    @property
    def reason(self) -> str:
        """Where it does not apply: why, at which step, by how much. Of several the hypothesis that lasted longest.

        Where the word is UNDECIDED, it is what was not decided: a hypothesis that fails elsewhere does not explain the word.
        """
        if not self.elsewhere:
            return "" if self.verdicts else self.never_asked
        undecided = self.word == Outcome.UNDECIDED.name
        said = max(self.elsewhere, key=lambda v: (_is_undecided(v) is undecided, len(v.outcomes)))
        return f"{said.reason} [{said.cell.problem}{f', M = {said.cell.smoothness}' if said.cell.smoothness else ''}]"

    @property
    def reach(self) -> str:
        """On how many of the problems it applies."""
        return f"{len({v.cell.problem for v in self.exercised})} of {len({v.cell.problem for v in self.verdicts})}"

    @property
    def where(self) -> str:
        """The tightest cell: 0.98 at k = 3 on huber (M = D)."""
        best = self.tightest
        if best is None or best.tightest is None:
            return ""
        M = f" (M = {best.cell.smoothness})" if best.cell.smoothness else ""
        return f"{best.tightest.ratio:.4g} at {best.tightest.place} on {best.cell.problem}{M}"

    def to_json(self) -> dict[str, Any]:
        best, failed = self.tightest, self.violation
        return {
            "id": self.bound.id,
            "title": self.bound.title or None,
            "statement": str(self.bound.states),
            "main": self.is_main,
            "outcome": self.word,
            "applies": self.applies,
            "certified": any(v.certified for v in self.exercised if failed is None or v.outcome is Outcome.VIOLATED),
            "grade": self.grade or None,
            "cells": len(self.exercised),
            "problems": sorted({v.cell.problem for v in self.exercised}),
            "smoothness": self.smoothness,
            "tightest": best.to_json() if best is not None else None,
            "violation": failed.to_json() if failed is not None else None,
            "reason": self.reason or None,
            "asked_on": sorted({v.cell.problem for v in self.verdicts}),
        }


def _is_undecided(verdict: Verdict) -> bool:
    """Return whether nothing was decided about the verdict.

    Where a hypothesis fails the claim does not apply, whatever is open before that step.
    """
    return verdict.outcome is Outcome.UNDECIDED and not FAILS.search(verdict.reason or "")


def collect(claims: Sequence[Bound], verdicts: Iterable[Verdict], never_asked: Mapping[str, str]) -> tuple[TheoremResult, ...]:
    """Return one row a claim, in the library's order."""
    by_claim: dict[str, list[Verdict]] = {bound.id: [] for bound in claims}
    for verdict in verdicts:
        by_claim[verdict.cell.claim].append(verdict)
    return tuple(TheoremResult(bound, tuple(by_claim[bound.id]), never_asked.get(bound.id, "")) for bound in claims)

"""All the cells of one claim together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from boundcheck.check.verdict import ASKED, EXERCISED, Cell, Moment, Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import lemma_of

HOLDS, REFUTED, UNDECIDED, UNTESTED = "holds", "refuted", "undecided", "untested"


@dataclass(eq=False)
class Tally:
    """What came of a claim: counts over its cells, where it is tightest, and where it fails first (certified, if it can be)."""

    bound: Bound
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    certified: Counter[Outcome] = field(default_factory=Counter)
    near: Counter[Outcome] = field(default_factory=Counter)  # certified for steps near the rule's
    problems: set[str] = field(default_factory=set)
    tightest: tuple[Moment, Cell] | None = None
    violation: Verdict | None = None
    undecided_because: str = ""
    not_evaluated_because: str = ""  # the piece to blame
    statistical: Counter[Outcome] = field(default_factory=Counter)  # by a sample
    unexercised_because: Counter[str] = field(default_factory=Counter)
    certificate: bool = False  # the independent checker accepted the certificate of a false claim
    lemma: Tally | None = None  # the claim that refutes this one, where it holds

    def add(self, verdict: Verdict) -> None:
        outcome = verdict.outcome
        self.outcomes[outcome] += 1
        if outcome in EXERCISED:
            self.problems.add(verdict.cell.problem)
            self.certified[outcome] += verdict.certified
            self.near[outcome] += verdict.near
            self.statistical[outcome] += bool(verdict.confidence)
        if outcome is Outcome.HOLDS and verdict.tightest is not None:
            if self.tightest is None or verdict.tightest.ratio > self.tightest[0].ratio:
                self.tightest = verdict.tightest, verdict.cell
        elif outcome is Outcome.VIOLATED:
            if self.violation is None or (verdict.certified and not self.violation.certified):
                self.violation = verdict
        elif outcome is Outcome.NOT_EVALUATED:
            self.not_evaluated_because = self.not_evaluated_because or verdict.reason
        elif outcome is Outcome.UNDECIDED:
            self.undecided_because = self.undecided_because or verdict.reason
        elif outcome is Outcome.VACUOUS:
            self.unexercised_because[verdict.reason or "no k >= 1 was reached"] += 1

    @property
    def cells(self) -> int:
        return self.outcomes.total()

    @property
    def outcome(self) -> Outcome | None:
        """VIOLATED if any cell is; HOLDS if it holds on some; else NOT_EVALUATED, UNDECIDED, VACUOUS; None: not yet."""
        for outcome in (Outcome.VIOLATED, Outcome.HOLDS, Outcome.NOT_EVALUATED, Outcome.UNDECIDED):
            if self.outcomes[outcome]:
                return outcome
        return None if self.bound.untested else Outcome.VACUOUS

    @property
    def refuted_through_lemma(self) -> bool:
        """A lemma contradicts it, and holds in exact arithmetic."""
        lemma = self.lemma
        return lemma is not None and lemma.outcome is Outcome.HOLDS and lemma.certified_cells > 0

    @property
    def word(self) -> str:
        if self.refuted_through_lemma:
            return "REFUTED"
        return "UNTESTED" if self.outcome is None else self.outcome.name

    @property
    def status(self) -> str:
        if self.refuted_through_lemma:
            return REFUTED
        known = {Outcome.VIOLATED: REFUTED, Outcome.HOLDS: HOLDS, Outcome.UNDECIDED: UNDECIDED}
        return UNTESTED if self.outcome is None else known.get(self.outcome, UNTESTED)

    @property
    def certified_cells(self) -> int:
        """Of the cells that decide the outcome, how many are certified."""
        if self.refuted_through_lemma and self.lemma is not None:
            return self.lemma.certified_cells
        return 0 if self.outcome is None else self.certified[self.outcome]

    @property
    def reason(self) -> str:
        """Why it was not decided, or not exercised; or what refutes it."""
        through = self.bound.refuted_through
        if self.refuted_through_lemma and through is not None:
            return f"refuted through {through.lemma}: {through.argument}"
        if self.outcome is None:
            return self.bound.untested
        if self.outcome is Outcome.UNDECIDED:
            return self.undecided_because
        if self.outcome is Outcome.NOT_EVALUATED:
            return f"cannot be evaluated: {self.not_evaluated_because}"
        if self.outcome is Outcome.VACUOUS:
            common = self.unexercised_because.most_common(1)
            return common[0][0] if common else "no cell to try it on"
        return ""

    def line(self) -> str:
        """The counts, and where it is tightest. Whoever says HOLDS says on how many cells."""
        if self.refuted_through_lemma and self.lemma is not None:
            return f"{self.reason} ({self.lemma.bound.id} holds on {self.certified_cells} certified cells)"
        deciding = self.outcomes[self.outcome] if self.outcome is not None else 0
        if self.outcome not in (Outcome.HOLDS, Outcome.VIOLATED):
            return f"{self._counts() or 'no cells'}: {self.reason}"
        near = self.near[self.outcome]
        sampled = self.statistical[self.outcome]
        numerical = deciding - self.certified_cells - near - sampled
        kinds = [
            f"{self.certified_cells} certified",
            f"{near} for steps near the rule's" if near else "",
            f"{sampled} statistical" if sampled else "",
            f"{numerical} numerical",
        ]
        parts = [
            f"on {deciding} of {self.cells} cells ({', '.join(filter(None, kinds))})",
            self._counts(but=self.outcome),
        ]
        if self.tightest is not None:
            moment, cell = self.tightest
            parts.append(f"tightest {moment.ratio:.6g} at {moment.place} {place(cell)}")
        return "; ".join(part for part in parts if part)

    def _counts(self, but: Outcome | None = None) -> str:
        return ", ".join(f"{self.outcomes[o]} {o.name.lower()}" for o in Outcome if o is not but and self.outcomes[o])

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.bound.id,
            "label": self.bound.label,
            "reading": self.bound.reading,
            "title": self.bound.title,
            "outcome": self.word,
            **self.record(),
            "reason": self.reason or None,
            "violation": self.violation.to_json() if self.violation is not None else None,
        }

    def record(self) -> dict[str, Any]:
        """The part that is kept: see boundcheck.suite.recorded_verdicts."""
        return {
            "hash": self.bound.hash,
            "status": self.status,
            "certified": self.certified_cells > 0 or self.certificate,
            "cells": self.cells,
            **{o.name.lower(): self.outcomes[o] for o in Outcome if o in ASKED or self.outcomes[o]},
            "certified_cells": self.certified_cells,
            "near_cells": self.near[self.outcome] if self.outcome is not None else 0,
            "problems": sorted(self.problems),
            "tightest": self._tightest_json(),
        }

    def _tightest_json(self) -> dict[str, Any] | None:
        if self.tightest is None:
            return None
        moment, cell = self.tightest
        return {
            "ratio": moment.ratio,
            "k": moment.k,
            "place": moment.place,
            "left": moment.left,
            "right": moment.right,
            "where": place(cell),
        }


def link_lemmas(tallies: Mapping[str, Tally]) -> None:
    """Let each claim that is refuted through another know it."""
    for tally in tallies.values():
        lemma = lemma_of(tally.bound, [other.bound for other in tallies.values()])
        if lemma is not None:
            tally.lemma = tallies.get(lemma.id)


def place(cell: Cell) -> str:
    """on huber by 1/L (M=D)."""
    return str(cell)[len(cell.claim) + 1 :]

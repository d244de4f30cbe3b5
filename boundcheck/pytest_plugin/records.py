"""What items tell the summary, and the summary: one line a claim. Imports nothing of the library."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

RECORD = "boundcheck"
UNTESTED, COULD_NOT_RUN = "UNTESTED", "COULD NOT RUN"
COMPLAINTS = {
    "twin": "its twin is not violated",
    "refutation": "its instance does not refute it",
    "lemma": "its lemma does not refute it",
    "certificate": "its certificate does not refute it",
}
Record = dict[str, Any]


def record_of(report: Any) -> Record | None:
    """The record of an item of ours."""
    if report.when != "call":
        return None
    return next((value for name, value in report.user_properties if name == RECORD), None)


def status(report: Any) -> tuple[str, str, str] | None:
    """UNDECIDED, VACUOUS and REFUTED are outcomes of their own in pytest's counts; with -v the reason stands beside them."""
    record = record_of(report)
    if record is None:
        return None
    outcome, kind = record["outcome"], record["kind"]
    if report.passed and outcome == "VIOLATED":
        return "refuted", "r", "REFUTED"
    if not report.skipped or kind == "twin":
        return None
    letter = {"UNDECIDED": "u", "VACUOUS": "v", UNTESTED: "t", COULD_NOT_RUN: "n"}.get(outcome, "s")
    reason = record.get("reason")
    return outcome.lower(), letter, f"{outcome} ({reason})" if reason else outcome


class ItemTally:
    """Everything that was said about one claim."""

    def __init__(self, claim: str) -> None:
        self.claim = claim
        self.cells: Counter[str] = Counter()
        self.certified = self.near = 0
        self.outcomes: set[str] = set()
        self.reasons: Counter[str] = Counter()
        self.complaints: list[str] = []
        self.refutable = False
        self.ratio, self.where = -float("inf"), ""

    def add(self, record: Record, *, failed: bool) -> None:
        kind, outcome = record["kind"], record["outcome"]
        self.outcomes.add(outcome)
        self.refutable |= record["false"]
        if kind == "cell":
            self.cells[outcome] += 1
            self.certified += outcome == "HOLDS" and record["certified"]
            self.near += outcome == "HOLDS" and record["near"]
        elif failed:
            self.complaints.append(COMPLAINTS[kind])
        if outcome in ("HOLDS", "VIOLATED"):
            ratio = record.get("ratio")
            if outcome == "HOLDS" and ratio is not None:  # the same cell in whichever order they come
                negated, self.where = min((-self.ratio, self.where), (-ratio, record["where"]))
                self.ratio = -negated
        elif record.get("reason"):
            self.reasons[record["reason"]] += 1

    @property
    def exercised(self) -> bool:
        return bool(self.outcomes & {"HOLDS", "VIOLATED"})

    @property
    def reason(self) -> str:
        """The commonest one."""
        return min(self.reasons, key=lambda reason: (-self.reasons[reason], reason), default="")

    @property
    def outcome(self) -> str:
        if "NOT_EVALUATED" in self.outcomes and not self.exercised:
            return "NOT_EVALUATED"
        if "VIOLATED" in self.outcomes:
            return "REFUTED" if self.refutable else "VIOLATED"
        order = ("HOLDS", "NOT_EVALUATED", "UNDECIDED", "VACUOUS", COULD_NOT_RUN, UNTESTED)
        return next((outcome for outcome in order if outcome in self.outcomes), "VACUOUS")

    def line(self) -> str:
        parts = []
        if self.cells:
            held = self.cells["HOLDS"]
            near = f"{self.near} for steps near the rule's, " if self.near else ""
            kinds = f" ({self.certified} certified, {near}{held - self.certified - self.near} numerical)" if held else ""
            counts = [f"{held} held{kinds}"] + [f"{self.cells[o]} {o.lower()}" for o in ("VIOLATED", "UNDECIDED", "VACUOUS")]
            counts += [f"{n} could not run" for n in [self.cells[COULD_NOT_RUN]] if n]
            parts.append(", ".join(counts))
        if self.where:
            parts.append(f"tightest {self.ratio:.6g} at {self.where}")
        if not self.exercised:
            parts.append(self.reason)
        return f"{self.outcome:<9}  {self.claim}  {'; '.join(filter(None, parts + self.complaints))}".rstrip()


class Summary:
    """Collects records from reports; with xdist, on the controller."""

    def __init__(self) -> None:
        self.tallies: dict[tuple[str, str], ItemTally] = {}

    def add(self, report: Any) -> None:
        record = record_of(report)
        if record is not None:
            key = report.nodeid.partition("::")[0], record["claim"]
            self.tallies.setdefault(key, ItemTally(record["claim"])).add(record, failed=report.failed)

    @property
    def never_exercised(self) -> list[ItemTally]:
        return [t for t in self.in_order() if not t.exercised and t.outcome != UNTESTED]

    def in_order(self) -> list[ItemTally]:
        """By file and id: the same with one process as with many."""
        return [self.tallies[key] for key in sorted(self.tallies)]

    def write(self, reporter: pytest.TerminalReporter) -> None:
        if not self.tallies:
            return
        reporter.section("claims: verdicts on the cells tried here, which are not proofs", sep="-")
        for tally in self.in_order():
            bad = tally.complaints or tally.outcome == "VIOLATED" or tally in self.never_exercised
            reporter.write_line(tally.line(), red=bool(bad))
        for tally in self.never_exercised:
            reporter.write_line(f"never exercised: {tally.claim}: {tally.reason}", red=True)

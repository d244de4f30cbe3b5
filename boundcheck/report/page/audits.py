"""Audits of step-size rules: the line at the top of each, the theorems, and what happens on each problem."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.report.content import Report
from boundcheck.report.page.overview import ClaimLink, claim_link
from boundcheck.report.page.render import render

GOOD, BAD = {"CLEAN", "HOLDS"}, {"WRONG", "FAULTY", "VIOLATED", "DIVERGES", "NOT DETERMINISTIC"}
RANK = {"VIOLATED": 0, "HOLDS": 1, "UNDECIDED": 2}
Audit = Mapping[str, Any]


@dataclass(frozen=True)
class TheoremRow:
    """What came of one theorem along the rule's runs."""

    outcome: str
    kind: str
    link: ClaimLink
    cells: tuple[str, ...]


@dataclass(frozen=True)
class AuditShown:
    """An audit as the page shows it. `kind` is good, bad or open: the colour of its word."""

    audit: Audit
    word: str
    kind: str
    verdict: str
    details: list[str]
    theorems: list[TheoremRow]
    behaviours: list[Sequence[str]]
    goals: Sequence[str]
    races: list[Sequence[str]]


def audits(report: Report) -> list[AuditShown]:
    """Return the audits of the report."""
    return [_audit(one, report.rows) for one in report.audits]


def _audit(one: Audit, known: Container[str]) -> AuditShown:
    word, _, rest = str(one["verdict"]).partition(": ")
    return AuditShown(
        audit=one,
        word=word,
        kind=_kind(str(one["word"])),
        verdict=rest,
        details=list(one["diagnosis"]["details"]),
        theorems=theorems(one, known),
        behaviours=_behaviours(one),
        goals=_goals(one),
        races=_races(one),
    )


def try_page(one: Audit) -> None:
    """Raise whatever a page would stumble over, in an audit that came from a file."""
    render("audits", [_audit(one, ())])


def _kind(word: str) -> str:
    return "good" if word in GOOD else "bad" if word in BAD else "open"


def theorems(one: Audit, known: Container[str]) -> list[TheoremRow]:
    """Return the main theorems, and whatever fails: that first."""
    shown = [t for t in one["theorems"] if t["main"] or t["outcome"] == "VIOLATED"]
    rows: list[TheoremRow] = []
    for t in sorted(shown, key=lambda t: RANK.get(t["outcome"], 3)):
        reach = f"{len(t['problems'])} of {len(t['asked_on'])}" if t.get("asked_on") else str(len(t["problems"]))
        kinds = " ".join(M for M, word in t["smoothness"].items() if word == t["outcome"] or not t["applies"])
        cells = (reach, t["grade"] or "–", kinds, _told(t))
        rows.append(TheoremRow(str(t["outcome"]), _kind(t["outcome"]), claim_link(t["id"], known), cells))
    return rows


def _told(t: Audit) -> str:
    for name in ("violation", "tightest"):
        cell = t.get(name)
        if cell and cell.get(name):
            at = cell[name]
            ratio = "" if at["ratio"] is None or name == "violation" else f"left / right = {at['ratio']:.5g} "
            sides = f": left {at['left']}, right {at['right']}" if name == "violation" else ""
            return f"{ratio}at {at['place']} on {cell['problem']}{sides}"
    return str(t.get("reason") or "")


def _behaviours(one: Audit) -> list[Sequence[str]]:
    return [(b["problem"], str(b["steps"]), *(_share(b["adapted"].get(M)) for M in "DAH"), _happens(b)) for b in one["behaviour"]]


def _share(adapted: Audit | None) -> str:
    if not adapted:
        return "–"
    return f"{100 * adapted['below_2']:.0f} % ({adapted['low']:.3g} to {adapted['high']:.3g})"


def _happens(b: Audit) -> str:
    if b.get("error"):
        return str(b["error"])
    said = [f"diverges from k = {b['diverged_at']}"] if b.get("diverged_at") is not None else []
    said += ["f never rises"] if b.get("monotone") else [f"f rises at {b['rises']} steps, first at k = {b['first_rise']}"]
    return "; ".join(said + ([str(b["ended"])] if b.get("ended") else []))


def _goals(one: Audit) -> Sequence[str]:
    lanes = [lane for race in one["comparison"] for lane in race["lanes"]]
    return ("problem", "rule", *(lanes[0]["reached"] if lanes else ()), "")


def _races(one: Audit) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = []
    for race in one["comparison"]:
        for lane in race["lanes"]:
            reached = ["–" if at is None else f"{at['k']} ({at['total']} calls)" for at in lane["reached"].values()]
            rows.append((race["problem"], lane["rule"], *reached, lane["why"] or ""))
    return rows

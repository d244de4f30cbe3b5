"""Audits of step-size rules: the line at the top of each, the theorems, and what happens on each problem."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from boundcheck.report.content import Report
from boundcheck.report.page.markup import Markup, table, tag
from boundcheck.report.page.sections import claim_link

GOOD, BAD = {"CLEAN", "HOLDS"}, {"WRONG", "FAULTY", "VIOLATED", "DIVERGES", "NOT DETERMINISTIC"}
RANK = {"VIOLATED": 0, "HOLDS": 1, "UNDECIDED": 2}
Audit = Mapping[str, Any]


def section(report: Report) -> Markup | None:
    if not report.audits:
        return None
    return tag(
        "section", tag("h2", "Audits of step-size rules"), [_audit(one, report.rows) for one in report.audits], id="audits"
    )


def _audit(one: Audit, known: Container[str]) -> Markup:
    word, _, rest = str(one["verdict"]).partition(": ")
    return tag(
        "article",
        tag("h3", tag("code", str(one["rule"])), " ", tag("span", word, class_=f"word {_class(str(one['word']))}")),
        tag("p", str(one["about"]), class_="muted") if one.get("about") else None,
        tag("p", rest),
        tag("ul", [tag("li", line) for line in one["diagnosis"]["details"]], class_="lines")
        if one["diagnosis"]["details"]
        else None,
        _details(
            "Theorems",
            ("", "theorem", "problems", "cells", "M", "where it is tightest, fails, or why it does not apply"),
            theorems(one, known),
        ),
        _details(
            "Behaviour on each problem", ("problem", "steps", "η D < 2", "η A < 2", "η H < 2", "what happens"), _behaviours(one)
        ),
        _details("Against known rules: iterations to a share of the first gap", _goals(one), _races(one)),
        tag("p", "Left out: ", "; ".join(map(str, one["skipped"])), class_="muted") if one.get("skipped") else None,
        class_="audit",
    )


def reads(one: Audit) -> None:
    """Raise whatever a page would stumble over, in an audit that came from a file."""
    str(_audit(one, ()))


def _class(word: str) -> str:
    return "good" if word in GOOD else "bad" if word in BAD else "open"


def _details(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Markup | None:
    return tag("details", tag("summary", f"{title} ({len(rows)})"), table(columns, rows)) if rows else None


def theorems(one: Audit, known: Container[str]) -> list[Sequence[Any]]:
    """Main ones, and whatever fails: that first."""
    shown = [t for t in one["theorems"] if t["main"] or t["outcome"] == "VIOLATED"]
    rows: list[Sequence[Any]] = []
    for t in sorted(shown, key=lambda t: RANK.get(t["outcome"], 3)):
        reach = f"{len(t['problems'])} of {len(t['asked_on'])}" if t.get("asked_on") else str(len(t["problems"]))
        kinds = " ".join(M for M, word in t["smoothness"].items() if word == t["outcome"] or not t["applies"])
        word = tag("span", str(t["outcome"]), class_=f"word {_class(t['outcome'])}")
        rows.append((word, claim_link(t["id"], known), reach, t["grade"] or "–", kinds, _told(t)))
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


def _behaviours(one: Audit) -> list[Sequence[Any]]:
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


def _races(one: Audit) -> list[Sequence[Any]]:
    rows: list[Sequence[Any]] = []
    for race in one["comparison"]:
        for lane in race["lanes"]:
            reached = ["–" if at is None else f"{at['k']} ({at['total']} calls)" for at in lane["reached"].values()]
            rows.append((race["problem"], lane["rule"], *reached, lane["why"] or ""))
    return rows

"""Claims against problems, at a glance: the frame that the page's script fills, and its data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from boundcheck.claims.bound import LEMMA, PRINTED, PROVED, Bound
from boundcheck.report.content import UNFINISHED, Report
from boundcheck.report.page.cells import CODES, Shown, problems_of, worst
from boundcheck.report.page.markup import Markup, join, tag
from boundcheck.report.page.numbered import number

OTHER = "other"
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


def section(shown: Cells, outcome: Markup) -> Markup:
    """What came out, claim by claim and problem by problem."""
    problems = problems_of(shown)
    return tag(
        "section",
        tag("h2", "Claims against problems"),
        outcome,
        tag("form", *_filters(problems), id="filters", role="search", aria_label="Filter the claims"),
        tag("p", id="found", role="status", aria_live="polite"),
        tag("div", id="grid", class_="grid"),
        _legend(),
        id="matrix",
    )


def _filters(problems: Iterable[str]) -> Iterable[Markup]:
    found = tag(
        "input", type="search", id="search", placeholder="number, label, title, formula …", autocomplete="off", spellcheck="false"
    )
    yield tag("label", tag("span", "Search ", tag("kbd", "/")), found, class_="search")
    yield _select("status", "Status", [("", "any"), *((word, word) for word in ("refuted", "holds", "undecided", "untested"))])
    yield _select(
        "reading",
        "Reading",
        [("", "any"), (PRINTED, "printed"), (PROVED, "proved"), (LEMMA, "lemma of the library"), (OTHER, "other")],
    )
    yield _select("problem", "Problem", [("", "any"), *((name, name) for name in problems)])
    yield _select("verdict", "Cell", [("", "any"), *((key, f"{sign} {name}") for key, (sign, name, _) in CODES.items())])
    yield tag("label", tag("input", type="checkbox", id="certified"), " certified only", class_="check")
    yield tag("button", "Clear", type="reset")


def _select(key: str, name: str, options: Iterable[tuple[str, str]]) -> Markup:
    return tag("label", tag("span", name), tag("select", [tag("option", shown, value=value) for value, shown in options], id=key))


def _legend() -> Markup:
    marks = [
        tag("span", tag("i", sign or "·", class_=f"v-{key if key != '.' else 'none'}"), f" {name}")
        for key, (sign, name, _) in CODES.items()
    ]
    keys = join(
        "Keys: ",
        tag("kbd", "/"),
        " search, ",
        tag("kbd", "← ↑ ↓ →"),
        " move, ",
        tag("kbd", "Enter"),
        " open, ",
        tag("kbd", "Esc"),
        " back",
    )
    return tag("p", marks, tag("span", keys, class_="keys"), class_="legend")

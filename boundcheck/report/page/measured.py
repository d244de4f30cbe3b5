"""Tightness of all claims side by side, and which bound says most on a run."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from boundcheck.report.content import Report, Tightness
from boundcheck.report.page.markup import Markup, join, table, tag
from boundcheck.report.page.sections import claim_link
from boundcheck.report.page.tight import figure, growth

ABOUT = (
    "Left side over right side: 1 is tight, above 1 the claim fails. Measured on the runs of this report, so a small number may "
    "only mean that no run came near. The last column compares the right side with that of the classical bound with the "
    "constant L on the same run: below 1 the claim says more. Where steps are longer than the classical theorem allows, that is "
    "its formula with these steps, not a bound that was proved for them."
)


def tightness(report: Report) -> Markup | None:
    """Every claim that was measured, the tightest first."""
    found = sorted(report.tightness.values(), key=lambda one: -one.supremum if isfinite(one.supremum) else 1.0)
    if not found:
        return None
    columns = ("claim", "largest", "where", "median", "left side", "right side", "against the classical")
    rows = [_row(one, report) for one in found]
    inside = tag("details", tag("summary", f"{len(rows)} claims, the tightest first"), table(columns, rows, class_="figures"))
    return tag("section", tag("h2", "Tightness"), tag("p", ABOUT), inside, id="tightness")


def _row(one: Tightness, report: Report) -> list[Markup | str]:
    left, right = growth(one.left_exponent, one.left_factor), growth(one.right_exponent, one.right_factor)
    numbers = [figure(one.supremum), one.where, figure(one.median), left or "–", right or "–", figure(one.classical)]
    return [claim_link(one.claim, report.rows), *numbers]


def rankings(report: Report) -> Markup | None:
    """The claims about one quantity on one run, the smallest right side first."""
    if not report.rankings:
        return None
    shown = [_run(one, report) for one in report.rankings]
    return tag("section", tag("h2", "Which bound says most"), shown, id="rankings")


def _run(one: Mapping[str, Any], report: Report) -> Markup:
    name = f"{one['problem']} by {one['method']}, up to k = {one['k']}"
    return tag("details", tag("summary", name), [_quantity(ranking, report) for ranking in one["rankings"]])


def _quantity(ranking: Mapping[str, Any], report: Report) -> Markup:
    gain = ranking["directional_over_classical"]
    rows = [_bound(bound, ranking["left"], report) for bound in ranking["bounds"]]
    spans = [f"{_name(w)} for k = {w['from']} to {w['to']}" for w in ranking["winners"]]
    return join(
        tag("h4", f"{ranking['quantity']} ({ranking['run']}), at k = {ranking['n']}: {figure(ranking['left'])}"),
        table(("claim", "M", "kind", "right side", "left / right", ""), rows, class_="figures"),
        tag("p", f"Smallest: {'; '.join(spans)}.", class_="muted") if len(spans) > 1 else None,
        tag("p", f"The best directional bound is {figure(gain)} of the best classical one.") if gain is not None else None,
    )


def _bound(bound: Mapping[str, Any], left: float | None, report: Report) -> list[Markup | str]:
    ratio = left / bound["right"] if left is not None and bound["right"] > 0 else None
    grade = "certified" if bound["certified"] else "numerical"
    letters = ", ".join(f"{name} = {value}" for name, value in bound["parameters"].items())
    kind = bound["kind"] + (f" ({letters})" if letters else "")
    return [
        claim_link(bound["claim"], report.rows),
        bound["smoothness"] or "",
        kind,
        figure(bound["right"]),
        figure(ratio),
        grade,
    ]


def _name(entry: Mapping[str, Any]) -> str:
    kind = f" (M = {entry['smoothness']})" if entry["smoothness"] else ""
    return str(entry["claim"]).partition("/")[2] + kind

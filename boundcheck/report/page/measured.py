"""How near claims come to equality, and which bound says most on a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from markupsafe import Markup

from boundcheck.claims.bound import Bound
from boundcheck.report.content import Report, Tightness
from boundcheck.report.page.sections import ClaimLink, claim_link

Measured = tuple[ClaimLink, list[str]]  # a row: the claim, and the other cells


@dataclass(frozen=True)
class ClaimTightness:
    """What was measured of one claim, and where it loses: pairs of name and number, and (link, step of the proof, cells)."""

    numbers: list[tuple[str, str]]
    slack: list[tuple[str, str, list[str]]]


def claim_tightness(report: Report, bound: Bound) -> ClaimTightness | None:
    """Return the measured numbers of a claim; None where there are none."""
    found = report.tightness.get(bound.id)
    if found is None:
        return None
    slack = [
        (
            link.link,
            link.step if link.step in report.rows else "",
            [*map(figure, (link.least, link.median, link.lost)), f"{100 * link.share:.1f} %" if link.share is not None else "–"],
        )
        for link in found.slack
    ]
    return ClaimTightness(_numbers(found), slack)


def _numbers(found: Tightness) -> list[tuple[str, str]]:
    """What was measured, in words and digits. 1 is tight."""
    left, right = growth(found.left_exponent, found.left_factor), growth(found.right_exponent, found.right_factor)
    told = [
        ("largest left / right", f"{figure(found.supremum)} {found.where}"),
        ("median over the cells", figure(found.median)),
        ("left side behaves as", left),
        ("right side behaves as", right),
        ("fitted on", found.fitted),
    ]
    if found.classical is not None:
        told.append(("against the classical bound", f"{figure(found.classical)} times its right side, in the median"))
    return [(name, value) for name, value in told if value]


def tightest_first(report: Report) -> list[Measured]:
    """Return every claim that was measured, the tightest first."""
    found = sorted(report.tightness.values(), key=lambda one: -one.supremum if isfinite(one.supremum) else 1.0)
    return [(claim_link(one.claim, report.rows), _row(one)) for one in found]


def _row(one: Tightness) -> list[str]:
    left, right = growth(one.left_exponent, one.left_factor), growth(one.right_exponent, one.right_factor)
    return [figure(one.supremum), one.where, figure(one.median), left or "–", right or "–", figure(one.classical)]


def growth(exponent: float | None, factor: float | None) -> str:
    """Return a power of k, or a power with exponent k, as markup; "" where neither was fitted."""
    if exponent is not None:
        return Markup("<span><i>k</i><sup>{}</sup></span>").format(f"{exponent:.3g}".replace("-", "−"))
    return Markup("<span>{}<sup><i>k</i></sup></span>").format(f"{factor:.4g}") if factor is not None else ""


def figure(value: float | None) -> str:
    """Return five digits, or a dash where there is no number."""
    return "–" if value is None or not isfinite(value) else f"{value:.5g}"


# -- which bound says most -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RankedQuantity:
    """The claims about one quantity on one run, the smallest right side first."""

    name: str
    bounds: list[Measured]
    smallest: list[str]  # which claim is smallest, for which k
    gain: str


def ranked_runs(report: Report) -> list[tuple[str, list[RankedQuantity]]]:
    """Return the name of each run, and the quantities that several claims bound on it."""
    return [
        (f"{one['problem']} by {one['method']}, up to k = {one['k']}", [_quantity(r, report) for r in one["rankings"]])
        for one in report.rankings
    ]


def _quantity(ranking: Mapping[str, Any], report: Report) -> RankedQuantity:
    gain = ranking["directional_over_classical"]
    return RankedQuantity(
        name=f"{ranking['quantity']} ({ranking['run']}), at k = {ranking['n']}: {figure(ranking['left'])}",
        bounds=[(claim_link(bound["claim"], report.rows), _bound(bound, ranking["left"])) for bound in ranking["bounds"]],
        smallest=[f"{_name(w)} for k = {w['from']} to {w['to']}" for w in ranking["winners"]],
        gain=figure(gain) if gain is not None else "",
    )


def _bound(bound: Mapping[str, Any], left: float | None) -> list[str]:
    ratio = left / bound["right"] if left is not None and bound["right"] > 0 else None
    letters = ", ".join(f"{name} = {value}" for name, value in bound["parameters"].items())
    kind = bound["kind"] + (f" ({letters})" if letters else "")
    grade = "certified" if bound["certified"] else "numerical"
    return [bound["smoothness"] or "", kind, figure(bound["right"]), figure(ratio), grade]


def _name(entry: Mapping[str, Any]) -> str:
    kind = f" (M = {entry['smoothness']})" if entry["smoothness"] else ""
    return str(entry["claim"]).partition("/")[2] + kind

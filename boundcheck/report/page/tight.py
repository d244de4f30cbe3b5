"""How near a claim comes to equality, in numbers and curves."""

from __future__ import annotations

from collections.abc import Container
from math import isfinite

from boundcheck.claims.bound import Bound
from boundcheck.report.content import Report, Slack, Tightness
from boundcheck.report.page.inline_math import told
from boundcheck.report.page.markup import Markup, table, tag
from boundcheck.report.page.prose import prose


def tightness(report: Report, bound: Bound) -> Markup:
    """The measured numbers, where there are any, and the place where the curves are drawn."""
    found = report.tightness.get(bound.id)
    return tag(
        "section",
        tag("h3", "Tightness"),
        tag("dl", [tag("div", tag("dt", name), tag("dd", value)) for name, value in numbers(found)], class_="numbers")
        if found
        else None,
        tag("p", "No instance comes near equality: ", told(bound.loose_because), ".") if bound.loose_because else None,
        _slack(found.slack, report.rows) if found is not None and found.slack else None,
        tag("div", class_="curves"),
        class_="tightness",
    )


def numbers(found: Tightness) -> list[tuple[str, str | Markup]]:
    """What was measured, in words and digits. 1 is tight."""
    told: list[tuple[str, str | Markup]] = [
        ("largest left / right", f"{figure(found.supremum)} {found.where}"),
        ("median over the cells", figure(found.median)),
    ]
    for side, exponent, factor in (
        ("left side", found.left_exponent, found.left_factor),
        ("right side", found.right_exponent, found.right_factor),
    ):
        told += [(f"{side} behaves as", shown)] if (shown := growth(exponent, factor)) else []
    told += [("fitted on", found.fitted)] if found.fitted else []
    if found.classical is not None:
        told.append(("against the classical bound", f"{figure(found.classical)} times its right side, in the median"))
    return told


def growth(exponent: float | None, factor: float | None) -> Markup | None:
    """A power of k, or a power with exponent k."""
    if exponent is not None:
        return tag("span", tag("i", "k"), tag("sup", f"{exponent:.3g}".replace("-", "−")))
    return tag("span", f"{factor:.4g}", tag("sup", tag("i", "k"))) if factor is not None else None


def _slack(links: tuple[Slack, ...], known: Container[str]) -> Markup:
    columns = (
        "link of the chain, or step of the proof",
        "right / left at its best",
        "in the median",
        "lost",
        "share of the whole",
    )
    rows = [
        (
            tag("a", prose(link.link), href=f"#claim={link.step}") if link.step in known else prose(link.link),
            figure(link.least),
            figure(link.median),
            figure(link.lost),
            f"{100 * link.share:.1f} %" if link.share is not None else "–",
        )
        for link in links
    ]
    return tag("div", tag("h4", "Where the slack is lost"), table(columns, rows))


def figure(value: float | None) -> str:
    """Five digits, or a dash where there is no number."""
    return "–" if value is None or not isfinite(value) else f"{value:.5g}"

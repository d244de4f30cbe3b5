"""The proof of a correction: its lines in words and mathematics, with the claims that they name as links."""

from __future__ import annotations

from boundcheck.claims.bound import PRINTED, PROVED, Bound
from boundcheck.report.content import Report
from boundcheck.report.page.inline_math import Link, told
from boundcheck.report.page.markup import Markup, tag
from boundcheck.report.page.numbered import number


def proof(report: Report, bound: Bound, heading: str = "h4") -> Markup | None:
    """The proof sketch of a claim, line by line; None where it has none."""
    if not bound.proof_sketch:
        return None
    link = links(report, bound)
    return tag(
        "div",
        tag(heading, "Proof"),
        tag("ol", [tag("li", tag("div", told(line, link))) for line in bound.proof_sketch], class_="proof"),
        class_="proved",
    )


def links(report: Report, about: Bound) -> Link:
    """From [label@reading] to that claim of the same paper; [label] is its proved reading, or else the printed one."""
    known = {b.id: b for b in report.bounds}

    def link(name: str) -> Markup | None:
        label, _, reading = name.partition("@")
        wanted = [reading] if reading else [PROVED, PRINTED, *(b.reading for b in report.bounds if b.label == label)]
        for one in wanted:
            found = known.get(f"{about.source.paper.name}/{label}@{one}")
            if found is not None:
                return tag("a", _named(found), href=f"#claim={found.id}", title=f"{found.label}, {found.reading}")
        return tag("code", name) if ":" in name or "@" in name else None

    return link


def _named(bound: Bound) -> str:
    """Theorem 3.1, or Theorem 3.1 as corrected; the label where it has no number."""
    shown = number(bound) or bound.label
    return f"{shown} as corrected" if bound.reading == PROVED else shown

"""A small made-up paper: one result that stands, one that stands corrected, one that falls, two that nobody has decided."""

from __future__ import annotations

from boundcheck.certificates.errata import Finding, Severity
from boundcheck.claims.bound import Bound, Instance, Paper
from boundcheck.claims.source import Place
from boundcheck.language.letters import Delta, delta, k

SEEN = Instance(problem="parabola", method="1/L", steps=1)
PLACES = {
    "thm:stands": Place(lines=(10, 12), number="Theorem 1.1"),
    "thm:corrected": Place(lines=(20, 22), number="Theorem 1.2"),
    "falls": Place(lines=(30, 32), number="Lemma 1.3"),
    "thm:undecided": Place(lines=(40, 42), number="Corollary 1.4"),
    "thm:whole": Place(lines=(50, 52), number="Theorem 1.5"),
    "thm:whole.first-case": Place(lines=(51, 51), number="Theorem 1.5"),
    "thm:whole.line": Place(lines=(60, 61), number="Proof of Theorem 1.5"),
    "thm:line": Place(lines=(70, 71), number="Equation (3)"),
}
PAPER = Paper(name="made-up", title="On Steps", authors="A. Author, B. Author", year=2020, places=PLACES)


def claim(label: str, *, paper: Paper = PAPER, reading: str = "printed", false: bool = False, **more: object) -> Bound:
    return Bound(
        source=paper.at(label),
        title=f"what {label} says",
        states=delta[k] <= Delta[k],
        reading=reading,
        refuted_by=SEEN if false else None,
        **more,  # type: ignore[arg-type]
    )


STANDS = claim("thm:stands")
FALSE = claim("thm:corrected", false=True)
PROVED = claim("thm:corrected", reading="proved", because="a factor of two is missing")
FALLS = claim("falls", false=True)
UNDECIDED = claim("thm:undecided")
PART, LINE = claim("thm:whole.first-case"), claim("thm:whole.line", false=True)
EQUATION = claim("thm:line")
CLAIMS = (STANDS, FALSE, PROVED, FALLS, UNDECIDED, PART, LINE, EQUATION)


def rows(**statuses: str) -> dict[str, dict[str, str]]:
    """The rows of a report: what is not false holds, thm:undecided is untested; `statuses` by label say otherwise."""
    usual = {b.id: {"status": "refuted" if b.is_refuted else "holds"} for b in CLAIMS}
    usual[UNDECIDED.id] = {"status": "untested"}
    return usual | {b.id: {"status": statuses[b.label]} for b in CLAIMS if b.label in statuses}


def finding(title: str, severity: Severity, *labels: str, papers: tuple[str, ...] = ()) -> Finding:
    return Finding(title=title, severity=severity, claims=labels, what="It is wrong.", survives="The rest.", papers=papers)

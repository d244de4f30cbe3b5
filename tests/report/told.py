"""A made-up paper told in full: places, findings of every severity, a proof, quotations, a lemma and a summary.

Its claims are chosen by name, and places and proofs are its own: what the library has of either, and how much, changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from boundcheck.certificates.errata.findings import Finding, Severity
from boundcheck.claims.bound import LEMMA, Bound
from boundcheck.claims.latex_source.quotation import Quotation
from boundcheck.claims.source import Place
from boundcheck.report.content import Report

from .reports import CORRECTED, FALSE, everything, made

PAPER = "directional-smoothness"
TITLE = "Directional Smoothness and Gradient Methods: Convergence and Adaptivity"
ORDER, INVERSE = (f"{PAPER}/{label}@printed" for label in ("eq:quadratic-bound", "sec:introduction.rayleigh"))
HOLDS = f"{PAPER}/eq:smoothness-upper-bound@printed"
UNFOUND = f"{PAPER}/sec:introduction.below-2-over-L@printed"
MINIMISER = "eq:smoothness-upper-bound.minimiser"
OWN = f"{PAPER}/{MINIMISER}@{LEMMA}"
READINGS = {
    "sec:introduction.below-2-over-L": ("printed",),
    "eq:quadratic-bound": ("printed", "proved"),
    "fig:rate-comparison.tighter": ("printed", "textbook-constant", "proved"),  # no place, and a false reading
    "sec:introduction.rayleigh": ("printed", "proved"),
    "eq:smoothness-upper-bound": ("printed",),
    MINIMISER: ("printed",),  # made a lemma of the library
    "def:directional-smoothness-function": ("printed",),
    "eq:directional-smoothness.at-most-2L": ("printed",),
    "thm:polyak-alternate": ("printed", "proved"),
}
PLACES = {
    "eq:quadratic-bound": Place(lines=(40, 42), number="Equation (1)"),
    "sec:introduction.rayleigh": Place(lines=(51, 51), number="Section 1"),
    "eq:smoothness-upper-bound": Place(lines=(60, 63), number="Equation (4)"),
    "eq:directional-smoothness.at-most-2L": Place(lines=(70, 70), number="Lemma 2.1"),
    "thm:polyak-alternate": Place(lines=(238, 241), number="Theorem 12.1"),
    "def:directional-smoothness-function": Place(lines=(66, 69), number="Theorem 2.1"),
    "sec:introduction.below-2-over-L": Place(lines=(20, 22), number="Section 1"),
}
SUMMARY = (
    r"The rate $\frac{2}{k}$ of Theorem 12.1 falls as printed; corrected, it stands.",
    "Equation (4) (eq:smoothness-upper-bound) and Lemma 2.1 stand as printed.",
    "Nothing else of the paper is touched.",
)
FINDINGS = (
    Finding(
        title=r"The last step $\eta_{k}$ is counted before it is taken",
        severity=Severity.THEOREM,
        claims=("thm:polyak-alternate",),
        what=r"the sum of the steps runs to $k$, and $\eta_k$ may be large",
        survives=r"The rate survives with the sum to $k - 1$.",
    ),
    Finding(
        title="The arguments of $M$ stand in the other order",
        severity=Severity.SLIP,
        claims=("eq:quadratic-bound", "sec:introduction.rayleigh"),
        what="$M(x_{k+1}, x_k)$ for $M(x_k, x_{k+1})$",
        survives="Everything that uses it.",
    ),
)
PROOF = (
    r"Sum [eq:smoothness-upper-bound] over $i = 0, \ldots, k - 1$: $\sum_{i=0}^{k-1} \eta_i \delta_i \leq \frac{\Delta_0}{2}$.",
    r"The left side is at least $\min_{0 \leq i < k} \delta_i \sum_{i=0}^{k-1} \eta_i$, by [thm:polyak-alternate@printed].",
)
WORDS = ("\\begin{theorem}[the made-up words]", "  $a < b$ & <script>planted()</script>", "\\end{theorem}")


def _told(bound: Bound) -> Bound:
    """The claim with its place and its proof, or none, and whatever else makes it one of each kind."""
    place, sketch = PLACES.get(bound.label), PROOF if bound.id == CORRECTED else ()
    bound = replace(bound, source=replace(bound.source, printed=place), proof_sketch=sketch)
    if bound.id == HOLDS:
        return replace(
            bound, added=(r"$k \geq 1$: at $k = 0$ it is false", "convexity of $f$"), function=r"f(x) = \sqrt{x^2 + 1}"
        )
    if bound.label == MINIMISER:
        return replace(bound, reading=LEMMA)
    return bound


@cache
def claims() -> tuple[Bound, ...]:
    return tuple(_told(bound) for bound in everything() if bound.reading in READINGS.get(bound.label, ()))


def told_report(**changes: object) -> Report:
    """The report of the made-up paper; without its source."""
    return made(claims(), **{"findings": FINDINGS, "summary": SUMMARY, **changes})  # type: ignore[arg-type]


def long_places() -> list[dict[str, object]]:
    """A place that many claims cover, in a table that is wider than a phone."""
    covers = [{"id": bound.id, "label": bound.label, "status": "holds"} for bound in claims()]
    return [{"where": "9" * 90, "label": "eq:1", "meaning": "9" * 200, "claims": covers, "nothing_testable": ""}]


def quotations() -> dict[str, Quotation]:
    """What its source says: the words of one claim, and other words where those of a second should be."""
    return {
        FALSE: Quotation(place=PLACES["thm:polyak-alternate"], found=(238, 241), words=WORDS, file="paper.tex"),
        UNFOUND: Quotation(place=PLACES["sec:introduction.below-2-over-L"], words=("something else",), file="paper.tex"),
    }

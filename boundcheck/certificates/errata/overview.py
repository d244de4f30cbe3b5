"""What was found about a paper, in about ten lines that a person can read aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from boundcheck.certificates.errata.findings import Finding, Severity
from boundcheck.certificates.errata.standing import HOLDS, REFUTED, Places, Result, Rows, Standing, papers_of, results, status
from boundcheck.claims.bound import PRINTED, Bound

NO_PROOF = (
    "What holds has held on everything that was tried, which is not a proof; what is refuted has a counterexample, or a short "
    "argument."
)
KINDS = {  # of one finding, and of more
    Severity.THEOREM: ("breaks a theorem or another stated result", "break a theorem or another stated result"),
    Severity.STEP: ("breaks a step or a remark and no theorem", "break a step or a remark and no theorem"),
    Severity.SLIP: ("is a slip of an index, a constant or an order", "are slips of an index, a constant or an order"),
    Severity.TYPESETTING: ("is a matter of typesetting", "are matters of typesetting"),
    Severity.UNRATED: ("is not rated yet", "are not rated yet"),
}
BECOMES = {  # of none or one result, and of more
    Standing.STANDS: ("stands as printed", "stand as printed"),
    Standing.CORRECTED: ("is false as printed and stands corrected", "are false as printed and stand corrected"),
    Standing.FALLS: ("falls with nothing to replace it", "fall with nothing to replace them"),
    Standing.UNDECIDED: ("is not decided", "are not decided"),
}


def summary(bounds: Sequence[Bound], rows: Rows, found: Iterable[Finding], places: Places = ()) -> list[str]:
    """About ten lines, each in words with $mathematics$: what was checked, what stands, what does not, and why.

    `rows` are a report's, by claim id; `found` the findings; `places` a report's, which say what states a theorem.
    """
    printed = [b for b in bounds if b.reading == PRINTED]
    if not printed:
        return []
    stated = results(bounds, rows, places)
    return [*_about(bounds), _checked(printed, rows), *_standing(stated), *_causes(printed, rows, list(found)), NO_PROOF]


def _about(bounds: Sequence[Bound]) -> list[str]:
    named = [f"{paper.cited}." for paper in papers_of(bounds) if paper.title]
    return named if len(named) <= 1 else [f"{len(named)} papers: {' '.join(named)}"]


def _checked(printed: Sequence[Bound], rows: Rows) -> str:
    counts = Counter(status(b, rows) for b in printed)
    holds, false = counts[HOLDS], counts[REFUTED]
    open_ = len(printed) - holds - false
    parts = [_counted(holds, "holds", "hold"), _counted(false, "is refuted", "are refuted")]
    parts += [_counted(open_, "is not decided", "are not decided")] if open_ else []
    checked = _counted(len(printed), "printed statement was checked", "printed statements were checked")
    return f"{checked}, lines of proofs and remarks included: {', '.join(parts)}."


def _standing(stated: Sequence[Result]) -> list[str]:
    """A line for each thing that may become of a theorem."""
    if not stated:
        return []
    several = len({result.paper.name for result in stated}) > 1
    lines = []
    for standing in (Standing.STANDS, Standing.CORRECTED, Standing.FALLS, Standing.UNDECIDED):
        mine = [f"{r.paper.name}: {r.name}" if several else r.name for r in stated if r.standing is standing]
        if mine or standing is not Standing.UNDECIDED:
            lines.append(f"{_says(standing, len(mine), len(stated))}{': ' + ', '.join(mine) if mine else ''}.")
    return lines


def _says(standing: Standing, count: int, of: int) -> str:
    whole = f" of the {of} theorems, propositions, lemmas and corollaries" if standing is Standing.STANDS else ""
    return f"{count or 'None'}{whole} {BECOMES[standing][count > 1]}"


def _causes(printed: Sequence[Bound], rows: Rows, found: Sequence[Finding]) -> list[str]:
    """How many findings of each severity, and those that break a stated result by their titles."""
    false = [b for b in printed if status(b, rows) == REFUTED]
    if not false:
        return []
    shown = [finding for finding in found if any(finding.is_about(b) for b in false)]
    unrated = sum(not any(finding.is_about(b) for finding in shown) for b in false)
    counts = Counter(finding.severity for finding in shown)
    counts[Severity.UNRATED] += unrated
    parts = [_counted(counts[severity], *KINDS[severity]) for severity in Severity if counts[severity]]
    refuted = _counted(len(false), "refuted statement has", "refuted statements have")
    lines = [f"The {refuted} {_counted(counts.total(), 'cause', 'causes')}: {'; '.join(parts)}."]
    worst = [finding.title.rstrip(".") for finding in shown if finding.severity is Severity.THEOREM]
    return lines + ([f"What breaks a stated result: {_numbered(worst)}."] if worst else [])


def _numbered(titles: Sequence[str]) -> str:
    return titles[0] if len(titles) == 1 else "; ".join(f"({n}) {title}" for n, title in enumerate(titles, 1))


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"

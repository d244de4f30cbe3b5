"""The results of a paper: which stand as printed, which stand corrected, which fall, and a summary in about ten lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from boundcheck.certificates.errata.findings import Finding, Severity
from boundcheck.claims.bound import PRINTED, PROVED, Bound
from boundcheck.claims.source import Paper

HOLDS, REFUTED = "holds", "refuted"  # statuses of a report's rows; every other one decides nothing
Rows = Mapping[str, Mapping[str, Any]]  # by claim id, each with its "status"
Entries = Mapping[str, Mapping[str, Any]]  # of the inventory, by label
Places = Iterable[Mapping[str, Any]]  # entries of the inventory: label, where, line, covered_by
NUMBERED = re.compile(r"(theorem|proposition|lemma|corollary)\b", re.IGNORECASE)  # "Theorem 3.1", and not "Proof of Theorem 3.1"
PROOF_OF = "Proof of "  # before the number of what is proved, where a line of a proof stands
LABELLED = re.compile(r"(thm|theorem|prop|proposition|lem|lemma|cor|corollary):", re.IGNORECASE)
PART = re.compile(r"\.(?=[^\W\d])")  # before one of several statements of a label: thm:2.1.first-case is a part of thm:2.1


class Standing(Enum):
    """What became of a result; of its statements, the one that comes first here decides."""

    FALLS = "falls"
    UNDECIDED = "not decided"
    CORRECTED = "stands corrected"
    STANDS = "stands as printed"


@dataclass(frozen=True, kw_only=True)
class PaperResult:
    """A theorem-like thing of a paper, by its label, with the printed claims that state it."""

    paper: Paper
    label: str
    number: str = ""  # "Theorem 3.1"
    standing: Standing
    claims: tuple[Bound, ...]

    @property
    def name(self) -> str:
        return f"{self.number} ({self.label})" if self.number else self.label


def whole(label: str) -> str:
    """Return the label of which this one names a part, or itself."""
    return PART.split(label)[0]


def status(bound: Bound, rows: Rows) -> str:
    """Return what is known of a claim. One that is known to be false is so even where this run has not tried it."""
    found = str(rows.get(bound.id, {}).get("status", ""))
    return REFUTED if bound.is_refuted and found != HOLDS else found


def standing_of(statement: Bound, beside: Iterable[Bound], rows: Rows) -> Standing:
    """Return what became of a printed claim; `beside` are claims among which its correction is, if there is one."""
    found = status(statement, rows)
    if found == HOLDS:
        return Standing.UNDECIDED if statement.is_refuted else Standing.STANDS
    if found != REFUTED:
        return Standing.UNDECIDED
    proved = next((b for b in beside if b.reading == PROVED and b.source == statement.source), None)
    if proved is None or status(proved, rows) == REFUTED:
        return Standing.FALLS
    return Standing.CORRECTED if status(proved, rows) == HOLDS else Standing.UNDECIDED


def results(bounds: Sequence[Bound], rows: Rows, places: Places = ()) -> list[PaperResult]:
    """Return the results that these claims state, in the order of each paper.

    `places` says which claims state a theorem whose statements have labels of their own: Report.places.
    """
    entries = {str(entry["label"]): entry for entry in places}
    found: list[tuple[float, PaperResult]] = []
    for name in dict.fromkeys(b.source.paper.name for b in bounds):
        mine = [b for b in bounds if b.source.paper.name == name]
        labels = dict.fromkeys([whole(b.label) for b in mine if b.reading == PRINTED] + list(entries))
        for label in (label for label in labels if label == whole(label)):
            claims = _stated(label, mine, entries)
            number = _number(label, claims, mine, entries) if claims else None
            if number is not None:
                worst = min((standing_of(c, mine, rows) for c in claims), key=list(Standing).index)
                paper = claims[0].source.paper
                made = PaperResult(paper=paper, label=label, number=number, standing=worst, claims=tuple(claims))
                found.append((_line(label, paper, entries), made))
    return [made for _, made in sorted(found, key=lambda one: one[0])]


def _number(label: str, claims: Sequence[Bound], mine: Sequence[Bound], entries: Entries) -> str | None:
    """Return the number of a theorem-like label, "" where it is not known; None: it labels something else."""
    own = [b.source.printed for b in claims if b.label == label] + [claims[0].source.paper.places.get(label)]
    if numbers := [place.number for place in own if place is not None and place.number]:
        return numbers[0] if NUMBERED.match(numbers[0]) else None
    parts = [b.source.printed.number for b in mine if whole(b.label) == label and b.source.printed is not None]
    said = [*(number.removeprefix(PROOF_OF) for number in parts), *(b.source.section for b in claims if b.label == label)]
    named = [words for words in (*said, str(entries.get(label, {}).get("where", ""))) if NUMBERED.match(words)]
    return named[0] if named else "" if LABELLED.match(label) else None


def _stated(label: str, mine: Sequence[Bound], entries: Entries) -> list[Bound]:
    """Return the printed claims that state what a label names: those that have it or cover it.

    Else its parts, printed inside it.
    """
    covering = entries.get(label, {}).get("covered_by", ())
    printed = [b for b in mine if b.reading == PRINTED]
    stated = [b for b in printed if b.label == label or b.label in covering]
    return stated or [b for b in printed if whole(b.label) == label and _is_inside(b, label)]


def _is_inside(bound: Bound, label: str) -> bool:
    own, around = bound.source.printed, bound.source.paper.places.get(label)
    return own is not None and around is not None and bool(own.number) and own.number == around.number


def _line(label: str, paper: Paper, entries: Entries) -> float:
    if label in paper.places:
        return paper.places[label].lines[0]
    return float(entries.get(label, {}).get("line", float("inf")))


def papers_of(bounds: Iterable[Bound]) -> list[Paper]:
    return list(dict.fromkeys(b.source.paper for b in bounds))


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
    """Return about ten lines, each in words with $mathematics$: what was checked, what stands, what does not, and why.

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


def _standing(stated: Sequence[PaperResult]) -> list[str]:
    """Return a line for each thing that may become of a theorem."""
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
    """Return how many findings of each severity, and those that break a stated result by their titles."""
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

"""Which results of a paper stand as printed, which stand corrected, and which fall.

A result is a theorem, proposition, lemma or corollary. A claim that holds has held on everything tried, which is no proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

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
class Result:
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
    """The label of which this one names a part, or itself."""
    return PART.split(label)[0]


def status(bound: Bound, rows: Rows) -> str:
    """What is known of a claim. One that is known to be false is so even where this run has not tried it."""
    found = str(rows.get(bound.id, {}).get("status", ""))
    return REFUTED if bound.is_refuted and found != HOLDS else found


def standing_of(statement: Bound, beside: Iterable[Bound], rows: Rows) -> Standing:
    """What became of a printed claim; `beside` are claims among which its correction is, if there is one."""
    found = status(statement, rows)
    if found == HOLDS:
        return Standing.UNDECIDED if statement.is_refuted else Standing.STANDS
    if found != REFUTED:
        return Standing.UNDECIDED
    proved = next((b for b in beside if b.reading == PROVED and b.source == statement.source), None)
    if proved is None or status(proved, rows) == REFUTED:
        return Standing.FALLS
    return Standing.CORRECTED if status(proved, rows) == HOLDS else Standing.UNDECIDED


def results(bounds: Sequence[Bound], rows: Rows, places: Places = ()) -> list[Result]:
    """The results that these claims state, in the order of each paper.

    `places` says which claims state a theorem whose statements have labels of their own: Report.places.
    """
    entries = {str(entry["label"]): entry for entry in places}
    found: list[tuple[float, Result]] = []
    for name in dict.fromkeys(b.source.paper.name for b in bounds):
        mine = [b for b in bounds if b.source.paper.name == name]
        labels = dict.fromkeys([whole(b.label) for b in mine if b.reading == PRINTED] + list(entries))
        for label in (label for label in labels if label == whole(label)):
            claims = _stated(label, mine, entries)
            number = _number(label, claims, mine, entries) if claims else None
            if number is not None:
                worst = min((standing_of(c, mine, rows) for c in claims), key=list(Standing).index)
                paper = claims[0].source.paper
                made = Result(paper=paper, label=label, number=number, standing=worst, claims=tuple(claims))
                found.append((_line(label, paper, entries), made))
    return [made for _, made in sorted(found, key=lambda one: one[0])]


def _number(label: str, claims: Sequence[Bound], mine: Sequence[Bound], entries: Entries) -> str | None:
    """The number of a theorem-like label, "" where it is not known; None: it labels something else."""
    own = [b.source.printed for b in claims if b.label == label] + [claims[0].source.paper.places.get(label)]
    if numbers := [place.number for place in own if place is not None and place.number]:
        return numbers[0] if NUMBERED.match(numbers[0]) else None
    parts = [b.source.printed.number for b in mine if whole(b.label) == label and b.source.printed is not None]
    said = [*(number.removeprefix(PROOF_OF) for number in parts), *(b.source.section for b in claims if b.label == label)]
    named = [words for words in (*said, str(entries.get(label, {}).get("where", ""))) if NUMBERED.match(words)]
    return named[0] if named else "" if LABELLED.match(label) else None


def _stated(label: str, mine: Sequence[Bound], entries: Entries) -> list[Bound]:
    """The printed claims that state what a label names: those that have it or cover it; else its parts, printed inside it."""
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

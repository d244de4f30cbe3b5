"""The index of a page: the paper's own numbers, where a claim is printed, and from Theorem 3.1 to the page of its claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boundcheck.claims.bound import LEMMA, PRINTED, Bound
from boundcheck.report.content import Report

SYMBOLS = {"holds": "●", "refuted": "✕", "undecided": "?", "untested": "–"}
RESULTS, EQUATIONS, OTHERS = "Theorems, propositions, lemmas", "Equations", "Proofs, sections, figures"
KINDS = {"Equation": EQUATIONS, "Proof": OTHERS, "Section": OTHERS, "Appendix": OTHERS, "Figure": OTHERS, "Table": OTHERS}


def number(bound: Bound) -> str:
    """Theorem 3.1, Equation (12): as the paper prints it; "" where nobody looked it up."""
    if bound.source.printed is not None and bound.source.printed.number:
        return bound.source.printed.number
    return bound.source.section if " " in bound.source.section else ""


def lines(bound: Bound) -> str:
    """line 12, or lines 12-15: of the paper's LaTeX source."""
    if bound.source.printed is None:
        return ""
    first, last = bound.source.printed.lines
    return f"line {first}" if first == last else f"lines {first}–{last}"


def name(bound: Bound) -> str:
    """Return the number, or the label where there is none."""
    return number(bound) or bound.label


def where(bound: Bound, numbered: bool = True) -> str:
    """Return the number, the lines and the label of a claim, as far as they are known."""
    return ", ".join(part for part in (number(bound) if numbered else "", lines(bound), bound.label) if part)


@dataclass(frozen=True)
class IndexEntry:
    """A number of the paper: its claim, what came of it, and other claims about parts of the same statement."""

    claim: str
    name: str
    status: str
    parts: tuple[IndexEntry, ...] = ()


def index(report: Report) -> dict[str, list[IndexEntry]]:
    """Return the numbers of the paper by kind, in its order, with what came of the claims there."""
    found = _by_number([b for b in report.bounds if b.reading != LEMMA and number(b)])
    groups = {kind: [_entry(report, m) for m in found if _kind(m[0]) == kind] for kind in (RESULTS, EQUATIONS, OTHERS)}
    return {kind: entries for kind, entries in groups.items() if entries}


def _by_number(bounds: Iterable[Bound]) -> list[list[Bound]]:
    """Return one claim a label, the printed one where there is one; by number, in the order of the paper's lines."""
    labels: dict[tuple[str, str], Bound] = {}
    for bound in bounds:
        key = (bound.source.paper.name, bound.label)
        if key not in labels or (bound.reading == PRINTED and labels[key].reading != PRINTED):
            labels[key] = bound
    groups: dict[tuple[str, str], list[Bound]] = {}
    for bound in labels.values():
        groups.setdefault((bound.source.paper.name, number(bound)), []).append(bound)
    for members in groups.values():
        members.sort(key=lambda bound: ("." in bound.label, _line(bound)))
    return sorted(groups.values(), key=lambda members: min(_line(bound) for bound in members))


def _line(bound: Bound) -> int:
    return bound.source.printed.lines[0] if bound.source.printed is not None else 0


def _kind(bound: Bound) -> str:
    return KINDS.get(number(bound).split(" ", 1)[0], RESULTS)


def _entry(report: Report, members: Sequence[Bound]) -> IndexEntry:
    first, *others = members
    parts = tuple(IndexEntry(part.id, _part(part, first), _status(report, part)) for part in others)
    return IndexEntry(first.id, number(first), _status(report, first), parts)


def _part(part: Bound, first: Bound) -> str:
    """Return what the label adds to that of the statement itself."""
    return part.label.removeprefix(first.label) if part.label.startswith(f"{first.label}.") else part.label


def _status(report: Report, bound: Bound) -> str:
    return str(report.rows.get(bound.id, {}).get("status", "untested"))

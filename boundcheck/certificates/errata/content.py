"""The content of the errata and of the letter to the authors, before it is Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from boundcheck.certificates.errata.entries import Erratum, FindingShown, false_readings, grouped
from boundcheck.certificates.errata.findings import Finding, Misprint, Severity
from boundcheck.certificates.errata.wording import Methods
from boundcheck.claims.bound import LEMMA, PRINTED, PROVED, Bound
from boundcheck.claims.latex_source.quotation import Quotation, lines_words
from boundcheck.claims.source import Paper

Named = Callable[[Bound], str]


@dataclass(frozen=True, kw_only=True)
class ErrataContent:
    """The claims that were checked, what is false of them, by which cause, and how the paper stands."""

    bounds: Sequence[Bound]
    errata: Sequence[Erratum]
    findings: Sequence[Finding] = ()
    summary: Sequence[str] = ()  # how the paper stands: about ten lines of words with $mathematics$
    quotations: Mapping[str, Quotation] = field(default_factory=dict)  # by claim id: the paper's own words
    state: str = ""  # of the run: "" if it is complete
    misprints: Sequence[Misprint] = ()  # what is printed wrong and makes nothing false
    command: str = ""  # that made it
    certified: frozenset[str] = frozenset()  # the ids of claims whose refutation is certified

    @property
    def papers(self) -> list[Paper]:
        return list({bound.source.paper.name: bound.source.paper for bound in self.bounds}.values())

    @property
    def title(self) -> str:
        return "; ".join(paper.title or paper.name for paper in self.papers)

    @property
    def authors(self) -> str:
        return "; ".join(paper.authors for paper in self.papers if paper.authors)

    @cached_property
    def shown(self) -> list[FindingShown]:
        """By cause, the severest first; they are numbered from 1 in this order."""
        return grouped(self.errata, self.findings)

    @cached_property
    def readings(self) -> list[Erratum]:
        return false_readings(self.errata)

    def of(self, severity: Severity) -> list[tuple[int, FindingShown]]:
        """Return the findings of a severity, with their numbers."""
        return [(n, one) for n, one in enumerate(self.shown, start=1) if one.finding.severity is severity]

    @cached_property
    def methods(self) -> Methods:
        """The long methods of the statements that are shown: told once."""
        entries = [*(entry for one in self.shown for entry in one.entries), *self.readings]
        return Methods.of(bound for entry in entries for bound in (entry.bound, entry.proved) if bound is not None)

    @property
    def misquoted(self) -> list[Bound]:
        """What is called false as printed, although the paper's source does not have its words."""
        false = (entry.bound for entry in self.errata if entry.is_printed)
        return [bound for bound in false if bound.id in self.quotations and not self.quotations[bound.id].is_found]

    @property
    def printed(self) -> list[Bound]:
        return [bound for bound in self.bounds if bound.reading == PRINTED]

    @property
    def lemmas(self) -> list[Bound]:
        return [bound for bound in self.bounds if bound.reading == LEMMA]

    def claim(self, name: str, about: Bound) -> Bound | None:
        """Return the claim that [label@reading] names in words about another.

        [label] is its proved or else its printed reading.
        """
        label, _, reading = name.partition("@")
        same = [b for b in self.bounds if b.label == label and b.source.paper.name == about.source.paper.name]
        wanted = [reading] if reading else [PROVED, PRINTED, *(b.reading for b in same)]
        return next((b for one in wanted for b in same if b.reading == one), None)


def number(bound: Bound) -> str:
    """Theorem 3.1, as printed; "" where nobody looked it up."""
    return bound.source.printed.number if bound.source.printed is not None else ""


def place(bound: Bound) -> str:
    """Theorem 3.1, lines 340-346; where that is not known, the section."""
    at = bound.source.printed
    if at is None:
        return bound.source.place
    return ", ".join(part for part in (at.number or bound.source.place, lines_words(at.lines)) if part)


def name(bound: Bound) -> str:
    """Return what a reader calls it: its number, or its label where it has none."""
    return number(bound) or bound.label

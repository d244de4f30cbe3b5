"""What is wrong with the paper, by cause: the severest first, each with its places, its counterexample and what holds instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from boundcheck.certificates.errata import Erratum, misprints_about
from boundcheck.certificates.errata.entries import FindingShown, false_readings, grouped
from boundcheck.certificates.errata.math_words import sentence
from boundcheck.claims.latex_source.quotation import Quotation
from boundcheck.report.content import Report
from boundcheck.report.page.inline_math import told
from boundcheck.report.page.markup import picture
from boundcheck.report.page.paper_index import name, where
from boundcheck.report.page.statement import Statement, links, proof, quotation, statement


@dataclass(frozen=True)
class CorrectedClaim:
    """What holds instead of a false claim: the corrected claim and its proof."""

    claim: str
    statement: Statement
    proof: list[Markup]


@dataclass(frozen=True)
class Statements:
    """A false statement beside its correction, and its counterexample."""

    word: str  # in which reading it is shown
    claim: str
    where: str
    quoted: Quotation | None
    statement: Statement
    corrected: CorrectedClaim | None
    picture: Markup | None
    counterexample: str


@dataclass(frozen=True)
class FindingRecord:
    """A finding as the page shows it. The first of a severity `heads` as many findings as have that severity."""

    shown: FindingShown
    heads: int
    places: dict[str, str]  # Theorem 3.1 and Equation (12), each with the claim that it leads to
    what: str
    statements: Statements


@dataclass(frozen=True)
class FalseReading:
    """A reading that is false, though the print may have meant another."""

    entry: Erratum
    because: Markup
    statements: Statements


@dataclass(frozen=True)
class Findings:
    """Findings by severity, those that nobody rated last; then readings that are false, which are no findings; then misprints."""

    findings: list[FindingRecord]
    readings: list[FalseReading]
    misprints: list[str]


def shown(report: Report) -> list[FindingShown]:
    """Return the findings of a report in the order of the page, which numbers them from 1."""
    return grouped(report.errata, report.findings)


def by_claim(report: Report) -> dict[str, tuple[int, FindingShown]]:
    """Return the number of the finding that a false printed claim belongs to, and the finding."""
    return {entry.bound.id: (n, one) for n, one in enumerate(shown(report), start=1) for entry in one.entries}


def findings(report: Report) -> Findings | None:
    """Return what is wrong with the paper; None where nothing is known to be."""
    readings = [
        FalseReading(entry, reason(report, entry), _statements(report, entry, f"r{n}-", "Read so"))
        for n, entry in enumerate(false_readings(report.errata), start=1)
    ]
    made = Findings(list(_findings(report)), readings, [one.words for one in misprints_about(report.bounds)])
    return made if made.findings or made.readings or made.misprints else None


def _findings(report: Report) -> Iterator[FindingRecord]:
    found = shown(report)
    severities = [one.finding.severity for one in found]
    for n, one in enumerate(found):
        first = severities.index(severities[n]) == n
        places: dict[str, str] = {}
        for entry in one.entries:
            places.setdefault(name(entry.bound), entry.bound.id)
        yield FindingRecord(
            shown=one,
            heads=severities.count(severities[n]) if first else 0,
            places=places,
            what=sentence(one.finding.what) if one.finding.what else "",
            statements=_statements(report, one.first, prefix=f"f{n + 1}-"),
        )


def _statements(report: Report, entry: Erratum, prefix: str, word: str = "As printed") -> Statements:
    bound, svg = entry.bound, report.pictures.get(entry.bound.id)
    return Statements(
        word=word,
        claim=bound.id,
        where=where(bound),
        quoted=quotation(report, bound),
        statement=statement(bound, entry.proved),
        corrected=corrected(report, entry),
        picture=picture(svg, prefix=prefix) if svg else None,
        counterexample=entry.short or entry.counterexample,
    )


def corrected(report: Report, entry: Erratum) -> CorrectedClaim | None:
    """Return the correction of a false claim, with what differs from it marked; None where nobody knows one."""
    proved = entry.proved
    return CorrectedClaim(proved.id, statement(proved, entry.bound), proof(report, proved)) if proved is not None else None


def reason(report: Report, entry: Erratum) -> Markup:
    """Return what is wrong with a false claim, as a sentence; empty where nobody wrote it down."""
    because = entry.bound.because or (entry.proved.because if entry.proved is not None else "")
    return told(sentence(because), links(report, entry.bound)) if because else Markup("")

"""Entries of the errata by cause: each finding with the false statements that it explains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boundcheck.certificates.errata.entries import Erratum
from boundcheck.certificates.errata.findings import Finding, Severity
from boundcheck.claims.bound import PRINTED


@dataclass(frozen=True)
class FindingShown:
    """A finding, and the entries of the printed statements that it makes false: the first shows it best."""

    finding: Finding
    entries: tuple[Erratum, ...]

    @property
    def first(self) -> Erratum:
        return self.entries[0]

    @property
    def others(self) -> tuple[Erratum, ...]:
        """Where else the same cause shows."""
        return self.entries[1:]

    @property
    def anchor(self) -> str:
        """For links to it: it begins with `finding-`, so that it is no entry's own."""
        return f"finding-{self.first.anchor}"


def grouped(errata: Sequence[Erratum], found: Iterable[Finding]) -> list[FindingShown]:
    """The false printed statements by cause, the severest first.

    A finding none of whose statements is among the entries is left out. A false printed statement in no finding is a finding of
    its own, not rated yet. Readings are in none: see `false_readings`.
    """
    rest = [entry for entry in errata if entry.bound.reading == PRINTED]
    shown: list[FindingShown] = []
    for finding in found:
        mine = sorted((e for e in rest if finding.is_about(e.bound)), key=lambda e: finding.claims.index(e.bound.label))
        rest = [entry for entry in rest if not finding.is_about(entry.bound)]
        if mine:
            shown.append(FindingShown(finding, tuple(mine)))
    shown += [FindingShown(_alone(entry), (entry,)) for entry in rest]
    ranks = list(Severity)
    return sorted(shown, key=lambda one: ranks.index(one.finding.severity))


def false_readings(errata: Sequence[Erratum]) -> list[Erratum]:
    """The entries that say what is wrong with a reading, not with what is printed."""
    return [entry for entry in errata if entry.bound.reading != PRINTED]


def _alone(entry: Erratum) -> Finding:
    """What is said of a false statement whose cause nobody has written down."""
    bound = entry.bound
    because = bound.because or (entry.proved.because if entry.proved is not None else "")
    return Finding(
        title=f"False as printed: {bound.title}" if bound.title else f"{bound.label} is false as printed",
        severity=Severity.UNRATED,
        claims=(bound.label,),
        what=because,
        survives="" if entry.proved is None else "The corrected statement stands beside it.",
        papers=(bound.source.paper.name,),
    )

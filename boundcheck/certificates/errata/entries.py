"""The entries of the errata: each false statement with a counterexample and a correction, by the finding that explains it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.certificates.errata.findings import Finding, Severity
from boundcheck.certificates.errata.math_words import sentence, typeset
from boundcheck.certificates.errata.short_counterexample import short
from boundcheck.certificates.script import script
from boundcheck.claims.bound import PRINTED, PROVED, Bound

UNDONE = "without-"
Certificates = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Erratum:
    """One entry."""

    bound: Bound
    proved: Bound | None
    counterexample: str  # as the certificate tells it, every number of it
    program: str
    necessary: tuple[str, ...]  # for each change of the corrected statement: why it cannot be left out
    short: str = ""  # the counterexample in a few lines, words with $mathematics$

    @property
    def anchor(self) -> str:
        return "".join(c if c.isascii() and c.isalnum() else "-" for c in f"{self.bound.label}-{self.bound.reading}")

    @property
    def is_printed(self) -> bool:
        """What is printed is false, and not only one way to read it."""
        return self.bound.reading == PRINTED

    @property
    def wrong(self) -> str:
        why = self.bound.because or (self.proved.because if self.proved is not None else "")
        return sentence(typeset(why)) if why else ""


def errata(bounds: Iterable[Bound], certificates: Certificates, seen: Mapping[str, str] | None = None) -> list[Erratum]:
    """Return one entry a false statement, in the order of the claims. `certificates` are by claim id.

    `seen`, by claim id, says where a claim that nobody calls false was seen to fail: that is an entry too.
    """
    claims, also = list(bounds), seen or {}
    wrong = [b for b in claims if (b.is_refuted or b.id in also) and not b.reading.startswith(UNDONE)]
    return [_erratum(b, [c for c in claims if c.source == b.source], certificates, also.get(b.id, "")) for b in wrong]


def _erratum(bound: Bound, same: Sequence[Bound], certificates: Certificates, seen: str) -> Erratum:
    certificate = certificates.get(bound.id)
    if certificate is not None and certificate["hash"] != bound.hash:  # of another claim, whatever its name says
        certificate = None
    proved = next((b for b in same if b.reading == PROVED), None)
    shown = [b for b in same if b.reading.startswith(UNDONE) and proved is not None and b.undoes == proved.reading]
    return Erratum(
        bound=bound,
        proved=proved,
        counterexample=_counterexample(bound, certificate, seen),
        program="" if certificate is None else script(bound, certificate).rstrip(),
        necessary=tuple(_necessary(b, certificates.get(b.id)) for b in shown),
        short=typeset(_counterexample(bound, None, seen)) if certificate is None else short(bound, certificate),
    )


def _counterexample(bound: Bound, certificate: Mapping[str, Any] | None, seen: str) -> str:
    if certificate is not None:
        return str(certificate["words"])
    if bound.refuted_through is not None:
        return f"Refuted through {bound.refuted_through.lemma}: {sentence(bound.refuted_through.argument)}"
    if seen:
        return f"{sentence(seen)} It has no certificate yet."
    at = bound.refuted_by
    return f"On {at.problem} by {at.method}; it has no certificate yet." if at is not None else ""


def _necessary(bound: Bound, certificate: Mapping[str, Any] | None) -> str:
    change = bound.reading.removeprefix(UNDONE).replace("-", " ")
    fails = "" if certificate is None else f" There left is {_side(certificate['left'])} and right {_side(certificate['right'])}."
    return f"The change of {change} is needed: {sentence(bound.because)}{fails}"


def _side(given: Any) -> str:
    if isinstance(given, str):
        return given if len(given) <= 60 else f"a fraction of {len(given)} digits"
    return f"in [{given[0]}, {given[1]}]"


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
    """Return the false printed statements by cause, the severest first.

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
    """Return the entries that say what is wrong with a reading, not with what is printed."""
    return [entry for entry in errata if entry.bound.reading != PRINTED]


def _alone(entry: Erratum) -> Finding:
    """Return what is said of a false statement whose cause nobody has written down."""
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

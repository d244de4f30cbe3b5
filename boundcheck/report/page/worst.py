"""Bounds against the worst case over the whole class, for k = 1, 2, ..."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from boundcheck.certificates.errata.mathwords import sentence
from boundcheck.report.content import Report
from boundcheck.report.page.measured import figure
from boundcheck.report.page.sections import ClaimLink, claim_link
from boundcheck.tightness.result import CERTAINTY, FAILS, LOOSE_WORDS, TIGHT_WORDS, UNKNOWN_WORDS, WorstCase

SIGNS = {TIGHT_WORDS: ("=", "tight"), LOOSE_WORDS: ("<", "loose"), FAILS: (">", "fails"), UNKNOWN_WORDS: ("?", "unknown")}


@dataclass(frozen=True)
class Choice:
    """One choice of steps and values of M, which is a class of its own: what was found at each k, and what nothing exceeds."""

    given: str
    cases: list[WorstCase | None]
    limits: list[str]  # empty where nothing more than the cases is known


@dataclass(frozen=True)
class Family:
    """The worst cases of one claim; `about` says in words what holds for all its choices."""

    name: str
    link: ClaimLink
    about: str
    choices: list[Choice]


@dataclass(frozen=True)
class WorstCases:
    """All worst cases of the report; `numbers` are rows of name, claim and other cells."""

    columns: list[str]
    families: list[Family]
    numbers: list[tuple[str, ClaimLink, list[str]]]
    signs = SIGNS
    certainty = CERTAINTY


def worst_cases(report: Report) -> WorstCases | None:
    """Return the worst cases by claim, and all of them in numbers; None where there are none."""
    if not report.worst_cases:
        return None
    families: dict[tuple[str, str], list[WorstCase]] = {}
    for one in report.worst_cases:
        families.setdefault((one.name, one.claim), []).append(one)
    ks = sorted({one.k for one in report.worst_cases})
    shown = [_family(name, claim_link(claim, report.rows), members, ks) for (name, claim), members in families.items()]
    numbers = [(one.name, claim_link(one.claim, report.rows), _numbers(one)) for one in report.worst_cases]
    return WorstCases(["given", *(f"k = {k}" for k in ks)], shown, numbers)


def _family(name: str, link: ClaimLink, members: Sequence[WorstCase], ks: Sequence[int]) -> Family:
    choices: dict[str, list[WorstCase]] = {}
    for one in members:
        choices.setdefault(one.given, []).append(one)
    said = dict.fromkeys(verdict(mine) for mine in choices.values())
    about = sentence(next(iter(said))) if len(said) == 1 else ""
    return Family(name, link, about, [_choice(given, mine, ks) for given, mine in choices.items()])


def _choice(given: str, members: Sequence[WorstCase], ks: Sequence[int]) -> Choice:
    at = {one.k: one for one in members}
    limits = [digits(at[k].at_most / at[k].bound) if k in at else "" for k in ks]
    return Choice(given, [at.get(k) for k in ks], limits if any(isfinite(one.at_most) for one in members) else [])


def digits(ratio: float) -> str:
    """Return four decimals, or a dash where there is no number."""
    return f"{ratio:.4f}" if isfinite(ratio) else "–"


def _numbers(one: WorstCase) -> list[str]:
    sides = [figure(value) for value in (one.bound, one.worst, one.at_most, one.ratio)]
    return [str(one.k), *sides, one.verdict, "; ".join(part for part in (one.given, one.note) if part)]


def verdict(members: Sequence[WorstCase]) -> str:
    """In words, for all k of the family."""
    found: dict[str, list[int]] = {}
    for one in members:
        found.setdefault(one.verdict, []).append(one.k)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"k = {_range(ks)}: {words}" for words, ks in found.items())


def _range(ks: Sequence[int]) -> str:
    whole = len(ks) > 2 and list(range(min(ks), max(ks) + 1)) == sorted(ks)
    return f"{min(ks)}–{max(ks)}" if whole else ", ".join(map(str, sorted(ks)))

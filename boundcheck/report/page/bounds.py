"""The bounds of a page: how near claims come to equality, which says most on a run, and the worst case over the whole class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from markupsafe import Markup

from boundcheck.certificates.errata.math_words import sentence
from boundcheck.claims.bound import Bound
from boundcheck.report.content import Report, Tightness
from boundcheck.report.page.overview import ClaimLink, claim_link
from boundcheck.tightness.result import CERTAINTY, FAILS, LOOSE_WORDS, TIGHT_WORDS, UNKNOWN_WORDS, WorstCase

Measured = tuple[ClaimLink, list[str]]  # a row: the claim, and the other cells


@dataclass(frozen=True)
class ClaimTightness:
    """What was measured of one claim, and where it loses: pairs of name and number, and (link, step of the proof, cells)."""

    numbers: list[tuple[str, str]]
    slack: list[tuple[str, str, list[str]]]


def claim_tightness(report: Report, bound: Bound) -> ClaimTightness | None:
    """Return the measured numbers of a claim; None where there are none."""
    found = report.tightness.get(bound.id)
    if found is None:
        return None
    slack = [
        (
            link.link,
            link.step if link.step in report.rows else "",
            [*map(figure, (link.least, link.median, link.lost)), f"{100 * link.share:.1f} %" if link.share is not None else "–"],
        )
        for link in found.slack
    ]
    return ClaimTightness(_numbers(found), slack)


def _numbers(found: Tightness) -> list[tuple[str, str]]:
    """Return what was measured, in words and digits. 1 is tight."""
    left, right = growth(found.left_exponent, found.left_factor), growth(found.right_exponent, found.right_factor)
    told = [
        ("largest left / right", f"{figure(found.supremum)} {found.where}"),
        ("median over the cells", figure(found.median)),
        ("left side behaves as", left),
        ("right side behaves as", right),
        ("fitted on", found.fitted),
    ]
    if found.classical is not None:
        told.append(("against the classical bound", f"{figure(found.classical)} times its right side, in the median"))
    return [(name, value) for name, value in told if value]


def tightest_first(report: Report) -> list[Measured]:
    """Return every claim that was measured, the tightest first."""
    found = sorted(report.tightness.values(), key=lambda one: -one.supremum if isfinite(one.supremum) else 1.0)
    return [(claim_link(one.claim, report.rows), _row(one)) for one in found]


def _row(one: Tightness) -> list[str]:
    left, right = growth(one.left_exponent, one.left_factor), growth(one.right_exponent, one.right_factor)
    return [figure(one.supremum), one.where, figure(one.median), left or "–", right or "–", figure(one.classical)]


def growth(exponent: float | None, factor: float | None) -> str:
    """Return a power of k, or a power with exponent k, as markup; "" where neither was fitted."""
    if exponent is not None:
        return Markup("<span><i>k</i><sup>{}</sup></span>").format(f"{exponent:.3g}".replace("-", "−"))
    return Markup("<span>{}<sup><i>k</i></sup></span>").format(f"{factor:.4g}") if factor is not None else ""


def figure(value: float | None) -> str:
    """Return five digits, or a dash where there is no number."""
    return "–" if value is None or not isfinite(value) else f"{value:.5g}"


# -- which bound says most -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RankedQuantity:
    """The claims about one quantity on one run, the smallest right side first."""

    name: str
    bounds: list[Measured]
    smallest: list[str]  # which claim is smallest, for which k
    gain: str


def ranked_runs(report: Report) -> list[tuple[str, list[RankedQuantity]]]:
    """Return the name of each run, and the quantities that several claims bound on it."""
    return [
        (f"{one['problem']} by {one['method']}, up to k = {one['k']}", [_quantity(r, report) for r in one["rankings"]])
        for one in report.rankings
    ]


def _quantity(ranking: Mapping[str, Any], report: Report) -> RankedQuantity:
    gain = ranking["directional_over_classical"]
    return RankedQuantity(
        name=f"{ranking['quantity']} ({ranking['run']}), at k = {ranking['n']}: {figure(ranking['left'])}",
        bounds=[(claim_link(bound["claim"], report.rows), _bound(bound, ranking["left"])) for bound in ranking["bounds"]],
        smallest=[f"{_name(w)} for k = {w['from']} to {w['to']}" for w in ranking["winners"]],
        gain=figure(gain) if gain is not None else "",
    )


def _bound(bound: Mapping[str, Any], left: float | None) -> list[str]:
    ratio = left / bound["right"] if left is not None and bound["right"] > 0 else None
    letters = ", ".join(f"{name} = {value}" for name, value in bound["parameters"].items())
    kind = bound["kind"] + (f" ({letters})" if letters else "")
    grade = "certified" if bound["certified"] else "numerical"
    return [bound["smoothness"] or "", kind, figure(bound["right"]), figure(ratio), grade]


def _name(entry: Mapping[str, Any]) -> str:
    kind = f" (M = {entry['smoothness']})" if entry["smoothness"] else ""
    return str(entry["claim"]).partition("/")[2] + kind


SIGNS = {TIGHT_WORDS: ("=", "tight"), LOOSE_WORDS: ("<", "loose"), FAILS: (">", "fails"), UNKNOWN_WORDS: ("?", "unknown")}


@dataclass(frozen=True)
class FamilyChoice:
    """One choice of steps and values of M, which is a class of its own: what was found at each k, and what nothing exceeds."""

    given: str
    cases: list[WorstCase | None]
    limits: list[str]  # empty where nothing more than the cases is known


@dataclass(frozen=True)
class WorstCaseFamily:
    """The worst cases of one claim; `about` says in words what holds for all its choices."""

    name: str
    link: ClaimLink
    about: str
    choices: list[FamilyChoice]


@dataclass(frozen=True)
class WorstCases:
    """All worst cases of the report; `numbers` are rows of name, claim and other cells."""

    columns: list[str]
    families: list[WorstCaseFamily]
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
    numbers = [(one.name, claim_link(one.claim, report.rows), _worst_case_numbers(one)) for one in report.worst_cases]
    return WorstCases(["given", *(f"k = {k}" for k in ks)], shown, numbers)


def _family(name: str, link: ClaimLink, members: Sequence[WorstCase], ks: Sequence[int]) -> WorstCaseFamily:
    choices: dict[str, list[WorstCase]] = {}
    for one in members:
        choices.setdefault(one.given, []).append(one)
    said = dict.fromkeys(verdict(mine) for mine in choices.values())
    about = sentence(next(iter(said))) if len(said) == 1 else ""
    return WorstCaseFamily(name, link, about, [_choice(given, mine, ks) for given, mine in choices.items()])


def _choice(given: str, members: Sequence[WorstCase], ks: Sequence[int]) -> FamilyChoice:
    at = {one.k: one for one in members}
    limits = [digits(at[k].at_most / at[k].bound) if k in at else "" for k in ks]
    return FamilyChoice(given, [at.get(k) for k in ks], limits if any(isfinite(one.at_most) for one in members) else [])


def digits(ratio: float) -> str:
    """Return four decimals, or a dash where there is no number."""
    return f"{ratio:.4f}" if isfinite(ratio) else "–"


def _worst_case_numbers(one: WorstCase) -> list[str]:
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

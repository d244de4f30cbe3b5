"""Bounds against the worst case over the whole class, for k = 1, 2, ..."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from boundcheck.certificates.errata.mathwords import sentence
from boundcheck.report.content import Report
from boundcheck.report.page.markup import Markup, join, table, tag
from boundcheck.report.page.sections import claim_link
from boundcheck.report.page.tight import figure
from boundcheck.tightness.result import CERTAINTY, FAILS, LOOSE_WORDS, TIGHT_WORDS, UNKNOWN_WORDS, WorstCase

ABOUT = (
    "The number is the worst case over every function of the class, divided by the bound: 1 means that the bound cannot be "
    "improved at this k, less than 1 that it can. Where steps are no fixed numbers it is the largest that was found, and a "
    f"second line has what none exceeds. Every number here is {CERTAINTY}."
)
SIGNS = {TIGHT_WORDS: ("=", "tight"), LOOSE_WORDS: ("<", "loose"), FAILS: (">", "fails"), UNKNOWN_WORDS: ("?", "unknown")}


def section(report: Report) -> Markup | None:
    if not report.worst_cases:
        return None
    families: dict[tuple[str, str], list[WorstCase]] = {}
    for one in report.worst_cases:
        families.setdefault((one.name, one.claim), []).append(one)
    ks = sorted({one.k for one in report.worst_cases})
    signs = [tag("span", tag("i", sign, class_=f"w-{kind}"), f" {words}") for words, (sign, kind) in SIGNS.items()]
    return tag(
        "section",
        tag("h2", "Worst cases over the class"),
        tag("p", ABOUT),
        tag("p", signs, class_="legend worst"),
        [_family(name, claim_link(claim, report.rows), members, ks) for (name, claim), members in families.items()],
        tag("details", tag("summary", "Bound and worst case in numbers"), _numbers(report)),
        id="worst-cases",
    )


def _family(name: str, claim: Markup, members: Sequence[WorstCase], ks: Sequence[int]) -> Markup:
    """A row for each choice of steps and values of M: each is a class of its own."""
    choices: dict[str, list[WorstCase]] = {}
    for one in members:
        choices.setdefault(one.given, []).append(one)
    rows = [row for given, mine in choices.items() for row in _rows(given, mine, ks)]
    said = dict.fromkeys(verdict(mine) for mine in choices.values())
    about = sentence(next(iter(said))) if len(said) == 1 else ""
    return join(
        tag("h3", f"{name}: ", claim),
        tag("p", about, class_="muted") if about else None,
        table(("given", *(f"k = {k}" for k in ks)), rows, class_="figures worst"),
    )


def _rows(given: str, members: Sequence[WorstCase], ks: Sequence[int]) -> list[list[Markup | str]]:
    """What was found, and below it what nothing exceeds, where these are two numbers."""
    at = {one.k: one for one in members}
    found: list[Markup | str] = [given, *(_cell(at[k]) if k in at else "" for k in ks)]
    if not any(isfinite(one.at_most) for one in members):
        return [found]
    limits = [_digits(at[k].at_most / at[k].bound) if k in at else "" for k in ks]
    return [found, [tag("span", "none exceeds", class_="muted"), *limits]]


def _digits(ratio: float) -> str:
    return f"{ratio:.4f}" if isfinite(ratio) else "–"


def _cell(one: WorstCase) -> Markup:
    sign, kind = SIGNS[one.verdict]
    told = f"bound {figure(one.bound)}, worst case {figure(one.worst)}: {one.verdict}, {CERTAINTY}"
    return tag("span", _digits(one.ratio), tag("i", sign, class_=f"w-{kind}"), title=told)


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


def _numbers(report: Report) -> Markup:
    columns = (
        "what is bounded",
        "claim",
        "k",
        "bound",
        "worst case",
        "no more than",
        "worst / bound",
        "the bound",
        "given, and note",
    )
    rows = []
    for one in report.worst_cases:
        sides = [figure(value) for value in (one.bound, one.worst, one.at_most, one.ratio)]
        said = "; ".join(part for part in (one.given, one.note) if part)
        rows.append((one.name, claim_link(one.claim, report.rows), str(one.k), *sides, one.verdict, said))
    return table(columns, rows)

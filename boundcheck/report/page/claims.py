"""The page of one claim: what it says, in which readings, what came of it, why it fails if it does, and how tight it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from boundcheck.certificates.errata import Erratum
from boundcheck.certificates.errata.entries import FindingShown
from boundcheck.certificates.errata.math_words import sentence
from boundcheck.certificates.walkthrough import steps
from boundcheck.certificates.write import file_name
from boundcheck.claims.bound import LEMMA, PRINTED, Bound
from boundcheck.claims.latex_source.quotation import Quotation
from boundcheck.language.latex import latex
from boundcheck.language.scalars import Constant, Parameter
from boundcheck.language.symbols import LETTERS
from boundcheck.report.content import UNFINISHED, Record, Report, largest_ratio
from boundcheck.report.page.bounds import ClaimTightness, claim_tightness
from boundcheck.report.page.findings import CorrectedClaim, corrected, reason
from boundcheck.report.page.inline_math import inline, told
from boundcheck.report.page.markup import picture, prose
from boundcheck.report.page.paper_index import lines, number
from boundcheck.report.page.statement import Statement, changes, compared, links, proof, quotation, statement

UNDONE = "without-"


def readings(bounds: Sequence[Bound]) -> dict[Any, list[Bound]]:
    """Return the readings of each place of a paper, in order."""
    found: dict[Any, list[Bound]] = {}
    for bound in bounds:
        found.setdefault((bound.source.paper.name, bound.label), []).append(bound)
    return found


@dataclass(frozen=True)
class ClaimPage:
    """One claim, for the page's script to show when it is opened."""

    bound: Bound
    is_lemma: bool
    source: str
    status: str
    headline: str
    beside: str  # what came of it in numbers, and what that does not mean
    surprise: str
    finding: tuple[int, FindingShown] | None  # with its number
    quoted: Quotation | None
    statement: Statement
    because: Markup
    against: Bound | None  # the reading that this one is compared with
    marked: str  # what differs from it
    proof: list[Markup]
    correction: Correction | None
    refutation: RefutationView | None
    tightness: ClaimTightness | None


def claim_page(
    report: Report,
    bound: Bound,
    same: list[Bound],
    wrong: Erratum | None,
    certificate: Mapping[str, Any] | None,
    finding: tuple[int, FindingShown] | None,
) -> ClaimPage:
    """Return what the page of a claim shows; `same` are the readings of its place."""
    row, against = report.rows.get(bound.id, {}), compared(bound, same)
    return ClaimPage(
        bound=bound,
        is_lemma=bound.reading == LEMMA,
        source=_source(bound),
        status=row.get("status", "untested"),
        headline=headline(row, bound),
        beside=beside(report, row, bound),
        surprise=_surprise(row["surprise"]) if row.get("surprise") else "",
        finding=finding,
        quoted=quotation(report, bound),
        statement=statement(bound, against),
        because=told(sentence(bound.because), links(report, bound)) if bound.because else Markup(""),
        against=against,
        marked=_marked(bound, against) if against is not None else "",
        proof=proof(report, bound),
        correction=correction(report, wrong),
        refutation=refutation(report, bound, wrong, certificate),
        tightness=claim_tightness(report, bound),
    )


def _source(bound: Bound) -> str:
    """Return the paper and the place in it; of a lemma of the library no number and no lines."""
    printed = () if bound.reading == LEMMA else (number(bound), lines(bound))
    where = [part for part in (bound.source.paper.cited, bound.source.place, *printed) if part]
    return " · ".join(dict.fromkeys(where))


def _marked(bound: Bound, against: Bound) -> str:
    found = changes(bound, against)
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found) or "nothing that is written here"


def _surprise(why: str) -> str:
    return f"Not known yet: {why}" if why == UNFINISHED else f"Not what was expected: {why}"


def headline(row: Record, bound: Bound) -> str:
    """Refuted, certified. / Holds on 120 of 130 cells."""
    status = row.get("status", "untested")
    if status == "refuted":
        how = "certified" if row.get("certified") else "numerical"
        return f"False{_so(bound)}: refuted, {how}"
    if status == "holds":
        return f"Holds on {row['holds']} of {row['cells']} cells, {row['certified_cells']} of them certified"
    return {"undecided": "Undecided: no cell could be decided"}.get(status, "Untested: nothing exercised it")


def _so(bound: Bound) -> str:
    """As what it is false."""
    if bound.reading in (PRINTED, LEMMA):
        return " as printed" if bound.reading == PRINTED else ""
    change = bound.reading.removeprefix(UNDONE).replace("-", " ")
    return f" without the change of {change}" if bound.reading.startswith(UNDONE) else f", read as {change}"


def beside(report: Report, row: Record, bound: Bound) -> str:
    if not row:
        return "It was not run."
    counts = ", ".join(f"{row[o]} {o}" for o in ("holds", "violated", "undecided", "vacuous") if row.get(o))
    parts = [f"Cells: {counts}" if counts else "No cell"]
    if row.get("status") == "refuted":
        parts += _failing(row.get("violation"))
    elif (largest := largest_ratio(report, row)) is not None:
        parts.append(f"largest left / right {largest[0]:.6g} {largest[1]}")
    parts += [row["reason"]] if row.get("reason") else []
    parts += ["that is no proof of the claim"] if row.get("status") == "holds" else []
    return "; ".join(parts) + "."


def _failing(cell: Record | None) -> list[str]:
    """Return where it fails, and by how much; how tight it is elsewhere would only distract."""
    at = cell["violation"] if cell else None
    if cell is None or at is None:
        return []
    M = f" (M={cell['smoothness']})" if cell["smoothness"] else ""
    by = "" if at["ratio"] is None else f", left over right {at['ratio']:.6g}"
    return [f"fails at {at['place']} on {cell['problem']} by {cell['method']}{M}{by}"]


# -- why a claim is false ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RefutationView:
    """Everything that shows a claim to be false. Without a certificate there is no file, and words take the place of steps."""

    words: str
    picture: Markup | None
    steps: list[Markup]
    file: str
    program: str


@dataclass(frozen=True)
class Correction:
    """What is wrong with a claim, what holds instead, and why no less would do."""

    because: Markup
    corrected: CorrectedClaim | None
    necessary: list[str]


def refutation(
    report: Report, bound: Bound, erratum: Erratum | None, certificate: Mapping[str, Any] | None
) -> RefutationView | None:
    """Return the counterexample drawn and worked through; None for a claim that is not known to be false."""
    if not bound.is_refuted and erratum is None:
        return None
    svg, names = report.pictures.get(bound.id), _names(bound)
    lines = [line.partition(". ")[2] for line in steps(bound, certificate)] if certificate is not None else []
    return RefutationView(
        words=erratum.counterexample if erratum is not None and certificate is None else "",
        picture=picture(svg, prefix=f"p-{bound.hash[:8]}-") if svg else None,
        steps=[_lettered(line, names) for line in lines],
        file=file_name(bound) if certificate is not None else "",
        program=erratum.program if erratum is not None else "",
    )


def correction(report: Report, erratum: Erratum | None) -> Correction | None:
    """Return what is wrong with a claim and what holds instead."""
    if erratum is None:
        return None
    necessary = [re.sub(r"\*(\w[^*]*)\*", r"\1", why) for why in erratum.necessary]
    return Correction(reason(report, erratum), corrected(report, erratum), necessary)


def _names(bound: Bound) -> dict[str, str]:
    """Letters whose names in a file are words, and the LaTeX that they are printed as."""
    letters = [n for tree in bound.trees for n in tree.walk() if isinstance(n, Parameter | Constant)]
    return {n.name: latex(n) for n in letters if len(n.name) > 1 and n.name.isalpha() and n.name not in LETTERS}


def _lettered(line: str, names: Mapping[str, str]) -> Markup:
    """Return the line in which these words are the letters that they stand for."""
    if not names:
        return prose(line)
    parts = re.split(rf"\b({'|'.join(map(re.escape, names))})\b", line)
    return Markup("").join(inline(names[part]) if n % 2 else prose(part) for n, part in enumerate(parts))

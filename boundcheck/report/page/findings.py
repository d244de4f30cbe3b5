"""What is wrong with the paper, by cause: the severest first, each with its places, its counterexample and what holds instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boundcheck.certificates.errata import Erratum, Misprint, misprints_about
from boundcheck.certificates.errata.findings import Severity
from boundcheck.certificates.errata.grouped import FindingShown, false_readings, grouped
from boundcheck.certificates.errata.mathwords import sentence
from boundcheck.claims.bound import Bound
from boundcheck.report.content import Report
from boundcheck.report.page.inline_math import told
from boundcheck.report.page.markup import Markup, join, tag
from boundcheck.report.page.numbered import lines, number
from boundcheck.report.page.pictures import picture
from boundcheck.report.page.proof import links, proof
from boundcheck.report.page.prose import capital
from boundcheck.report.page.quoted import quotation
from boundcheck.report.page.statement import stated

ABOUT = (
    "One cause is one finding, wherever it shows. A counterexample is exact: boundcheck verify checks its certificate without "
    "the framework. A corrected statement has its proof beside it, or holds on everything tried, which is not a proof."
)
READINGS = (
    "What is printed leaves room here, or says it in words. These are readings that a reader might take and that are false; the "
    "paper may have meant another."
)
BADGES = {
    Severity.THEOREM: "theorem",
    Severity.STEP: "step",
    Severity.SLIP: "slip",
    Severity.TYPESETTING: "typesetting",
    Severity.UNRATED: "unrated",
}


def shown(report: Report) -> list[FindingShown]:
    """The findings of a report in the order of the page, which numbers them from 1."""
    return grouped(report.errata, report.findings)


def by_claim(report: Report) -> dict[str, tuple[int, FindingShown]]:
    """The number of the finding that a false printed claim belongs to, and the finding."""
    return {entry.bound.id: (n, one) for n, one in enumerate(shown(report), start=1) for entry in one.entries}


def section(report: Report) -> Markup | None:
    """Findings by severity, those that nobody rated last; then readings that are false, which are no findings."""
    found, readings, misprints = shown(report), false_readings(report.errata), misprints_about(report.bounds)
    if not found and not readings and not misprints:
        return None
    parts: list[Markup] = []
    before: Severity | None = None
    for n, one in enumerate(found, start=1):
        if one.finding.severity is not before:
            before = one.finding.severity
            many = sum(other.finding.severity is before for other in found)
            parts.append(tag("h3", capital(before.value), tag("span", f" ({many})", class_="muted"), class_="severity"))
        parts.append(_finding(report, n, one))
    return tag(
        "section",
        tag("h2", "Findings"),
        tag("p", ABOUT) if found else tag("p", "Nothing that is printed is known to be false."),
        contents(found),
        parts,
        _readings(report, readings),
        _misprints(misprints),
        id="findings",
    )


def badge(severity: Severity) -> Markup:
    return tag("span", severity.value, class_=f"badge {BADGES[severity]}")


def contents(found: Sequence[FindingShown]) -> Markup | None:
    """All findings at a glance."""
    if len(found) < 2:
        return None
    items = [
        tag("li", tag("a", told(one.finding.title), href=f"#{one.anchor}"), " ", badge(one.finding.severity)) for one in found
    ]
    return tag("details", tag("summary", f"All {len(found)} findings at a glance"), tag("ol", items, class_="contents"))


def _finding(report: Report, n: int, one: FindingShown) -> Markup:
    first = one.first
    wrong = sentence(one.finding.what) if one.finding.what else ""
    return tag(
        "article",
        tag("h4", f"{n}. ", told(one.finding.title), " ", badge(one.finding.severity), class_="title"),
        tag("p", "In ", _places(one), ".", class_="where"),
        tag("p", tag("strong", "What is wrong. "), told(wrong)) if wrong else None,
        _statements(report, first),
        _counterexample(report, first, prefix=f"f{n}-"),
        tag("p", tag("strong", "What survives. "), told(one.finding.survives)) if one.finding.survives else None,
        _others(one),
        class_="finding",
        id=one.anchor,
    )


def _places(one: FindingShown) -> Markup:
    """Theorem 3.1 and Equation (12), each a link to the claim."""
    names: dict[str, Bound] = {}
    for entry in one.entries:
        names.setdefault(number(entry.bound) or entry.bound.label, entry.bound)
    made = [tag("a", name, href=f"#claim={bound.id}") for name, bound in names.items()]
    return join([("" if not n else " and " if n == len(made) - 1 else ", ", link) for n, link in enumerate(made)])


def _statements(report: Report, entry: Erratum, word: str = "As printed") -> Markup:
    bound, proved = entry.bound, entry.proved
    right = None
    if proved is not None:
        more = tag("p", tag("a", "the corrected statement", href=f"#claim={proved.id}", class_="more"))
        right = tag("div", tag("h5", "Corrected"), stated(proved, bound), proof(report, proved, "h5"), more)
    where = tag("span", ", ".join(part for part in (number(bound), lines(bound), bound.label) if part), class_="muted")
    left = tag("div", tag("h5", f"{word} ", where), quotation(report, bound), stated(bound, proved))
    return tag("div", left, right, class_="pair")


def _counterexample(report: Report, entry: Erratum, prefix: str) -> Markup:
    svg, words = report.pictures.get(entry.bound.id), entry.short or entry.counterexample
    link = tag("a", "worked through, with its certificate", href=f"#claim={entry.bound.id}", class_="more")
    return tag(
        "div",
        tag("h5", "Counterexample"),
        tag("figure", picture(svg, prefix=prefix)) if svg else None,
        tag("p", told(words)) if words else None,
        tag("p", link),
        class_="refutation",
    )


def _others(one: FindingShown) -> Markup | None:
    """Where else the same cause shows."""
    if not one.others:
        return None
    items = [
        tag(
            "li",
            tag("a", number(entry.bound) or entry.bound.label, href=f"#claim={entry.bound.id}"),
            tag("span", f" {', '.join(part for part in (lines(entry.bound), entry.bound.label) if part)}", class_="muted"),
            join(": ", told(entry.bound.title)) if entry.bound.title else None,
        )
        for entry in one.others
    ]
    many = f"{len(items)} other place{'' if len(items) == 1 else 's'} of the same cause"
    return join(tag("h5", many), tag("ul", items, class_="others"))


def _readings(report: Report, found: Sequence[Erratum]) -> Markup | None:
    if not found:
        return None
    return join(
        tag("h3", "Readings that are false", tag("span", f" ({len(found)})", class_="muted"), id="readings"),
        tag("p", READINGS),
        [_reading(report, entry, n) for n, entry in enumerate(found, start=1)],
    )


def _misprints(found: Sequence[Misprint]) -> Markup | None:
    """What is printed wrong and makes nothing false, a line each."""
    if not found:
        return None
    many = tag("span", f" ({len(found)})", class_="muted")
    lines_ = [tag("li", told(one.words)) for one in found]
    return join(tag("h3", "Misprints that make nothing false", many, id="misprints"), tag("ul", lines_, class_="misprints"))


def _reading(report: Report, entry: Erratum, n: int) -> Markup:
    bound = entry.bound
    because = bound.because or (entry.proved.because if entry.proved is not None else "")
    name = tag("a", number(bound) or bound.label, href=f"#claim={bound.id}")
    return tag(
        "article",
        tag("h4", name, ", read as ", bound.reading.replace("-", " "), ": ", told(bound.title), class_="title"),
        tag("p", told(sentence(because), links(report, bound))) if because else None,
        tag("details", tag("summary", "Statement and counterexample"), _statements(report, entry, "Read so"),
            _counterexample(report, entry, prefix=f"r{n}-")),
        class_="finding misread",
        id=f"reading-{entry.anchor}",
    )  # fmt: skip


def belongs(found: Mapping[str, tuple[int, FindingShown]], bound: Bound) -> Markup | None:
    """The line on a claim's page that leads to its finding."""
    if bound.id not in found:
        return None
    n, one = found[bound.id]
    link = tag("a", f"Finding {n}: ", told(one.finding.title), href=f"#{one.anchor}")
    return tag("p", link, " ", badge(one.finding.severity), class_="belongs")

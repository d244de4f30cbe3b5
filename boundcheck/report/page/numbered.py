"""The paper by its own numbers: where a claim is printed, and an index from Theorem 3.1 to the page of its claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boundcheck.claims.bound import LEMMA, PRINTED, Bound
from boundcheck.report.content import Report
from boundcheck.report.page.markup import Markup, join, tag

SYMBOLS = {"holds": "●", "refuted": "✕", "undecided": "?", "untested": "–"}
RESULTS, EQUATIONS, OTHERS = "Theorems, propositions, lemmas", "Equations", "Proofs, sections, figures"
KINDS = {"Equation": EQUATIONS, "Proof": OTHERS, "Section": OTHERS, "Appendix": OTHERS, "Figure": OTHERS, "Table": OTHERS}
ABOUT = "Every numbered place of which a claim was checked. A number leads to its statement, a label after it to a part of it."


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
    """The number, or the label where there is none."""
    return number(bound) or bound.label


def index(report: Report) -> Markup | None:
    """Each number of the paper, in its order, with what came of the claims there."""
    found = _by_number([b for b in report.bounds if b.reading != LEMMA and number(b)])
    if not found:
        return None
    groups: dict[str, list[Markup]] = {}
    for members in found:
        groups.setdefault(_kind(members[0]), []).append(_entry(report, members))
    lists = [
        join(tag("h3", kind), tag("ul", groups[kind], class_="numbered"))
        for kind in (RESULTS, EQUATIONS, OTHERS)
        if kind in groups
    ]
    field = tag("input", type="search", id="number", placeholder="Theorem 3.1, (12) …", autocomplete="off", spellcheck="false")
    label = tag("label", tag("span", "Find a theorem or an equation by its number"), field)
    return tag(
        "section",
        tag("h2", "By number"),
        tag("form", label, tag("span", id="numbers-found", role="status", aria_live="polite"), id="by-number", role="search"),
        tag(
            "details",
            tag("summary", f"All {len(found)} numbers"),
            tag("p", ABOUT, class_="muted"),
            lists,
            id="numbers",
            open=len(found) <= 12,
        ),
        id="places",
    )


def _by_number(bounds: Iterable[Bound]) -> list[list[Bound]]:
    """One claim a label, the printed one where there is one; by number, in the order of the paper's lines."""
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


def _entry(report: Report, members: Sequence[Bound]) -> Markup:
    first, *parts = members
    return tag(
        "li",
        status(report, first),
        " ",
        tag("a", number(first), href=f"#claim={first.id}", class_="number"),
        [
            join(" ", status(report, part), tag("a", _part(part, first), href=f"#claim={part.id}", class_="part"))
            for part in parts
        ],
    )


def _part(part: Bound, first: Bound) -> str:
    """What the label adds to that of the statement itself."""
    return part.label.removeprefix(first.label) if part.label.startswith(f"{first.label}.") else part.label


def status(report: Report, bound: Bound) -> Markup:
    """The sign of what came of a claim, and the word for those who do not see it."""
    word = report.rows.get(bound.id, {}).get("status", "untested")
    sign = tag("span", SYMBOLS.get(word, "–"), class_=f"symbol {word}", title=word, aria_hidden="true")
    return join(sign, tag("span", f"{word}: ", class_="visually-hidden"))

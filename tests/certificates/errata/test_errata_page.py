"""The errata by finding: the severest first, each with its places, its counterexample and the correction that belongs to it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from boundcheck import Bound, Convex, GradientDescent, Paper, Smooth
from boundcheck.certificates.errata import (
    ErrataContent,
    Erratum,
    Finding,
    Severity,
    errata,
    errata_page,
    findings_about,
    letter_latex,
    letter_markdown,
)
from boundcheck.certificates.write import kept
from boundcheck.claims.latex_source.quotation import Quotation
from boundcheck.claims.source import Place
from boundcheck.language.letters import delta, eta, i, k
from boundcheck.library.catalogue import bounds
from tests.report.test_tables import unbalanced

PAPER = Paper(name="made-up", title="A paper about rates", authors="Jérôme Müller, B. Author", year=2020)
PLACE = Place(lines=(10, 12), number="Theorem 2.1", fingerprint="-")


def claim(label: str, place: Place | None = None, **more: object) -> Bound:
    given = (Convex, Smooth, GradientDescent(), eta[i] <= 1)
    made = {"states": delta[k] <= delta[0] / (k.number() + 1), "given": given, "for_all": k >= 1, "title": f"about {label}"}
    return Bound(source=PAPER.at(label, "2", place), **{**made, **more})  # type: ignore[arg-type]


def entry(bound: Bound, proved: Bound | None = None) -> Erratum:
    return Erratum(bound, proved, "long words", "print(1)", (), short=f"Let $f(x) = x^2$: it fails for {bound.label}.")


@pytest.fixture(scope="module")
def sheet() -> ErrataContent:
    first, second, third = claim("thm:a", PLACE), claim("eq:b"), claim("eq:c")
    proved = first.as_proved(
        because="k - 1 steps act", states=delta[k] <= delta[0] / k.number(), proof_sketch=("By [eq:b], $x_k$ is near.", "Sum.")
    )
    reading = replace(second, reading="for-all", because="x_0 is meant")
    found = [
        Finding(
            title="An index", severity=Severity.SLIP, claims=("eq:c",), what="$k$ for $i$", survives="All.", papers=("made-up",)
        ),
        Finding(
            title="The rate",
            severity=Severity.THEOREM,
            claims=("thm:a", "eq:b"),
            what="it is lower",
            survives="",
            papers=("made-up",),
        ),
    ]
    entries = [entry(third), entry(reading), entry(second), entry(first, proved)]
    quoted = {first.id: Quotation(place=PLACE, found=(10, 12), words=(r"\abr{x_k} \leq 1",), file="paper.tex")}
    everything = [first, second, third, proved, reading]
    return ErrataContent(bounds=everything, errata=entries, findings=found, summary=("Theorem 2.1 falls.",), quotations=quoted)


def test_the_page_begins_with_title_authors_and_summary(sheet):
    lines = [line for line in errata_page(sheet).split("\n") if line]
    assert lines[0] == "# Errata: A paper about rates" and lines[1] == "Jérôme Müller, B. Author, 2020"
    assert lines[2] == "- Theorem 2.1 falls."


def test_findings_come_by_severity_and_readings_after_them(sheet):
    page = errata_page(sheet)
    headings = re.findall(r"^###? (.*)$", page, re.MULTILINE)
    assert headings == [
        "Breaks a theorem as stated (1)",
        "1. The rate",
        "A slip of an index, a constant or an order (1)",
        "2. An index",
        "Readings that are false (1)",
        "eq:b, read as for all: about eq:b",
    ]


def test_a_finding_has_its_places_the_papers_words_and_its_correction_with_the_proof(sheet):
    page = errata_page(sheet)
    assert "In Theorem 2.1, lines 10-12 (`thm:a`); section 2 (`eq:b`)." in page
    assert "```tex\n\\abr{x_k} \\leq 1\n```" in page and "paper.tex, lines 10-12" in page
    assert r"$$ f(x_{k}) - f(x^{\ast }) \leq \frac{f(x_{0}) - f(x^{\ast })}{k} $$" in page
    assert "1. By [eq:b](index.html#claim=made-up/eq:b@printed), $x_k$ is near." in page
    assert "Under the same conditions." in page and "The same cause in 1 other place." in page


def test_without_the_source_the_place_stands_alone(sheet):
    page = errata_page(replace(sheet, quotations={}))
    assert "abr" not in page and "Theorem 2.1, lines 10-12" in page
    moved = replace(sheet, quotations={name: replace(q, found=None) for name, q in sheet.quotations.items()})
    assert "not in this source" in errata_page(moved)


def test_a_paper_without_findings_says_so(sheet):
    page = errata_page(replace(sheet, errata=[]))
    assert "Nothing that is printed is known to be false." in page and "###" not in page
    assert "We found none of them false." in letter_markdown(replace(sheet, errata=[]))


def test_what_is_needed_belongs_to_the_correction_that_is_shown():
    library = [b for b in bounds() if b.label == "thm:ngd"]
    assert {b.undoes for b in library if b.reading.startswith("without-")} == {"proved", "non-decreasing"}
    (shown,) = (e for e in errata(library, kept()) if e.is_printed)
    mine = [b for b in library if b.undoes == "proved"]
    assert len(shown.necessary) == len(mine) > 0
    assert not any("condition" in reason for reason in shown.necessary)


def test_every_counterexample_of_the_library_is_short():
    for one in errata(bounds(), kept()):
        assert len(one.short) <= 1300, one.bound.id


# -- the letter ----------------------------------------------------------------------------------------------------------


def test_the_letter_has_every_finding_once_and_can_be_typeset(sheet):
    text, tex = letter_markdown(sheet), letter_latex(sheet)
    assert text.startswith("Dear Jérôme Müller and B. Author,") and r"J\'{e}r\^{o}me M\"{u}ller" in tex
    for words in (
        "The rate",
        "it fails for thm:a",
        "Theorem 2.1, line 10",
        "is no proof",
        "boundcheck paper made-up",
        "2\\. eq:c",
    ):
        assert words in text, words
    assert text.count("1\\. The rate") == 1
    assert (
        unbalanced(tex.replace(r"& \multicolumn{2}", "& & ")) == ""
        and tex.count(r"\begin{document}") == tex.count(r"\end{document}") == 1
    )
    assert (
        text.index("What stands")
        < text.index("The rate")
        < text.index("Slips and typesetting")
        < text.index("To see it yourself")
    )


def test_the_letter_of_the_library_is_short_and_names_each_finding():
    library = [b for b in bounds() if b.source.paper.name == "directional-smoothness"]
    found = ErrataContent(bounds=library, errata=errata(library, kept()), findings=findings_about(library))
    text, tex = letter_markdown(found), letter_latex(found)
    assert unbalanced(tex.replace(r"& \multicolumn{2}", "& & ")) == ""
    plain = re.sub(r"\\[A-Za-z]+|[{}_^$\\]", "", text)
    assert len(plain) < 16_000, "more than two pages"
    numbers = {int(n) for n in re.findall(r"(?m)^(?:\*\*|\| )(\d+)\\\.", text)}
    assert numbers == set(range(1, len(found.shown) + 1))

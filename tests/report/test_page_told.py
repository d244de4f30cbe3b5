"""A paper told on the page: the order of things, what is whose, and that no word of it becomes markup."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from boundcheck.certificates.errata import misprints_about
from boundcheck.certificates.errata.findings import Finding, Severity
from boundcheck.claims.bound import Bound, Paper
from boundcheck.claims.latex_source.quotation import Quotation
from boundcheck.claims.source import Place
from boundcheck.library.catalogue import bounds, find_bounds
from boundcheck.report.page import page
from boundcheck.report.page.overview import title
from boundcheck.report.page.paper_index import index, lines, number
from boundcheck.report.page.render import environment, render
from boundcheck.report.page.statement import changes, proof, quotation, statement

from .reports import CORRECTED, FALSE, HOSTILE, library, made
from .test_page import Reader, articles
from .told import FINDINGS, HOLDS, OWN, PROOF, TITLE, claims, quotations, told_report

(CLAIM,) = (b for b in claims() if b.id == FALSE)
(PROVED_CLAIM,) = (b for b in claims() if b.id == CORRECTED)


def stated(bound: Bound, against: Bound | None = None) -> str:
    return str(environment().get_template("statement.html.j2").module.stated(statement(bound, against)))  # type: ignore[attr-defined]


def words(markup: object) -> str:
    return unescape(re.sub(r"<[^>]*>", "", str(markup)))


def test_every_link_of_the_told_page_leads_somewhere_and_no_id_is_there_twice() -> None:
    text = page(told_report())
    read = Reader(text)
    known = {bound.id for bound in claims()}
    links = {link for part in (text, *articles(text)) for link in Reader(part).links if link.startswith("#")}
    assert [l for l in links if l[1:] not in set(read.ids) and l.removeprefix("#claim=") not in known] == []
    assert len(read.ids) == len(set(read.ids))


def test_the_window_is_named_after_the_paper_and_a_paper_without_title_after_the_report() -> None:
    assert title(told_report()).startswith(TITLE)
    (bare,) = (replace(CLAIM, source=replace(CLAIM.source, paper=replace(CLAIM.source.paper, title=""))),)
    assert title(made((bare,))) == "Every claim of the paper, checked"


def test_a_place_is_its_number_and_its_lines() -> None:
    assert (number(CLAIM), lines(CLAIM)) == ("Theorem 12.1", "lines 238–241")
    one = replace(CLAIM, source=replace(CLAIM.source, printed=Place(lines=(7, 7))))
    assert (number(one), lines(one)) == ("", "line 7")
    nowhere = replace(CLAIM, source=replace(CLAIM.source, printed=None, section="Theorem 9"))
    assert (number(nowhere), lines(nowhere)) == ("Theorem 9", "")


def test_the_index_has_each_number_once_and_no_lemma_of_the_library() -> None:
    said = render("places", index(told_report()))
    assert said.count('class="number"') == said.count("<li>") == 6
    assert OWN not in said and f"#claim={FALSE}" in said and CORRECTED not in said


def test_a_report_without_numbers_has_no_index() -> None:
    bare = [replace(b, source=replace(b.source, printed=None)) for b in library(4)]
    assert index(made(tuple(bare))) == {} and 'id="places"' not in page(made(tuple(bare)))


def test_a_proof_names_the_claims_it_rests_on_and_a_claim_that_is_missing_stays_a_name() -> None:
    report = told_report()
    made_ = proof(report, PROVED_CLAIM)
    assert len(made_) == len(PROOF)
    assert f"#claim={HOLDS}" in "".join(made_)
    (lost,) = proof(report, replace(PROVED_CLAIM, proof_sketch=("By [eq:nowhere@proved].",)))
    assert "<a" not in lost and "eq:nowhere@proved" in lost
    assert proof(report, CLAIM) == []


def test_only_a_printed_claim_is_quoted() -> None:
    report = told_report(quotations={**quotations(), CORRECTED: quotations()[FALSE]})
    assert quotation(report, CLAIM) is not None
    assert quotation(report, PROVED_CLAIM) is None
    assert quotation(told_report(), CLAIM) is None


def test_restriction_of_M_function_quantifier_and_additions_are_in_the_statement() -> None:
    (bound,) = find_bounds("directional-smoothness/eq:quadratic-bound@printed")
    fewer = replace(bound, smoothness=("A", "L"))
    assert "where M is any of A or L, not D or H" in words(stated(fewer, bound))
    assert "where M is any of D, A, H or L" in words(stated(bound)) and ", not" not in words(stated(bound))
    assert changes(fewer, bound) == ["what M may be"] and 'class="differs"' in stated(fewer, bound)
    said = words(stated(replace(bound, quantifier="there are $x$ and $y$ such that", function="f(x) = x^2", added=("$k > 0$",))))
    assert "there are x and y such that" in said and "for all" not in said
    assert "for f(x)=x2" in said and "Added to the print: k>0." in said


def test_no_code_name_is_in_a_statement() -> None:
    for bound in bounds():
        assert not re.search(r"Is[A-Z]\w+|StronglyConvex|TwiceDiff|\bprime\b", words(stated(bound))), bound.id


@pytest.mark.parametrize("hostile", [HOSTILE, f"$x$ {HOSTILE}", f"${HOSTILE}$"])
def test_no_word_of_a_told_paper_becomes_markup(hostile: str) -> None:
    place = Place(lines=(1, 2), number=hostile)
    told = replace(CLAIM, source=replace(CLAIM.source, printed=place), added=(hostile,), function=hostile, quantifier=hostile)
    proved = replace(PROVED_CLAIM, proof_sketch=(hostile, f"[{hostile}]"))
    finding = Finding(title=hostile, severity=Severity.STEP, claims=(CLAIM.label,), what=hostile, survives=hostile)
    quoted = {FALSE: Quotation(place=place, found=(1, 2), words=(hostile,), file=hostile)}
    text = page(made((told, proved), findings=(finding,), summary=(hostile,), quotations=quoted, source=hostile))
    assert Reader(text).runs == ["script"] and "img" not in Reader(text).tags
    assert all(Reader(one).runs == [] and "img" not in Reader(one).tags for one in articles(text))


def test_misprints_of_the_paper_come_after_the_readings_and_other_papers_have_none() -> None:
    text = page(told_report()).partition('<section id="findings">')[2].partition("</section>")[0]
    assert 0 < text.index('id="readings"') < text.index('id="misprints"')
    assert text.count("<li>", text.index('id="misprints"')) == len(misprints_about(claims())) > 0
    other = replace(CLAIM, source=replace(CLAIM.source, paper=Paper(name="another")))
    assert 'id="misprints"' not in page(made((other,)))


def test_a_finding_without_its_claims_in_the_report_is_left_out() -> None:
    other = replace(FINDINGS[0], claims=("thm:elsewhere",), title="a finding about something else")
    assert "something else" not in page(told_report(findings=(other,)))

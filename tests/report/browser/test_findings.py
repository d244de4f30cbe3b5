"""What a reader meets first: the paper, how it stands, its findings by severity, and the way from a number to a theorem."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from boundcheck import Paper
from boundcheck.certificates.errata.findings import Severity
from boundcheck.report.page import page as html_of

from ..reports import CORRECTED, FALSE, made
from ..told import FINDINGS, HOLDS, ORDER, OWN, SUMMARY, TITLE, UNFOUND, claims, long_places, quotations, told_report

AT = f"#claim={FALSE}"
OPEN = """() => {
  document.querySelectorAll('details').forEach(d => d.open = true);
  document.querySelectorAll('.finding, #inventory').forEach(e => e.style.contentVisibility = 'visible');
}"""  # all that is there is laid out, in sight or not
SCROLLS = "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"


def written(folder: Path, report: object) -> Path:
    path = folder / "index.html"
    path.write_text(html_of(report), encoding="utf-8")  # type: ignore[arg-type]
    return path


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("told"), told_report())


@pytest.fixture(scope="module")
def with_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    report = told_report(source="paper.tex", quotations=quotations(), places=long_places(), summary=(*SUMMARY, "9" * 300))
    return written(tmp_path_factory.mktemp("source"), report)


def test_the_page_begins_with_the_paper_then_the_summary_then_the_findings(opened, told):
    report = opened(path=told)
    assert report.text("h1") == TITLE
    assert report.text(".authors").startswith("Aaron Mishkin, ") and report.text(".authors").endswith(", 2024")
    assert report.page.title().startswith(TITLE)
    assert report.count(".summary li") == len(SUMMARY)
    assert report.texts(".summary li")[1:] == list(SUMMARY[1:])
    assert report.size(".summary li:first-child math mfrac")[1] > 10
    assert report.page.get_attribute(".summary a", "href") == f"#claim={HOLDS}"
    tops = [
        report.page.locator(which).first.bounding_box()["y"] for which in ("h1", ".authors", ".summary", "#findings", "#matrix")
    ]
    assert tops == sorted(tops)
    assert report.wrong == []


def test_findings_are_sorted_by_severity_whatever_their_order(opened, tmp_path):
    report = opened(path=written(tmp_path, told_report(findings=FINDINGS[::-1])))
    said = report.page.locator("#findings .finding:not(.misread) .badge").all_text_contents()
    assert said == [Severity.THEOREM.value, Severity.SLIP.value]
    titles = report.page.locator("#findings .finding:not(.misread) .title").all_text_contents()
    assert [text.split(".")[0] for text in titles] == ["1", "2"]


def test_what_nobody_rated_comes_last_and_false_readings_stay_apart(opened, tmp_path):
    report = opened(path=written(tmp_path, told_report(findings=FINDINGS[1:])))
    assert report.page.locator("#findings .finding:not(.misread) .badge").last.text_content() == Severity.UNRATED.value
    last = report.page.locator("#findings .finding:not(.misread)").last.bounding_box()["y"]
    readings = report.page.locator("#findings .finding.misread").all()
    assert len(readings) == 1 and "read as textbook constant" in readings[0].text_content()
    assert readings[0].bounding_box()["y"] > last


def test_a_finding_shows_print_correction_proof_picture_and_what_survives(opened, told):
    report = opened(path=told)
    report.page.evaluate(OPEN)
    first = "#findings .finding >> nth=0"
    assert "Theorem 12.1, lines 238–241, thm:polyak-alternate" in report.text(first)
    assert "What is wrong. The sum of the steps runs to" in report.text(first)
    assert report.count(f"{first} >> .formula") == 2
    assert report.size(f"{first} >> figure svg")[0] > 200
    lines = report.page.locator(first).locator(".proof li")
    assert lines.count() == 2
    assert lines.locator("math").count() >= 3 and lines.locator("code").count() == 0
    assert [a.get_attribute("href") for a in lines.locator("a").all()] == [f"#claim={HOLDS}", AT]
    assert "What survives. The rate survives" in report.text(first)
    assert "1 other place of the same cause" in report.text("#findings .finding >> nth=1")


def test_a_correction_without_a_proof_shows_none(opened, told):
    assert opened(path=told).count("#findings .finding >> nth=1 >> .proof") == 0


def test_a_theorem_is_found_by_its_number_in_two_clicks(opened, told):
    report = opened(path=told)
    report.page.evaluate("() => document.querySelector('#numbers').removeAttribute('open')")  # as it is where there are many
    assert not report.page.is_visible("#numbers >> text=Theorem 12.1")
    report.page.click("#numbers summary")
    report.page.click("#numbers >> text=Theorem 12.1")
    assert report.page.get_attribute("#claim article", "data-claim") == FALSE
    assert "Theorem 12.1 · lines 238–241" in report.text("#claim .source")
    assert "Finding 1:" in report.text("#claim .belongs") and Severity.THEOREM.value in report.text("#claim .belongs")
    report.page.click("#claim .belongs a")
    report.page.wait_for_selector("#findings .finding >> nth=0", state="visible")  # the page's script answers the new address


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("12.1", ["Theorem 12.1"]),
        ("theorem", ["Theorem 2.1", "Theorem 12.1"]),
        ("2.1", ["Theorem 2.1", "Lemma 2.1"]),
        ("(4)", ["Equation (4)"]),
        ("equation 1", ["Equation (1)"]),
        ("99", []),
    ],
)
def test_a_number_is_found_as_it_is_typed(opened, told, typed, found):
    report = opened(path=told)
    report.page.fill("#number", typed)
    assert report.texts(".numbered li:not([hidden]) .number") == found
    assert ("nothing has this number" in report.text("#numbers-found")) is (not found)


def test_with_the_keyboard_alone_a_theorem_is_found_and_left_again(opened, told):
    report = opened(path=told)
    for _ in range(60):
        report.page.keyboard.press("Tab")
        if report.focused("id") == "number":
            break
    report.page.keyboard.type("theorem 12.1")
    report.page.keyboard.press("Enter")
    report.page.wait_for_selector("#claim article")
    assert report.page.get_attribute("#claim article", "data-claim") == FALSE
    assert report.focused("tagName") == "H2"
    report.page.keyboard.press("Escape")
    assert report.page.is_visible("#overview")
    assert report.wrong == []


def test_the_papers_words_are_shown_beside_the_formula_with_its_source(opened, with_source):
    report = opened(path=with_source)
    report.page.evaluate(OPEN)
    assert "[the made-up words]" in report.text("#findings .finding >> nth=0 >> .quotation pre")
    assert "paper.tex, lines 238-241" in report.text("#findings .finding >> nth=0 >> .quotation summary")
    report.page.goto(report.file + AT)
    assert "<script>planted()</script>" in report.text("#claim .statement .quotation pre")
    report.page.goto(f"{report.file}#claim={CORRECTED}")
    assert report.count("#claim .statement .quotation") == 0  # the correction is not the paper's
    assert report.wrong == []


def test_words_that_are_not_in_the_source_are_called_so(opened, with_source):
    report = opened(f"#claim={UNFOUND}", path=with_source)
    assert "not found in paper.tex; expected at lines 20-22" in report.text("#claim .misquote summary")
    assert "There it says now" in report.text("#claim .misquote")


def test_without_the_source_no_word_of_the_paper_is_there(opened, told):
    report = opened(path=told)
    assert report.count(".quotation") == 0 and "made-up words" not in told.read_text(encoding="utf-8")
    report.page.goto(report.file + AT)
    assert report.count("#claim .quotation") == 0
    assert "lines 238–241" in report.text("#claim .source")


def test_a_lemma_of_the_library_is_not_the_papers(opened, told):
    report = opened(f"#claim={OWN}", path=told)
    assert "the paper does not state it" in report.text("#claim .ours")
    report.page.goto(report.file)
    status = next(s for s in ("holds", "undecided", "untested", "refuted") if _has(told_report(), OWN, s))
    printed = sum(_has(told_report(), b.id, status) for b in claims() if b.reading == "printed")
    assert f"{printed} as printed" in report.text(f".count.{status}") and "1 lemma of the library" in report.text(
        f".count.{status}"
    )
    report.page.select_option("#reading", "lemma")
    assert report.rows() == [OWN]


def _has(report, name, status):
    return report.rows[name]["status"] == status


def test_function_and_additions_are_part_of_the_statement(opened, told):
    report = opened(f"#claim={HOLDS}", path=told)
    assert report.count("#claim .statement .function math msqrt") == 1
    assert report.text("#claim .added").startswith("Added to the print: ")
    assert report.count("#claim .added math") == 3


@pytest.mark.parametrize("at", ["", AT, f"#claim={CORRECTED}"])
def test_on_a_phone_nothing_is_cut_off_and_the_page_does_not_scroll_sideways(opened, with_source, at):
    report = opened(at, path=with_source, phone=True)
    report.page.evaluate(OPEN)
    wide, seen = report.page.evaluate(SCROLLS)
    assert wide <= seen == 390
    for box in [svg.bounding_box() for svg in report.page.locator("figure svg:visible").all()]:
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["width"] > 250
    inside = "all => all.every(e => e.getBoundingClientRect().right <= 390)"
    assert report.page.locator(".formula:visible, .proof div:visible, .quotation pre:visible").evaluate_all(inside)


def test_on_a_phone_there_is_a_picture_to_look_at(opened, told):
    for at in ("", AT):
        report = opened(at, path=told, phone=True)
        report.page.evaluate(OPEN)
        assert report.count("figure svg:visible") == 1


def test_a_picture_that_is_too_wide_for_a_phone_is_seen(opened, told):
    report = opened(AT, path=told, phone=True)
    report.page.evaluate("() => { document.querySelector('#claim figure svg').style.minWidth = '36rem' }")
    box = report.page.locator("#claim figure svg").bounding_box()
    assert box["x"] + box["width"] > 390


def test_several_papers_are_each_named(opened, tmp_path):
    other = Paper(name="another", title="Another Paper", authors="A. Author", year=2020)
    mixed = tuple(replace(b, source=replace(b.source, paper=other)) if b.id == ORDER else b for b in claims())
    report = opened(path=written(tmp_path, made(mixed)))
    assert report.text("h1") == "Every claim of the paper, checked"
    assert [text.split(" Aaron")[0] for text in report.texts(".papers li")] == [TITLE, "Another Paper A. Author, 2020"]

"""The matrix: filters, search, and the keyboard."""

from __future__ import annotations

import pytest

from boundcheck.report.page import page as html_of

from ..reports import FALSE, FEW, PROBLEMS, library, made

CLAIMS = library(FEW)
REPORT = made(CLAIMS)


def test_the_status_filter_leaves_what_has_that_status(opened):
    report = opened()
    report.page.select_option("#status", "refuted")
    assert report.rows() == [name for name, row in REPORT.rows.items() if row["status"] == "refuted"]
    assert report.text("#found").startswith(f"{len(report.rows())} of {FEW} claims")


@pytest.mark.parametrize("reading", ["printed", "proved"])
def test_the_reading_filter(opened, reading):
    report = opened()
    report.page.select_option("#reading", reading)
    assert report.rows() == [bound.id for bound in CLAIMS if bound.reading == reading]


def test_a_name_that_is_cut_can_be_read_in_full(opened):
    report = opened()
    said = report.page.locator("#grid tbody tr[data-n] th").evaluate_all("all => all.map(e => e.title)")
    assert said == [f"{bound.label} ({bound.reading}): {bound.title}" for bound in CLAIMS]


def test_certified_only(opened):
    report = opened()
    report.page.check("#certified")
    assert report.rows() == [name for name, row in REPORT.rows.items() if row["certified"]]
    assert 0 < len(report.rows()) < FEW


def test_a_problem_and_a_verdict_together_are_about_one_column(opened):
    report = opened()
    report.page.select_option("#problem", PROBLEMS[0])
    assert report.count("#grid thead th:visible") == 2
    report.page.select_option("#verdict", "x")
    assert report.rows() == [b.id for b in CLAIMS if b.is_refuted]
    assert set(report.texts("#grid tbody tr:not([hidden]) td:visible")) == {"✕"}


def test_search_finds_by_label_and_by_formula_and_clear_brings_all_back(opened):
    report = opened()
    report.page.fill("#search", "polyak-alternate PRINTED")
    assert report.rows() == [FALSE]
    report.page.fill("#search", "no such thing")
    assert report.rows() == []
    assert "nothing matches" in report.text("#found")
    report.page.click("#filters button[type=reset]")
    report.page.wait_for_function("() => document.querySelector('#found').textContent.startsWith('16 of 16')")


def test_a_claim_is_found_and_opened_with_the_keyboard_alone(opened):
    report = opened()
    report.page.keyboard.press("/")
    assert report.focused("id") == "search"
    report.page.keyboard.type("polyak-alternate")
    report.page.keyboard.press("ArrowDown")
    assert report.focused("tagName") == "TH"
    report.page.keyboard.press("ArrowRight")
    assert report.focused("cellIndex") == 1
    report.page.keyboard.press("ArrowLeft")
    report.page.keyboard.press("Enter")
    report.page.wait_for_url(lambda url: url.endswith(f"#claim={FALSE}"))
    assert "False as printed" in report.text("#claim .verdict")
    report.page.keyboard.press("Escape")
    report.page.wait_for_function("() => document.activeElement.tagName === 'TH'")
    assert report.rows()[0] == FALSE


def test_arrows_stay_inside_the_grid_and_go_over_hidden_rows(opened):
    report = opened()
    report.page.select_option("#status", "refuted")
    report.page.focus("#grid tbody tr:not([hidden]):not(.group) th")
    for key in ("ArrowUp", "ArrowLeft"):
        report.page.keyboard.press(key)
    assert report.focused("cellIndex") == 0
    report.page.keyboard.press("ArrowDown")
    assert report.focused("parentElement.querySelector('a').getAttribute('href')") == f"#claim={report.rows()[1]}"
    report.page.keyboard.press("End")
    report.page.keyboard.press("ArrowRight")
    assert report.focused("cellIndex") == len(PROBLEMS)


def test_a_cell_opens_the_claim_at_that_problem(opened):
    report = opened()
    report.page.fill("#search", FALSE)
    report.page.click("#grid tbody tr:not([hidden]):not(.group) td.v-x")
    assert report.page.input_value(".cells select") == PROBLEMS[0]
    assert report.count(".verdict-table tbody tr") == 1


def test_every_cell_says_in_words_what_its_sign_means(opened):
    report = opened()
    script = (
        "() => [...new Set([...document.querySelectorAll('#grid td')].map(c => c.textContent + c.getAttribute('aria-label')))]"
    )
    said = set(report.page.evaluate(script))
    assert {"✕VIOLATED, certified", "●HOLDS, certified", "○HOLDS, numerical", "?UNDECIDED", "–VACUOUS", "not tried"} == said


def test_labels_stay_legible_beside_many_problems(opened, tmp_path):
    path = tmp_path / "many.html"
    path.write_text(html_of(made(library(4), problems=tuple(f"problem-{n}" for n in range(42)))), encoding="utf-8")
    report = opened(path=path)
    assert report.size("#grid tbody tr:not(.group) th")[0] >= 350
    assert report.size("#grid tbody td")[0] >= 20
    assert report.page.evaluate("() => document.documentElement.scrollWidth") <= 1400


def test_on_paper_the_whole_matrix_is_there_and_no_label_is_cut(opened, tmp_path):
    path = tmp_path / "many.html"
    path.write_text(html_of(made(library(12), problems=tuple(f"problem-{n}" for n in range(42)))), encoding="utf-8")
    report = opened(path=path)
    report.page.set_viewport_size({"width": 718, "height": 1000})  # A4 within its margins
    report.page.emulate_media(media="print")
    assert report.size("#grid table")[0] <= 718
    cut = "[...document.querySelectorAll('#grid tbody th')].filter(e => getComputedStyle(e).overflow === 'hidden')"
    assert report.page.evaluate(f"() => {cut}.length") == 0

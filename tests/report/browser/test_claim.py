"""The page of one claim: formulas, readings, curves, counterexample."""

from __future__ import annotations

import json

from boundcheck.certificates.write import kept
from boundcheck.library.catalogue import find_bounds

from ..reports import CORRECTED, FALSE

AT = f"#claim={FALSE}"


def test_formulas_are_typeset(opened):
    report = opened(AT)
    width, height = report.size("#claim .formula math mfrac")
    assert width > 20 and height > 20
    sizes = report.page.evaluate("() => [...document.querySelectorAll('#claim math')].map(m => m.getBoundingClientRect().height)")
    assert len(sizes) > 5 and all(size > 5 for size in sizes)
    above, below = (
        report.page.locator("#claim .formula mfrac").first.locator(f"> :nth-child({n})").bounding_box() for n in (1, 2)
    )
    assert above["y"] < below["y"]


def test_a_formula_that_is_not_mathml_has_no_size(opened):
    report = opened()
    report.page.evaluate("() => { const m = document.createElement('math'); document.body.append(m) }")
    assert report.size("body > math")[0] == 0


def test_what_differs_between_the_readings_is_marked_not_by_colour_alone(opened):
    report = opened(AT)
    marked = report.page.locator("#claim .statement .formula .differs")
    assert marked.count() == 1
    assert marked.text_content() == "k"
    style = marked.evaluate("e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).boxShadow]")
    assert style[0] != "rgba(0, 0, 0, 0)" and "inset" in style[1]


def test_readings_are_tabs(opened):
    report = opened(AT)
    assert report.page.locator("[role=tab]").all_text_contents() == ["✕ printed, refuted", "● proved, holds"]
    report.page.focus("[role=tab][aria-selected=true]")
    report.page.keyboard.press("ArrowRight")
    assert report.page.url.endswith(f"#claim={CORRECTED}")
    assert report.page.get_attribute("#claim article", "data-claim") == CORRECTED
    assert report.focused("getAttribute('aria-selected')") == "true"
    assert report.page.locator("#claim .statement .formula .differs").text_content() == "k−1"
    report.page.click("[role=tab] >> nth=0")
    assert report.page.get_attribute("#claim article", "data-claim") == FALSE


def test_the_false_claim_is_understood_in_three_clicks(opened):
    report = opened()
    report.page.click("nav >> text=Findings")
    report.page.click(f"#findings .where a[href='{AT}']")
    assert "False as printed" in report.text("#claim .verdict strong")
    assert "which may be large, has not been taken yet" in report.text("#claim .why")
    assert report.size("#claim .why .formula math")[0] > 50
    assert report.size("#claim .refutation figure svg")[0] > 200
    assert "which is false" in report.texts("#claim .steps li")[-1]
    report.page.click("text=open the corrected statement")
    assert report.page.get_attribute("#claim article", "data-claim") == CORRECTED
    assert report.wrong == []


def test_values_are_read_by_pointer_and_by_keyboard(opened):
    report = opened(AT)
    report.page.select_option("#claim .curves select", "1")
    chart = report.page.locator("#claim .chart")
    box = chart.bounding_box()
    chart.hover(position={"x": box["width"] - 30, "y": box["height"] / 2})
    far = report.text("#claim .readout")
    assert far.startswith("k = ") and "left" in far and "right" in far
    chart.focus()
    report.page.keyboard.press("Home")
    assert report.text("#claim .readout").startswith("k = 1: left 1, right 1.25, left/right 0.8")
    assert chart.get_attribute("aria-valuetext") == report.text("#claim .readout")
    report.page.keyboard.press("ArrowRight")
    assert report.text("#claim .readout").startswith("k = 2:")


def test_a_violated_k_is_crossed_and_the_table_says_the_same(opened):
    report = opened(AT)
    assert report.count("#claim .chart .cross") == 1
    assert report.text("#claim .readout").startswith("k = 1: left 1.5, right 1.25, left/right 1.2; violated")
    report.page.click("#claim .curves summary")
    assert report.texts("#claim .curves tbody tr >> nth=0") == ["1\t1.5\t1.25\tviolated"]


def test_the_classical_bound_is_drawn_where_there_is_one(opened):
    report = opened()
    report.page.click("#grid tbody tr:not(.group) a >> nth=0")
    assert report.count("#claim .chart .line.classical") == 1
    report.page.goto(report.file + AT)
    assert report.count("#claim .chart .line.classical") == 0


def test_the_latex_is_copied(opened):
    report = opened(AT, permissions=["clipboard-read", "clipboard-write"])
    report.page.click("text=Copy LaTeX")
    report.page.wait_for_selector("button:text('Copied')")
    assert report.page.evaluate("() => navigator.clipboard.readText()") == find_bounds(FALSE)[0].latex()


def test_the_certificate_is_saved_whole(opened, tmp_path):
    report = opened(AT)
    with report.page.expect_download() as waiting:
        report.page.click("#claim .save")
    waiting.value.save_as(tmp_path / "certificate.json")
    assert json.loads((tmp_path / "certificate.json").read_text(encoding="utf-8")) == kept()[FALSE]


def test_a_link_to_a_label_alone_works_and_one_to_nowhere_says_so(opened):
    assert opened("#claim=thm:polyak-alternate").page.get_attribute("#claim article", "data-claim") == FALSE
    assert "has no claim 'thm:polyac'" in opened("#claim=thm:polyac").text("#claim")


def test_back_and_forward_go_between_claim_and_matrix(opened):
    report = opened()
    report.page.click("#grid tbody tr:not(.group) a >> nth=0")
    assert report.page.is_visible("#claim") and not report.page.is_visible("#overview")
    report.page.go_back()
    assert report.page.is_visible("#overview") and not report.page.is_visible("#claim")

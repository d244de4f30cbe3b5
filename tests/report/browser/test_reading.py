"""Readable by everyone: contrast, phones, print, light and dark, no motion."""

from __future__ import annotations

import pytest

from ..reports import FALSE

AT = f"#claim={FALSE}"
ENOUGH = 4.5  # WCAG AA
# every text that is seen, with its colour and the first opaque colour behind it
SEEN = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Map();
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
    const other = 'svg, template, script, style, .v-none, .skip, .visually-hidden';
    if (!text || !e.checkVisibility({visibilityProperty: true}) || e.closest(other)) continue;
    let behind = e;
    while (behind && /rgba\\(.*, 0\\)|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    const pair = [getComputedStyle(e).color, behind ? getComputedStyle(behind).backgroundColor : 'rgb(255, 255, 255)'];
    found.set(pair.join(), [...pair, text.slice(0, 40)]);
  }
  return [...found.values()];
}"""


def luminance(colour: str) -> float:
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def too_faint(report) -> list[str]:
    found = [(contrast(ink, paper), text, ink, paper) for ink, paper, text in report.page.evaluate(SEEN)]
    assert len(found) > 3
    return [f"{ratio:.2f}: '{text}' {ink} on {paper}" for ratio, text, ink, paper in found if ratio < ENOUGH]


def test_contrast_is_measured_as_wcag_does():
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)
    assert contrast("rgb(118, 118, 118)", "rgb(255, 255, 255)") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("at", ["", AT])
def test_every_text_has_enough_contrast(opened, at, dark):
    report = opened(at, dark=dark)
    report.page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    assert too_faint(report) == []


def test_faint_text_is_found(opened):
    report = opened()
    report.page.evaluate("() => document.querySelector('h1').style.color = '#999'")
    assert len(too_faint(report)) == 1


def test_the_theme_can_be_switched_against_the_system(opened):
    report = opened(dark=True)
    paper = "() => getComputedStyle(document.body).backgroundColor"
    dark = report.page.evaluate(paper)
    report.page.click("#theme")
    assert luminance(report.page.evaluate(paper)) > 0.8 > 0.1 > luminance(dark)


@pytest.mark.parametrize("at", ["", AT])
def test_a_phone_never_scrolls_sideways(opened, at):
    report = opened(at, phone=True)
    report.page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    assert report.page.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_on_a_phone_names_leave_room_for_the_cells(opened):
    report = opened(phone=True)
    named = report.page.locator("#grid tbody tr[data-n] th >> nth=0").bounding_box()
    assert named["width"] < 200
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
    assert report.page.locator("#grid tbody tr[data-n] th").evaluate_all(cut) == []


def test_a_page_that_is_too_wide_is_seen(opened):
    report = opened(phone=True)
    report.page.evaluate("() => { document.querySelector('h1').style.minWidth = '600px' }")
    assert report.page.evaluate("() => document.documentElement.scrollWidth") > 390


def test_headers_stay_in_sight(opened):
    report = opened()
    grid = report.page.locator("#grid")
    grid.evaluate("e => { e.style.maxHeight = '400px'; e.scrollTop = 500 }")
    top, head = grid.bounding_box()["y"], report.page.locator("#grid thead th >> nth=1").bounding_box()["y"]
    assert abs(head - top) < 3


def test_in_print_everything_is_there_and_nothing_sticks(opened):
    report = opened()
    report.page.emulate_media(media="print")
    report.page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    style = "e => [getComputedStyle(e).position, getComputedStyle(e.closest('.grid')).overflowY]"
    assert report.page.locator("#grid thead th >> nth=1").evaluate(style) == ["static", "visible"]
    assert report.count("details:not([open])") == 0
    assert not report.page.is_visible("#filters")
    report.page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    assert report.count("details:not([open])") > 0


def test_a_claim_prints(opened):
    report = opened(AT)
    assert report.page.pdf()[:5] == b"%PDF-"


def test_nothing_moves_for_those_who_ask(opened):
    still, lively = (opened(reduced_motion=how).page.locator("#theme") for how in ("reduce", "no-preference"))
    duration = "e => getComputedStyle(e).transitionDuration"
    assert still.evaluate(duration) == "0s"
    assert lively.evaluate(duration) != "0s"

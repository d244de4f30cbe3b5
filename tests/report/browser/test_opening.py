"""The page opens quickly, from the disk, with no error and no request; a page with either is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from boundcheck.report.page import page as html_of

from ..reports import HOSTILE, library, made

LOADED = "() => performance.timing.loadEventEnd - performance.timing.navigationStart"


def planted(report_file: Path, tmp_path: Path, what: str, *, free: bool = False) -> Path:
    """The report with something put at its end; `free` without the policy by which the browser itself refuses it."""
    text = report_file.read_text(encoding="utf-8").replace("</body>", f"{what}</body>")
    path = tmp_path / "planted.html"
    path.write_text(text.replace("Content-Security-Policy", "x-none") if free else text, encoding="utf-8")
    return path


def test_60_claims_on_12_problems_open_in_under_two_seconds_without_error_or_request(opened, tmp_path):
    path = tmp_path / "index.html"
    path.write_text(html_of(made(library(60))), encoding="utf-8")
    report = opened(path=path)
    tries = [report.page.evaluate(LOADED), *(opened(path=path).page.evaluate(LOADED) for _ in range(2))]
    seconds = min(tries) / 1000  # a busy machine must not decide it
    assert report.wrong == []
    assert len(report.rows()) == 60
    assert report.count("#grid thead th") == 13
    assert seconds < 2, f"60 claims x 12 problems took {seconds:.2f} s to load"


def test_a_script_error_is_caught(opened, report_file, tmp_path):
    assert opened(path=planted(report_file, tmp_path, "<script>nowhere()</script>", free=True)).wrong


@pytest.mark.parametrize("free", [True, False])
def test_a_request_outwards_is_caught(opened, report_file, tmp_path, free):
    found = opened(path=planted(report_file, tmp_path, '<img src="https://example.invalid/x.png">', free=free))
    found.page.wait_for_timeout(100)
    assert any("example.invalid" in line for line in found.wrong)


def test_the_browser_runs_no_script_but_the_pages_own(opened, report_file, tmp_path):
    found = opened(path=planted(report_file, tmp_path, "<script>document.title = 'taken'</script>"))
    assert found.page.title() != "taken"
    assert found.wrong


def test_hostile_text_is_shown_and_not_run(opened, tmp_path):
    path = tmp_path / "hostile.html"
    hostile = made(
        library(4), problems=(HOSTILE, "b"), title=HOSTILE, notes=[HOSTILE], failures=[HOSTILE], provenance={HOSTILE: HOSTILE}
    )
    path.write_text(html_of(hostile), encoding="utf-8")
    report = opened(path=path)
    assert report.wrong == []
    assert report.text(".about") == HOSTILE
    assert HOSTILE in report.texts("#grid thead th span")
    assert report.texts("#not-run li") == [HOSTILE, HOSTILE]
    assert report.count("img") == 0


def test_a_report_of_part_of_a_run_says_so_first(opened, tmp_path):
    path = tmp_path / "part.html"
    path.write_text(
        html_of(made(library(4), state="interrupted: 120 of 412 runs were made", failures=["huber 1/L: boom"])), encoding="utf-8"
    )
    report = opened(path=path)
    assert "interrupted: 120 of 412 runs were made" in report.text("[role=alert]")
    report.page.click("[role=alert] a")
    assert report.texts("#failures + ul li") == ["huber 1/L: boom"]


def test_a_whole_report_has_no_such_line(opened):
    assert opened().count("[role=alert]") == 0


def test_an_empty_report_opens(opened, tmp_path):
    path = tmp_path / "empty.html"
    none = made((), (), classical={}, pictures={}, tightness={}, worst_cases=[], places=[], provenance={})
    path.write_text(html_of(none), encoding="utf-8")
    report = opened(path=path)
    assert report.wrong == []
    assert report.text("#found").startswith("0 of 0 claims")

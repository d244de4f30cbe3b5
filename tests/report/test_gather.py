"""From a store to a report: what is whole says so, what is missing or failed is said, nothing is blamed too soon."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boundcheck.report import content
from boundcheck.report.content import OWN, REFUTATION, UNFINISHED, gather, nothing_unexpected, unexpected
from boundcheck.report.folder import summary
from boundcheck.report.page import page

from .small import library, store_at, works


@pytest.fixture(autouse=True)
def one_problem_is_enough(monkeypatch):
    monkeypatch.setattr(content, "ENOUGH_PROBLEMS", 1)


def gathered(tmp_path, claims=None, **state):
    with store_at(tmp_path / "results.sqlite", **state) as store:
        return gather(store, claims if claims is not None else library())


def test_a_whole_run_says_nothing_of_its_state(tmp_path):
    found = gathered(tmp_path)
    assert (found.report.state, found.report.failures, found.surprises) == ("", [], {})
    assert [found.report.rows[b.id]["status"] for b in library()] == ["holds", "refuted"]
    assert all(row["expected"] for row in found.report.rows.values())
    assert sum(map(len, found.report.verdicts.values())) == len(found.cells) == sum(map(len, works()[1]))
    assert found.report.provenance["command"] == "boundcheck paper small"


def test_every_verdict_carries_both_sides_at_each_k(tmp_path):
    for _, verdict in gathered(tmp_path).cells:
        assert len(verdict.left) == len(verdict.right) == len(verdict.residual) == len(verdict.outcomes)


def test_an_interrupted_run_says_how_far_it_came(tmp_path):
    many = len(works()[0])
    found = gathered(tmp_path, done=2)
    assert found.report.state == f"interrupted: 2 of {many} runs were made"
    assert found.report.provenance["finished"] == "not finished"


def test_nothing_is_held_against_a_claim_that_an_interrupt_kept_from_being_tried(tmp_path):
    found = gathered(tmp_path, done=0)
    assert {row["surprise"] for row in found.report.rows.values()} == {UNFINISHED}
    assert {row["reason"] for row in found.report.rows.values()} == {UNFINISHED}


def test_what_was_not_tried_enough_is_not_called_unexpected(tmp_path):
    report = gathered(tmp_path, done=0).report
    many = len(report.rows)
    assert unexpected(report) == ([], many)
    said = f"Nothing unexpected so far; {many} of {many} claims were not tried enough yet."
    assert nothing_unexpected(report, many) == said
    assert said in summary(report) and "UNEXPECTED" not in summary(report)
    assert said in page(report) and "not the expected" not in page(report)


def test_a_violation_that_nobody_expects_counts_even_if_the_run_is_not_whole(tmp_path):
    descent, refuted = library()
    last = len(works()[0]) - 1
    hopeful = replace(refuted, refuted_by=None)
    assert hopeful.hash == refuted.hash
    found = gathered(tmp_path, [descent, hopeful], failed=[last])
    assert "is violated" in found.surprises[refuted.id]


def test_failed_runs_are_listed_and_the_rest_is_shown(tmp_path):
    many = len(works()[0])
    found = gathered(tmp_path, failed=[many - 1], gave_up=[many - 2])
    assert found.report.state == f"incomplete: 1 of {many} runs failed"
    assert found.report.failures == [f"{works()[0][-1].name}: ZeroDivisionError: division by zero"]
    assert found.report.notes == ["rule 'x' returned nan at step 3"]
    assert len(found.cells) == sum(map(len, works()[1][:-2]))


def test_a_claim_that_has_changed_since_is_left_out_and_that_is_said(tmp_path):
    descent, refuted = library()
    found = gathered(tmp_path, [replace(descent, given=descent.given[:-1]), refuted])
    assert list(found.report.rows) == [refuted.id]
    assert any(descent.id in note and "left out" in note for note in found.report.notes)
    assert {verdict.cell.claim for _, verdict in found.cells} == {refuted.id}


def test_where_a_claim_was_tried_is_told_apart(tmp_path):
    kinds = {kind for kind, _ in gathered(tmp_path).cells}
    assert REFUTATION in kinds and kinds <= {REFUTATION, OWN, "everywhere"}


def test_the_report_says_how_the_paper_stands(tmp_path):
    report = gathered(tmp_path).report
    assert report.summary[0] == f"{library()[0].source.paper.cited}."
    assert "2 printed statements were checked" in report.summary[1]

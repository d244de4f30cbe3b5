"""Curves of a claim along k: the same bytes each time, with its classical side, and none where there are no sides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from boundcheck.check.verdict import Cell, Outcome, Verdict
from boundcheck.report.supplements import curves


def cell(problem: str, right: np.ndarray, **more: object) -> Verdict:
    where = Cell(claim="p/thm:a.b@printed", problem=problem, method="1/L", arithmetic="float64", smoothness="A")
    outcomes = np.where(1 / np.arange(1, 31) <= right, Outcome.HOLDS, Outcome.VIOLATED).astype(np.int8)
    return Verdict(cell=where, first_k=1, outcomes=outcomes, certified=False, left=1 / np.arange(1, 31), right=right, **more)  # type: ignore[arg-type]


def test_curves_are_files_with_the_same_bytes_each_time_and_show_the_classical_side(tmp_path):
    pytest.importorskip("matplotlib")
    verdicts = [cell("huber", 2 / np.arange(1, 31)), cell("other", 0.9 / np.arange(1, 31))]
    classical = {("p/thm:a.b@printed", "huber", "1/L", "A", "float64", ""): [3.0] * 30}
    first, second = (curves("p/thm:a.b@printed", verdicts, tmp_path / name, classical=classical) for name in "ab")
    assert [path.name for path in first] == ["thm-a-b@printed.svg", "thm-a-b@printed.png"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    text = first[0].read_text(encoding="utf-8")
    assert "left-side" in text and "classical-bound" in text and "fails, numerical" in text and "<dc:date>" not in text


def test_there_is_no_figure_of_chords_or_of_verdicts_without_sides(tmp_path):
    bare = replace(cell("huber", np.ones(30)), left=None, right=None)
    chords = cell("huber", np.ones(30), every_k_counts=True)
    assert curves("p/thm:a.b@printed", [bare, chords], tmp_path) == [] and not list(tmp_path.iterdir())

"""The examples of docs/watch.md do what the page says."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from boundcheck import Outcome, Trace, check

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"


def test_the_torch_loop_has_verdicts_at_every_iterate_and_so_has_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["watch_torch.py", str(tmp_path / "run.parquet")])
    made = runpy.run_path(str(EXAMPLES / "watch_torch.py"))
    verdicts = {verdict.cell.smoothness: verdict for verdict in made["verdicts"]}
    for kind in ("D", "H", "L"):
        assert verdicts[kind].label == "HOLDS, numerical" and verdicts[kind].counts[Outcome.HOLDS] == 99
    first, again = capsys.readouterr().out.split("SGD on logistic regression\n")[1:]
    assert first.strip() == again.strip()
    read = check("prop:convex-any-stepsize", Trace.from_parquet(tmp_path / "run.parquet"))
    assert [v.to_json() for v in read] == [v.to_json() for v in made["verdicts"]]


def test_the_loop_is_twenty_lines_and_one_of_them_is_boundchecks() -> None:
    text = (EXAMPLES / "watch_torch.py").read_text(encoding="utf-8")
    loop = [line for line in text.split("# --")[1].splitlines()[1:] if line.strip()]
    assert len(loop) <= 20 and len([line for line in loop if "watch" in line or "recorder" in line]) == 1


def test_scipy_has_verdicts_for_gradient_descent_and_none_for_bfgs() -> None:
    made = runpy.run_path(str(EXAMPLES / "watch_scipy.py"))
    descent, bfgs = made["verdicts"].values()
    assert [v.outcome for v in descent] == [Outcome.HOLDS, Outcome.VACUOUS, Outcome.HOLDS, Outcome.HOLDS]
    assert all(v.outcome is Outcome.VACUOUS and "is not x_1 - eta_1 grad f(x_1)" in v.reason for v in bfgs)

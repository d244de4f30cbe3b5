"""Long certified runs on real sizes: every claim that applies, every verdict by balls, and nothing violated that should hold."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace

import pytest

from boundcheck.check.verdict import Outcome
from boundcheck.library.catalogue import bounds
from boundcheck.library.names import problem_named, rule_named
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES


def run_all(problem: str, rule: str, steps: int) -> Counter[str]:
    """What came of every claim about one gradient descent: counts of cells, and of k."""
    method = rule_named(rule)
    assert method is not None
    setting = GridSetting(problem_named(problem), "auto", replace(PROFILES["full"], steps=steps), (method,))
    claims = {b.id: b for b in bounds() if not b.is_about_chords and len(b.runs.roles) == 1}
    found: Counter[str] = Counter()
    for experiment, asked in setting.experiments(claims.values(), method):
        if not experiment.is_gradient_descent:
            continue
        for verdict in setting.answers(experiment, asked):
            assert verdict.outcome is not Outcome.VIOLATED or claims[verdict.cell.claim].is_refuted, verdict.explain()
            assert not verdict.exercised or verdict.certified or verdict.near, verdict.explain()
            found[verdict.label] += 1
            found["longest"] = max(found["longest"], len(verdict.outcomes))
            found["decided k"] += verdict.counts[Outcome.HOLDS] + verdict.counts[Outcome.VIOLATED]
            found["undecided k"] += verdict.counts[Outcome.UNDECIDED]
    return found


@pytest.mark.xdist_group("long runs")
@pytest.mark.parametrize("rule", ["1/L", "polyak(1)"])
def test_thirty_certified_steps_on_280_samples(rule: str) -> None:
    found = run_all("logistic-280x34", rule, 30 if rule == "1/L" else 8)
    assert found["HOLDS, certified"] >= 100 and found["decided k"] > 2 * found["undecided k"]


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "steps"), [("1/L", 1000), ("polyak(1)", 300)])
def test_long_runs_on_280_samples(rule: str, steps: int, capsys: pytest.CaptureFixture[str]) -> None:
    started = time.perf_counter()
    found = run_all("logistic-280x34", rule, steps)
    with capsys.disabled():
        print(f"\n{steps} steps of {rule} on logistic-280x34: {dict(found)} in {time.perf_counter() - started:.0f} s")
    assert found["longest"] >= steps and found["HOLDS, certified"] >= 100


@pytest.mark.slow
def test_runs_of_the_size_of_figure_1_take_less_than_two_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    started = time.perf_counter()
    found = run_all("ionosphere", "1/L", 250)
    seconds = time.perf_counter() - started
    with capsys.disabled():
        print(f"\n250 steps of 1/L on ionosphere: {dict(found)} in {seconds:.0f} s")
    assert found["longest"] >= 250 and found["HOLDS, certified"] >= 60 and seconds < 120

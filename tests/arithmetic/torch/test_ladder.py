"""Where torch is named, every verdict is torch's: numerical or undecided, never certified by another arithmetic."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boundcheck import Bound, GradientDescent
from boundcheck.check.verdict import Outcome
from boundcheck.language.letters import f, k, x
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.runners import over_L
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

pytest.importorskip("torch")


def decided(states, arithmetic, steps=40):
    setting = GridSetting(synthetic_logistic(20, 3), arithmetic, replace(PROFILES["full"], steps=steps), (over_L(1),))
    (verdict,) = setting.verdicts([Bound(given=(GradientDescent(),), states=states)])
    return verdict


def test_what_float32_decides_is_numerical():
    verdict = decided(f(x[k]) >= f(x[k + 1]) - 1, "torch:cpu:float32", steps=5)
    assert verdict.label == "HOLDS, numerical" and verdict.cost.tried == ("torch:cpu:float32",)


def test_what_float32_leaves_undecided_is_undecided():
    verdict = decided(f(x[k + 1]) <= f(x[k]), "torch:cpu:float32", steps=400)
    assert verdict.cell.arithmetic == "torch:cpu:float32" and verdict.cost.tried == ("torch:cpu:float32",)
    assert not verdict.certified and verdict.counts[Outcome.UNDECIDED] > 0


def test_what_float32_violates_is_numerical():
    verdict = decided(f(x[k + 1]) >= f(x[k]), "torch:cpu:float32")
    assert verdict.label == "VIOLATED, numerical" and "certify it with --arithmetic auto" in verdict.explain()

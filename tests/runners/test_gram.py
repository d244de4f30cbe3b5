"""A run told by inner products is the run told by vectors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import boundcheck.runners.engine.descent as engine
from boundcheck.check.question import needs
from boundcheck.library.catalogue import bounds
from boundcheck.model.rule import Rule
from boundcheck.problems import CATALOGUE
from boundcheck.runners import over_L, polyak, run
from boundcheck.runners.quadratics import single_descent
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

RULES = [over_L(1), over_L(Fraction(3, 2)), polyak(Fraction(3, 2))]


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.name)
@pytest.mark.parametrize("name", ["quadratic-3d", "quadratic-30d", "rank-deficient-6d"])
def test_both_ways_enclose_the_same_numbers(name: str, rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = CATALOGUE[name]()
    asked = GridSetting(problem, "float64", PROFILES["quick"], (rule,)).asked(bounds(), rule)
    columns = [c for c in needs(asked, "gradient descent") if engine.tells(problem, [c])]
    assert len(columns) > 8
    monkeypatch.setattr(single_descent, "serves", lambda run: False)  # the same points: see test_gram_alone for others
    told = run(problem, rule, steps=120, columns=columns)
    monkeypatch.setattr(engine, "tells", lambda *_: False)
    kept = run(problem, rule, steps=120, columns=columns)
    assert (told.steps == kept.steps).all()
    for column in columns:
        (a, ea), (b, eb) = ((t.xp.middle(t.columns[column]), t.xp.error(t.columns[column])) for t in (told, kept))
        apart = np.abs(a - b) <= ea + eb
        assert apart.all(), column
        assert (np.isfinite(ea) == np.isfinite(eb)).mean() > 0.9, column


def test_a_claim_that_reads_a_mean_is_not_told_by_inner_products() -> None:
    problem = CATALOGUE["quadratic-3d"]()
    asked = GridSetting(problem, "float64", PROFILES["quick"], (over_L(1),)).asked(bounds(), over_L(1))
    assert not engine.tells(problem, needs(asked, "gradient descent"))


def test_a_problem_that_is_no_quadratic_is_not_told_by_inner_products() -> None:
    assert not engine.tells(CATALOGUE["logistic-40x5"](), [])

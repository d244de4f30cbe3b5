"""Ratios, spreads and goals: what the numbers in the tables mean."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest
from bench_growth import exponent, spec
from harness import ROWS, Measured, Ratio, compare, in_turn, ratio_of, spread_of, told


def test_a_ratio_is_taken_within_each_repetition():
    """A machine that is ten times as slow in one repetition changes no ratio."""
    ratio = ratio_of("ours", "theirs", times=[2.0, 20.0, 2.0], base=[1.0, 10.0, 1.0])
    assert (ratio.median, ratio.low, ratio.high) == (2.0, 2.0, 2.0)


def test_repetitions_are_interleaved_after_one_that_is_not_measured():
    done = []
    times = in_turn([("a", lambda: done.append("a")), ("b", lambda: done.append("b"))], repeat=3)
    assert "".join(done) == "ab" + "ababab"
    assert {name: len(those) for name, those in times.items()} == {"a": 3, "b": 3}


def test_two_contenders_of_one_name_are_refused():
    with pytest.raises(ValueError, match="names of their own"):
        in_turn([("a", lambda: None), ("a", lambda: None)])


def test_compare_sees_what_takes_longer():
    (ratio,) = compare(("short", lambda: time.sleep(0.002)), ("long", lambda: time.sleep(0.02)), repeat=3, limits={"long": 2.0})
    assert ratio.low > 1.5
    assert "MISSED" in str(ratio)


def test_twice_as_long_is_half_as_fast_with_the_spread_the_other_way_round():
    fast = Ratio("ours", "theirs", median=0.5, low=0.25, high=1.0, seconds=1.0).faster(goal=2)
    assert (fast.value, fast.low, fast.high) == (2.0, 1.0, 4.0)
    assert fast.met


@pytest.mark.parametrize(
    ("value", "limit", "at_least", "met"),
    [(1.4, 1.5, False, True), (1.6, 1.5, False, False), (20, 20, True, True), (19.9, 20, True, False), (5, None, False, None)],
)
def test_a_goal_is_met_or_missed_by_the_median(value, limit, at_least, met):
    m = Measured("x", value, value, value, "x", limit, at_least)
    assert m.met is met
    assert ("met" in str(m), "MISSED" in str(m)) == (met is True, met is False)


def test_the_spread_is_the_range_and_the_value_the_median():
    m = spread_of("x", [5.0, 1.0, 2.0], "s")
    assert (m.value, m.low, m.high) == (2.0, 1.0, 5.0)


def test_what_is_told_is_printed_and_left_as_a_row(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(ROWS, str(tmp_path / "rows"))
    m = told(replace(spread_of("x", [1.0], "s", limit=0.5), goal="12"))
    assert "MISSED" in capsys.readouterr().out
    row = json.loads((tmp_path / "rows").read_text())
    assert row["met"] is False
    assert (row["goal"], row["value"]) == ("12", m.value)


def test_an_exponent_is_that_of_the_power():
    assert exponent([(x, 3 * x**1.5) for x in (1, 10, 100, 1000)]) == pytest.approx(1.5)


def test_an_exponent_is_taken_where_a_fixed_cost_matters_least():
    points = [(x, 50 + x) for x in (1, 10, 100, 1e4, 1e6)]
    assert exponent(points) > 0.9


def test_the_sweep_of_the_growth_curves_has_the_cells_that_it_says():
    import tomllib

    asked = tomllib.loads(spec(cells=12, steps=30))
    assert asked["seeds"] == {"from": 0, "count": 12}
    assert asked["claims"] and asked["problems"] and asked["methods"]
    assert asked["steps"] == 30

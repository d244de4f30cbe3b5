"""The classical theorems: exact rates are attained, misquotes of them fail, and loose constants are as loose as they say."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import boundcheck.theorems.classical as classical
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound, Instance
from boundcheck.language.letters import Delta, L, delta, k
from boundcheck.library.catalogue import bounds_of, find_bounds
from boundcheck.problems.quadratic import quadratic
from boundcheck.runners import over_L
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.instances import try_instance
from boundcheck.suite.profiles import PROFILES
from boundcheck.theorems.classical import sources

CLAIMS = bounds_of(classical)
DOCS = Path(__file__).resolve().parents[2] / "docs" / "classical.md"


def claim(name: str) -> Bound:
    (found,) = find_bounds(f"classical/{name}")
    return found


def at(bound: Bound, problem: str, method: str, steps: int, **letters: Fraction) -> Verdict:
    return try_instance(bound, Instance(problem=problem, method=method, steps=steps, parameters=letters)).verdict


def test_every_source_names_its_authors_its_title_and_its_year() -> None:
    assert len(CLAIMS) >= 30
    for bound in CLAIMS:
        paper = bound.source.paper
        assert paper.name == sources.NAME and paper.title and paper.authors and paper.year
        assert bound.lint() == []


def test_the_documentation_lists_every_claim_under_its_source() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for bound in CLAIMS:
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{bound.label}` ")]
        last_names = [name.split()[-1] for name in bound.source.paper.authors.split(", ")]
        assert all(name in row for name in [*last_names, str(bound.source.paper.year)]), row


@pytest.mark.parametrize(("label", "problem", "k_tight"), [("gd.rate", "huber", 1), ("gd.last-gradient", "huber", 2)])
def test_a_huber_function_attains_the_exact_rates(label: str, problem: str, k_tight: int) -> None:
    verdict = at(claim(label), problem, "1/L", 3)
    assert verdict.label == "HOLDS, certified"
    assert verdict.tightest is not None and (verdict.tightest.ratio, verdict.tightest.k) == (1, k_tight)


def test_a_better_constant_than_the_exact_one_is_refuted() -> None:
    misquoted = replace(claim("gd.rate"), states=delta[k] <= L * Delta[0] / (4 * k + 3))
    assert at(misquoted, "huber", "1/L", 3).label == "VIOLATED, certified"


def test_the_rate_of_the_longer_step_is_not_that_of_one_over_L() -> None:
    best = claim("gd.sc-best-step")
    assert at(best, "quadratic-2d", "constant(2/11)", 4).label == "HOLDS, certified"
    assert at(best, "quadratic-2d", "1/L", 4).outcome is Outcome.VACUOUS
    misquoted = replace(best, given=claim("gd.sc-distance").given)
    assert at(misquoted, "quadratic-2d", "1/L", 4).label == "VIOLATED, certified"


def test_steps_that_are_too_long_for_a_hypothesis_make_no_case() -> None:
    never_grows = claim("gd.gradient-never-grows")
    assert at(never_grows, "parabola", "constant(5/4)", 3).outcome is Outcome.VACUOUS  # eta L = 5/2
    without = replace(never_grows, given=never_grows.given[:-1])
    assert at(without, "parabola", "constant(5/4)", 3).label == "VIOLATED, certified"


def test_a_search_with_a_smaller_constant_than_it_claims_fails_armijo() -> None:
    total = claim("armijo.total")
    assert at(total, "huber", "armijo(1/2, 1/2, 8)", 3).label == "HOLDS, certified"
    claimed = at(total, "parabola", "constant(3/4)", 3, c=Fraction(1, 2))  # eta L = 3/2 gains eta |grad f|^2 / 4
    assert claimed.outcome is Outcome.VACUOUS and "c eta_i" in claimed.reason


def test_adgd_needs_its_bound_on_the_growth_of_steps() -> None:
    """Where huber is a line the gradient does not turn, and the second rule alone allows a step of any length."""
    bounded, jump = claim("adgd.bounded@proved"), "given(1/2, 1/2, 100)"
    with_both = at(bounded, "huber", jump, 3)
    assert with_both.counts[Outcome.VIOLATED] == 0 and with_both.counts[Outcome.VACUOUS] == 1
    alone = replace(bounded, given=claim("adgd.one-step@proved").given)
    assert at(alone, "huber", jump, 3).label == "VIOLATED, certified"
    assert at(claim("adgd.one-step@proved"), "huber", jump, 3).label == "HOLDS, certified"


def test_nesterovs_rate_for_strongly_convex_functions_is_nearly_attained_where_three_scales_meet() -> None:
    """What its `loose_because` says: 0.98 on a quadratic with curvatures 1, 100 and 10000 from (0, 1, 0)."""
    bound = claim("nesterov.strongly-convex")
    rows = [[1, 0, 0], [0, 100, 0], [0, 0, 10000]]
    problem = quadratic(rows, start=[0, 1, 0], name="three scales")
    profile = replace(PROFILES["quick"], method_steps=2, exact_steps={3: 2})
    (verdict,) = GridSetting(problem, "rational", profile, (over_L(1),)).verdicts([bound])
    assert verdict.label == "HOLDS, certified"
    assert verdict.tightest is not None and verdict.tightest.ratio > 0.97
    (red,) = GridSetting(problem, "rational", profile, (over_L(1),)).verdicts([bound.sharpened(Fraction(97, 100))])
    assert red.label == "VIOLATED, certified"


def test_the_textbook_constants_are_at_least_as_loose_as_they_say() -> None:
    half = at(claim("gd.rate-2k").sharpened(Fraction(1, 2)), "long-huber", "1/L", 12)
    assert half.label == "HOLDS, certified"
    assert at(claim("gd.rate-2k").sharpened(Fraction(9, 20)), "long-huber", "1/L", 12).label == "VIOLATED, certified"

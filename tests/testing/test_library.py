"""The library's own problems and rules pass."""

from __future__ import annotations

import pytest

from boundcheck.library.catalogue import rules
from boundcheck.problems import CATALOGUE
from boundcheck.testing import check_problem, check_rule

QUICK_PROBLEMS = ("quadratic-2d", "huber", "smooth-abs-9/40", "quartic", "nonconvex")
QUICK_RULES = ("1/L", "polyak(1)", "cauchy", "adgd(1/1000)")
LARGE = {"power-law-300d", "logistic-280x34", "ionosphere", "ionosphere-attained", "mammographic"}


@pytest.mark.parametrize("name", QUICK_PROBLEMS)
def test_a_problem_passes(name: str) -> None:
    assert check_problem(CATALOGUE[name], raise_error=False) == []


@pytest.mark.parametrize("name", QUICK_RULES)
def test_a_rule_passes(name: str) -> None:
    assert check_rule(rules()[name], raise_error=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(CATALOGUE) - {*QUICK_PROBLEMS, *LARGE}))
def test_every_other_problem_passes(name: str) -> None:
    assert check_problem(CATALOGUE[name], raise_error=False) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(rules()) - set(QUICK_RULES)))
def test_every_other_rule_passes(name: str) -> None:
    assert check_rule(rules()[name], raise_error=False) == []

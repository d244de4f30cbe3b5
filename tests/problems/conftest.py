"""Each standard problem, built once."""

from __future__ import annotations

from functools import cache

import pytest

from boundcheck.model.problem import Problem
from boundcheck.problems import CATALOGUE, NEEDING


@cache
def built(name: str) -> Problem:
    return CATALOGUE[name]()


def built_or_skipped(name: str) -> Problem:
    """A problem that needs a module which is not installed is skipped, with that reason."""
    for module in NEEDING[name].needs if name in NEEDING else ():
        pytest.importorskip(module)
    return built(name)


@pytest.fixture(params=sorted({*CATALOGUE, *NEEDING}))
def problem(request: pytest.FixtureRequest) -> Problem:
    """Each standard problem."""
    return built_or_skipped(request.param)


LARGE = {"power-law-300d", "logistic-280x34", *NEEDING}


@pytest.fixture(params=sorted(set(CATALOGUE) - LARGE))
def small(request: pytest.FixtureRequest) -> Problem:
    """Each standard problem that is quick at 50 digits."""
    return built(request.param)

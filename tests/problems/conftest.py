"""The checks of contract.py as a fixture, and each standard problem built once."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from boundcheck.problem import Problem
from boundcheck.problems import CATALOGUE, NEEDING

_SPEC = importlib.util.spec_from_file_location("problem_contract", Path(__file__).with_name("contract.py"))
assert _SPEC is not None and _SPEC.loader is not None
_CONTRACT = importlib.util.module_from_spec(_SPEC)
sys.modules["problem_contract"] = _CONTRACT
_SPEC.loader.exec_module(_CONTRACT)


@cache
def built(name: str) -> Problem:
    return CATALOGUE[name]()


def built_or_skipped(name: str) -> Problem:
    """A problem that needs a module which is not installed is skipped, with that reason."""
    for module in NEEDING[name].needs if name in NEEDING else ():
        pytest.importorskip(module)
    return built(name)


@pytest.fixture(scope="session")
def contract() -> ModuleType:
    return _CONTRACT


@pytest.fixture(params=sorted({*CATALOGUE, *NEEDING}))
def problem(request: pytest.FixtureRequest) -> Problem:
    """Each standard problem."""
    return built_or_skipped(request.param)


LARGE = {"power-law-300d", "logistic-280x34", *NEEDING}


@pytest.fixture(params=sorted(set(CATALOGUE) - LARGE))
def small(request: pytest.FixtureRequest) -> Problem:
    """Each standard problem that is quick at 50 digits."""
    return built(request.param)

"""The checks of contract.py as a fixture, and each standard problem built once."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from boundcheck.problem import Problem
from boundcheck.problems import CATALOGUE

_SPEC = importlib.util.spec_from_file_location("problem_contract", Path(__file__).with_name("contract.py"))
assert _SPEC is not None and _SPEC.loader is not None
_CONTRACT = importlib.util.module_from_spec(_SPEC)
sys.modules["problem_contract"] = _CONTRACT
_SPEC.loader.exec_module(_CONTRACT)


@cache
def built(name: str) -> Problem:
    return CATALOGUE[name]()


@pytest.fixture(scope="session")
def contract() -> ModuleType:
    return _CONTRACT


@pytest.fixture(params=sorted(CATALOGUE))
def problem(request: pytest.FixtureRequest) -> Problem:
    """Each standard problem."""
    return built(request.param)


@pytest.fixture(params=sorted(name for name in CATALOGUE if not name.endswith("300d") and "280x34" not in name))
def small(request: pytest.FixtureRequest) -> Problem:
    """Each standard problem that is quick at 50 digits."""
    return built(request.param)

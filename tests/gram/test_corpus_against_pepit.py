"""Every example of PEPit that is stated as a claim has the worst case that PEPit finds: at its own setting, and at others."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from . import corpus
from .corpus.comparing import NEAR, NOTHING, Case, near

pytest.importorskip("PEPit")
pytest.importorskip("clarabel")


def cases() -> list[Case]:
    modules = [importlib.import_module(f"{corpus.__name__}.{found.name}") for found in pkgutil.iter_modules(corpus.__path__)]
    return [case for module in modules for case in getattr(module, "CASES", ())]


all_cases = pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow if case.slow else ()) for case in cases()], ids=str
)


@all_cases
def test_the_worst_case_is_that_of_pepit(case: Case) -> None:
    ours, pepits = case.compared()
    assert near(ours, pepits, case.near), f"{ours} here, {pepits} by PEPit"


@all_cases
def test_a_printed_rate_holds(case: Case) -> None:
    if case.is_difference:
        assert case.difference() < NOTHING
    elif "tau" not in case.claim.parameters:
        assert (case.ratio() > 1 + NEAR) == case.claim.is_refuted

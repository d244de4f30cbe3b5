"""Broken inputs of every kind: one line and an exit code for each, no traceback, no hang. Seeds are printed with each failure."""

from __future__ import annotations

import pytest

from .fuzzing import fuzz


def _none_fails(count: int, seed: int) -> None:
    found = fuzz(count, seed)
    print(f"seed {seed}\n{found.table()}")
    assert not found.failures, "\n\n".join([f"{len(found.failures)} failures:", *found.failures[:5]])
    assert all(row.tried for row in found.rows.values())
    refused = sum(row.exits["2"] for row in found.rows.values())
    assert refused > count / 4, "inputs that nothing is wrong with test nothing"


def test_no_broken_input_is_answered_with_a_traceback() -> None:
    _none_fails(200, 1)


@pytest.mark.slow
def test_none_of_five_thousand_broken_inputs_is_answered_with_a_traceback() -> None:
    _none_fails(5000, 2)

"""Famous claims: `falsify` breaks the false ones and leaves the true ones alone."""

from __future__ import annotations

import pytest

from boundcheck.falsify.certificate_io import certificate_of
from boundcheck.falsify.search import search

from .test_history_claims import FALSE, TRUE, claims


@pytest.mark.parametrize("name", sorted(FALSE))
def test_a_false_claim_is_broken_with_a_certificate(name: str) -> None:
    bound = claims()[name]
    result = search(bound, budget=60)
    assert result.found is not None, f"not broken: the nearest left/right is {result.ratio}"
    assert certificate_of(bound, result.found.candidate)["hash"] == bound.hash


@pytest.mark.parametrize("name", sorted(TRUE))
def test_a_true_claim_is_left_alone(name: str) -> None:
    result = search(claims()[name], budget=60, most_tasks=12)
    assert result.found is None and result.looked_at > 5000


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TRUE))
def test_a_true_claim_survives_a_minute(name: str) -> None:
    result = search(claims()[name], budget=60, jobs=2)
    assert result.found is None and result.looked_at > 50_000

"""The falsifier on the paper: what is false as printed is broken without help, and what is proved is not broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boundcheck.certificates import write as certificate
from boundcheck.claims.bound import PRINTED, UNREFUTED, Bound
from boundcheck.falsify.certificate_io import certificate_of
from boundcheck.falsify.search import search
from boundcheck.falsify.shrinking.shrink import shrink
from boundcheck.language.relations import links
from boundcheck.library.catalogue import bounds
from boundcheck.power.fates import targets

FALSE = {
    b.label: replace(b, **UNREFUTED)
    for b in bounds()
    if b.reading == PRINTED and b.refuted_by is not None and any(link.op not in ("==", "->") for link in links(b.states))
}
TRUE = {f"{b.label}@{b.reading}": b for b in targets(bounds())}
SOME_FALSE = ("prop:sc-split-analysis", "thm:ngd", "thm:polyak-alternate", "eq:10", "thm:exponential-search-gd.case-2")
SOME_TRUE = sorted(TRUE)[::15]


@pytest.fixture(autouse=True)
def out_of_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the library knows of counterexamples cannot help."""

    def refuse() -> None:
        raise AssertionError("the search looked at the certificates that are kept")

    monkeypatch.setattr(certificate, "kept", refuse)


def broken(bound: Bound) -> None:
    result = search(bound, budget=120, jobs=2)
    assert result.found is not None, f"not broken in 120 s: the nearest left/right is {result.ratio}"
    best = shrink(bound, result.found.candidate)
    assert certificate_of(bound, best)["hash"] == bound.hash


@pytest.mark.parametrize("label", SOME_FALSE)
def test_a_false_inequality_is_broken_and_certified(label: str) -> None:
    broken(FALSE[label])


@pytest.mark.slow
@pytest.mark.parametrize("label", sorted(set(FALSE) - set(SOME_FALSE)))
def test_every_false_inequality_is_broken_and_certified(label: str) -> None:
    broken(FALSE[label])


@pytest.mark.parametrize("name", SOME_TRUE)
def test_a_proved_reading_survives_a_short_search(name: str) -> None:
    """All of them for a minute each: benchmarks/unbroken.py."""
    assert search(TRUE[name], budget=30, most_tasks=4).found is None

"""The kept verdicts of the library agree with fresh ones."""

from __future__ import annotations

from itertools import chain

import pytest

from boundcheck.library.catalogue import bounds
from boundcheck.suite.grid import chosen_settings
from boundcheck.suite.recorded_verdicts import record_of, recorded
from boundcheck.suite.tally import Tally
from boundcheck.suite.work import on_their_own, refutation, run_all


@pytest.fixture
def record():
    if not recorded():
        pytest.skip("nothing is recorded yet: run `boundcheck paper --record`")


def test_recorded_refutations_are_still_refutations(record):
    refuted = [bound for bound in bounds() if bound.refuted_by and (record_of(bound) or {}).get("status") == "refuted"]
    assert refuted, "the record has no refuted claim that says where it fails"
    for bound in refuted[::3]:
        found = refutation(bound)
        assert found is not None and found.outcome.name == "VIOLATED", bound.id


@pytest.mark.slow
def test_a_sample_of_the_record_agrees_with_a_fresh_check(record):
    sample = [bound for bound in bounds() if (record_of(bound) or {}).get("status") == "holds"][::6]
    assert sample, "the record has no claim that holds"
    tallies = {bound.id: Tally(bound) for bound in sample}
    everywhere = run_all(chosen_settings("quick", (), (), None, None), sample, gave_up=lambda why: None)
    for verdict in chain(on_their_own(sample), everywhere):
        tallies[verdict.cell.claim].add(verdict)
    assert {name: tally.status for name, tally in tallies.items()} == dict.fromkeys(tallies, "holds")

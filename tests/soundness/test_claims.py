"""What a claim means is read in one way: the faults that this had, each put back, must be seen."""

from __future__ import annotations

import pytest

from tests.soundness.faults_of_claims import FAULTS
from tests.soundness.faults_of_runs import Fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_probe_of_a_fault_passes_and_fails_when_the_fault_is_put_back(fault: Fault) -> None:
    fault.probe()
    with fault.put_back(), pytest.raises((AssertionError, pytest.fail.Exception)):
        fault.probe()

"""The constant n of a claim is the number of components: a certificate in which it is another number shows nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boundcheck import falsify, verify
from boundcheck.letters import n
from boundcheck.theorems.performance_estimation.stochastic import sgd_overparametrized

pytest.importorskip("clarabel")


@pytest.mark.slow
def test_a_certificate_is_held_to_the_number_of_components():
    states = sgd_overparametrized.states
    too_sharp = replace(sgd_overparametrized, states=states.left <= states.right * (n - 1) / n)
    found = falsify(too_sharp)
    certificate = found.certificate
    assert certificate["constants"]["n"] == str(certificate["components"])
    assert verify(certificate).outcome == "refutes"
    forged = {**certificate, "constants": {**certificate["constants"], "n": "1"}}
    assert verify(forged).outcome == "does not refute"

"""What a claim means is read in one way: the faults that this had, each put back, must be seen."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module

import pytest

from boundcheck.check.answer import check
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.language.letters import D, Max, Min, Prod, Sum, eta, f, grad, i, inner, j, k, norm, normsq, x, xstar
from boundcheck.language.scalars import Number
from boundcheck.language.vectors import Vector
from boundcheck.problems.quadratic import quadratic
from boundcheck.runners import constant, run
from tests.soundness.faults_of_claims import FAULTS, GIVEN, verdict_of
from tests.soundness.faults_of_runs import Fault

PLANE = quadratic([[2, 1], [1, 3]], start=[1, 1])


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_probe_of_a_fault_passes_and_fails_when_the_fault_is_put_back(fault: Fault) -> None:
    fault.probe()
    with fault.put_back(), pytest.raises((AssertionError, pytest.fail.Exception)):
        fault.probe()


@pytest.mark.parametrize("vector", [grad(x[k + 1]) - grad(x[k + 1]), grad(x[k]) - grad(x[k]), 0 * grad(x[k])], ids=str)
@pytest.mark.parametrize("xp", ["rational", "ball:128", "float64"])
def test_a_vector_that_cancels_is_0_in_every_arithmetic(vector: Vector, xp: str) -> None:
    for states in (normsq(vector) <= 0, norm(vector) <= 0, inner(vector, x[k] - xstar) >= 0):
        found = verdict_of(Bound(given=GIVEN, states=states), PLANE, Fraction(1, 8), 4, xp)
        assert Outcome.VIOLATED not in found.outcomes and len(found.outcomes)
    assert set(verdict_of(Bound(given=GIVEN, states=normsq(vector) >= 1), PLANE, Fraction(1, 8), 4, xp).outcomes.tolist()) == {
        Outcome.VIOLATED
    }


@pytest.mark.parametrize("xp", ["rational", "ball:128", "float64"])
def test_a_product_of_factors_that_do_not_move_is_a_power(xp: str) -> None:
    claim = Bound(given=GIVEN, states=Prod(Min(Number(Fraction(2)), j, k, k), i, 0, k) <= 9)
    found = verdict_of(claim, PLANE, Fraction(1, 8), 4, xp).outcomes.tolist()
    assert found == [Outcome.HOLDS] * 3 + [Outcome.VIOLATED] * 2


def test_a_scan_goes_on_from_a_window_before_its_range_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("boundcheck.check.hypotheses_on_run"), "WINDOW", 1)
    monkeypatch.setattr(import_module("boundcheck.check.hypotheses_on_run"), "LEAST_WINDOW", 2)
    claim = Bound(given=GIVEN, states=Max(Sum(normsq(x[i]), i, 5, j), j, 0, k) == Sum(normsq(x[i]), i, 5, k))
    for xp in ("rational", "float64"):
        found = verdict_of(claim, PLANE, Fraction(1, 8), 12, xp)
        assert Outcome.VIOLATED not in found.outcomes and Outcome.HOLDS in found.outcomes


def test_steps_that_come_back_exactly_leave_no_chord() -> None:
    """By the rule 2/L every second point is the same; frozen, they are 2^-120 apart."""
    claim = Bound(given=GIVEN, states=D(x[k + 2], x[k]) < 1)
    found = verdict_of(claim, quadratic([[3]], start=[1]), Fraction(2, 3), 6, "ball:128")
    assert set(found.outcomes.tolist()) == {Outcome.UNDECIDED}


def test_a_run_that_ended_sooner_than_another_says_what_it_says_alone() -> None:
    claim = Bound(given=(*GIVEN, eta[i] > 0), states=f(x[k]) <= 10)
    short, long = constant(Fraction(1)), constant(Fraction(1, 2))
    problem = quadratic([[1]], start=[2])  # with a step of 1 it ends at x_1
    alone = check([claim], run(problem, short, steps=5, xp="rational"))[0]
    beside = check([claim], run(problem, [short, long], steps=5, xp="rational"))[0]
    assert alone.outcomes.tolist() == beside.outcomes.tolist() == [Outcome.HOLDS, Outcome.HOLDS]

"""The search: what it finds is proved, the same for any number of processes, and nothing true is broken."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from boundcheck import AtEachStep, Bound, Convex, Differentiable, GradientDescent, Smooth, StronglyConvex
from boundcheck.claims.hypotheses import Follows
from boundcheck.falsify import exact_check
from boundcheck.falsify.exact_check import look
from boundcheck.falsify.families import PIECEWISE, families
from boundcheck.falsify.search import CannotFail, SearchTask, search, tasks
from boundcheck.falsify.search_space import SCALED, Space, follows_implicitly
from boundcheck.falsify.strategies import STRATEGIES, Looker
from boundcheck.language.letters import D, Delta, L, Sum, eta, f, gap, grad, i, k, log, mu_f, normsq, x
from boundcheck.library.catalogue import bounds, bounds_in_file
from boundcheck.support.processes import pool

HISTORY = Path(__file__).parent / "history"
LIBRARY = {f"{b.label}@{b.reading}": b for b in bounds()}
TOO_MUCH = Bound(
    given=(Convex, Smooth, GradientDescent(), eta[i] <= 1 / L),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])),
)


def of_history(name: str) -> Bound:
    file, claim = name.split(":")
    (found,) = bounds_in_file(f"{HISTORY / file}:{claim}")
    return found


def test_a_false_claim_is_broken_and_the_failure_is_exact() -> None:
    result = search(TOO_MUCH, budget=30)
    assert result.found is not None and result.strategy == "small rationals"
    failure = look(TOO_MUCH, result.found.candidate)
    assert failure is not None and Fraction(failure.left) > Fraction(failure.right)


def test_the_same_seed_finds_the_same_in_any_number_of_processes() -> None:
    claim = LIBRARY["thm:ngd@printed"]
    one, two = (search(claim, budget=60, seed=5, jobs=jobs).found for jobs in (1, 2))
    assert one is not None and one == two
    other = search(claim, budget=60, seed=6).found
    assert other is not None and other != one


def test_a_process_that_is_killed_takes_nothing_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = search(LIBRARY["thm:ngd@printed"], budget=60, seed=5)
    perform, parent = SearchTask.perform, os.getpid()

    def dies(self: SearchTask, bound: Bound):
        if self.number == 3 and os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return perform(self, bound)

    monkeypatch.setattr(SearchTask, "perform", dies)
    result = search(LIBRARY["thm:ngd@printed"], budget=60, seed=5, jobs=2)
    assert result.found == alone.found and result.tasks == alone.tasks


def test_the_budget_ends_the_search() -> None:
    result = search(of_history("gradient_descent.py:gd_rate"), budget=2, jobs=2)
    assert result.found is None and result.seconds < 6 and result.looked_at > 1000 and result.ratio <= 1


def test_a_number_of_tasks_ends_it_too() -> None:
    result = search(of_history("gradient_descent.py:gd_rate"), budget=60, most_tasks=3)
    assert result.found is None and result.tasks == 3


def test_limits_and_claims_of_existence_are_refused() -> None:
    for name in ("prop:dirSmoothTight@printed", "sec:quadratic-case.dai-yang-limit@printed"):
        with pytest.raises(CannotFail, match="refutes it"):
            next(tasks(LIBRARY[name], 0))


def test_what_only_seems_to_fail_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score says that everything fails; exact numbers decide."""
    from boundcheck.falsify import lane_batch

    monkeypatch.setattr(lane_batch, "normalised", lambda op, left, right: np.ones(np.broadcast_shapes(left.shape, right.shape)))
    true = replace(TOO_MUCH, states=f(x[k + 1]) <= f(x[k]) - eta[k] / 2 * normsq(grad(x[k])))
    assert search(true, budget=20, most_tasks=4).found is None


@pytest.mark.parametrize("steps", range(1, 6))
def test_the_worst_case_of_gradient_descent_is_reached_within_one_percent(steps: int) -> None:
    """On L-smooth convex functions f(x_k) - f* is at most L Delta_0 / (4k + 2), and no less will do."""
    claim = of_history("gradient_descent.py:gd_rate")
    looker = Looker(Space(claim, "", PIECEWISE[1], (steps,)))
    STRATEGIES["evolution"](looker, np.random.default_rng(0))
    assert 0.99 <= looker.ratio <= 1 + 1e-9 and looker.found is None


@pytest.mark.parametrize("strategy", sorted(set(STRATEGIES) - {"drawn"}))
def test_each_strategy_breaks_a_sharpened_bound(strategy: str) -> None:
    claim = of_history("gradient_descent.py:gd_rate").sharpened(Fraction(9, 10))
    looker = Looker(Space(claim, "", PIECEWISE[1], (1, 2)))
    for seed in range(3):
        STRATEGIES[strategy](looker, np.random.default_rng(seed))
    assert looker.found is not None and look(claim, looker.found.candidate) is not None


def test_hypothesis_draws_a_failure_and_makes_it_simple() -> None:
    claim = Bound(given=(Convex, Smooth, GradientDescent()), states=gap(x[k]) <= L * Delta[0] / 100)
    looker = Looker(Space(claim, "", PIECEWISE[0], (1,)))
    STRATEGIES["drawn"](looker, np.random.default_rng(0))
    assert looker.found is not None


def test_families_obey_what_a_claim_demands_of_the_function() -> None:
    convex = families(TOO_MUCH, "")
    assert all(min(family.slopes) >= 0 for family in convex) and not any(f.closed == "power" for f in convex)
    free = families(replace(TOO_MUCH, given=(Smooth, GradientDescent(), eta[i] <= 1 / L)), "")
    assert any(min(family.slopes) < 0 for family in free)


def test_processes_are_forked_with_the_claim_in_them() -> None:
    assert pool._performing == []


def test_a_zero_gradient_ends_a_run(monkeypatch):
    """A step that descends enough is at most 1/mu, but from a minimum any step does: there is none."""
    enough = AtEachStep(f(x[i + 1]) <= f(x[i]) - eta[i] / 2 * normsq(grad(x[i])))
    claim = Bound(given=(StronglyConvex, Differentiable, GradientDescent(), enough), states=mu_f * eta[k] <= 1)
    assert search(claim, budget=30, most_tasks=8).found is None
    monkeypatch.setattr(exact_check, "goes_on", lambda claim, replay: True)
    assert search(claim, budget=30, most_tasks=8).found is not None


def test_steps_with_a_number_of_their_index_are_computed_and_not_searched_for() -> None:
    """eta_i = eta_0 / sqrt(i + 1): the i + 1 is no later entry."""
    (proved,) = (b for b in bounds() if b.id.endswith("thm:ngd.anytime-sum@proved"))
    ahead = Bound(states=proved.states, given=(GradientDescent(), Follows(eta[i] == 1 / D(x[i], x[i + 1]))))
    assert follows_implicitly(ahead) and not follows_implicitly(proved)
    false = replace(proved, states=Sum(eta[i] ** 2, i, 0, k - 1) <= eta[0] ** 2 * (1 - log(k)))
    assert search(false, budget=30, most_tasks=4).found is not None


def test_a_number_that_has_a_unit_is_found_by_other_units() -> None:
    """f(x_0) - f* <= 10^4 is true of every candidate in the usual ones."""
    claimed = Bound(states=gap(x[0]) <= 10**4, given=(Convex, Smooth, GradientDescent()))
    forms = [task.form for task in islice(tasks(claimed, 0), 300)]
    assert set(SCALED) <= set(forms)
    usual, other = (Looker(Space(claimed, "", PIECEWISE[0], (0, 1), form)) for form in ("free", "1000 f(x)"))
    for looker in (usual, other):
        STRATEGIES["small rationals"](looker, np.random.default_rng(0))
    assert usual.found is None and other.found is not None

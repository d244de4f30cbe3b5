"""Mutants are claims of their own, each with one thing changed, always the same ones in the same order."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Follows, GradientDescent
from boundcheck.language.letters import D, Delta, L, Min, Sum, eta, f, gap, grad, i, k, mean, norm, normsq, tends, x
from boundcheck.language.relations import chain
from boundcheck.language.scalars import Parameter
from boundcheck.library.catalogue import bounds
from boundcheck.model.problem import Convex, Differentiable, Smooth
from boundcheck.power.mutant import KEPT, Mutant, mutants, why_none

gamma = Parameter("gamma")
RATE = Bound(
    states=gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k))) <= Delta[0] / (2 * Sum(eta[i], i, 0, k)),
    given=(Convex(), Differentiable(), GradientDescent(), eta[i] <= 1 / D(x[i], x[i + 1])),
)
POLYAK = Bound(
    states=Min(gap(x[i]), i, 0, k - 1) <= gamma * L * Delta[0] / (k * (2 - gamma)),
    given=(Convex(), Smooth, GradientDescent(), Follows(eta[i] == gamma * gap(x[i]) / normsq(grad(x[i]))), gamma < 2),
    for_all=k >= 1,
    try_with={"gamma": (1, Fraction(3, 2))},
)


def made_from(bound: Bound, kind: str) -> list[Mutant]:
    return [m for m in mutants(bound) if m.kind == kind]


def statements(bound: Bound, kind: str) -> list[str]:
    return [str(m.bound.states) for m in made_from(bound, kind)]


def test_the_right_side_is_scaled_by_nine_tenths_and_by_a_half() -> None:
    scaled = [m.bound.states.right for m in made_from(RATE, "scaled")]
    assert [side.left.value for side in scaled] == [Fraction(9, 10), Fraction(1, 2)]


def test_of_a_lower_bound_the_larger_side_is_scaled() -> None:
    bound = replace(RATE, states=Delta[0] >= gap(x[k]))
    assert next(m.change for m in made_from(bound, "scaled")) == "the left side was multiplied by 9/10"


def test_both_ends_of_ranges_are_shifted_where_that_is_legal() -> None:
    changes = [m.change.split(" in ")[0] for m in made_from(RATE, "range")]
    assert "mean to k became mean to k+1" in changes and "sum from 0 became sum from 1" not in changes[:1]
    assert not any("from -1" in str(m.bound.states) or "=-1.." in str(m.bound.states) for m in mutants(RATE))


def test_the_left_side_is_asked_one_step_later() -> None:
    bound = replace(RATE, states=f(x[k]) <= Delta[0] / (k + 1))
    assert "f(x_{k+1}) <= |x_0 - x*|^2/(k+1)" in statements(bound, "index")
    assert not any("x_{k-1}" in s for s in statements(bound, "index")), "x_{-1} would be read at k = 0"
    assert "f(x_{k-1}) <= |x_0 - x*|^2/(k+1)" in statements(replace(bound, for_all=k >= 1), "index")


def test_the_mean_becomes_the_last_point_and_the_minimum_the_last_member() -> None:
    assert str(made_from(RATE, "mean")[0].bound.states).startswith("f(x_{k+1}) - f(x*) <=")
    assert str(made_from(POLYAK, "mean")[0].bound.states).startswith("f(x_{k-1}) - f(x*) <=")


def test_ends_of_chords_are_swapped_in_hypotheses_too() -> None:
    assert [m.change.split(" in ")[0] for m in made_from(RATE, "swap")] == ["D(x_i, x_{i+1}) became D(x_{i+1}, x_i)"]
    assert "eta_i <= 1/A(x_i, x_{i+1}) for every step" in [str(h) for m in made_from(RATE, "chord") for h in m.bound.hypotheses]


def test_each_hypothesis_but_the_method_is_dropped() -> None:
    assert sorted(m.change for m in made_from(RATE, "dropped")) == [
        "dropped: eta_i <= 1/D(x_i, x_{i+1}) for every step",
        "dropped: f is convex",
        "dropped: f is differentiable",
    ]


def test_inequalities_are_weakened() -> None:
    changes = [m.change for m in made_from(POLYAK, "weakened")]
    assert changes == ["gamma < 2 became gamma < 4", "gamma < 2 became gamma <= 2"]
    assert "became eta_i <= 2/D(x_i, x_{i+1})" in made_from(RATE, "weakened")[0].change


def test_a_sign_and_an_exponent_are_changed_and_the_linter_sees_what_is_ill_formed() -> None:
    (first, *_) = made_from(replace(RATE, states=gap(x[k]) <= Delta[0] * L), "sign")
    assert "f(x_k) + f(x*)" in str(first.bound.states) and first.lint
    (exponent,) = made_from(RATE, "exponent")
    assert str(exponent.bound.states.right).startswith("|x_0 - x*|/") and exponent.lint
    assert not any(m.lint for m in made_from(RATE, "scaled"))


def test_one_relation_of_a_chain_is_changed_at_a_time() -> None:
    bound = replace(RATE, states=chain(norm(grad(x[k])), "<=", 2 * norm(grad(x[0])), "<=", 3 * norm(grad(x[0]))))
    for m in mutants(bound):
        if m.kind in ("scaled", "constant"):
            same = [a.key == b.key for a, b in zip(m.bound.states.links, bound.states.links, strict=True)]
            assert sorted(same) == [False, True]


def test_limits_and_untested_claims_have_no_mutants() -> None:
    limit, untested = replace(RATE, states=tends(gap(x[k]), 0)), replace(RATE, untested="needs a sampler")
    assert "limit" in why_none(limit) and "needs a sampler" in why_none(untested) and why_none(RATE) == ""
    assert mutants(limit) == mutants(untested) == []


@pytest.mark.parametrize("bound", [b for b in bounds() if not b.is_refuted and not b.untested][::24], ids=lambda b: b.label)
def test_mutants_are_new_claims_with_names_of_their_own(bound: Bound) -> None:
    found = mutants(bound)
    assert len({m.bound.hash for m in found} | {bound.hash}) == len(found) + 1
    assert len({m.bound.id for m in found}) == len(found)
    assert all(0 < sum(m.kind == kind for m in found) <= KEPT[kind] for kind in {m.kind for m in found})
    for m in found:
        assert m.bound.id.split("@")[0] == bound.id.split("@")[0] and "/" not in m.bound.reading
        assert not m.bound.is_refuted and not m.bound.try_on
        again = Bound.from_json(m.bound.to_json())
        assert (again.hash, again.id) == (m.bound.hash, m.bound.id)
        assert "\n" not in m.change and m.change


def test_the_order_does_not_depend_on_the_seed_of_hashes() -> None:
    code = (
        "from boundcheck.claims.bound import Bound; from boundcheck.power.mutant import mutants\n"
        "from boundcheck.model.problem import Convex; from boundcheck.claims.hypotheses import GradientDescent\n"
        "from boundcheck.language.letters import *\n"
        "states = gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k))) <= Delta[0] / (2 * Sum(eta[i], i, 0, k)) + 3 * Delta[k]\n"
        "claim = Bound(states=states, given=(Convex(), GradientDescent(), eta[i] <= 1 / D(x[i], x[i + 1])))\n"
        "print([(m.bound.id, m.bound.hash) for m in mutants(claim)])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] and len(runs[0]) > 1000

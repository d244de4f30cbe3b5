"""The search with chord quantities that a paper defines: lanes compute the definition, and what is found is certified."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boundcheck import Bound, ChordQuantity, Convex, GradientDescent, Smooth, check, falsify, run, verify
from boundcheck.falsify.families import PIECEWISE, families
from boundcheck.falsify.lane_formulas import LaneFormulas
from boundcheck.gram.affine import NotModelled
from boundcheck.gram.builder import program
from boundcheck.gram.program import Setting
from boundcheck.language.letters import A, D, H, L, M, eta, f, grad, inner, k, larger, mu, norm, normsq, x
from boundcheck.language.vectors import Point

T = ChordQuantity("T", of=lambda p, q: norm(grad(p) - grad(q)) / norm(p - q))
W = ChordQuantity("W", of=lambda p, q: 2 * T(p, q), needs=(Convex,))
R = ChordQuantity("R", of=lambda p, q: 2 * abs(f(q) - f(p) - inner(grad(p), q - p)) / normsq(p - q))
S = ChordQuantity("S", of=lambda p, q: larger(A(p, q), -mu(p, q)))


def descent(fraction: int, *smoothness: Any) -> Bound:
    falls = f(x[k]) - eta[k] * (1 - eta[k] * M(x[k], x[k + 1]) / fraction) * normsq(grad(x[k]))
    return Bound(states=f(x[k + 1]) <= falls, given=(GradientDescent(), Convex), smoothness=smoothness)


def drawn(smoothness: Any = "") -> LaneFormulas:
    rng = np.random.default_rng(5)
    family = PIECEWISE[4]
    theta = np.stack([rng.choice([float(v) for v in grid], 64) for grid in family.grids], 1)
    ends = {name: rng.normal(size=(64, family.dimension)) for name in ("x", "y")}
    return LaneFormulas(family.functions(theta), smoothness, {}, ends)


@pytest.mark.parametrize(("known", "own"), [(D, W), (H, R)])
def test_lanes_compute_the_definition(known: Any, own: ChordQuantity) -> None:
    lanes, ends = drawn(), (Point("x"), Point("y"))
    assert np.allclose(lanes.scalar(own(*ends), {}), lanes.scalar(known(*ends), {}), rtol=1e-9)
    assert np.allclose(drawn(own).scalar(M(*ends), {}), drawn(known.kind).scalar(M(*ends), {}), rtol=1e-9)


def test_lanes_take_it_for_m_only_where_it_bounds_f() -> None:
    taken, needed = (np.asarray(drawn(kind).scalar(M(Point("x"), Point("y")), {})) for kind in (T, R))
    all_of_them = np.asarray(drawn().scalar(T(Point("x"), Point("y")), {}))
    enough = all_of_them >= needed * (1 - 1e-9)
    assert enough.any() and not enough.all()
    assert np.isfinite(taken[enough]).all() and np.isnan(taken[all_of_them < needed * (1 - 1e-6)]).all()


def test_its_facts_and_what_it_reads_choose_the_functions() -> None:
    free = Bound(states=M(x[k], x[k + 1]) <= 1, given=(GradientDescent(),), smoothness=(W, T, S))
    assert not any("not convex" in family.name for family in families(free, "W"))
    assert any("not convex" in family.name for family in families(free, "T"))
    assert any(family.closed for family in families(free, "T")) and not any(family.closed for family in families(free, "S"))


@pytest.mark.parametrize(
    "false",
    [
        Bound(states=T(x[k], x[k + 1]) <= L / 2, given=(GradientDescent(), Convex, Smooth)),
        Bound(states=S(x[k], x[k + 1]) <= L / 2, given=(GradientDescent(), Smooth)),
        Bound(states=T(Point("x"), Point("y")) <= L / 2, given=(Convex, Smooth)),
        descent(8, W),
        descent(4, "L", S),
    ],
    ids=["T", "S", "any two points", "M is W", "M is S"],
)
def test_a_false_claim_is_refuted_and_the_checker_agrees(false: Bound, tmp_path: Any) -> None:
    found = falsify(false, budget=60, jobs=1)
    assert found
    path = tmp_path / "found.json"
    found.write(path)
    assert verify(path).refutes


def test_a_true_claim_is_not_refuted_and_holds_exactly() -> None:
    trace = run("parabola", "1/L", steps=3, arithmetic="rational")
    for true in (descent(2, W), descent(2, T), Bound(states=T(x[k], x[k + 1]) <= L, given=(GradientDescent(), Smooth))):
        assert check(true, trace).outcome.name == "HOLDS"
    assert not falsify(descent(2, W), budget=3, jobs=1)


def test_where_it_is_no_m_the_claim_says_nothing() -> None:
    """On the Huber function, from one straight side to the other, T is too small."""
    trace = run("huber", "constant(12)", steps=1)
    (verdict,) = check(descent(2, T), trace)
    assert verdict.outcome.name == "VACUOUS"


def test_a_gram_program_says_why_it_does_not_know_it() -> None:
    with pytest.raises(NotModelled, match="M is W, which a formula of f at both points defines"):
        program(descent(8, W), Setting(smoothness="W"))
    with pytest.raises(NotModelled):
        program(Bound(states=T(x[k], x[k + 1]) <= L / 2, given=(GradientDescent(), Convex, Smooth)), Setting())

"""The truth is not taken on trust: exact rationals, mpmath and closed forms say the same."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.check.answer import answer
from boundcheck.check.question import Question
from boundcheck.check.verdict import Outcome
from boundcheck.library.catalogue import bounds, problems, rules
from boundcheck.runners.engine.chord_pairs import pairs
from boundcheck.runs.trace import Experiment
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import Profile

from .cells import Comparing, Tally, claims_of
from .deciding import Decided
from .numbers import fraction, settled, working
from .truth import Oracle

PROBLEMS = ("quadratic-3d", "huber", "smooth-abs", "quartic", "abs-3/2", "softplus", "log-sum-exp", "logistic-1d", "ridge-2d")


def rationally(setting: GridSetting, experiment: Experiment, asked: Any) -> Decided:
    trace = setting.trace(experiment, asked, "rational")
    return [(verdict, trace) for verdict in answer(asked, trace)]


def exactly(asked: list[Question]) -> list[Question]:
    return [Question(q.bound, q.smoothness, q.values, q.about, True) for q in asked]


@pytest.mark.parametrize("problem", ["quadratic-2d", "huber", "asymmetric", "figure-objective"])
def test_exact_rationals_agree_at_every_margin(problem: str) -> None:
    profile = Profile(name="exact", largest=400, steps=4, exact_steps={1: 4, 2: 4}, chords=30)
    setting = GridSetting(problems()[problem](), "rational", profile, tuple(rules()[r] for r in ("1/L", "polyak(3/2)")))
    tally = Tally()
    for rule in (*(r for r in setting.rules if not r.missing(setting.problem)), None):
        for experiment, asked in setting.experiments(bounds(), rule):
            some = exactly([made for q in asked for made in claims_of(q)][::25])
            tally.add(Comparing(setting, experiment, rationally, ks=4).compare(some))
    assert not tally.wrong, tally.wrong[0]
    assert len([c for c in tally.comparisons if c.outcome is not Outcome.UNDECIDED]) > 100


@pytest.mark.parametrize("name", PROBLEMS)
def test_mpmath_gives_the_same_values_and_gradients(name: str) -> None:
    problem, other = problems()[name](), arithmetic("mp:360").plain
    starts, _ = pairs(problem, 6, 1)
    for point in starts[::5][:6]:
        with working():
            oracle = Oracle(problem)
            here = [oracle.f(settled(point)), *oracle.grad(settled(point))]
            found = [fraction(value) for value in here]
        x = other.vector(point)
        there = [np.asarray(problem.f(other, x)).reshape(-1)[0], *np.asarray(problem.grad(other, x)).reshape(-1)]
        assert all(_near(a, b) for a, b in zip(found, there, strict=True)), point


def _near(a: Fraction, b: Any) -> bool:
    sign, mantissa, exponent, _ = b._mpf_
    exact = (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return abs(a - exact) <= Fraction(1, 10**340) * (abs(a) + 1)


def test_newton_finds_a_point_without_a_gradient_near_the_problems_own() -> None:
    problem = problems()["logistic-40x5"]()
    assert problem.minimiser is not None and problem.minimiser.radius > 0
    with working():
        oracle = Oracle(problem)
        off = [float(abs(fraction(a) - Fraction(b))) for a, b in zip(oracle.xstar, problem.minimiser.point, strict=True)]
        assert max(abs(fraction(g)) for g in oracle.grad(oracle.xstar)) < Fraction(1, 2**1000)
        value, error = Fraction(problem.minimiser.value), Fraction(problem.minimiser.value_error)
        assert abs(fraction(oracle.fstar) - value) <= error + Fraction(1, 10**60)
    assert 0 < max(off) <= problem.minimiser.radius


@pytest.mark.parametrize("x,y", [(2, -1), (1, 3), (-2, Fraction(1, 2)), (Fraction(1, 3), -5)])
def test_chord_numbers_of_the_quartic_are_those_of_its_formula(x: Fraction, y: Fraction) -> None:
    """f = x^4: the mean curvature up to u is 4 (u^2 + u x + x^2), least at u = -x/2."""
    inside = sorted((Fraction(x), Fraction(y)))
    ends = [4 * (u * u + u * x + x * x) for u in (Fraction(x), Fraction(y))]
    least = 3 * Fraction(x) ** 2 if inside[0] <= -Fraction(x) / 2 <= inside[1] else min(ends)
    scale = Fraction(_coefficient())
    with working():
        oracle = Oracle(problems()["quartic"]())
        found = [fraction(oracle.curvature(kind, settled([x]), settled([y]))) for kind in ("A", "mu")]
    for value, wanted in zip(found, (max(ends), least), strict=True):
        assert abs(value - scale * wanted) <= Fraction(1, 10**12) * scale * wanted


def _coefficient() -> int:
    """c of f = c x^4."""
    with working():
        return int(fraction(Oracle(problems()["quartic"]()).f(settled([1]))))


@pytest.mark.parametrize("name", [*PROBLEMS, "sharp-huber", "logistic-40x5"])
def test_searched_chord_numbers_lie_in_the_problems_enclosures(name: str) -> None:
    problem, xp = problems()[name](), arithmetic("float64")
    assert problem.chord is not None
    starts, ends = pairs(problem, 12, 2)
    for start, end in list(zip(starts, ends, strict=True))[::3][:8]:
        x, y = (xp.vectors(np.array([[float(c) for c in p]])) for p in (start, end))
        gx, gy = problem.grad(xp, x), problem.grad(xp, y)
        for kind, side in (("A", "sup"), ("mu", "inf")):
            enclosed = problem.chord(xp, x, y - x, gx, gy, side)
            middle, error = float(xp.middle(enclosed).reshape(-1)[0]), float(xp.error(enclosed).reshape(-1)[0])
            with working():
                value = float(Oracle(problem).curvature(kind, settled(start), settled(end)).mid())
            assert abs(value - middle) <= error + 1e-11 * abs(value), (kind, start, end)

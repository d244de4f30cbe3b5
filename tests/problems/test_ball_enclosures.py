"""Balls hold the truth: every oracle of every standard problem, at points and on balls; and a lost error is noticed."""

from __future__ import annotations

import importlib.util
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import Problem
from boundcheck.problems import CATALOGUE
from boundcheck.problems.logistic import logistic, synthetic_logistic
from boundcheck.problems.quadratic import rank_deficient

_SPEC = importlib.util.spec_from_file_location("ball_enclosures", Path(__file__).with_name("enclosing.py"))
assert _SPEC is not None and _SPEC.loader is not None
enclosing = importlib.util.module_from_spec(_SPEC)
sys.modules["ball_enclosures"] = enclosing
_SPEC.loader.exec_module(enclosing)

BALL, LARGER = arithmetic("ball:128"), arithmetic("ball:512")


def test_oracles_in_balls_hold_the_truth(small: Problem) -> None:
    count = 3 if small.dimension > 3 else 10
    enclosing.oracles_hold_the_truth(small, BALL, count=count)
    enclosing.oracles_hold_the_truth(small, LARGER, count=3, seed=1)


def test_oracles_on_wide_balls_hold_the_truth_of_their_points(small: Problem) -> None:
    enclosing.balls_hold_the_truth_of_their_points(small, BALL, count=4 if small.dimension > 3 else 8)


def test_chords_in_balls_hold_the_truth(small: Problem) -> None:
    enclosing.chords_hold_the_truth(
        small, BALL, count=2 if small.dimension > 3 else 6, searched=110 if small.dimension == 1 else 0
    )


def test_chords_in_balls_of_more_bits_lie_inside(small: Problem) -> None:
    """The same number at 128 and at 512 bits: the enclosures meet, and both are narrow."""
    assert small.chord is not None
    for x, d in enclosing.pairs(small, 6, 3):
        for side in ("sup", "inf"):
            one, other = (
                small.chord(xp, u, v, small.grad(xp, u), small.grad(xp, u + v), side).data[()]
                for xp in (BALL, LARGER)
                for u, v in [(xp.vectors(x), xp.vectors(d))]
            )
            assert one.overlaps(other)
            assert float(one.rad()) <= 1e-12 * (1 + abs(float(one.mid())))


def problems_on_data() -> dict[str, Callable[[], Problem]]:
    """Data of deficient rank, data that are separable in part, and a singular quadratic."""
    rng = np.random.default_rng(7)
    A = np.round(rng.standard_normal((24, 3)) * 64) / 64
    y = np.where(rng.random(24) < 0.5, -1.0, 1.0)
    return {
        "dependent columns": lambda: logistic(np.c_[A, A[:, 0] - A[:, 1]], y, name="dependent columns"),
        "separable in part": lambda: logistic(np.c_[A, np.r_[np.zeros(20), y[20:]]], y, name="separable in part"),
        "singular": lambda: rank_deficient(5, rank=2, seed=5, name="singular"),
    }


@pytest.mark.parametrize("name", list(problems_on_data()))
def test_deficient_and_separable_data_in_balls(name: str) -> None:
    problem = problems_on_data()[name]()
    assert (problem.minimiser is None) == (name == "separable in part")
    enclosing.oracles_hold_the_truth(problem, BALL, count=4)
    enclosing.balls_hold_the_truth_of_their_points(problem, BALL, count=2)
    enclosing.chords_hold_the_truth(problem, BALL, count=1, searched=0)


# -- refined minimisers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [lambda: synthetic_logistic(40, 5, seed=40), problems_on_data()["dependent columns"]])
def test_a_minimiser_is_refined_on_demand(made: Callable[[], Problem]) -> None:
    problem = made()
    assert problem.minimiser is not None
    coarse, fine = problem.minimiser.at(BALL), problem.minimiser.at(LARGER)
    assert coarse == problem.minimiser
    assert fine.radius < 2.0**-500 < coarse.radius and fine.value_error < 2.0**-500
    for a, b in zip(coarse.point, fine.point, strict=True):
        assert abs(Fraction(a) - Fraction(b)) <= Fraction(coarse.radius) + Fraction(fine.radius)
    assert abs(Fraction(coarse.value) - Fraction(fine.value)) <= Fraction(coarse.value_error) + Fraction(fine.value_error)
    again = pickle.loads(pickle.dumps(problem)).minimiser
    assert again == problem.minimiser and again.at(LARGER) == fine


def test_the_gap_is_known_far_below_float64() -> None:
    """At a point 1e-30 from x* the gap, about 1e-60, is known to several digits, and at 512 bits to more."""
    problem = synthetic_logistic(40, 5, seed=40)
    assert problem.minimiser is not None and problem.gap is not None
    star = [Fraction(c) for c in problem.minimiser.at(LARGER).point]
    found = []
    for xp, wanted in ((BALL, 1e-5), (LARGER, 1e-100)):
        with xp.working():
            x = xp.vectors(xp.plain.stored(xp.vector([c + Fraction(1, 10**30) for c in star]).data))
        gap = problem.gap(xp, x, problem.grad(xp, x)).data[()]
        assert gap > 0 and 1e-62 < float(gap.mid()) < 1e-57 and float((gap.rad() / gap.mid()).mid()) < wanted
        found.append(gap)


# -- what must be rejected -------------------------------------------------------------------------------------------------


def without_error(oracle: Any) -> Any:
    """The oracle's answer with its error dropped."""

    def bare(xp: Any, *args: Any) -> Any:
        answer = oracle(xp, *args)
        if xp is not BALL:
            return answer
        return type(answer)(xp, np.frompyfunc(lambda a: a.mid(), 1, 1)(answer.data))

    return bare


@pytest.mark.parametrize("name", ["smooth-abs", "softplus", "log-sum-exp", "logistic-40x5", "nonconvex", "abs-3/2"])
@pytest.mark.parametrize("oracle", ["f", "grad", "gap", "bregman"])
def test_an_oracle_that_drops_its_error_is_noticed(name: str, oracle: str) -> None:
    problem = CATALOGUE[name]()
    broken = replace(problem, **{oracle: without_error(getattr(problem, oracle))})
    with pytest.raises(enclosing.Outside):
        enclosing.oracles_hold_the_truth(broken, BALL, count=3)


@pytest.mark.parametrize("name", ["softplus", "log-sum-exp", "smooth-abs", "quartic", "huber", "nonconvex"])
def test_a_chord_quantity_that_is_off_by_little_is_noticed(name: str) -> None:
    """By 1e-20 of itself, or the inf in place of the sup."""
    problem = CATALOGUE[name]()
    assert problem.chord is not None

    def shifted(xp: Any, *args: Any) -> Any:
        answer = problem.chord(xp, *args)  # type: ignore[misc]
        return answer * (1 + xp.scalar(Fraction(1, 10**20))) if xp is BALL else answer

    def swapped(xp: Any, *args: Any) -> Any:
        side = args[-1] if xp is not BALL else "inf" if args[-1] == "sup" else "sup"
        return problem.chord(xp, *args[:-1], side)  # type: ignore[misc]

    for chord in (shifted, swapped):
        with pytest.raises(enclosing.Outside):
            enclosing.chords_hold_the_truth(replace(problem, chord=chord), BALL, count=4, searched=110)


def test_a_minimiser_that_claims_too_small_a_radius_is_noticed() -> None:
    problem = synthetic_logistic(40, 5, seed=40)
    assert problem.minimiser is not None
    off = replace(problem.minimiser, point=tuple(Fraction(c) + Fraction(1, 2**300) for c in problem.minimiser.point))
    fine = problem.minimiser.at(LARGER)
    assert any(abs(Fraction(a) - Fraction(b)) > Fraction(off.radius) for a, b in zip(off.point, fine.point, strict=True))

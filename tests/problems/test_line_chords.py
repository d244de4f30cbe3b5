"""Branch and bound along a line: sums of log(1 + exp) of every size, against the secant slope itself at many places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from flint import arb

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.problems import CATALOGUE
from boundcheck.problems._numerics.branch_and_bound import Known
from boundcheck.problems._numerics.line_chords import extremum
from boundcheck.problems._numerics.line_functions import SoftplusBalls
from boundcheck.problems.logistic import logistic
from boundcheck.problems.nonconvex import _Line

FLOAT64, BALL = arithmetic("float64"), arithmetic("ball:128")
PLACES = np.unique(np.r_[np.linspace(0, 1, 41), np.geomspace(1e-9, 1, 12)])
Numbers = tuple[Any, Any]


def lines(count: int, seed: int) -> list[Numbers]:
    """z and w: a few terms or many, near 0 or far away, with steps from 1e-250 to 300."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(count):
        n = (1, 2, 5, 40)[i % 4]
        z = rng.standard_normal(n) * (0.1, 1.0, 10.0, 60.0)[i // 4 % 4]
        made.append((z, rng.standard_normal(n) * (1.0, 10.0, 1e-3, 300.0, 1e-12, 1e-40, 3.0, 1e-250)[i % 8]))
    return made


def of_numbers(z: Any, w: Any) -> SoftplusBalls:
    return SoftplusBalls([arb(float(a)) for a in z], [arb(float(b)) for b in w])


def passes(make: Callable[[Any, Any], Any], z: Any, w: Any, *, relative: float = 1e-6) -> bool:
    """Whether both extrema hold every secant slope between them, and each is near one."""
    with Precision(128):
        line = make(z, w)
        low, high = (extremum(line, side, 128) for side in ("inf", "sup"))
    with Precision(400):
        true = of_numbers(z, w)
        slopes = [true.exactly(arb(float(t)) * arb(true.end))[0] for t in PLACES]
        inside = all(low.lower() <= q.upper() and q.lower() <= high.upper() for q in slopes)
        width = max((high.rad() + low.rad()), arb(0)) <= arb(relative) * abs(high).upper()
        # between places q moves little: the extremum cannot be far beyond the best of them
        top, bottom = max(slopes, key=lambda q: float(q.mid())), min(slopes, key=lambda q: float(q.mid()))
        near = high.lower() <= top * arb(1.2) and low.upper() >= bottom / arb(1.2)
    return bool(inside and width and near)


@pytest.mark.parametrize("seed", range(4))
def test_both_extrema_of_any_sum_are_enclosed(seed: int) -> None:
    for z, w in lines(32, seed):
        assert passes(of_numbers, z, w), (z[:3], w[:3])


def test_a_line_that_understates_its_bend_or_its_errors_is_noticed() -> None:
    class Straight(SoftplusBalls):
        def bend(self, t: Any, known: Known) -> Any:
            return super().bend(t, known) * 1e-9

    class Shifted(SoftplusBalls):
        def at(self, t: Any) -> Known:
            known = super().at(t)
            return Known(known.q * (1 + 1e-3), known.q_error, known.second, known.second_error, known.third, known.third_error)

    for line in (Straight, Shifted):

        def wrong(z: Any, w: Any, line: Any = line) -> Any:
            return line([arb(float(a)) for a in z], [arb(float(b)) for b in w])

        outcomes = []
        for z, w in lines(32, 0):
            try:
                outcomes.append(passes(wrong, z, w))
            except ValueError:  # two enclosures of one number that do not meet
                outcomes.append(False)
        assert not all(outcomes)


@pytest.mark.parametrize("name", ["logistic-40x5", "logistic-280x34", "mammographic"])
def test_float64_and_balls_agree_on_data(name: str) -> None:
    """float64's enclosure meets that of balls, and both are narrow."""
    if name not in CATALOGUE:
        pytest.skip(f"{name} needs its data")
    problem = CATALOGUE[name]()
    assert problem.chord is not None and problem.minimiser is not None
    rng = np.random.default_rng(3)
    centre = np.array([float(c) for c in problem.minimiser.point])
    x = centre + rng.standard_normal((1, 6, problem.dimension))
    d = rng.standard_normal(x.shape) * np.array([1.0, 0.1, 1e-3, 1e-8, 3.0, 1e-14])[:, None]
    for side in ("sup", "inf"):
        found, known = (problem.chord(xp, xp.vectors(x), xp.vectors(d), None, None, side) for xp in (FLOAT64, BALL))
        assert (np.abs(FLOAT64.middle(found) - BALL.middle(known)) <= FLOAT64.error(found) * (1 + 1e-12)).all()
        assert (FLOAT64.error(found) <= 1e-8 * FLOAT64.middle(found)).all()
        assert (BALL.error(known) <= 1e-15 * BALL.middle(known)).all()


def test_a_wide_ball_holds_the_chords_of_its_points() -> None:
    rng = np.random.default_rng(4)
    problem = logistic(rng.standard_normal((30, 3)), np.where(rng.random(30) < 0.5, -1.0, 1.0))
    assert problem.chord is not None
    for radius in (1e-3, 1e-9, 1e-20):
        x, d = rng.standard_normal((2, 1, 3))
        for side in ("sup", "inf"):
            for xp in (FLOAT64, BALL):
                reach = np.full(1, radius)
                wide = problem.chord(xp, xp.vectors(x, reach), xp.vectors(d, reach), None, None, side)
                assert np.isfinite(xp.error(wide)).all() and (xp.error(wide) <= 1e3 * radius + 1e-9).all()
                for _ in range(5):
                    u, v = (a + radius / 2 * rng.uniform(-1, 1, 3) for a in (x, d))
                    narrow = problem.chord(BALL, BALL.vectors(u), BALL.vectors(v), None, None, side)
                    off = np.abs(xp.middle(wide) - BALL.middle(narrow))
                    assert (off <= xp.error(wide) + BALL.error(narrow) + 1e-15).all()


def test_no_step_and_an_unseen_step_have_no_curvature() -> None:
    """A step that no sample sees: A = mu = 0, up to underflow in float64; no step at all: undefined."""
    problem = logistic(np.c_[np.eye(3), np.zeros(3)][[0, 1, 2, 0]], [1.0, -1.0, 1.0, -1.0])
    assert problem.chord is not None
    x = BALL.vectors(np.ones((1, 4)))
    for step, wanted in (([0.0, 0.0, 0.0, 2.0], 0.0), ([0.0] * 4, None)):
        answer = problem.chord(BALL, x, BALL.vectors(np.array([step])), None, None, "sup").data[0]
        assert answer.contains(0) and answer.abs_upper() < 1e-290 if wanted is not None else not answer.is_finite()


def test_a_step_that_is_nothing_but_its_error_is_soon_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Near a minimiser w may be 0 +- 1e-38, its middle far smaller: splitting boxes tells no more, and doubles them each time."""
    looked = []
    at = SoftplusBalls.at
    monkeypatch.setattr(SoftplusBalls, "at", lambda line, t: looked.append(len(t)) or at(line, t))
    with Precision(128):
        for middle in (0.0, 1e-60, 1e-150, 1e-250, 1e-300):
            found = extremum(SoftplusBalls([arb(0, 1e-38)], [arb(middle, 1e-38)]), "sup", 128)
            assert found.contains(arb(0)) and found.is_finite()
    assert sum(looked) < 5000


@pytest.mark.parametrize(("x", "d"), [(1e8, -2e8), (1.0, -1e12), (5e4, 1e9), (2.0, -1e6)])
def test_a_line_that_is_far_too_long_takes_few_places_and_is_enclosed(x: float, d: float) -> None:
    """x^2 / (1 + x^2) bends near 0 only: every round once doubled the boxes, up to millions, and told no more."""
    taken = []

    class Counted(_Line):
        def at(self, t: Any) -> Known:
            taken.append(len(t))
            return super().at(t)

    with Precision(128):
        line = Counted([arb(x)], [arb(d)])
        low, high = (extremum(line, side, 128) for side in ("inf", "sup"))
    with Precision(400):
        slopes = [_Line([arb(x)], [arb(d)]).exactly(arb(float(t)) * arb(line.end))[0] for t in PLACES]
        assert all(low.lower() <= q.upper() and q.lower() <= high.upper() for q in slopes)
    assert sum(taken) < 3000

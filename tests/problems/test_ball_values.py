"""f, its gradient, gaps and Bregman differences of logistic regression in balls enclose their values at 2,000 bits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest

from boundcheck.arithmetic.balls.ball import Ball
from boundcheck.arithmetic.balls.functions import arb, lift
from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.problems._numerics import ball_values
from boundcheck.problems.logistic import synthetic_logistic

PROBLEM = synthetic_logistic(24, 4, seed=2)
Z = [[Fraction(v) for v in row] for row in PROBLEM.grad.__self__.constants.array.tolist()]  # type: ignore[attr-defined]
STAR = PROBLEM.minimiser.refined(1500)  # type: ignore[union-attr,misc]
Point = list[Fraction]


def f(x: Point) -> Any:
    """The plain definition."""
    margins = [lift(sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0))) for row in Z]
    return sum(((1 + z.exp()).log() for z in margins), arb(0))


def gradient(x: Point) -> list[Any]:
    margins = [lift(sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0))) for row in Z]
    slopes = [1 / (1 + (-z).exp()) for z in margins]
    return [sum((lift(row[j]) * s for row, s in zip(Z, slopes, strict=True)), arb(0)) for j in range(4)]


def dyadic(values: Any) -> Point:
    return [Fraction(float(v)) for v in values]


def points(count: int = 24) -> list[Point]:
    """Far, near 0, and nearer and nearer to the minimiser: to 2^-60 of it."""
    rng = np.random.default_rng(1)
    near = [
        [Fraction(round(p * 2**110), 2**110) + d * Fraction(1, 2 ** (5 * n)) for p, d in zip(STAR.point, dyadic(v), strict=True)]
        for n, v in enumerate(rng.standard_normal((count // 2, 4)))
    ]
    return near + [dyadic(v * 10 ** rng.uniform(-3, 1.5)) for v in rng.standard_normal((count // 2, 4))]


def moved(x: Point, radius: float, seed: int) -> Point:
    """A point at that distance from x, or a little less."""
    v = np.random.default_rng(seed).standard_normal(len(x))
    v *= radius * (1 - 1e-9) / np.linalg.norm(v)
    return [a + b for a, b in zip(x, dyadic(v), strict=True)]


def outside(xp: Ball, radius: float) -> int:
    """How many gaps, values, gradients and Bregman differences do not enclose those of a point within the radius."""
    missed = 0
    for n, x in enumerate(points()):
        true, ball = moved(x, radius, n), xp.vectors([x], [radius])
        step = dyadic(np.random.default_rng(n).standard_normal(4) * 2.0 ** (-4 * (n % 12)))
        d = xp.vectors([step])
        g = PROBLEM.grad(xp, ball)
        found = [PROBLEM.gap(xp, ball, g), PROBLEM.f(xp, ball), PROBLEM.bregman(xp, ball, d, g, PROBLEM.grad(xp, ball + d))]  # type: ignore[misc]
        with Precision(2000):
            slope = gradient(true)
            along = sum((a * lift(b) for a, b in zip(slope, step, strict=True)), arb(0))
            wide = arb(0, STAR.value_error)
            end = [a + b for a, b in zip(true, step, strict=True)]
            exact = [f(true) - lift(Fraction(STAR.value)) + wide, f(true), f(end) - f(true) - along]
            missed += sum(not a.data.reshape(-1)[0].overlaps(b) for a, b in zip(found, exact, strict=True))
            missed += sum(not a.overlaps(b) for a, b in zip(g.data.reshape(-1), slope, strict=True))
    return missed


@pytest.mark.parametrize("bits", [128, 256])
@pytest.mark.parametrize("radius", [0.0, 2.0**-100, 2.0**-40, 2.0**-8])
def test_values_in_balls_enclose_the_truth(bits: int, radius: float) -> None:
    assert outside(Ball(bits), radius) == 0


def test_gaps_and_differences_are_narrow_though_values_cancel() -> None:
    xp = Ball(128)
    for x in points():
        ball = xp.vectors([x])
        g = PROBLEM.grad(xp, ball)
        assert PROBLEM.gap(xp, ball, g).data[0].rel_accuracy_bits() >= 100  # type: ignore[misc]
        assert min(entry.rel_accuracy_bits() for entry in g.data[0]) >= 80


def without_radii(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ball_values, "about", lambda slope, L, radius: 0.0)


def without_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gradient at the middle taken for that near it."""
    real = ball_values.centre
    monkeypatch.setattr(ball_values, "centre", lambda balls: (real(balls)[0], 0.0))


def without_centres(monkeypatch: pytest.MonkeyPatch) -> None:
    """The middles taken for the points."""
    real = ball_values._centres
    monkeypatch.setattr(ball_values, "_centres", lambda *given: [(point, 0.0) for point, _ in real(*given)])


def without_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ball_values.enclosed

    def off(known: Any, bits: int) -> Any:
        lowest, star = real(known, bits)
        return lowest + arb(2) ** -90, star

    monkeypatch.setattr(ball_values, "enclosed", off)


@pytest.mark.parametrize("mutant", [without_radii, without_distances, without_centres, without_the_minimum])
def test_a_dropped_error_is_caught(mutant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    PROBLEM.grad.__self__.constants._lifted.clear()  # type: ignore[attr-defined]
    found = outside(Ball(128), 0.0 if mutant is without_the_minimum else 2.0**-40)
    PROBLEM.grad.__self__.constants._lifted.clear()  # type: ignore[attr-defined]
    assert found > 0


def test_one_exponential_serves_f_and_the_gradient() -> None:
    xp = Ball(169)
    x = xp.vectors(np.full(4, 0.25))
    value, g = PROBLEM.f(xp, x), PROBLEM.grad(xp, x)
    kept = PROBLEM.grad.__self__.constants._images[0]  # type: ignore[attr-defined]
    assert kept[0] is x and kept[2][0] is value and kept[2][1] is g


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The points at which exponentials are computed from now on."""
    found: list[Any] = []
    real = ball_values.BallValues._margins

    def margins(self: Any, point: list[Any]) -> list[Any]:
        found.append(point)
        return real(self, point)

    monkeypatch.setattr(ball_values.BallValues, "_margins", margins)
    return found


def test_a_point_that_was_visited_costs_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    xp = Ball(128)
    at = xp.vectors([[0.25, -1.5, 0.75, 3.0]])
    first = PROBLEM.grad(xp, at)
    points = counted(monkeypatch)
    again = PROBLEM.grad(xp, xp.vectors([[0.25, -1.5, 0.75, 3.0]]))
    PROBLEM.gap(xp, xp.vectors([[0.25, -1.5, 0.75, 3.0]], [2.0**-100]), None)  # type: ignore[misc]
    assert not points and all(a.mid() == b.mid() for a, b in zip(first.data[0], again.data[0], strict=True))


def there_and_back(off: float) -> tuple[Any, Any, Any]:
    """A Bregman difference from x to a point that lies by `off` beside one that was visited; its value; how long the step is."""
    xp, x, step = Ball(128), dyadic([0.3, -0.2, 1.1, 0.7]), dyadic([-0.01, 0.03, 0.02, -0.005])
    end = [a + b for a, b in zip(x, step, strict=True)]
    for visited in (x, end):
        PROBLEM.grad(xp, xp.vectors([visited]))
    d = [s + Fraction(off) for s in step]
    made = PROBLEM.bregman(xp, xp.vectors([x]), xp.vectors([d]), *(PROBLEM.grad(xp, xp.vectors([p])) for p in (x, end)))  # type: ignore[misc]
    with Precision(2000):
        slope = sum((a * lift(b) for a, b in zip(gradient(x), d, strict=True)), arb(0))
        return made.data[0], f([a + b for a, b in zip(x, d, strict=True)]) - f(x) - slope, d


def test_a_visited_point_serves_its_neighbours_within_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    PROBLEM.grad.__self__.constants._lifted.clear()  # type: ignore[attr-defined]
    points = counted(monkeypatch)
    for off, expected in ((2.0**-130, 2), (2.0**-60, 3)):
        points.clear()
        PROBLEM.grad.__self__.constants._lifted.clear()  # type: ignore[attr-defined]
        found, truth, _ = there_and_back(off)
        assert len(points) == expected and found.overlaps(truth) and found.rel_accuracy_bits() > 90


def test_the_distance_to_a_neighbour_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ball_values, "ROUNDED", 64)  # neighbours from far off, which share a name
    monkeypatch.setattr(ball_values.BallValues, "_name", lambda self, point: tuple(float(number) for number in point))
    PROBLEM.grad.__self__.constants._lifted.clear()  # type: ignore[attr-defined]
    found, truth, _ = there_and_back(2.0**-75)
    assert found.overlaps(truth)
    monkeypatch.setattr(ball_values, "about", lambda slope, L, radius: 0.0)
    found, truth, _ = there_and_back(2.0**-75)
    PROBLEM.grad.__self__.constants._lifted.clear()  # type: ignore[attr-defined]
    assert not found.overlaps(truth)


def test_the_precision_outside_is_left_alone() -> None:
    before = flint.ctx.prec
    PROBLEM.gap(Ball(300), Ball(300).vectors(np.zeros((2, 4))), None)  # type: ignore[misc]
    assert flint.ctx.prec == before


def test_unbounded_balls_give_unbounded_lengths_and_no_difference() -> None:
    xp = Ball(128)
    nan, zero = arb.nan(), arb(0)
    assert ball_values.length([zero, nan]) == ball_values.length([nan, zero]) == np.inf
    assert ball_values.length([zero, zero]) == 0.0
    assert 5 <= ball_values.length([arb(3), arb(-4)]) < 5 + 1e-9
    assert 0 < ball_values.length([arb(2) ** -2000]) < 1e-290
    wide = xp.vectors(np.zeros((1, 4)), [np.inf])
    assert not PROBLEM.gap(xp, wide, None).data[0].is_finite()  # type: ignore[misc]

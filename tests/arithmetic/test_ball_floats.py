"""Balls looked at in floating point: radii are never too small, and what middles and radii decide is what the balls decide."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest

from boundcheck.arithmetic import Arithmetic, Order, arithmetic
from boundcheck.arithmetic.balls import ball as ball_module
from boundcheck.arithmetic.balls.ball import in_floats, sizes

from .ball_truth import exact
from .test_ball import XP

UNBOUNDED = (flint.arb.nan(), flint.arb.pos_inf(), flint.arb(0, math.inf))


def numbers(seed: int, count: int = 400) -> list[Any]:
    """Balls from 2^-3000 to 2^3000, exact and not, zeros and unbounded ones among them."""
    rng = np.random.default_rng(seed)
    made: list[Any] = [flint.arb(0), flint.arb(1), *UNBOUNDED]
    for _ in range(count):
        middle = flint.arb(float(rng.standard_normal())) * flint.arb(2) ** int(
            rng.choice([-3000, -1074, -60, 0, 0, 0, 60, 1023, 3000])
        )
        radius = flint.arb(2) ** int(rng.choice([-3100, -1080, -120, -60, -40, -2, 1000]))
        made.append(middle if rng.random() < 0.3 else middle + flint.arb(0, radius))
    return made


def stacked(balls: list[Any]) -> Any:
    made = np.empty(len(balls), dtype=object)
    made[:] = balls
    return XP.scalars(made)


def neighbours(seed: int) -> tuple[Any, Any]:
    """Pairs of balls: any two, two that differ by about their radii, and two near one float64 that touch or do not."""
    rng, unit = np.random.default_rng(seed), flint.arb(2) ** -56
    first, second = numbers(seed), numbers(seed + 1)
    for ball in numbers(seed + 2)[5:]:
        first.append(ball)
        second.append(ball + int(rng.integers(-4, 5)) * ball.rad())
    with XP.working():
        for _ in range(1500):
            middle, width, other, off = (int(n) for n in rng.integers([0, 0, 0, -40], [64, 20, 20, 40]))
            first.append(1 + middle * unit + flint.arb(0, width * unit))
            second.append(1 + (middle + off) * unit + flint.arb(0, other * unit))
    return stacked(first), stacked(second)


def test_radii_are_never_rounded_down_and_0_is_for_exact_balls() -> None:
    balls = numbers(1)
    middles, radii = in_floats(stacked(balls).data)
    for ball, middle, radius in zip(balls, middles.tolist(), radii.tolist(), strict=True):
        if not ball.is_finite():
            assert math.isnan(middle) and radius == math.inf
            continue
        assert radius == math.inf or Fraction(radius) >= exact(ball.rad())
        assert (radius == 0) == ball.is_exact()
    for ball, size in zip(balls, sizes(stacked(balls).data).tolist(), strict=True):
        assert size == math.inf or Fraction(size) >= exact(ball.abs_upper())
        assert (size == 0) == ball.is_zero()


def decided_otherwise() -> int:
    """How many pairs are ordered otherwise than the balls themselves are."""
    a, b = neighbours(10)
    found = XP.compare(a, b)
    return int((found != XP.apply(XP.plain.compare, a.data, b.data)).sum())


def test_orders_are_those_of_the_balls() -> None:
    a, b = neighbours(10)
    assert decided_otherwise() == 0
    assert {Order(order) for order in XP.compare(a, b).tolist()} == set(Order)


@pytest.mark.parametrize("dropped", ["radius", "rounding of the middles"])
def test_a_dropped_error_would_be_seen(dropped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reach = {"radius": lambda a: np.abs(a[0]) * 2.0**-52 + 2.0**-1000, "rounding of the middles": lambda a: a[1]}
    monkeypatch.setattr(ball_module, "_reach", reach[dropped])
    assert decided_otherwise() > 0


def test_distances_are_those_of_the_definition() -> None:
    a, b = neighbours(20)
    found, plain = XP.distance(a, b), Arithmetic.distance(XP, a, b)
    near = plain < 2.0**-11
    assert near.any() and (found[near] == plain[near]).all()
    known = np.isfinite(plain)
    assert (np.isfinite(found) == known).all() and np.allclose(found[known], plain[known], rtol=1e-7, atol=0)


def test_what_was_looked_at_cannot_be_written_to() -> None:
    a = arithmetic("ball:100").scalars([1, 2])
    with pytest.raises(ValueError, match="read-only"):
        arithmetic("ball:100").middle(a)[0] = 3.0

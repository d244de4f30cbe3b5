"""Strongly adapted steps for D in float64 from a guess nearby, where the problem knows its gradient along a ray.

Delta(eta) = grad f(x - eta g) - g comes with its first two derivatives, and eta = 1/D says |Delta(eta)| = |g| / 2. The second
order model of Delta about a guess is a quartic in one number; its root near the guess is the next guess, and the error falls
with its third power. If a bound of |Delta'''| says that nothing is left, that is the root; else |Delta| alone is looked at there.
From the step before, that is the end of it on most steps.

A guess below 1/(2L) is no root, since |Delta| <= eta L |g|. What does not arrive is given up: `solve` then looks for a sign
change without any guess.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

LOOKS = 30
ARRIVED = 2.0**-32  # a value that the slope of the model takes to less than rounding, off as that may be
ROUNDING = 2.0**-44  # a value at which there is nothing more to find
TOO_FAR = 4.0  # a model is not believed so many times away from where it was made
NOTHING = 2.0**-46  # of the length of a gradient
TRUSTED = 2.0**-3  # and its slope no farther than this
FEW = 8  # moves on a model: they are plain numbers, and Newton's method doubles their digits


class Along(Protocol):
    """Delta along a ray; NaN where it overflows."""

    def square(self, eta: float) -> float:
        """|Delta|^2."""

    def third(self) -> float:
        """An upper bound of |Delta'''| along the ray."""

    def gram(self, eta: float) -> Any:
        """The Gram matrix of Delta, Delta' and Delta''."""


def warm_root(along: Along, square: float, guess: float, L: Any) -> float | None:
    """The eta next to the guess at which |Delta|^2 = |g|^2 / 4, for |g|^2 = `square`; None where this does not find it."""
    length = math.sqrt(square)
    low = 0.5 / float(L) * (1 - 2.0**-40) if L is not None else guess * 2.0**-40
    high, goal = math.inf, square / 4
    eta = max(guess, low)
    for _ in range(LOOKS):
        (q, cross, bend), (_, steep, turn), (_, _, twist) = along.gram(eta)
        value = q / goal - 1
        found = None
        if abs(value) < math.inf:
            low, high = (max(low, eta), high) if value < 0 else (low, min(high, eta))
            found = _root_of_model(q - goal, cross, bend, steep, turn, twist, eta)
        else:  # too long a step
            high = min(high, eta)
        if found is None:
            eta = math.nan
        else:
            move, slope = found
            eta = eta + move
            if abs(value) <= ROUNDING:
                return eta
            if abs(move) <= TRUSTED * eta:
                if along.third() * abs(move) ** 3 <= NOTHING * length:
                    return eta
                short = along.square(eta) - goal
                if abs(short) <= ARRIVED * goal:
                    return eta - short / slope
        if not low < eta < high:
            eta = math.sqrt(low * high) if high < math.inf else 2 * low
    return None


def _root_of_model(
    short: float, cross: float, bend: float, steep: float, turn: float, twist: float, eta: float
) -> tuple[float, float] | None:
    """t near 0 with |Delta + t Delta' + t^2 Delta'' / 2|^2 = goal, by Newton's method on that quartic, and its slope there.

    None if that goes far. Its coefficients: short = |Delta|^2 - goal, cross = <Delta, Delta'>, bend = <Delta, Delta''>,
    steep = |Delta'|^2, turn = <Delta', Delta''>, twist = |Delta''|^2.
    """
    c1, c2, c3, c4 = 2 * cross, steep + bend, turn, twist / 4
    t, enough = 0.0, 2.0**-26 * eta  # the move after that one is below rounding
    for _ in range(FEW):
        value = short + t * (c1 + t * (c2 + t * (c3 + t * c4)))
        slope = c1 + t * (2 * c2 + t * (3 * c3 + t * 4 * c4))
        if not slope > 0:
            return None
        step = value / slope
        t -= step
        if not -eta < t < TOO_FAR * eta:
            return None
        if -enough <= step <= enough:
            return t, slope
    return None

"""The truth that balls are compared with: exact rationals, and mpmath at 2,000 bits for what is not rational."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import flint
import mpmath
import numpy as np

from boundcheck.arithmetic.wrapped_numbers import WrappedScalars, WrappedVectors

BITS = 2000
MP = mpmath.MPContext()
MP.prec = BITS
SIDES = (-1, -1, Fraction(-3, 8), 0, Fraction(5, 8), 1, 1)  # where in its ball a true number is: often at an end


def exact(number: Any) -> Fraction:
    """The value of an exact arb."""
    assert number.is_exact() and number.is_finite()
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def mp(value: Fraction) -> Any:
    return MP.mpf(value.numerator) / value.denominator


def fraction(value: Any) -> Fraction:
    sign, mantissa, exponent, _ = MP.mpf(value)._mpf_
    made = Fraction(int(mantissa)) * Fraction(2) ** exponent
    return -made if sign else made


def by_mpmath(function: Callable[..., Any]) -> Callable[..., Fraction]:
    return lambda *values: fraction(function(*map(mp, values)))


def encloses(result: Any, truths: Sequence[Fraction | None], slack: Fraction = Fraction(0)) -> float:
    """Each truth lies in its ball, within `slack` times itself; None: there is none, and no finite ball may claim one.

    The share of balls that are finite, for a ball without ends encloses everything.
    """
    numbers = result.data.reshape(-1).tolist()
    assert len(numbers) == len(truths)
    for n, (number, truth) in enumerate(zip(numbers, truths, strict=True)):
        if number.is_finite():
            assert truth is not None, f"entry {n} is undefined; its ball is {number}"
            off = abs(exact(number.mid()) - truth)
            assert off <= exact(number.rad()) + slack * abs(truth), f"entry {n}: {number} misses {float(truth)} by {float(off)}"
    return sum(number.is_finite() for number in numbers) / len(numbers)


def sizes(rng: np.random.Generator, count: int, largest: int = 300) -> list[Fraction]:
    """Numbers from 2^-largest to 2^largest, of either sign, with integers and zeros among them."""
    made = []
    for _ in range(count):
        kind = rng.integers(0, 10)
        if kind == 0:
            made.append(Fraction(int(rng.integers(-3, 4))))
        elif kind == 1:
            made.append(Fraction(int(rng.integers(-99, 100)), int(rng.integers(1, 50))))
        else:
            power = int(rng.integers(-largest, largest + 1)) if kind < 5 else int(rng.integers(-8, 9))
            made.append(Fraction(float(rng.normal())) * Fraction(2) ** power)
    return made


def widths(rng: np.random.Generator, middles: Sequence[Fraction]) -> list[Any]:
    """Radii: none, thin ones, wide ones, and some that make the ball end at 0 or reach beyond it."""
    relative = [0, 0, Fraction(1, 2**200), Fraction(1, 2**90), Fraction(1, 2**20), Fraction(1, 3), 1, 2]
    return [abs(middle) * relative[int(rng.integers(0, len(relative)))] for middle in middles]


def balls(xp: Any, seed: int, shape: int | tuple[int, ...] = 300, largest: int = 300) -> tuple[WrappedScalars, list[Fraction]]:
    """Random balls of every size and width, and for each of them one exact number inside."""
    rng = np.random.default_rng(seed)
    count = int(np.prod(shape))
    middles = sizes(rng, count, largest)
    with xp.working():
        made = [
            flint.arb(flint.fmpq(m.numerator, m.denominator)) + flint.arb(0, flint.arb(flint.fmpq(r.numerator, r.denominator)))
            if r
            else flint.arb(flint.fmpq(m.numerator, m.denominator))
            for m, r in zip(middles, map(Fraction, widths(rng, middles)), strict=True)
        ]
    data = np.empty(count, dtype=object)
    data[:] = made
    sides = [SIDES[int(n)] for n in rng.integers(0, len(SIDES), count)]
    inside = [exact(a.mid()) + side * exact(a.rad()) for a, side in zip(made, sides, strict=True)]
    return xp.scalars(data.reshape(shape)), inside


def as_vectors(xp: Any, scalars: WrappedScalars) -> Any:
    """The last axis of an array of balls as coordinates."""
    return WrappedVectors(xp, scalars.data)


def rows(values: Sequence[Any], d: int) -> list[list[Any]]:
    return [list(values[n : n + d]) for n in range(0, len(values), d)]

"""Balls in floating point: middles and radii as float64, never rounded to the wrong side, and what these alone decide."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.balls.functions import arb
from boundcheck.arithmetic.base import Floats, Order, Orders

SMALLEST = 2.0**-1000  # radii are handed out as float64, and never rounded down
GROWN = 1 + 2.0**-50
FAR = 2.0**-10  # a relative distance beyond which nobody asks for more than a few digits of it


def float_above(a: Any) -> float:
    """A float64 that is no smaller than |a|."""
    if not a.is_finite():
        return float("inf")
    return 0.0 if a.is_zero() else float(a.abs_upper()) * GROWN + SMALLEST


def sizes(balls: Any) -> Floats:
    """The same for an array, or for one ball."""
    given = np.asarray(balls, dtype=object)
    made, each = np.empty(given.shape), given.reshape(-1).tolist()
    flat = made.reshape(-1)
    flat[:] = list(map(float, map(arb.abs_upper, each)))
    _grow(flat, each)
    return made


def _grow(sizes: Floats, balls: Any) -> None:
    """Sizes of balls that came as the nearest float64, no longer too small: 0 where a ball is 0, inf where it is unbounded."""
    unclear = np.flatnonzero(~(sizes > 0))  # below all floats, or NaN
    with np.errstate(all="ignore"):
        sizes *= GROWN
        sizes += SMALLEST
    for n in unclear.tolist():
        sizes[n] = float_above(balls[n])


def in_floats(balls: NDArray[Any]) -> tuple[Floats, Floats]:
    """Middles, to the nearest float64, and upper bounds of the radii: NaN and inf where a ball is unbounded."""
    middles = balls.astype(np.float64)
    if all(map(arb.is_exact, balls.reshape(-1).tolist())):
        radii = np.zeros(balls.shape)
    else:
        widths = np.asarray(_widths(balls), dtype=object)
        radii = widths.astype(np.float64)
        _grow(radii.reshape(-1), widths.reshape(-1))
    if not (np.isfinite(middles) & np.isfinite(radii)).all():
        unbounded = ~np.asarray(_bounded(balls), dtype=bool)
        middles[unbounded], radii[unbounded] = np.nan, np.inf
    return middles, radii


_widths, _bounded = np.frompyfunc(arb.rad, 1, 1), np.frompyfunc(arb.is_finite, 1, 1)


def norms(sizes: Floats) -> Floats:
    """Upper bounds of Euclidean norms along the last axis."""
    largest = sizes.max(-1, initial=0.0)
    scale = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
    with np.errstate(all="ignore"):
        made = np.sqrt(((sizes / scale[..., None]) ** 2).sum(-1)) * scale * (1 + (sizes.shape[-1] + 8) * 2.0**-52)
    return np.where(np.isfinite(largest), np.where(largest > 0, made + SMALLEST, 0.0), np.inf)


def _reach(a: tuple[Floats, Floats]) -> Floats:
    """How far what a ball encloses may be from the middle as a float64, which is off by half a unit, or by an underflow."""
    return a[1] + np.abs(a[0]) * 2.0**-52 + SMALLEST


def by_floats(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> tuple[Orders, NDArray[np.bool_]]:
    """LESS and GREATER where the middles are further apart than the two reach; and where they are not.

    The sum of the two and the difference have a few roundings each, a relative 2^-50 of either.
    """
    with np.errstate(all="ignore"):
        difference = b[0] - a[0]
        reach = (_reach(a) + _reach(b)) * (1 + 2.0**-40)
        less, greater = difference > reach, -difference > reach
    orders = np.where(less, np.int8(Order.LESS), np.int8(Order.GREATER))
    return orders, ~((less | greater) & np.isfinite(difference))


def far_apart(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> Floats:
    """How far apart two balls may be, relative to the larger middle, if they are surely FAR apart; else NaN."""
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(a[0]), np.abs(b[0]))
        difference, reach = np.abs(b[0] - a[0]), _reach(a) + _reach(b)
        apart = (difference + reach) / size
        return np.where((difference - reach > FAR * size) & np.isfinite(apart), apart, np.nan)

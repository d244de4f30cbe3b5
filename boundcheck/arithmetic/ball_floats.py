"""Balls in floating point: middles and radii as float64, never rounded to the wrong side, and what these alone decide."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Floats, Order, Orders

SMALLEST = 2.0**-1000  # radii are handed out as float64, and never rounded down
GROWN = 1 + 2.0**-50
FAR = 2.0**-10  # a relative distance beyond which nobody asks for more than a few digits of it


def float_above(a: Any) -> float:
    """A float64 that is no smaller than |a|."""
    if not a.is_finite():
        return float("inf")
    return 0.0 if a.is_zero() else float(a.abs_upper()) * GROWN + SMALLEST


def sizes(balls: NDArray[Any]) -> Floats:
    """The same for an array."""
    made = np.empty(balls.shape)
    made.reshape(-1)[:] = [float_above(ball) for ball in balls.reshape(-1).tolist()]
    return made


def in_floats(balls: NDArray[Any]) -> tuple[Floats, Floats]:
    """Middles, to the nearest float64, and upper bounds of the radii: NaN and inf where a ball is unbounded."""
    each = balls.reshape(-1).tolist()
    middles, radii = np.empty(balls.shape), np.empty(balls.shape)
    middles.reshape(-1)[:] = [float(ball) for ball in each]
    flat = radii.reshape(-1)
    flat[:] = [float(ball.rad()) for ball in each]
    with np.errstate(all="ignore"):
        flat *= GROWN
        flat += SMALLEST
    for n in np.flatnonzero(~(flat > 2 * SMALLEST)):  # a radius of 0, or one that is no float64, or none at all
        flat[n] = float_above(each[n].rad()) if each[n].is_finite() else np.inf
    lost = ~np.isfinite(radii)
    if lost.any():
        middles[lost] = [float(ball) if ball.is_finite() else np.nan for ball in balls[lost].tolist()]
    return middles, radii


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

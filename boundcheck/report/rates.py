"""Rates read off a run: is a side a power of k, is it geometric in k, or neither?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SHORTEST = 16  # numbers: fewer tell nothing of a rate
TAIL = 4  # the fit is to k from K/4 on, in two halves: K/4 to K/2, and K/2 to K
FITS = 0.99  # R^2, at least
AGREE = 0.15  # relatively, by how much the slopes of the two halves may differ
FLAT = 0.05  # of an exponent, or of log(largest/smallest): less is no rate


@dataclass(frozen=True)
class Rate:
    """y ~ k^exponent, or y ~ factor^k; neither where both are None."""

    exponent: float | None = None
    factor: float | None = None


NONE = Rate()


def rate(ks: NDArray[np.int64], values: NDArray[np.float64]) -> Rate:
    """The rate of positive numbers over k. A power and a geometric rate are told apart by their slopes in the halves of the tail.

    A power has the same slope of log y over log k in both; a geometric one the same slope of log y over k, and then the other
    slope doubles. Each must fit all of the tail (R^2) too. What does both or neither well is called neither.
    """
    known = np.isfinite(values) & (values > 0) & (ks >= 1)
    if np.count_nonzero(known) < SHORTEST:
        return NONE
    k, y = ks[known].astype(float), np.log(values[known])
    late = k >= k[-1] / TAIL
    k, y = k[late], y[late]
    if len(k) < SHORTEST // 2 or np.ptp(y) < FLAT:
        return NONE
    power, geometric = _slope(np.log(k), y, k), _slope(k, y, k)
    if power is not None and geometric is not None:
        return NONE
    if power is not None:
        return Rate(exponent=power) if abs(power) >= FLAT else NONE
    return NONE if geometric is None else Rate(factor=float(np.exp(geometric)))


def _slope(x: NDArray[np.float64], y: NDArray[np.float64], k: NDArray[np.float64]) -> float | None:
    """The slope of y over x, by least squares; None unless the line fits, and each half has the same slope."""
    slope, fit = _line(x, y)
    early = k <= k[-1] / 2
    if fit < FITS or min(np.count_nonzero(early), np.count_nonzero(~early)) < 3:
        return None
    (first, _), (second, _) = _line(x[early], y[early]), _line(x[~early], y[~early])
    return slope if abs(first - second) <= AGREE * abs(slope) else None


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """The slope of the line of least squares, and R^2."""
    u, v = x - x.mean(), y - y.mean()
    slope = float(u @ v / (u @ u))
    rest, whole = v - slope * u, float(v @ v)
    return slope, 1 - float(rest @ rest) / whole if whole > 0 else 0.0

"""Lipschitz constants of gradient steps, and how far they let an exact run drift from a stored one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact
from boundcheck.arithmetic.bounded.scans import blocked
from boundcheck.model.problem import Convex, Problem

ROUNDING = 2.0**-51  # of a coordinate that becomes a float64
TINY = 2.0**-1000
GROWTH = 1 + 1e-12  # of the radius at each step, against its own rounding
FLAT = 1 + 2.0**-47  # a Lipschitz constant that is 1, but for rounding


def beside_start(as_stored: Any, one_step: Any, path: Any) -> None:
    """A start that was rounded is known within that only, and so is its image: put the radii of the path in their place."""
    rounded = path[:, 0] > 0
    as_stored[rounded, 0] = path[rounded, 0]
    one_step[rounded, 1:2] = path[rounded, 1:2]


def spread(problem: Problem, start: Any, eta: Any, errors: Any, points: Any) -> Any:
    """How far the exact run may be from the stored one: r <- Lip * r + the error of one step.

    `points` are needed where f is not L-smooth.
    """
    radius = np.zeros((len(eta), eta.shape[1] + 1))
    radius[:, 0] = start
    L, steps = problem.L, np.abs(eta.astype(np.float64))
    with np.errstate(all="ignore"):
        for b in range(len(eta)):
            factors = lipschitz(problem, nearest(L), steps[b]) if L is not None else np.empty(0)
            if len(factors) and 1 <= factors.min() and factors.max() <= FLAT:
                radius[b] = _added_up(radius[b, 0], errors[b], factors.max())
                continue
            if len(factors):
                radius[b] = _stretched_and_added(radius[b, 0], errors[b], factors)
                continue
            r, found = float(radius[b, 0]), []
            for j, error in enumerate(errors[b].tolist()):
                factor = np.inf if points is None else factor_at(problem, points[b, j], steps[b, j], r)
                r = grown(factor, r, error)
                found.append(r)
            radius[b, 1:] = found
    return radius


def _stretched_and_added(start: Any, errors: Any, factors: Any) -> Any:
    """r <- factor r + error, from the first that is not 0 on; what is no number is unbounded."""
    given = np.concatenate([[start], errors])
    begin = int((given != 0).argmax())
    after = blocked(factors[begin:] * GROWTH, errors[begin:] * GROWTH + TINY, given[begin : begin + 1], TINY)
    given[begin + 1 :] = np.where(np.isnan(after), np.inf, after)
    return given


def _added_up(start: Any, errors: Any, factor: Any) -> Any:
    """The same where no step stretches or shrinks: what errors add up to, and what rounding could have made of it."""
    total = np.add.accumulate(np.concatenate([[start], errors]))
    count = len(total)
    return np.where(total == 0, 0.0, total * (factor * GROWTH) ** count * (1 + 2e-16 * count) + count * TINY)


def grown(factor: float, r: float, error: float) -> float:
    """The radius after one step."""
    return (factor * r + error) * GROWTH + TINY if r > 0 else error


def nearest(constant: Exact) -> float:
    """A constant as a float64; infinite, and so no bound of anything, where it is larger than all of them."""
    try:
        return float(constant)
    except OverflowError:
        return math.inf


def stretched(radius: Any, L: Exact) -> Any:
    """How far the gradient moves within a radius: L times it, never rounded down, however small."""
    above = np.nextafter(nearest(L), np.inf) * (1 + 1e-15)
    return np.where(radius > 0, radius * above + TINY, 0.0)


def factor_at(problem: Problem, point: Any, eta: float, r: float) -> float:
    """A Lipschitz constant of a gradient step within r of a stored point; inf where none is known."""
    L = smoothness_about(problem, point, r) if problem.L is None else nearest(problem.L)
    return float(lipschitz(problem, L, np.float64(abs(eta)))) if np.isfinite(L) else np.inf


def smoothness_about(problem: Problem, point: Any, r: float) -> float:
    """An upper bound of the Lipschitz constant of the gradient on a ball about a stored point, which may round to a float64."""
    if problem.local_smoothness is None or not np.isfinite(r):
        return np.inf
    near = np.asarray(point).astype(np.float64)
    rounded = 0.0 if np.asarray(point).dtype == np.float64 else ROUNDING * float(np.abs(near).sum()) + TINY
    return float(np.max(problem.local_smoothness(near, r + rounded)))


def lipschitz(problem: Problem, L: float, eta: Any) -> Any:
    """A Lipschitz constant of x - eta grad f(x): for convex f, max(|1 - eta mu|, |1 - eta L|); in general 1 + eta L."""
    if not problem.has(Convex):
        return 1 + eta * L
    rounding = 1e-15 * (1 + eta * L)  # of L, mu and the products, where 1 - eta L cancels
    return np.maximum(np.abs(1 - eta * nearest(problem.mu)), np.abs(1 - eta * L)) + rounding

"""Looking along lines: where the gradient turns least and most, and whether it, or its slope, jumps.

A scan in float64 only says where to look; what it finds is computed again at 50 digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from boundcheck.model.problem import Problem
from boundcheck.testing.places import FLOAT64, MP, lift, lines, span

GRID = 401
VANISHED, ROUNDING = 1e-4, 1e-8
ZOOMS, PIECES = 30, 16  # down to 16^-30 = 2^-120 of the first width; 50 digits are 166 bits


def steepest_pairs(problem: Problem, *, seed: int = 0) -> Iterator[tuple[Any, Any]]:
    """Pairs (x, d) of neighbours on lines where the gradient turns least, and where it turns most."""
    plain = FLOAT64.plain
    at = np.linspace(-1, 1, GRID)
    for x, v in lines(problem, seed=seed):
        rows = x + (span(problem) * at)[:, None] * v
        with np.errstate(all="ignore"):
            change = np.diff(problem.grad(plain, rows), axis=0)
            turned, moved = change @ v, np.linalg.norm(change, axis=1)
        for n in {int(np.nanargmin(turned)), int(np.nanargmax(moved))}:
            yield rows[n], rows[n + 1] - rows[n]


def jump_of_the_gradient(problem: Problem) -> tuple[float, Any] | None:
    """How much of the change of <grad f, v> along a line stays when one looks ever closer, and where; None for nothing."""
    return _jump(problem, lambda s, width: np.abs(np.diff(s)))


def jump_of_the_curvature(problem: Problem) -> tuple[float, Any] | None:
    """The same for the secant slopes of the gradient."""
    return _jump(problem, lambda s, width: np.abs(np.diff(s, 2)) / width)


def _jump(problem: Problem, jumps: Any) -> tuple[float, Any] | None:
    """The largest jump over neighbouring pieces; then over those of the piece around it, and so on. A continuous one vanishes."""
    worst: tuple[float, Any] | None = None
    reach = span(problem)
    grid = np.linspace(-1.003 * reach, 0.997 * reach, GRID)  # beside the middle, where a formula may divide by zero
    for x, v in lines(problem, 2, seed=1):
        u, w = lift(x, v)
        with np.errstate(all="ignore"):
            s = problem.grad(FLOAT64.plain, x + grid[:, None] * v) @ v
            found = np.nan_to_num(jumps(s, grid[1] - grid[0]), nan=-1.0)
        first, smallest = found.max(), ROUNDING * np.abs(s).max() / max(1.0, reach)
        over = GRID - len(found)  # the pieces that a jump is over: one, or two
        low, width = MP.scalar(grid[int(found.argmax())]), MP.scalar(over * (grid[1] - grid[0])) / PIECES
        for _ in range(ZOOMS):
            t = low + width * MP.scalars(np.arange(PIECES + 1))
            found = jumps(MP.dot(problem.grad(MP, u + MP.scale(t, w[None])), w), width)
            n = int(np.argmax(found))
            if not found[n] > max(VANISHED * first, smallest):
                break
            low, width = low + n * width, over * width / PIECES
        else:
            if worst is None or found[n] / first > worst[0]:
                worst = (float(found[n] / first), x + float(low) * v)
    return worst

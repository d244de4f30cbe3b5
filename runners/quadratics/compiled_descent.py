"""The loop of one run on a quadratic as compiled code, where numba is installed: a step and its inner products in one pass.

Constant steps and steps c (f - f*) / |grad f|^2 need no word from Python. Inner products are summed in the order of coordinates;
their error bounds hold for any order.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from boundcheck.arithmetic import compiled
from boundcheck.model.rule import GapStep, Rule
from boundcheck.runners.engine.run_ends import SMALLEST

SMALL = 48  # up to this dimension a loop is quicker than a call of BLAS
POINTS, STEPS = ("dd", "dg", "gg"), ("ww", "gw", "gd", "gh")


def advance(
    B: Any, star: Any, x: Any, d: Any, g: Any, own: bool, factor: float, constant: bool, points: Any, steps: Any, eta: Any
) -> int:
    """Steps into the columns, from entry 0 on; how many, fewer than there is room for where the next step is no positive number.

    `own`: the points are x* + d, exactly, and x stays behind. Else they are x.

    `points` has |d|^2, <d, g>, |g|^2 with entry 0 filled; `steps` |w|^2, <g, w>, <g, d+>, <g, g+>.
    """
    size = x.size
    h, e = np.empty(size), np.empty(size)
    for n in range(eta.size):
        square = points[2, n]
        step = factor if constant else factor * (points[1, n] / 2) / square
        if not (0 < step < np.inf and 0 < square < np.inf) or (own and not min(square, points[0, n]) > SMALLEST):
            return n
        for i in range(size):
            if own:
                e[i] = d[i] - step * g[i]
            else:
                x[i] = x[i] - step * g[i]
                e[i] = x[i] - star[i]
        if size > SMALL:
            np.dot(B, e, h)
        else:
            for i in range(size):
                total = 0.0
                for j in range(size):
                    total += B[j, i] * e[j]
                h[i] = total
        dd, dg, gg, ww, gw, gd, gh = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(size):
            w = h[i] - g[i]
            dd += e[i] * e[i]
            dg += e[i] * h[i]
            gg += h[i] * h[i]
            ww += w * w
            gw += g[i] * w
            gd += g[i] * e[i]
            gh += g[i] * h[i]
            d[i], g[i] = e[i], h[i]
        points[0, n + 1], points[1, n + 1], points[2, n + 1] = dd, dg, gg
        steps[0, n], steps[1, n], steps[2, n], steps[3, n] = ww, gw, gd, gh
        eta[n] = step
    return int(eta.size)


@cache
def loop() -> Any:
    return compiled.compiler()(advance)


def serves(rule: Rule) -> bool:
    """Can compiled code choose this rule's steps?"""
    return compiled.wanted() and (rule.constant or isinstance(rule.numbers, GapStep))

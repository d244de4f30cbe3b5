"""The loop of `eigenbasis` as compiled code, where numba is installed: one pass over the coordinates for a step and its moments.

Sums may be taken in any order here: their terms are not negative, so each is relatively within d roundings of the true one. No
verdict comes from these runs.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from boundcheck.arithmetic.compiled import compiler

OVER_L, OVER_A, OVER_D, AS_PRINTED, POLYAK = range(5)


def advance(
    values: Any, c: Any, before: Any, L: Any, kinds: Any, gammas: Any, first: int, tiny: float, every: int, moments: Any, eta: Any
) -> None:
    """Steps first, first + 1, ... of every run, as many as `eta` has rows; `before` holds each run's last step, not yet taken."""
    problems, rules, d = c.shape
    for p in range(problems):
        for r in range(rules):
            taken = before[p, r]
            for k in range(eta.shape[0]):
                if (first + k) % every == 0:
                    for j in range(d):
                        now = c[p, r, j] * (1.0 - taken * values[p, j])
                        c[p, r, j] = now if abs(now) >= tiny else 0.0
                    taken = 0.0
                m1, m2, m3, m4 = 0.0, 0.0, 0.0, 0.0
                for j in range(d):
                    value = values[p, j]
                    now = c[p, r, j] * (1.0 - taken * value)
                    c[p, r, j] = now
                    term = now * now * value
                    m1 += term
                    term *= value
                    m2 += term
                    term *= value
                    m3 += term
                    m4 += term * value
                moments[k, p, r, 0], moments[k, p, r, 1], moments[k, p, r, 2], moments[k, p, r, 3] = m1, m2, m3, m4
                kind = kinds[r]
                if kind == OVER_L:
                    step = 1.0 / L[p]
                elif kind == OVER_A:
                    step = m2 / m3
                elif kind == OVER_D:
                    step = np.sqrt(m2 / m4) / 2
                elif kind == AS_PRINTED:
                    step = np.sqrt(2 * (m2 / m4))
                else:
                    step = gammas[r] * (m1 / 2) / m2
                eta[k, p, r] = step
                taken = step if np.isfinite(step) else 0.0  # a zero gradient ends a run: it stays there
            before[p, r] = taken


@cache
def compiled() -> Any:
    return compiler(fastmath={"reassoc"})(advance)

"""How near a claim comes to equality at each k of a cell: left over right, from the sides that its verdict carries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boundcheck.check.verdict import Outcome, Verdict

Numbers = NDArray[np.float64]


def ratio(left: Numbers, right: Numbers) -> Numbers:
    """1 is tight, above 1 fails: left/right of positive sides, right/left of negative ones.

    A left side above a right side that is 0 or negative fails by any factor: infinity. A left side of 0 or below, under a
    positive right side, is left/right, at most 0. 0 against 0, and what is not finite, has no ratio: nan.
    """
    made = np.full(np.shape(left), np.nan)
    known = np.isfinite(left) & np.isfinite(right)
    with np.errstate(all="ignore"):
        above = known & (right > 0)
        made[above] = left[above] / right[above]
        below = known & (right < 0) & (left < 0)
        made[below] = right[below] / left[below]
    made[known & (right <= 0) & (left >= 0) & (left > right)] = np.inf
    made[known & (right == 0) & (left < 0)] = 0.0
    return made


def counted(verdict: Verdict) -> NDArray[np.bool_]:
    """The k that count: decided, and from 1 on unless every k is as good as any."""
    ks = verdict.first_k + np.arange(len(verdict.outcomes))
    decided = (verdict.outcomes == Outcome.HOLDS) | (verdict.outcomes == Outcome.VIOLATED)
    return np.asarray(decided & ((ks >= 1) | verdict.every_k_counts))


def ratios(verdict: Verdict) -> Numbers:
    """The ratio at each k of a verdict; nan where k does not count, or the verdict does not carry its sides."""
    if verdict.left is None or verdict.right is None:
        return np.full(len(verdict.outcomes), np.nan)
    return np.where(counted(verdict), ratio(np.asarray(verdict.left), np.asarray(verdict.right)), np.nan)


def best(verdict: Verdict, of_chain: bool = False) -> tuple[float, str] | None:
    """The largest ratio of a cell, and where that is; None where it has none.

    The sides of a chain are those of its first relation: there the moments that the verdict keeps, of whichever link is
    nearest to equality, are read instead.
    """
    moments = [m for m in (verdict.violation, verdict.tightest) if m is not None and not np.isnan(m.ratio)]
    if of_chain:
        found = max(moments, key=lambda m: m.ratio, default=None)
        return None if found is None or not np.isfinite(found.ratio) else (found.ratio, found.place)
    all_of_them = ratios(verdict)
    if not len(all_of_them) or np.isnan(all_of_them).all():
        return None
    at = int(np.nanargmax(all_of_them))
    k = verdict.first_k + at
    return float(all_of_them[at]), next((m.place for m in moments if m.k == k), f"k = {k}")

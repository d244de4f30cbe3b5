"""Long runs as few points: steps are put in groups, and a group is one point."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

SINGLE = 6  # steps on their own at the start; then groups are even, since some rules alternate between two steps


def growing(count: int, points: int) -> NDArray[np.int64]:
    """The first step of each group, and the end: groups grow with k, for a logarithmic axis."""
    return _ends(np.geomspace(1, count + 1, points + 1) - 1, count)


def even(count: int, points: int) -> NDArray[np.int64]:
    """The first step of each group, and the end: groups of about one size."""
    return _ends(np.linspace(0, count, points + 1), count)


def _ends(wanted: Any, count: int) -> NDArray[np.int64]:
    paired = SINGLE + 2 * np.round((wanted[wanted > SINGLE] - SINGLE) / 2).astype(np.int64)
    firsts = np.concatenate([np.arange(SINGLE + 1), paired])
    return np.unique(np.concatenate([firsts[firsts < count], [count]]))


def gaps(values: Any, points: int) -> dict[str, Any]:
    """f(x_k) - f* in groups: the best up to the end of each; the least and largest inside it, of a run that ever goes up."""
    ends = even(len(values), points)
    best = np.minimum.accumulate(values)[ends[1:] - 1]
    if not (np.diff(values) > 0).any():
        return {"k": ends[1:] - 1, "value": best, "low": np.nan, "high": np.nan}
    low, high = (np.array([pick(values[a:b]) for a, b in pairwise(ends)]) for pick in (np.min, np.max))
    return {"k": ends[1:] - 1, "value": best, "low": low, "high": high}

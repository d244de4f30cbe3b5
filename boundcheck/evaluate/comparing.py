"""Relations between blocks of enclosed numbers, in NumPy: the inequality of `arithmetic.functions.compare`, with few passes."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.rounding import DEFLATE, FLOOR, INFLATE, U
from boundcheck.evaluate.passes import SMALL, Block

HELD, FAILED, UNKNOWN = np.int8(0), np.int8(1), np.int8(2)
SURELY = DEFLATE / INFLATE * (1 - 4 * U)  # a difference, so much smaller, is still beyond the radii: it is so for any rounding
WIDER = INFLATE * (1 + 4 * U)


def compare(a: Block, b: Block, op: int, everywhere: bool, at: int, which: int, answers: Any, scratch: Any) -> None:
    """Outcomes of one relation: 1 where it fails, 2 where that is not known; how far apart the sides are there.

    `op` numbers <=, <, ==, >=, >, ->. What holds everywhere leaves no trace.
    """
    small, large = (b, a) if op > 2 else (a, b)
    difference, radius, reach = scratch(len(a.mid))
    np.subtract(large.mid, small.mid, out=difference)
    np.add(a.rad, b.rad, out=radius)
    outcomes = answers.outcomes[which, at : at + len(radius)]
    if op == 5:
        outcomes[:] = UNKNOWN
    else:
        np.multiply(difference, SURELY, out=reach)
        if not _ordered(op, reach, radius, everywhere, outcomes):
            return
        if not radius.min() > 0:
            np.copyto(outcomes, FAILED if op in (1, 4) else HELD, where=(radius == 0) & (difference == 0))
    unknown = _tell(a, b, at, which, answers, outcomes)
    if everywhere or unknown is not None:
        wide, most = _widths(a, b, np.abs(difference, out=difference), radius, reach)
        if unknown is not None:
            answers.widest[which] = max(answers.widest[which], _widest(wide, most, unknown))
        if everywhere or answers.each[which]:
            answers.widths[which, at : at + len(radius)] = wide


def _ordered(op: int, reach: Any, radius: Any, everywhere: bool, outcomes: Any) -> bool:
    """Outcomes by which side is surely the larger; False, and none, where that is as it should be at every entry."""
    if op == 2:
        apart = np.abs(reach, out=reach) > radius
        np.subtract(UNKNOWN, apart.view(np.int8), out=outcomes)
        return True
    above = reach > radius
    if not everywhere and above.all():
        return False
    below = np.negative(reach, out=reach) > radius
    np.subtract(UNKNOWN, below.view(np.int8), out=outcomes)  # sums of bytes: a copy where a mask says so takes ten times as long
    outcomes -= above.view(np.int8)
    outcomes -= above.view(np.int8)
    return True


def _tell(a: Block, b: Block, at: int, which: int, answers: Any, outcomes: Any) -> Any:
    """How often it does not hold, where first, and what both sides are there; where it is not known, or None for nowhere."""
    where = None
    for kind, value in enumerate((FAILED, UNKNOWN)):
        where = outcomes == value
        count = int(np.count_nonzero(where))
        if not count:
            where = None
            continue
        if not answers.counts[which, kind, 0]:
            first = int(where.argmax())
            answers.counts[which, kind, 1] = at + first
            sides = (a.mid[first], a.rad[first], b.mid[first], b.rad[first])
            answers.sides[which, kind] = [np.inf if v != v else v for v in sides]
        answers.counts[which, kind, 0] += count
    return where


def _widths(a: Block, b: Block, size: Any, radius: Any, whole: Any) -> tuple[Any, float]:
    """How far apart two sides may be, relative to them; and the most of it. One that is no number is unbounded."""
    np.add(size, radius, out=whole)
    if not size.min() >= SMALL:
        whole[(size < SMALL) & (size > 0)] += FLOOR
    whole *= WIDER
    whole /= np.maximum(a.size(size), b.size(radius), out=size)
    most = float(whole.max())
    if not most < np.inf:
        whole[~(whole < np.inf)] = most = np.inf
    return whole, most


def _widest(wide: Any, most: float, unknown: Any) -> float:
    """The most of it where it is unknown."""
    if unknown.all():
        return most
    return float((wide * unknown).max() if most < np.inf else wide[unknown].max())

"""Relations between blocks of enclosed numbers, in NumPy: the inequality of `arithmetic.functions.compare`, with few passes."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.rounding import DEFLATE, FLOOR, INFLATE, U
from boundcheck.evaluate.passes import SMALL, Block

HELD, FAILED, UNKNOWN = np.int8(0), np.int8(1), np.int8(2)


def compare(a: Block, b: Block, op: int, everywhere: bool, at: int, which: int, answers: Any, scratch: Any) -> None:
    """Outcomes of one relation: 1 where it fails, 2 where that is not known; how far apart the sides are there.

    `op` numbers <=, <, ==, >=, >, ->. What holds everywhere leaves no trace.
    """
    small, large = (b, a) if op > 2 else (a, b)
    difference, radius, reach = (s[: len(a.mid)] for s in scratch)
    np.subtract(large.mid, small.mid, out=difference)
    np.multiply(np.add(a.rad, b.rad, out=radius), INFLATE, out=radius)
    np.multiply(difference, DEFLATE, out=reach)
    outcomes = answers.outcomes[which, at : at + len(radius)]
    if op == 5:
        outcomes[:] = UNKNOWN
    elif op == 2:
        np.abs(reach, out=reach)
        _put(outcomes, reach > radius, FAILED)
    else:
        above = reach > radius
        if above.all() and not everywhere:
            return
        np.negative(reach, out=reach)
        _put(outcomes, reach > radius, FAILED)
        np.copyto(outcomes, HELD, where=above)
    if op != 5 and not radius.min() > 0:
        np.copyto(outcomes, FAILED if op in (1, 4) else HELD, where=(radius == 0) & (difference == 0))
    unknown = _tell(a, b, at, which, answers, outcomes)
    if everywhere or unknown is not None:
        wide = _widths(a, b, np.abs(difference, out=difference), radius, reach)
        if unknown is not None:
            widest = wide.max() if unknown.all() else wide[unknown].max()
            answers.widest[which] = max(answers.widest[which], widest)
        if everywhere or answers.each[which]:
            answers.widths[which, at : at + len(radius)] = wide


def _put(outcomes: Any, where: Any, there: Any) -> None:
    """There, and unknown elsewhere."""
    outcomes[:] = UNKNOWN
    if where.any():
        np.copyto(outcomes, there, where=where)


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


def _widths(a: Block, b: Block, size: Any, radius: Any, whole: Any) -> Any:
    """How far apart two sides may be, relative to them."""
    np.multiply(size, 1 + U * INFLATE, out=whole)
    whole += radius
    if not size.min() >= SMALL:
        whole[(size < SMALL) & (size > 0)] += FLOOR * INFLATE
    whole /= np.maximum(a.size(size), b.size(radius), out=size)
    if not whole.max() < np.inf:
        whole[~(whole < np.inf)] = np.inf
    return whole

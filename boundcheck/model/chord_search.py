"""The sup or inf over t in (0, 1] of q(t) = (phi'(t) - phi'(0)) / t, in balls, by branch and bound.

q(t) is the mean of phi'' over [0, t]. For t in [a, b] with a > 0 it is (a/t) q(a) + (1 - a/t) m for some m between the least and
the largest phi'' on [a, b], so that

    q(t) <= max(q(a), (a/b) q(a) + (1 - a/b) sup phi''),

and on [0, b] it is at most sup phi''. Where phi'' is near q, as at an extremum of q inside, the excess falls with the square of
b - a. phi' must be continuous; at a kink of phi' the enclosure of phi'' is the hull of both sides.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

Ball = Any  # flint.arb
MOST = 400  # boxes; a smooth function needs about a hundred for 40 bits
CLOSE = 40  # bits, relatively, after which to stop: less than what rounding costs a float64 run


def extremum(rise: Callable[[Ball], Ball], slope: Callable[[Ball], Ball], side: str, bits: int) -> Ball:
    """`rise(t)` is phi'(t) - phi'(0) and `slope(t)` is phi''(t), for balls t. The answer is a ball that holds the extremum."""
    from flint import arb

    sign = 1 if side == "sup" else -1
    zero, one = arb(0), arb(1)

    def q(t: Ball) -> Ball:
        return sign * rise(t) / t

    def above(a: Ball, b: Ball, at_a: Ball | None) -> Ball:
        """An upper bound of q on [a, b], as an exact number."""
        top = (sign * slope(a.union(b))).upper()
        if at_a is None:
            return top
        share = a / b
        return at_a.max(share * at_a + (1 - share) * top).upper()

    at_one = q(one)
    if not at_one.is_finite():
        return arb.nan()
    best, lowest = at_one, at_one.lower()
    first = above(zero, one, None)
    waiting = [(-float(first) if first.is_finite() else float("-inf"), 0, zero, one, None, first)]
    count, done = 1, []
    tolerance = arb(2) ** -min(CLOSE, bits // 2)
    while waiting and count < MOST:
        _, _, a, b, at_a, top = heapq.heappop(waiting)
        if top.is_finite() and (top <= lowest or top - lowest <= tolerance * abs(lowest)):
            done.append(top)
            break
        middle = ((a + b) / 2).mid() if not a.is_zero() else (b / 4).mid()
        at_middle = q(middle)
        if at_middle.is_finite() and at_middle.lower() > lowest:
            best, lowest = at_middle, at_middle.lower()
        for low, high, known in ((a, middle, at_a), (middle, b, at_middle)):
            bound = above(low, high, known)
            count += 1
            heapq.heappush(waiting, (-float(bound) if bound.is_finite() else float("-inf"), count, low, high, known, bound))
    tops = [*done, *(one[5] for one in waiting)]
    most = best.upper()
    for top in tops:
        if not top.is_finite():
            return arb.nan()
        most = most.max(top)
    answer = lowest.union(most)
    return answer if side == "sup" else -answer

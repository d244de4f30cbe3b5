"""The operations of programs as compiled code, on whole blocks: middles and radii in, middles and radii out.

Imported only where numba is installed and wanted. Each operation is the formula of `arithmetic.scalars`, `functions` or `scans`,
entry by entry and without contraction or reordering; scans go on from the entry before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic import compiled
from boundcheck.arithmetic.rounding import DEFLATE, FLOOR, INFLATE, LARGEST, U

made = compiled.compiler()

add, add_to, subtract = made(compiled.add), made(compiled.add_to), made(compiled.subtract)
multiply, multiply_by = made(compiled.multiply), made(compiled.multiply_by)
divide, divide_by, divide_into = made(compiled.divide), made(compiled.divide_by), made(compiled.divide_into)
surely = made(compiled.surely)


@made
def finished(r: float) -> float:
    r = r * INFLATE
    return np.inf if r != r else r


@made
def subtract_from(a: float, ra: float, b: Any, rb: Any, mid: Any, rad: Any) -> None:
    for j in range(b.size):
        m = a - b[j]
        size = abs(m)
        rounding = U * size
        if size < FLOOR / U and size > 0:
            rounding = rounding + FLOOR
        r = (rb[j] + ra + rounding) * INFLATE
        mid[j], rad[j] = m, np.inf if r != r else r


@made
def root(a: Any, ra: Any, mid: Any, rad: Any) -> None:
    for j in range(a.size):
        middle, negative = min(a[j], LARGEST), a[j] < 0
        m = np.sqrt(0.0 if negative else a[j])
        least = np.sqrt(max((middle * DEFLATE - ra[j]) * DEFLATE, 0.0)) + np.sqrt(max(middle, 0.0))
        spread, other = ra[j] / (least * DEFLATE), np.sqrt(ra[j]) * INFLATE
        if spread != spread or other < spread:
            spread = other
        r = spread + U * m + (FLOOR if m + ra[j] != 0 else 0.0)
        if negative and not (abs(middle) * DEFLATE <= ra[j] and ra[j] < np.inf):
            r = np.inf
        mid[j], rad[j] = m, finished(r)


@made
def order(a: float, ra: float, b: float, rb: float) -> int:
    """-1, 0, 1, or 2 where the enclosures do not tell."""
    difference, radius = b - a, (ra + rb) * INFLATE
    if not (abs(difference) * DEFLATE > radius or radius == 0):
        return 2
    return -1 if difference > 0 else 1 if difference < 0 else 0 if difference == 0 and radius == 0 else 2


@made
def answer(found: int, op: int) -> int:
    """1: it holds, 0: it does not, 2: not known. `op` numbers <=, <, ==, >=, >, ->."""
    if found == 2 or op == 5:
        return 2
    if op == 0:
        return 1 if found <= 0 else 0
    if op == 1:
        return 1 if found < 0 else 0
    if op == 2:
        return 1 if found == 0 else 0
    if op == 3:
        return 1 if found >= 0 else 0
    return 1 if found > 0 else 0


@made
def smaller(a: Any, ra: Any, b: Any, rb: Any, sign: float, mid: Any, rad: Any) -> None:
    """The smaller of two for sign 1, the larger for -1."""
    for j in range(a.size):
        found = order(sign * a[j], ra[j], sign * b[j], rb[j])
        m = min(sign * a[j], sign * b[j])
        mid[j] = sign * m if a[j] == a[j] and b[j] == b[j] else np.nan
        rad[j] = ra[j] if found == -1 else rb[j] if found == 1 else max(ra[j], rb[j])


@made
def choose(l: Any, rl: Any, r: Any, rr: Any, op: int, a: Any, ra: Any, b: Any, rb: Any, mid: Any, rad: Any) -> None:
    """a where the relation of l and r holds, b where it does not; a ball around both where that is not known.

    Where l or r is undefined or unbounded, so is the result.
    """
    for j in range(a.size):
        held = answer(order(l[j], rl[j], r[j], rr[j]), op)
        if held == 1:
            mid[j], rad[j] = a[j], ra[j]
        elif held == 0:
            mid[j], rad[j] = b[j], rb[j]
        elif not (abs(l[j]) + rl[j] + abs(r[j]) + rr[j] < np.inf):
            mid[j], rad[j] = 0.0, np.inf
        else:
            half = (a[j] + b[j]) / 2
            reach = max(abs(half - a[j]) + ra[j], abs(half - b[j]) + rb[j])
            mid[j], rad[j] = half, finished(reach * (1 + 4 * U))


@made
def cumsum(a: Any, ra: Any, skip: int, begins: bool, carry: float, rest: float, mid: Any, rad: Any) -> None:
    """From entry `skip` on, which is the first of all if `begins`; before it the sum is empty."""
    n = a.size
    s, r, growth = carry, rest, 1 + 2 * n * U
    for j in range(min(skip, n)):
        mid[j], rad[j] = 0.0, 0.0
    for j in range(skip, n):
        if j == skip and begins:
            s, r = a[j], ra[j]
        else:
            s = s + a[j]
            size = abs(s)
            rounding = U * size
            if size < FLOOR / U and size > 0:
                rounding = rounding + FLOOR
            r = r + (ra[j] + rounding)
        whole = r * growth * INFLATE
        mid[j], rad[j] = s, np.inf if whole != whole else whole


@made
def cumprod(a: Any, ra: Any, skip: int, begins: bool, carry: float, rest: float, mid: Any, rad: Any) -> None:
    """From the first factor that is exactly 0 on, the product is exactly 0."""
    n = a.size
    s, r, growth = carry, rest, 1 + 8 * n * U
    for j in range(min(skip, n)):
        mid[j], rad[j] = 1.0, 0.0
    for j in range(skip, n):
        if j == skip and begins:
            s, r = a[j], ra[j]
        elif ra[j] < np.inf and r < np.inf and ((a[j] == 0 and ra[j] == 0) or (s == 0 and r == 0)):
            s, r = s * a[j], 0.0
        else:
            before = abs(s)
            s = s * a[j]
            r = (abs(a[j]) + ra[j]) * (1 + 8 * U) * r + ((before * ra[j] + U * abs(s)) * (1 + 16 * U) + 4 * FLOOR)
        mid[j], rad[j] = s, finished(r * growth)


@made
def cummin(a: Any, ra: Any, skip: int, begins: bool, carry: float, rest: float, sign: float, mid: Any, rad: Any) -> None:
    """The running minimum for sign 1, the maximum for -1, between those of the lower and of the upper ends."""
    n = a.size
    least, low, high = np.inf, np.inf, np.inf
    unknown = False
    if not begins:
        least = sign * carry
        slack = rest * (1 + 4 * U) + 2 * U * abs(least) + FLOOR if rest > 0 else 0.0
        low, high, unknown = least - slack, least + slack, not rest < np.inf
    for j in range(min(skip, n)):
        mid[j], rad[j] = 0.0, np.inf
    for j in range(skip, n):
        v = sign * a[j]
        slack = ra[j] * (1 + 4 * U) + 2 * U * abs(v) + FLOOR if ra[j] > 0 else 0.0
        unknown = unknown or not ra[j] < np.inf or v != v
        least, low, high = min(least, v), min(low, v - slack), min(high, v + slack)
        mid[j], rad[j] = sign * least, np.inf if unknown else finished(max(least - low, high - least))


@made
def recurrence(a: Any, ra: Any, b: Any, rb: Any, skip: int, begins: bool, carry: float, rest: float, mid: Any, rad: Any) -> None:
    """s <- a s + b."""
    n = a.size
    s, r, growth = carry, rest, 1 + 8 * n * U
    for j in range(min(skip, n)):
        mid[j], rad[j] = 0.0, 0.0
    for j in range(skip, n):
        if j == skip and begins:
            s, r = 0.0, 0.0
        before = abs(s)
        product = a[j] * s
        s = product + b[j]
        rounding = U * (abs(product) + abs(s)) * (1 + 2 * U)
        terms = (before * ra[j] + rb[j] + rounding) * (1 + 16 * U) + 4 * FLOOR
        r = (abs(a[j]) + ra[j]) * (1 + 8 * U) * r + terms
        mid[j], rad[j] = s, finished(r * growth)


@made
def compare(
    a: Any, ra: Any, b: Any, rb: Any, op: int, everywhere: bool, at: int, outcomes: Any, widths: Any, counts: Any, sides: Any
) -> float:
    """Outcomes of one relation: 1 where it fails, 2 where that is not known; how far apart the sides are there, at most.

    `counts` and `sides` get how often that is, and where first; `widths` how far apart the sides are at each entry. By order:
    `below`, `same` and `above` are what a is, beside b.
    """
    if not everywhere and op != 2 and op != 5 and ((op < 2 and surely(a, ra, b, rb)) or (op > 2 and surely(b, rb, a, ra))):
        return 0.0
    below, same, above = (0 if op < 2 else 1), (0 if op == 0 or op == 2 or op == 3 else 1), (0 if op == 3 or op == 4 else 1)
    if op == 5:
        below, same, above = 2, 2, 2
    unknown, failed = 0, 0
    for j in range(a.size):
        difference, radius = b[j] - a[j], (ra[j] + rb[j]) * INFLATE
        told = abs(difference) * DEFLATE > radius or radius == 0
        found = below if difference > 0 else above if difference < 0 else same if difference == 0 and radius == 0 else 2
        found = found if told else 2
        unknown, failed = unknown + (found == 2), failed + (found == 1)
        outcomes[j] = found
    for kind, count in ((0, failed), (1, unknown)):
        if count > 0 and counts[kind, 0] == 0:
            j = 0
            while outcomes[j] != kind + 1:
                j += 1
            counts[kind, 1] = at + j
            sides[kind, 0], sides[kind, 1], sides[kind, 2], sides[kind, 3] = a[j], ra[j], b[j], rb[j]
        counts[kind, 0] += count
    if unknown == 0 and not everywhere:
        return 0.0
    for j in range(a.size):
        size = abs(a[j] - b[j])
        rounding = U * size
        if size < FLOOR / U and size > 0:
            rounding = rounding + FLOOR
        whole = (ra[j] + rb[j] + rounding) * INFLATE
        apart = (size + whole) / max(abs(a[j]), abs(b[j]))
        widths[j] = apart if apart < np.inf else np.inf
    widest, other = 0.0, 0.0
    for j in range(0, a.size - 1, 2):
        widest = max(widest, widths[j] if outcomes[j] == 2 else 0.0)
        other = max(other, widths[j + 1] if outcomes[j + 1] == 2 else 0.0)
    last = a.size - 1
    return max(widest, other, widths[last] if outcomes[last] == 2 else 0.0)

"""The machine that runs programs, as compiled code: one call for a stretch of the run, however many claims are asked.

Imported only where numba is installed and wanted. A relation that surely holds in a whole block leaves no trace: outcomes are 0
from the start, which is HOLDS.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.evaluate.kernels import (
    add,
    add_to,
    choose,
    compare,
    cummin,
    cumprod,
    cumsum,
    divide,
    divide_by,
    divide_into,
    made,
    multiply,
    multiply_by,
    recurrence,
    root,
    smaller,
    subtract,
    subtract_from,
)
from boundcheck.evaluate.program import BLOCK


@made
def scan(row: Any, n: int, at: int, goes_on: bool, a: Any, ra: Any, b: Any, rb: Any, M: Any, R: Any) -> None:
    """A scan of n entries; the end of the block before, a full one, moves to the front of its register first."""
    op, out, halo = row[0], row[1], row[4]
    if goes_on:
        for j in range(halo):
            M[out - halo + j], R[out - halo + j] = M[out - halo + BLOCK + j], R[out - halo + BLOCK + j]
    skip, begins = max(0, row[3] - at), at <= row[3]
    carry, rest, mid, rad = M[out - 1], R[out - 1], M[out : out + n], R[out : out + n]
    if op == 17:
        cumsum(a, ra, skip, begins, carry, rest, mid, rad)
    elif op == 18:
        cumprod(a, ra, skip, begins, carry, rest, mid, rad)
    elif op == 21:
        recurrence(a, ra, b, rb, skip, begins, carry, rest, mid, rad)
    else:
        cummin(a, ra, skip, begins, carry, rest, 1.0 if op == 19 else -1.0, mid, rad)


@made
def step(row: Any, n: int, at: int, moved: int, goes_on: bool, M: Any, R: Any) -> None:
    """One instruction on n entries, of which the first is k = at; operands that move have moved so far."""
    op, out = row[0], row[1]
    pa, pb = row[5] + row[6] * moved, row[7] + row[8] * moved
    a, ra, b, rb = M[pa : pa + n], R[pa : pa + n], M[pb : pb + n], R[pb : pb + n]
    mid, rad = M[out : out + n], R[out : out + n]
    if op == 0:
        add(a, ra, b, rb, mid, rad)
    elif op == 1:
        add_to(a, ra, -M[pb] if row[4] else M[pb], R[pb], mid, rad)
    elif op == 2:
        subtract(a, ra, b, rb, mid, rad)
    elif op == 3:
        subtract_from(M[pb], R[pb], a, ra, mid, rad)
    elif op == 4:
        multiply(a, ra, b, rb, mid, rad)
    elif op == 5:
        multiply_by(a, ra, M[pb], R[pb], mid, rad)
    elif op == 6:
        divide(a, ra, b, rb, mid, rad)
    elif op == 7:
        divide_by(a, ra, M[pb], R[pb], mid, rad)
    elif op == 8:
        divide_into(M[pb], R[pb], a, ra, mid, rad)
    elif op == 9:
        for j in range(n):
            mid[j], rad[j] = -a[j], ra[j]
    elif op == 10:
        for j in range(n):
            mid[j], rad[j] = abs(a[j]), ra[j]
    elif op == 11:
        root(a, ra, mid, rad)
    elif op == 12 or op == 13:
        smaller(a, ra, b, rb, 1.0 if op == 12 else -1.0, mid, rad)
    elif op == 14:
        pc, pd = row[9] + row[10] * moved, row[11] + row[12] * moved
        choose(a, ra, b, rb, row[3], M[pc : pc + n], R[pc : pc + n], M[pd : pd + n], R[pd : pd + n], mid, rad)
    elif op == 15:
        for j in range(n):
            mid[j], rad[j] = float(at + j + row[3]), 0.0
    elif op == 16:
        for j in range(n):
            if at + j < row[3]:
                mid[j], rad[j] = float(row[4]), 0.0
            else:
                mid[j], rad[j] = a[j], ra[j]
    else:
        scan(row, n, at, goes_on, a, ra, b, rb, M, R)


@made
def advance(
    code: Any, needed: Any, low: int, high: int, start: int, M: Any, R: Any,
    ranges: Any, outcomes: Any, widths: Any, counts: Any, sides: Any, widest: Any, each: Any,
) -> None:  # fmt: skip
    """Run a program for k = low..high - 1, whose columns are in memory; the run began at k = start. The rest are answers."""
    scratch = np.empty(BLOCK)
    for at in range(low, high, BLOCK):
        n, moved = min(BLOCK, high - at), at - low
        for i in range(len(code)):
            if not needed[i]:
                continue
            row = code[i]
            if row[0] < 22:
                step(row, n, at, moved, at > start, M, R)
                continue
            which = row[2]
            first, last = max(at, ranges[which, 0]), min(at + n, ranges[which, 1])
            if first < last:
                pa, pb, m = row[5] + row[6] * moved + first - at, row[7] + row[8] * moved + first - at, last - first
                a, ra, b, rb = M[pa : pa + m], R[pa : pa + m], M[pb : pb + m], R[pb : pb + m]
                into = outcomes[which, first:last]
                wide = widths[which, first:last] if each[which] or row[4] != 0 else scratch[:m]
                found = compare(a, ra, b, rb, row[3], row[4] != 0, first, into, wide, counts[which], sides[which])
                widest[which] = max(widest[which], found)


@made
def constants(code: Any, M: Any, R: Any) -> None:
    """The numbers that do not depend on k."""
    for i in range(len(code)):
        step(code[i], 1, 0, 0, False, M, R)

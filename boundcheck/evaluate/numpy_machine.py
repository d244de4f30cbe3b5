"""Programs in NumPy: what `machine` does in compiled code, a block at a time. A block is a whole stretch here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import scans
from boundcheck.arithmetic.functions import choose
from boundcheck.arithmetic.functions import compare as orders
from boundcheck.arithmetic.rounding import DEFLATE, FLOOR, INFLATE, U
from boundcheck.arithmetic.scalars import BoundedScalars
from boundcheck.evaluate.passes import FORMAT, SMALL, Block, Known, Passes
from boundcheck.evaluate.program import CODE, RELATIONS, Program
from boundcheck.evaluate.series import TRUTHS

OPS = {number: op for op, number in RELATIONS.items()}
WITH_CONSTANT = frozenset(CODE[name] for name in ("add_c", "sub_from_c", "mul_c", "div_c", "div_into_c"))
CHOOSE, INDEX, FROM, COMPARE = (CODE[name] for name in ("choose", "index", "from", "compare"))
SCANS = {CODE["cumsum"]: scans.cumsum, CODE["cumprod"]: scans.cumprod, CODE["cummin"]: scans.cummin, CODE["cummax"]: scans.cummax}
RECUR = CODE["recur"]
EMPTY = {
    CODE["cumsum"]: (0.0, 0.0),
    CODE["cumprod"]: (1.0, 0.0),
    RECUR: (0.0, 0.0),
}  # before a scan begins; a minimum has no value


NOTHING = Known()


class Numpy:
    """The machine for one memory: middles M and radii R."""

    def __init__(self, program: Program, M: Any, R: Any) -> None:
        self.program, self.M, self.R = program, M, R
        self.passes = Passes(program.block)
        self.known: dict[int, Known] = {}  # by address
        with np.errstate(all="ignore"):
            for row in program.constants.tolist():
                self._step(row, 1, 0)
        program.fill(M, R)
        for address, _ in program.fills:
            self._learn(address, 1)

    def _learn(self, address: int, length: int) -> None:
        """Look at what was put there."""
        mid, rad = self.M[address : address + length], self.R[address : address + length]
        least = float(mid.min(initial=np.inf))
        self.known[address] = Known(least >= 0, not rad.any(), max(least, 0.0))

    def advance(self, needed: NDArray[np.bool_], low: int, high: int, answers: Any) -> None:
        """Run the program for k = low..high - 1, whose columns are in memory."""
        n = high - low
        for address in self.program.columns_read:
            self._learn(address, n)
        with np.errstate(all="ignore"):
            for row, wanted in zip(self.program.rows_of_code, needed.tolist(), strict=True):
                if not wanted:
                    continue
                if row[0] != COMPARE:
                    self._step(row, n, low)
                    continue
                first, last = answers.ranges[row[2]].tolist()
                first, last = max(low, first), min(high, last)
                if first < last:
                    a, b = (self._block(row[at] + first - low, last - first, row[at]) for at in (5, 7))
                    compare(a, b, row[3], bool(row[4]), first, row[2], answers)

    def _block(self, address: int, n: int, learned: int) -> Block:
        return Block(self.M[address : address + n], self.R[address : address + n], self.known.get(learned, NOTHING))

    def _step(self, row: list[int], n: int, at: int) -> None:
        op, out = row[0], Block(self.M[row[1] : row[1] + n], self.R[row[1] : row[1] + n], NOTHING)
        a = self._block(row[5], n, row[5])
        if op in WITH_CONSTANT:
            c, rc = float(self.M[row[7]]), float(self.R[row[7]])
            self.known[row[1]] = self.passes.made[op](a, -c if row[4] else c, rc, out)
        elif op in self.passes.made:
            self.known[row[1]] = self.passes.made[op](a, self._block(row[7], n, row[7]), out)
        elif op in (CHOOSE, INDEX, FROM):
            self.known[row[1]] = self._fill(row, n, at, a, out)
        else:
            self._scan(row, n, at, a)

    def _fill(self, row: list[int], n: int, at: int, a: Block, out: Block) -> Known:
        if row[0] == INDEX:
            out.mid[:], out.rad[:] = np.arange(at + row[3], at + row[3] + n), 0.0
            return Known(at + row[3] >= 0, True, max(float(at + row[3]), 0.0))
        if row[0] == FROM:
            before = min(max(row[3] - at, 0), n)
            out.mid[:before], out.rad[:before] = row[4], 0.0
            out.mid[before:], out.rad[before:] = a.mid[before:], a.rad[before:]
            return NOTHING
        others = [self._block(row[place], n, row[place]).enclosed() for place in (7, 9, 11)]
        made = choose(TRUTHS[OPS[row[3]]][orders(a.enclosed(), others[0]) + 1], *others[1:])
        out.mid[:], out.rad[:] = made.mid, made.rad
        return NOTHING

    def _scan(self, row: list[int], n: int, at: int, a: Block) -> None:
        """The end of the block before, a full one, moves to the front of the register first."""
        op, out, halo, M, R = row[0], row[1], row[4], self.M, self.R
        goes_on, length = at > self.program.layout.first, self.program.block
        if goes_on:
            for memory in (M, R):
                memory[out - halo : out] = memory[out - halo + length : out + length].copy()
        skip = min(max(0, row[3] - at), n)
        M[out : out + skip], R[out : out + skip] = EMPTY.get(op, (0.0, np.inf))
        if skip == n:
            self.known[out] = Known(plus=True)
            return
        carry = None if at <= row[3] else BoundedScalars(FORMAT, M[out - 1 : out].copy(), R[out - 1 : out].copy())
        inside = a.enclosed()[skip:]
        if op == RECUR:
            b = self._block(row[7], n, row[7]).enclosed()[skip:]
            made = scans.recurrence(inside, b, BoundedScalars(FORMAT, np.zeros(1), np.zeros(1)) if carry is None else carry)
        else:
            made = SCANS[op](inside, carry)
        M[out + skip : out + n], R[out + skip : out + n] = made.mid, made.rad
        plus = op != RECUR and a.known.plus and (not goes_on or self.known[out].plus)
        for back in range(halo + 1):
            self.known[out - back] = Known(plus, False, 0.0)


def compare(a: Block, b: Block, op: int, everywhere: bool, at: int, which: int, answers: Any) -> None:
    """Outcomes of one relation: 1 where it fails, 2 where that is not known; how far apart the sides are there."""
    small, large = (b, a) if op > 2 else (a, b)
    difference = large.mid - small.mid
    radius = a.rad + b.rad
    radius *= INFLATE
    size = np.abs(difference)
    apart = size * DEFLATE > radius
    equation, limit = op == 2, op == 5
    if not equation and not limit and not everywhere and apart.all() and (difference > 0).all():
        return
    outcomes = answers.outcomes[which, at : at + len(size)]
    outcomes[:] = 2
    if not limit:
        if not equation:
            np.copyto(outcomes, np.int8(0), where=apart & (difference > 0))
            np.copyto(outcomes, np.int8(1), where=apart & (difference < 0))
        else:
            np.copyto(outcomes, np.int8(1), where=apart)
        if not radius.min() > 0:
            same = (radius == 0) & (difference == 0)
            np.copyto(outcomes, np.int8(1 if op in (1, 4) else 0), where=same)
    unknown, failed = outcomes == 2, outcomes == 1
    counts = (int(np.count_nonzero(failed)), int(np.count_nonzero(unknown)))
    if counts[1] or everywhere:
        answers.widths[which, at : at + len(size)] = _widths(a, b, size, radius)
    for kind, (count, where) in enumerate(zip(counts, (failed, unknown), strict=True)):
        if count and not answers.counts[which, kind, 0]:
            j = int(where.argmax())
            answers.counts[which, kind, 1] = at + j
            answers.sides[which, kind] = [np.inf if v != v else v for v in (a.mid[j], a.rad[j], b.mid[j], b.rad[j])]
        answers.counts[which, kind, 0] += count


def _widths(a: Block, b: Block, size: Any, radius: Any) -> Any:
    """How far apart two sides may be, relative to them."""
    whole = size * (1 + U * INFLATE)
    whole += radius
    if not size.min() >= SMALL:
        whole[(size < SMALL) & (size > 0)] += FLOOR * INFLATE
    whole /= np.maximum(a.size(None), b.size(None))
    return whole if whole.max() < np.inf else np.where(whole < np.inf, whole, np.inf)

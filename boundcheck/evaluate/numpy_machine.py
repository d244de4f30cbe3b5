"""Programs in NumPy: what `machine` does in compiled code, a long block at a time. A block is a whole stretch here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.arithmetic import compiled, scans
from boundcheck.arithmetic.base import Truth
from boundcheck.arithmetic.functions import choose
from boundcheck.arithmetic.functions import compare as orders
from boundcheck.arithmetic.scalars import BoundedScalars
from boundcheck.evaluate.comparing import compare
from boundcheck.evaluate.passes import FORMAT, NOTHING, Block, Known, Passes, repeated
from boundcheck.evaluate.program import CODE, RELATIONS, Part, Program
from boundcheck.evaluate.truth import TRUTHS

OPS = {number: op for op, number in RELATIONS.items()}
WITH_CONSTANT = frozenset(CODE[name] for name in ("add_c", "sub_from_c", "mul_c", "div_c", "div_into_c"))
CHOOSE, INDEX, FROM, COMPARE = (CODE[name] for name in ("choose", "index", "from", "compare"))
SUM, RECUR = CODE["cumsum"], CODE["recur"]
SCANS = {CODE["cumprod"]: scans.cumprod, CODE["cummin"]: scans.cummin, CODE["cummax"]: scans.cummax}
EMPTY = {SUM: (0.0, 0.0), CODE["cumprod"]: (1.0, 0.0), RECUR: (0.0, 0.0)}  # before a scan begins; a minimum has no value
SINGLE = {CODE["add"]: compiled.add, CODE["sub"]: compiled.subtract, CODE["mul"]: compiled.multiply, CODE["div"]: compiled.divide}
LENGTHS = 8  # of blocks, that instructions are bound to at a time
Step = Callable[[int], None]  # an instruction bound to its memory: it wants to know k


class Numpy:
    """The machine for one memory: middles M and radii R. Instructions are bound to it once for each length of a block."""

    def __init__(self, program: Program, M: Any, R: Any) -> None:
        self.program, self.M, self.R = program, M, R
        self.passes = Passes(program.block)
        self.spread = dict(program.fills)
        self.constants: list[tuple[float, float]] = []  # by address: the same list for every run, since instructions read it
        self._blocks: dict[tuple[int, int], Block] = {}
        self._bound: dict[int, list[Any]] = {}
        self._given: list[float] | None = None
        self._before = 0  # entries of the block before

    def begin(self, columns: list[Any]) -> None:
        """A run begins: its columns are these, and its constants are in memory."""
        self.columns = columns
        self.facts = [_facts(*column) for column in columns]
        inputs, count = self.program.inputs, self.program.numbers
        given = [*self.M[inputs].tolist(), *self.R[inputs].tolist()]
        if given == self._given:  # as those of the run before: so are all constants
            self.M[:count], self.R[:count] = np.array(self.constants).reshape(count, 2).T  # of none, too
            return
        with np.errstate(all="ignore"):
            for row in self.program.rows_of_constants:
                self._constant(row)
        self._given = given
        self.constants[:] = zip(self.M[:count].tolist(), self.R[:count].tolist(), strict=True)
        for (address, n), block in self._blocks.items():
            if address in self.spread:
                block.mid, block.rad, block.known = self._spread(address, n)

    def _constant(self, row: list[int]) -> None:
        """An operation on single numbers: a loop of one turn is quicker than passes."""
        one = SINGLE.get(row[0])
        if one is None:
            self._bind(row, 1)(0)
            return
        a, ra, b, rb, out, rad = (memory[row[at] : row[at] + 1] for at in (5, 7, 1) for memory in (self.M, self.R))
        one(a, ra, b, rb, out, rad)

    def advance(self, needed: Part, low: int, high: int, answers: Any) -> None:
        """Run the program for k = low..high - 1, whose columns are in memory."""
        n = high - low
        if n not in self._bound:
            if len(self._bound) >= LENGTHS:
                self._bound.clear()
                self._blocks.clear()
            self._bound[n] = [None if row[0] == COMPARE else self._bind(row, n) for row in self.program.rows_of_code]
        self._look(low, n)
        ranges = answers.ranges.tolist()
        with np.errstate(all="ignore"):
            for row, step, wanted in zip(self.program.rows_of_code, self._bound[n], needed.instructions.tolist(), strict=True):
                if not wanted:
                    continue
                if step is not None:
                    step(low)
                    continue
                first, last = ranges[row[2]]
                first, last = max(low, first) - low, min(high, last) - low
                if first < last:
                    a, b = self._block(row[5], n).part(first, last), self._block(row[7], n).part(first, last)
                    compare(a, b, row[3], bool(row[4]), low + first, row[2], answers, self.passes.scratch)
        self._before = n

    def _block(self, address: int, n: int) -> Block:
        """The n numbers there; a constant that is read as a series is not written out."""
        found = self._blocks.get((address, n))
        if found is None:
            if address in self.spread:
                found = Block(*self._spread(address, n))
            else:
                found = Block(self.M[address : address + n], self.R[address : address + n], NOTHING)
            self._blocks[address, n] = found
        return found

    def _spread(self, address: int, n: int) -> tuple[Any, Any, Known]:
        made = repeated(*self.constants[self.spread[address]], n)
        return made.mid, made.rad, made.known

    def _look(self, low: int, n: int) -> None:
        """Point at the columns. Entries past the end of one are unbounded, read by no relation, and do not count in its facts."""
        for address, offset, column in self.program.columns_read:
            block, (mids, radii) = self._block(address, n), self.columns[column]
            first, last = low + offset, low + offset + n
            block.known = self.facts[column]
            if first >= 0 and last <= len(mids):
                block.mid, block.rad = mids[first:last], radii[first:last]
                continue
            inside = slice(max(first, 0), max(min(last, len(mids)), 0))
            block.mid, block.rad = np.zeros(n), np.full(n, np.inf)
            block.mid[inside.start - first : inside.stop - first] = mids[inside]
            block.rad[inside.start - first : inside.stop - first] = radii[inside]

    def _bind(self, row: list[int], n: int) -> Step:
        op, out, a = row[0], self._block(row[1], n), self._block(row[5], n)
        made = self.passes.made.get(op)
        if made is None:
            return self._bind_other(row, n, a, out)
        if op in WITH_CONSTANT:
            constants, address, negative = self.constants, row[7], bool(row[4])

            def with_constant(at: int) -> None:
                c, rc = constants[address]
                out.known = made(a, -c if negative else c, rc, out)

            return with_constant
        b = self._block(row[7], n)

        def with_two(at: int) -> None:
            out.known = made(a, b, out)

        return with_two

    def _bind_other(self, row: list[int], n: int, a: Block, out: Block) -> Step:
        op, of = row[0], [self._block(row[place], n) for place in (7, 9, 11)]

        def index(at: int) -> None:
            first = at + row[3]
            out.mid[:], out.rad[:] = np.arange(first, first + n), 0.0
            out.known = Known(first >= 0, True, max(float(first), 0.0))

        def begin(at: int) -> None:
            before = min(max(row[3] - at, 0), n)
            out.mid[:before], out.rad[:before] = row[4], 0.0
            out.mid[before:], out.rad[before:] = a.mid[before:], a.rad[before:]
            out.known = NOTHING

        def chosen(at: int) -> None:
            right, yes, no = (block.enclosed() for block in of)
            left = a.enclosed()
            held = TRUTHS[OPS[row[3]]][orders(left, right) + 1]
            made = choose(held, yes, no)
            out.mid[:], out.rad[:] = made.mid, made.rad
            if (held == Truth.UNKNOWN).any():
                with np.errstate(all="ignore"):
                    known = np.isfinite(np.abs(left.mid) + left.rad + np.abs(right.mid) + right.rad)
                out.rad[(held == Truth.UNKNOWN) & ~known] = np.inf  # an undefined condition: undefined
            out.known = NOTHING

        def scanned(at: int) -> None:
            self._scan(row, n, at, a, of[0], out)

        return {INDEX: index, FROM: begin, CHOOSE: chosen}.get(op, scanned)

    def _scan(self, row: list[int], n: int, at: int, a: Block, b: Block, made: Block) -> None:
        """The end of the block before moves to the front of the register first."""
        op, out, halo, M, R = row[0], row[1], row[4], self.M, self.R
        goes_on = at > self.program.layout.first
        if goes_on:
            for memory in (M, R):
                memory[out - halo : out] = memory[out - halo + self._before : out + self._before].copy()
        skip = min(max(0, row[3] - at), n)
        made.mid[:skip], made.rad[:skip] = EMPTY.get(op, (0.0, np.inf))
        carry = None if at <= row[3] else (float(M[out - 1]), float(R[out - 1]))
        if skip < n and op == SUM:
            self.passes.running_sum(a.part(skip, n), carry, made.part(skip, n))
        elif skip < n:
            before = None if carry is None else BoundedScalars(FORMAT, np.array(carry[:1]), np.array(carry[1:]))
            inside = a.enclosed()[skip:]
            if op == RECUR:
                nothing = BoundedScalars(FORMAT, np.zeros(1), np.zeros(1))
                found = scans.recurrence(inside, b.enclosed()[skip:], nothing if before is None else before)
            else:
                found = SCANS[op](inside, before)
            made.mid[skip:], made.rad[skip:] = found.mid, found.rad
        plus = op != RECUR and a.known.plus and (carry is None or carry[0] >= 0)
        made.known = Known(plus)
        for back in range(1, halo + 1):  # what is read there was made in the block before
            self._block(out - back, n).known = NOTHING


def _facts(mids: Any, radii: Any) -> Known:
    """What is known of a column, at all of its entries."""
    least = float(mids.min(initial=np.inf))  # nan where one is: then nothing is known
    return Known(least >= 0, not radii.any(), least if least > 0 else 0.0)

"""The operations of programs in NumPy alone: a few passes over a block for each.

The inequalities are those of `arithmetic.scalars`; only the inflation is spread over the terms, and what is known of a whole
block saves passes: that its numbers are not negative, are exact, or are far from underflow. A radius that is NaN says what an
infinite one says, and is read so where sides are compared.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from boundcheck.arithmetic.float64 import Float64
from boundcheck.arithmetic.functions import maximum, minimum, sqrt
from boundcheck.arithmetic.rounding import DEFLATE, FLOOR, INFLATE, LARGEST, SAFE, U
from boundcheck.arithmetic.scalars import BoundedScalars
from boundcheck.evaluate.program import CODE, NAMES

ROUNDING = U * INFLATE  # of one operation, relative to its result, and inflated
TWICE = 1 + 80 * U  # inflated, and divided by what is deflated
SMALL = FLOOR / U
FORMAT = Float64().format
VIEWS = 256  # lengths of scratch memory, that are kept


class Known(NamedTuple):
    """What is known of all numbers of a block."""

    plus: bool = False  # none is negative
    exact: bool = False  # all radii are 0
    least: float = 0.0  # no size is smaller


NOTHING = Known()


class Block:
    """A stretch of numbers in memory, and what is known of them."""

    __slots__ = ("known", "mid", "rad")

    def __init__(self, mid: Any, rad: Any, known: Known) -> None:
        self.mid, self.rad, self.known = mid, rad, known

    def size(self, into: Any) -> Any:
        """The absolute values: themselves, where none is negative."""
        return self.mid if self.known.plus else np.abs(self.mid, out=into)

    def part(self, first: int, last: int) -> Block:
        whole = first == 0 and last == len(self.mid)
        return self if whole else Block(self.mid[first:last], self.rad[first:last], self.known)

    def enclosed(self) -> BoundedScalars:
        return BoundedScalars(FORMAT, self.mid, np.where(np.isnan(self.rad), np.inf, self.rad))


class Passes:
    """Scratch memory for blocks of up to `length` entries, and the operations."""

    def __init__(self, length: int) -> None:
        self._scratch = np.empty((3, length))
        self._views: dict[int, tuple[Any, Any, Any]] = {}
        self.made = {CODE[name]: getattr(self, name) for name in NAMES if hasattr(self, name)}

    def scratch(self, count: int) -> tuple[Any, Any, Any]:
        """Three times so many entries."""
        found = self._views.get(count)
        if found is None:
            if len(self._views) >= VIEWS:
                self._views.clear()
            one, two, three = self._scratch[:, :count]
            found = self._views[count] = one, two, three
        return found

    def _rounded(self, out: Block, size: Any, spread: Any) -> None:
        """The radius: what comes from the operands, inflated, and the rounding of the result."""
        np.multiply(size, ROUNDING, out=out.rad)
        out.rad += spread

    # -- sums: the rounding error is at most u |sum|; a sum never underflows ----------------------------------------------

    def _sum(self, out: Block, radii: Any, plus: bool, least: float) -> Known:
        """`radii` are those of the operands together."""
        size = out.mid if plus else np.abs(out.mid, out=self.scratch(len(radii))[2])
        np.multiply(radii, INFLATE, out=radii)
        self._rounded(out, size, radii)
        if not least >= SMALL and not size.min() >= SMALL:
            out.rad[(size < SMALL) & (size > 0)] += FLOOR * INFLATE
        return Known(plus, False, least if plus else 0.0)

    def add(self, a: Block, b: Block, out: Block) -> Known:
        np.add(a.mid, b.mid, out=out.mid)
        radii = np.add(a.rad, b.rad, out=self.scratch(len(out.mid))[0])
        plus = a.known.plus and b.known.plus
        return self._sum(out, radii, plus, max(a.known.least, b.known.least) if plus else 0.0)

    def sub(self, a: Block, b: Block, out: Block) -> Known:
        np.subtract(a.mid, b.mid, out=out.mid)
        return self._sum(out, np.add(a.rad, b.rad, out=self.scratch(len(out.mid))[0]), False, 0.0)

    def add_c(self, a: Block, c: float, rc: float, out: Block) -> Known:
        np.add(a.mid, c, out=out.mid)
        plus = a.known.plus and c >= 0
        return self._sum(out, np.add(a.rad, rc, out=self.scratch(len(out.mid))[0]), plus, max(a.known.least, c) if plus else 0.0)

    def sub_from_c(self, a: Block, c: float, rc: float, out: Block) -> Known:
        np.subtract(c, a.mid, out=out.mid)
        return self._sum(out, np.add(a.rad, rc, out=self.scratch(len(out.mid))[0]), False, 0.0)

    # -- products: |xy - ab| <= |a| rb + ra (|b| + rb), and the rounding u |ab| --------------------------------------------

    def mul(self, a: Block, b: Block, out: Block) -> Known:
        one, two, three = self.scratch(len(out.mid))
        np.multiply(a.mid, b.mid, out=out.mid)
        if b.known.exact:
            spread = np.multiply(a.rad, b.size(one), out=one)
        else:
            spread = np.multiply(a.size(one), b.rad, out=one)
            if not a.known.exact:
                whole = np.add(b.size(two), b.rad, out=two)
                spread += np.multiply(a.rad, whole, out=two)
        spread *= INFLATE
        plus, least = a.known.plus and b.known.plus, a.known.least * b.known.least
        size = out.mid if plus else np.abs(out.mid, out=three)
        self._rounded(out, size, spread)
        if not least > SAFE and not size.min() > SAFE:
            zero = ((a.mid == 0) & (a.rad == 0)) | ((b.mid == 0) & (b.rad == 0))
            out.rad[~zero & ~(size > SAFE)] += FLOOR * INFLATE
        return Known(plus, False, least * (1 - 2 * U))

    def mul_c(self, a: Block, c: float, rc: float, out: Block) -> Known:
        one, two, three = self.scratch(len(out.mid))
        np.multiply(a.mid, c, out=out.mid)
        spread = np.multiply(a.rad, (abs(c) + rc) * INFLATE, out=one)
        if rc:
            spread += np.multiply(a.size(two), rc * INFLATE, out=two)
        plus, least = a.known.plus and c >= 0, a.known.least * abs(c)
        size = out.mid if plus else np.abs(out.mid, out=three)
        self._rounded(out, size, spread)
        if not least > SAFE and abs(c) + rc != 0 and not size.min() > SAFE:
            out.rad[((a.mid != 0) | (a.rad != 0)) & ~(size > SAFE)] += FLOOR * INFLATE
        return Known(plus, False, least * (1 - 2 * U))

    # -- quotients: |x/y - a/b| <= (ra + |a/b| rb) / (|b| - rb); undefined where the divisor's enclosure touches 0 ----------

    def div(self, a: Block, b: Block, out: Block) -> Known:
        return self._divide(a, b, out)

    def div_c(self, a: Block, c: float, rc: float, out: Block) -> Known:
        least = (min(abs(c), LARGEST) * DEFLATE - rc) * DEFLATE
        if not least > SAFE:
            return self._divide(a, repeated(c, rc, len(out.mid)), out)
        one, two, three = self.scratch(len(out.mid))
        np.divide(a.mid, c, out=out.mid)
        plus, smallest = a.known.plus and c > 0, a.known.least / abs(c)
        size = out.mid if plus else np.abs(out.mid, out=three)
        if not smallest > SAFE and not size.min() > SAFE:
            return self._divide(a, repeated(c, rc, len(out.mid)), out)
        spread = np.divide(a.rad, least * DEFLATE, out=one)
        if rc:
            spread += np.multiply(size, rc / least * INFLATE, out=two)
        self._rounded(out, size, spread)
        return Known(plus, False, smallest * (1 - 2 * U))

    def div_into_c(self, b: Block, c: float, rc: float, out: Block) -> Known:
        return self._divide(repeated(c, rc, len(out.mid)), b, out)

    def _divide(self, a: Block, b: Block, out: Block) -> Known:
        one, two, three = self.scratch(len(out.mid))
        least = np.multiply(b.size(one), DEFLATE, out=one)
        if not b.known.exact:
            least -= b.rad
        np.divide(a.mid, b.mid, out=out.mid)
        plus = a.known.plus and b.known.plus
        size = out.mid if plus else np.abs(out.mid, out=three)
        smallest, low = float(least.min()), float(size.min())
        safe = smallest > SAFE and low > SAFE
        few = None if safe else np.flatnonzero(~((least > SAFE) & (size > SAFE)))
        if b.known.exact:
            spread = np.divide(a.rad, least, out=two)
        else:
            spread = np.multiply(size, b.rad, out=two)
            if not a.known.exact:
                spread += a.rad
            spread /= least
        spread *= TWICE
        self._rounded(out, size, spread)
        if few is not None:
            made = a.enclosed()[few] / b.enclosed()[few]
            out.mid[few], out.rad[few] = made.mid, made.rad
            return NOTHING
        return Known(plus, False, low)

    def running_sum(self, a: Block, carry: tuple[float, float] | None, out: Block) -> None:
        """Each addition is off by at most u |sum|, and the errors add up. The first number of all is no sum."""
        one, two, _ = self.scratch(len(out.mid))
        terms = a.mid
        if carry is not None:
            terms = one
            terms[:] = a.mid
            terms[0] += carry[0]
        np.add.accumulate(terms, out=out.mid)
        size = np.abs(out.mid, out=two)
        errors = np.multiply(size, U, out=one)
        if not size.min() >= SMALL:
            errors[(size > 0) & (size < SMALL)] += FLOOR
        if carry is None:
            errors[0] = 0.0
        errors += a.rad
        if carry is not None:
            errors[0] += carry[1]
        np.add.accumulate(errors, out=out.rad)
        out.rad *= (1 + 2 * len(out.mid) * U) * INFLATE * (1 + 2 * U)

    # -- the rest ---------------------------------------------------------------------------------------------------------

    def neg(self, a: Block, b: Block, out: Block) -> Known:
        np.negative(a.mid, out=out.mid)
        out.rad[:] = a.rad
        return Known(False, a.known.exact, a.known.least)

    def abs(self, a: Block, b: Block, out: Block) -> Known:
        np.abs(a.mid, out=out.mid)
        out.rad[:] = a.rad
        return Known(True, a.known.exact, a.known.least)

    def sqrt(self, a: Block, b: Block, out: Block) -> Known:
        return _put(sqrt(a.enclosed()), out, True)

    def min(self, a: Block, b: Block, out: Block) -> Known:
        return _put(minimum(a.enclosed(), b.enclosed()), out, a.known.plus and b.known.plus)

    def max(self, a: Block, b: Block, out: Block) -> Known:
        return _put(maximum(a.enclosed(), b.enclosed()), out, a.known.plus and b.known.plus)


@lru_cache(maxsize=256)
def repeated(c: float, rc: float, count: int) -> Block:
    """A constant as a block of so many entries; it is shared, so nobody may change it."""
    return Block(np.broadcast_to(c, count), np.broadcast_to(rc, count), Known(c >= 0, rc == 0, abs(c)))


def _put(made: BoundedScalars, out: Block, plus: bool) -> Known:
    out.mid[:], out.rad[:] = made.mid, made.rad
    return Known(plus)

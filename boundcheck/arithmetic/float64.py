"""float64 with running error bounds. Sound if NumPy's elementary functions are within 4 units in the last place."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact, Floats
from boundcheck.arithmetic.bounded.arithmetic import BoundedArithmetic
from boundcheck.arithmetic.bounded.scans import blocked
from boundcheck.arithmetic.bounded.storage import FLOOR, Format, Mids, U, upper_norms
from boundcheck.arithmetic.bounded.vectors import BoundedVectors
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.arithmetic.softplus import bregman, sums, sums_from


class Float64Format(Format):
    """Middles are float64; u = 2^-53."""

    u = U
    plain = FLOAT64

    def lift(self, value: Exact) -> tuple[float, float]:
        if type(value) is int and -(2**53) <= value <= 2**53:
            return float(value), 0.0
        try:
            mid = float(value)
        except OverflowError:
            return math.inf, math.inf
        if not math.isfinite(mid):
            return mid, math.inf
        if isinstance(value, float | np.floating):
            return mid, 0.0
        exact = Fraction(mid) == Fraction(value)
        return mid, 0.0 if exact else abs(mid) * U * 1.001 + FLOOR

    def floats(self, mids: Any) -> Floats:
        return np.asarray(mids, dtype=np.float64)

    def size(self, mids: Any) -> Floats:
        return np.asarray(np.abs(mids))

    def norms(self, mids: Mids) -> Floats:
        return upper_norms(mids, self.once("dot", lambda: self.plain.dot(mids, mids), mids, mids))

    def bregman(self, v: Mids, d: Mids) -> tuple[Mids, Floats]:
        return bregman(v, d)

    def bregman_sum(self, v: BoundedVectors, d: BoundedVectors, *, back: bool) -> tuple[Mids, Floats]:
        """Some rows at a time, so that margins that wait to be computed never leave the cache."""
        from_one = v.shape == () and not back
        if not (from_one or v.shape == d.shape):
            return super().bregman_sum(v, d, back=back)
        longest = d.size.reshape(-1)
        if from_one:
            made = self.once("distances from", lambda: sums_from(v.mid, d.rows, longest), v.mid, *d.source)
        else:
            made = self.once("distances", lambda: sums(v.rows, d.rows, longest, d.dimension), *v.source, *d.source)[back::2]
        return made[0].reshape(d.shape), made[1].reshape(d.shape)

    def scan(self, a: Mids, b: Mids, carry: Mids) -> Mids:
        return blocked(a, b, carry)


class Float64(BoundedArithmetic):
    """float64 middles and radii, batched."""

    def __init__(self) -> None:
        super().__init__("float64", Float64Format())

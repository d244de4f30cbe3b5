"""Jacobians of steps over a tube, with as many bits as it takes to tell them well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.dual import Dual, dual
from boundcheck.runners.tube import in_floats

FEWEST = 64
BLUR = 2.0**-16  # of the set's size: an error of the Jacobian that does not matter


class Jacobians:
    """The number of bits is kept from one step to the next; it grows where a difference cancels, up to that of the run."""

    def __init__(self, most: int) -> None:
        self.bits, self.most = FEWEST, max(FEWEST, most)

    def over(self, reach: Floats, derivatives: Callable[[Dual], Any]) -> tuple[Floats, Floats]:
        """Middles and errors of the derivatives that a formula has in this number of bits; `reach` is the size of the box."""
        best, blur = self._at(self.bits, reach, derivatives)
        bits = self.bits
        while blur > BLUR and bits < self.most:
            bits = min(2 * bits, self.most)
            finer, left = self._at(bits, reach, derivatives)
            if left < blur / 2:
                best, blur, self.bits = finer, left, bits
        return best

    def _at(self, bits: int, reach: Floats, derivatives: Callable[[Dual], Any]) -> tuple[tuple[Floats, Floats], float]:
        xp = dual(bits)
        with xp.working(), np.errstate(all="ignore"):
            slope, error = in_floats(derivatives(xp))
            size = max(float((np.abs(slope) @ reach).max()), float(reach.max()))
            blur = float((error @ reach).max()) / size
        return (slope, error), blur if np.isfinite(blur) else np.inf

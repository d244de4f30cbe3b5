"""Room for some steps of runs on a quadratic: a row has d = x - x* and g = B d, of all runs."""

from __future__ import annotations

from typing import Any

import numpy as np

NUMBERS = 32_768  # in a buffer, so that it stays in the cache beside the matrix


class Buffers:
    """The first row is where the next steps begin; E has the steps."""

    def __init__(self, steps: int, x: Any, star: Any, g: Any) -> None:
        self.length = max(16, min(512, NUMBERS // x.size, steps))
        self.both = np.empty((self.length + 1, 2, *x.shape))
        self.D, self.G, self.E = self.both[:, 0], self.both[:, 1], np.empty((self.length, len(x)))
        self.D[0], self.G[0] = x - star, g

    def turn(self, made: int) -> None:
        """The row after so many steps becomes the first."""
        self.both[0] = self.both[made]

"""Weighted means of points, carried along a run in O(d) memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Scalars, Truth, Vectors
from boundcheck.language.vectors import Mean


class RunningMean:
    """sum_{i=low..n} w_i v_i / sum_{i=low..n} w_i for n in consecutive windows."""

    def __init__(self, node: Mean, xp: Arithmetic) -> None:
        self.xp, self.node = xp, node
        self.next = 0
        self.above: dict[str, Any] = {}
        self.below: Any = None

    def extend(
        self, low: int, high: int, weights: Callable[[int, int], Scalars], parts: dict[str, Callable[[int, int], Vectors]]
    ) -> dict[str, Vectors]:
        """The means for n = low..high - 1 of each part (points, gradients), all with the same weights.

        Before the range begins there is nothing to take the mean of: 0 / 0.
        """
        if low < self.next:
            raise ValueError(f"a running mean goes on at {self.next}; asked for {low}")
        skip, low = low - self.next, self.next
        w = weights(low, high)
        if low < self.node.low.offset:
            begun = np.where(np.arange(low, high) >= self.node.low.offset, Truth.YES, Truth.NO).astype(np.int8)
            w = self.xp.choose(begun, w, self.xp.scalar(0))
        total = self.xp.cumsum(w, self.below)
        result = {}
        for name, part in parts.items():
            sums = self.xp.cumsum_vectors(self.xp.scale(w, part(low, high)), self.above.get(name))
            self.above[name] = sums[..., -1:]
            result[name] = self.xp.scale(self.xp.scalar(1) / total, sums)
        self.below = total[..., -1:]
        self.next = high
        return {name: means[..., skip:] for name, means in result.items()}

"""Weighted means of points, carried along a run in O(d) memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boundcheck.arithmetic.base import Arithmetic, Scalars, Vectors
from boundcheck.language.vectors import Mean


class RunningMean:
    """sum_{i=low..n} w_i v_i / sum_{i=low..n} w_i for n in consecutive windows."""

    def __init__(self, node: Mean, xp: Arithmetic) -> None:
        self.xp, self.node = xp, node
        self.next = node.low.offset
        self.above: dict[str, Any] = {}
        self.below: Any = None

    def extend(
        self, low: int, high: int, weights: Callable[[int, int], Scalars], parts: dict[str, Callable[[int, int], Vectors]]
    ) -> dict[str, Vectors]:
        """The means for n = low..high - 1 of each part (points, gradients), all with the same weights."""
        if low != self.next:
            raise ValueError(f"a running mean goes on at {self.next}; asked for {low}")
        w = weights(low, high)
        total = self.xp.cumsum(w, self.below)
        result = {}
        for name, part in parts.items():
            sums = self.xp.cumsum_vectors(self.xp.scale(w, part(low, high)), self.above.get(name))
            self.above[name] = sums[..., -1:]
            result[name] = self.xp.scale(self.xp.scalar(1) / total, sums)
        self.below = total[..., -1:]
        self.next = high
        return result

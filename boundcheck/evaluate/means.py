"""Weighted means of points: carried along a run in O(d) memory, or over a few points that are all there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boundcheck.arithmetic.base import Arithmetic, Scalars, Vectors
from boundcheck.language.vectors import Mean

Weights = Callable[[int, int], Scalars]
Parts = Mapping[str, Callable[[int, int], Vectors]]  # points, gradients: each at low..high - 1

OVER_NOTHING = "a mean over nothing"


class RunningMean:
    """sum_{i=low..n} w_i v_i / sum_{i=low..n} w_i for n in consecutive windows, from a fixed start."""

    def __init__(self, node: Mean, xp: Arithmetic) -> None:
        self.xp, self.start = xp, node.low.offset
        self.next = self.start
        self.above: dict[str, Any] = {}
        self.below: Any = None
        self._from = self.start
        self._latest: dict[str, Vectors] = {}  # the means at _from..next - 1

    def means(self, low: int, high: int, weights: Weights, parts: Parts) -> dict[str, Vectors]:
        """The means for n = low..high - 1 of each part, all with the same weights. Before the range begins all are undefined."""
        if high > self.next:
            self._extend(high, weights, parts)
        first = max(low, self.start)
        if high > first and not self._from <= first <= high <= self.next:
            raise LookupError(f"a mean is asked for at {low}..{high - 1}; a run has it at {self._from}..{self.next - 1} by now")
        found = {name: made[..., first - self._from : high - self._from] for name, made in self._latest.items()}
        return found if first == low else _before(self.xp, found, parts, min(first, high) - low, high <= first)

    def _extend(self, high: int, weights: Weights, parts: Parts) -> None:
        w = weights(self.next, high)
        total = self.xp.cumsum(w, self.below)
        for name, part in parts.items():
            sums = self.xp.cumsum_vectors(self.xp.scale(w, part(self.next, high)), self.above.get(name))
            self.above[name] = sums[..., -1:]
            self._latest[name] = self.xp.scale(self.xp.scalar(1) / total, sums)
        self.below = total[..., -1:]
        self._from, self.next = self.next, high


def _before(xp: Arithmetic, found: dict[str, Vectors], parts: Parts, count: int, alone: bool) -> dict[str, Vectors]:
    """Undefined means, `count` of them, before those that were found, or alone."""
    made = {name: undefined_means(xp, part, count) for name, part in parts.items()}
    return made if alone else {name: xp.concatenate_vectors([some, found[name]]) for name, some in made.items()}


def undefined_means(xp: Arithmetic, part: Callable[[int, int], Vectors], count: int) -> Vectors:
    """Vectors that are none: something of the right shape, times numbers that are none."""
    like = part(-1, -1)
    return xp.scale(xp.undefined((like.shape[0], count), OVER_NOTHING), like)


def mean_of_all(xp: Arithmetic, low: int, high: int, weights: Weights, parts: Parts) -> dict[str, Vectors]:
    """The one mean over i = low..high."""
    if high < low:
        return {name: undefined_means(xp, part, 1) for name, part in parts.items()}
    w = weights(low, high + 1)
    share = xp.scalar(1) / xp.cumsum(w)[..., -1:]
    return {name: xp.scale(share, xp.cumsum_vectors(xp.scale(w, part(low, high + 1)))[..., -1:]) for name, part in parts.items()}


def moving_means(xp: Arithmetic, low: int, high: int, count: int, weights: Weights, parts: Parts) -> dict[str, Vectors]:
    """The means over n + low..n + high, for `count` successive n from 0 on: as many terms in each."""
    if high < low:
        return {name: undefined_means(xp, part, count) for name, part in parts.items()}
    w, terms = weights(low, high + count), high - low + 1
    share = xp.scalar(1) / sum((w[..., n : n + count] for n in range(1, terms)), w[..., :count])
    made = {}
    for name, part in parts.items():
        weighed = xp.scale(w, part(low, high + count))
        made[name] = xp.scale(share, sum((weighed[..., n : n + count] for n in range(1, terms)), weighed[..., :count]))
    return made


def shrinking_means(xp: Arithmetic, low: int, high: int, count: int, weights: Weights, parts: Parts) -> dict[str, Vectors]:
    """The means over n..high for n = low..low + count - 1: fewer terms in each, and none beyond `high`."""
    some = max(min(high + 1 - low, count), 0)
    each = [mean_of_all(xp, low + n, high, weights, parts) for n in range(some)]
    if some < count:
        each.append({name: undefined_means(xp, part, count - some) for name, part in parts.items()})
    return {name: xp.concatenate_vectors([one[name] for one in each]) for name in parts}

"""The sup along a line of the secant slope of the gradient, by branch and bound, proved.

With phi(t) = f(x + t d) on [0, T]: q(t) = (phi'(t) - phi'(0)) / t is the mean of phi'' over [0, t], and q(0) = phi''(0). So

    q'(t) = (phi''(t) - q(t)) / t, and 1/2 of a weighted mean of phi''' over [0, t],
    q''(t) = (phi'''(t) - 2 q'(t)) / t, and 1/3 of a weighted mean of phi'''' over [0, t], with weights t^2.

Boxes between float64 places with these values known at each end: a box whose top is below some value of q holds no sup. On the
boxes left over q is monotone, and then its sup is at an end; or it is concave, and then near a place v it exceeds q(v) by at most
q'(v)^2 / (2 min |q''|). Both are then known to whatever precision q is. Else boxes are split, and at last their tops stand.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TINY = 2.0**-1000  # covers underflow
FIRST, MORE, ROUNDS = 8, 32, 20
MOST = 64  # boxes that are split in one round: those with the highest tops


@dataclass(frozen=True)
class Known:
    """q, phi'' and phi''' at some places, each within its error."""

    q: Floats
    q_error: Floats
    second: Floats
    second_error: Floats
    third: Floats
    third_error: Floats

    def turned(self) -> Known:
        """Of -phi."""
        return Known(-self.q, self.q_error, -self.second, self.second_error, -self.third, self.third_error)

    def merged(self, other: Known, order: Any) -> Known:
        return Known(*(np.concatenate([getattr(self, f.name), getattr(other, f.name)])[order] for f in fields(Known)))


class Line(Protocol):
    """A function along a line."""

    end: float  # T

    def at(self, t: Floats) -> Known: ...

    def bend(self, t: Floats, known: Known) -> Floats:
        """Upper bounds of |phi''''| between neighbouring places."""


@dataclass(frozen=True)
class Run:
    """Neighbouring boxes that may hold the sup: from low to high, where q <= top.

    rises: q never falls (1), never rises (-1), neither is proved (0). curvature: q'' <= -curvature < 0, or 0 where that is not
    proved. guess: about where q is largest.
    """

    low: float
    high: float
    top: float
    rises: int
    curvature: float
    guess: float


@dataclass(frozen=True)
class BranchResult:
    """The sup is at least `least`, and it is the largest of the sups over the runs."""

    least: float
    runs: tuple[Run, ...]

    @property
    def most(self) -> float:
        return max(run.top for run in self.runs)


def up(a: Floats | float) -> Floats:
    """Return a float that is no smaller than any number that rounds to a."""
    made: Floats = a + (np.abs(a) * 2.0**-51 + TINY)
    return made


def down(a: Floats | float) -> Floats:
    """Return a float that is no larger than any number that rounds to a."""
    made: Floats = a - (np.abs(a) * 2.0**-51 + TINY)
    return made


def sup(line: Line, side: str) -> BranchResult:
    """For side "inf": of -q."""
    values = line.at if side == "sup" else lambda t: line.at(t).turned()
    t = line.end * np.arange(FIRST + 1) / FIRST
    with np.errstate(all="ignore"):
        known = values(t)
        for round in range(ROUNDS):
            boxes = _Boxes(t, known, line.bend(t, known))
            found, unsettled = boxes.found()
            if round == ROUNDS - 1 or not unsettled.any() or boxes.is_rounding(found):
                break
            split = np.flatnonzero(unsettled)
            if len(split) > MOST:  # a line so long that every round would double them
                split = split[np.argpartition(-boxes.top[split], MOST)[:MOST]]
            pieces = max(2, MORE // len(split))
            parts = np.arange(1, pieces) / pieces
            extra = (t[:-1][split, None] + (t[1:] - t[:-1])[split, None] * parts).reshape(-1)
            order = np.argsort(np.concatenate([t, extra]), kind="stable")
            known, t = known.merged(values(extra), order), np.concatenate([t, extra])[order]
    return found


class _Boxes:
    """What the values at the places say about the boxes between them: arrays over the boxes, rounded outwards."""

    def __init__(self, t: Floats, known: Known, fourth: Floats) -> None:
        self.t = t
        width = up(t[1:] - t[:-1])
        self.low, self.high = down(known.q - known.q_error), up(known.q + known.q_error)
        bend = _second(t, up(fourth)) if len(t) > 1 else fourth
        third = _between(known.third, known.third_error, up(up(fourth) * width))
        means = np.minimum.accumulate(third[0]) / 2, np.maximum.accumulate(third[1]) / 2
        slope, slope_error = _slopes(t, known)
        near = _between(slope, slope_error, up(bend * width))
        self.slope = np.fmax(near[0], means[0]), np.fmin(near[1], means[1])
        self.middle_slope = slope
        change = up(third[1] - 2 * self.slope[0])  # an upper bound of t q''
        self.curvature = np.where(change < 0, down(-change / up(t[1:])), 0.0)
        ends = np.maximum(self.high[:-1], self.high[1:])
        one_way = (self.slope[0] >= 0) | (self.slope[1] <= 0)
        self.top = np.where(one_way, ends, up(ends + up(up(bend * up(width * width)) / 8)))

    def found(self) -> tuple[BranchResult, Any]:
        """What is known, and which boxes to split."""
        least = np.max(self.low)
        left = ~(self.top <= least)
        edges = np.flatnonzero(np.diff(np.r_[False, left, False].astype(np.int8)))
        unsettled = np.zeros(len(left), dtype=bool)
        runs = []
        for first, last in edges.reshape(-1, 2):
            part = slice(first, last)
            rises = 1 if (self.slope[0][part] >= 0).all() else -1 if (self.slope[1][part] <= 0).all() else 0
            curvature = float(self.curvature[part].min())
            unsettled[part] = not rises and not curvature > 0
            low, high = float(self.t[first]), float(self.t[last])
            runs.append(Run(low, high, float(self.top[part].max()), rises, curvature, self._guess(part)))
        return BranchResult(float(least), tuple(runs)), unsettled

    def _guess(self, part: slice) -> float:
        """Where the line through two values of q' meets 0."""
        places, slopes = self.t[part.start : part.stop + 1], self.middle_slope[part.start : part.stop + 1]
        j = int(np.argmax(slopes[1:] < 0))
        a, b, p, q = places[j], places[j + 1], slopes[j], slopes[j + 1]
        return float(a + (b - a) * p / (p - q)) if p > 0 > q else float(places[np.argmax(self.low[part.start : part.stop + 1])])

    def is_rounding(self, found: BranchResult) -> bool:
        """Whether splitting boxes would gain nothing, or the values are undefined."""
        gap = found.most - found.least
        return not gap > 4 * float(np.max(self.high - self.low))


def _slopes(t: Floats, known: Known) -> tuple[Floats, Floats]:
    """q' at the places, and error bounds."""
    safe = np.where(t > 0, t, 1.0)
    apart, error = known.second - known.q, up(known.second_error + known.q_error)
    slope = np.where(t > 0, apart / safe, known.third / 2)
    return slope, np.where(t > 0, up(up(error / safe) + np.abs(slope) * 2.0**-50), known.third_error / 2)


def _between(value: Floats, error: Floats, reach: Floats) -> tuple[Floats, Floats]:
    """Bounds between neighbours, from each end: a number moves by at most `reach` in the box."""
    low, high = down(value - error), up(value + error)
    return down(np.maximum(low[:-1], low[1:]) - reach), up(np.minimum(high[:-1], high[1:]) + reach)


def _second(t: Floats, fourth: Floats) -> Floats:
    """Upper bounds of |q''| on the boxes: a third of the weighted mean of |phi''''| up to there."""
    s = t / t[-1]
    cubes = s * s * s
    volume = np.cumsum(fourth * (cubes[1:] - cubes[:-1])) * (1 + len(t) * 2.0**-50)
    # a difference of cubes may cancel: the error is below 8 u of the larger, times the largest bound so far
    volume += np.maximum.accumulate(fourth) * cubes[1:] * len(t) * 2.0**-49
    before = np.where(cubes[1:-1] > 0, volume[:-1] / np.where(cubes[1:-1] > 0, cubes[1:-1], 1.0), np.inf)
    mean = np.fmin(np.r_[0.0, before], np.maximum.accumulate(fourth))
    return up(np.maximum(mean, fourth) / 3)

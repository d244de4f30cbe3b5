"""Chord quantities by branch and bound along a line (`branch_and_bound`): in balls, and in float64 with error bounds.

float64 finds where the extremum is, and proves that it is nowhere else. What it is, balls then say with all their bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.arithmetic.plain import PlainFloat64
from boundcheck.problems._numerics.branch_and_bound import Run, down, sup, up
from boundcheck.problems._numerics.line_functions import SoftplusSum

STEPS = 6  # of Newton's method towards the place of the sup, in balls


def is_ball(xp: Any) -> bool:
    """Whether numbers are balls of so many bits, wrapped or bare."""
    return getattr(xp, "bits", None) is not None


def is_float64(xp: Any) -> bool:
    """Whether numbers are float64, bare or with error bounds."""
    return isinstance(xp, PlainFloat64) or getattr(xp, "name", None) == "float64"


def ball_chord(xp: Any, side: str, make: Callable[..., Any], *vectors: Any) -> Any:
    """The extremum along the line that `make` gives from the coordinates of each vector, for each entry of the stack."""
    data = np.broadcast_arrays(*(xp.bare(v) for v in vectors))
    stack = data[0].shape[:-1]
    answers = np.empty(stack, dtype=object)
    with xp.working():
        for place in np.ndindex(*stack):
            line = make(*(list(part[place]) for part in data))
            answers[place] = extremum(line, side, xp.bits) * _squared(line.end)
    return xp.scalars(answers)


def _squared(end: float) -> Any:
    from flint import arb

    return arb(end) * arb(end)


def extremum(line: Any, side: str, bits: int) -> Any:
    """The sup or the inf of q over (0, T], as a ball, at the precision in force."""
    from flint import arb

    found = sup(line, side)
    if not (np.isfinite(found.least) and np.isfinite(found.most)):
        return arb.nan()
    parts = [_over(line, run, found.least, side, bits) for run in found.runs]
    answer = parts[0]
    for part in parts[1:]:
        answer = answer.max(part)
    # the bounds in float64 hold too, and are narrower where z and w are wide
    whole = arb(found.least).union(arb(found.most))
    if not whole.contains(answer):
        answer = answer.intersection(whole) if answer.is_finite() else whole
    return answer if side == "sup" else -answer


def _over(line: Any, run: Run, least: float, side: str, bits: int) -> Any:
    """The sup over a run, or `least` where that is larger."""
    from flint import arb

    sign = 1 if side == "sup" else -1
    whole = arb(min(least, run.top)).union(arb(run.top))
    if run.rises:
        return sign * line.exactly(arb(run.high if run.rises > 0 else run.low))[0]
    if not run.curvature > 0:
        return _nearly_flat(line, run, least, sign, whole)
    low, high, best = arb(run.low), arb(run.high), whole
    v = arb(run.guess if run.guess > 0 else run.high / 4)
    for _ in range(STEPS):
        q, second, third = (sign * value for value in line.exactly(v))
        slope = third / 2 if v.is_zero() else (second - q) / v
        if (v == low and slope <= 0) or (v == high and slope >= 0):
            return q
        above = (slope * slope / (2 * arb(run.curvature))).abs_upper()
        best = best.intersection(q.union(q + above).max(arb(least))) if above.is_finite() else best
        if above <= q.rad() or above <= abs(q) * arb(2) ** (-bits // 2) or v.is_zero():
            return best
        v = (v - slope * v / (third - 2 * slope)).mid()
        if not v.is_finite():
            return best
        v = low if v < low else high if v > high else v
    return best


def _nearly_flat(line: Any, run: Run, least: float, sign: int, whole: Any) -> Any:
    """Where float64 does not tell how q moves.

    The third derivative moves by at most `fourth` times the distance from the middle, where balls know it. If it has one sign
    q is monotone, and else |q'| is at most half of the largest.
    """
    from flint import arb

    half = (arb(run.high) - arb(run.low)) / 2
    middle = (arb(run.low) + half).mid()
    q, _, third = (sign * value for value in line.exactly(middle))
    third = third + arb(0, line.fourth) * arb(run.high)
    if third >= 0 or third <= 0:
        return sign * line.exactly(arb(run.high if third >= 0 else run.low))[0]
    around = q + arb(0, 1) * half * third.abs_upper() / 2
    return whole.intersection(around.max(arb(least))) if around.is_finite() else whole


def float_chord(xp: Any, side: str, z: Any, w: Any) -> Any:
    """The extremum along the line of a `SoftplusSum` in float64, for each entry of the stack; bare floats get the best guess."""
    if isinstance(xp, PlainFloat64):
        return np.vectorize(lambda a, b: _guess(a, b, side), signature="(n),(n)->()")(z, w)
    z_error, w_error = xp.radius(z), xp.radius(w)
    stack = np.broadcast_shapes(z_error.shape, w_error.shape)
    ends = np.empty((2, *stack))
    middles = [np.broadcast_to(v.mid, (*stack, v.dimension)) for v in (z, w)]
    errors = [np.broadcast_to(error, stack) for error in (z_error, w_error)]
    for place in np.ndindex(*stack):
        ones = np.ones(w.dimension)
        line = SoftplusSum(middles[0][place], errors[0][place] * ones, middles[1][place], errors[1][place] * ones)
        with np.errstate(all="ignore"):
            ends[(slice(None), *place)] = np.array(_bounds(line, side)) * line.end * line.end
    with np.errstate(all="ignore"):
        middle = (ends[0] + ends[1]) / 2
        error = up(up(np.abs(ends[1] - ends[0]) / 2) + np.abs(middle) * 2.0**-51)
        known = np.isfinite(error)
        return xp.scalars(np.where(known, middle, 0.0), np.where(known, error, np.inf))


def _bounds(line: SoftplusSum, side: str) -> tuple[float, float]:
    """Of the sup, or of the inf."""
    found = sup(line, side)
    runs = [_over_in_float64(line, run, found.least, side) for run in found.runs]
    least, most = (float(np.max([run[end] for run in runs])) for end in (0, 1))
    return (least, most) if side == "sup" else (-most, -least)


def _guess(z: Any, w: Any, side: str) -> float:
    """Without a proof: q where it is largest, or smallest."""
    line = SoftplusSum(z, 0 * z, w, 0 * w)
    with np.errstate(all="ignore"):
        runs = sup(line, side).runs
        places = [run.high if run.rises > 0 else run.low if run.rises < 0 else run.guess for run in runs]
        q = line.at(np.array(places)).q
        return float((np.max if side == "sup" else np.min)(q)) * line.end * line.end


def _over_in_float64(line: SoftplusSum, run: Run, least: float, side: str) -> tuple[float, float]:
    """Bounds of the sup over a run, or of `least` where that is larger."""
    if run.rises or not run.curvature > 0 or not run.guess > 0:
        return least, max(least, run.top)
    known = line.at(np.array([run.guess]))
    known = known if side == "sup" else known.turned()
    slope = up(up(np.abs(known.second - known.q) + known.second_error + known.q_error) / run.guess)
    above = up(known.q + known.q_error + up(up(slope * slope) / run.curvature))  # twice what is needed
    low, high = float(down(known.q - known.q_error)[0]), float(np.fmin(run.top, above[0]))
    return max(least, low), max(least, high)

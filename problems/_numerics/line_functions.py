"""Functions along a line x + t d, for `branch_and_bound`: sums of s = log(1 + exp), log-sum-exp, and formulas read in balls.

The step is divided by a power of two, so that t runs to that power and the displacements are below 1: q is then the chord
quantity times |d|^2, divided by the square of that power.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.elementary import EXP_ERROR, EXPM1_ERROR, exp, expm1, power_of_two
from boundcheck.problems._numerics.branch_and_bound import TINY, Known, up

Floats = NDArray[np.float64]
UNIT = 2.0**-53
TERM = 4 * EXP_ERROR + EXPM1_ERROR + 16 * UNIT  # of one term of a `SoftplusSum`


class SoftplusSum:
    """The sum of s(z_i + t w_i), z_i and w_i known within radii, in float64.

    With y = |tanh(u / 2)|: s'' = (1 - y^2) / 4, and the next three derivatives are s'' times y, |3 y^2 - 1| / 2 and y |3 y^2 - 2|
    in size: at most s''. So s'' changes by at most a factor e^|u - v| between u and v, and a sum of w_i^k times such derivatives
    moves by at most the sum of (|w_i| + radius)^k e^(move of u_i) s'' less that of |w_i|^k s''. Differences of s' do not cancel:
    s'(a) - s'(b) = (1 - e^(b - a)) s'(a) s'(-b).

    Rounding: let e^-|u| be within E and 1 - e^-size within F. Then s' is within 3/2 E + 3 u, the mean of s'' (a product of two of
    them and a quotient) within 3 E + F + 9 u, and s'' within 2 E + 6 u. Times w^k and e^(moves), each term is within `TERM`.
    Three sums of n terms are made, each within n u + TERM times the sum of the bounds `most`; four times that is added, and TINY
    for what underflows.
    """

    def __init__(self, z: Floats, z_error: Floats, w: Floats, w_error: Floats) -> None:
        size = float(np.max(np.abs(w) + w_error, initial=0.0))  # w may be nothing but its error
        self.end = _power_of_two(size)
        self.z, self.w = z, w / self.end
        self.z_error, self.w_error = up(z_error), up(w_error / self.end)
        self.reach = up(np.abs(self.w) + self.w_error)
        self.count = float(len(z)) * UNIT + TERM  # rounding of a sum of terms
        self.powers = {k: (up(_power(self.reach, k)), _power(np.abs(self.w), k)) for k in (2, 3, 4)}
        self.fourth = float(self.powers[4][0].sum()) / 8 * (1 + len(z) * 2.0**-50)
        tail = exp(-np.abs(z))
        self.right, self.left = _shares(z, tail, 1 / (1 + tail))

    def at(self, t: Floats) -> Known:
        w, t = self.w, t[:, None]
        delta = t * w
        there, size = self.z + delta, np.abs(delta)
        moved = self.z_error + 8 * UNIT * np.abs(self.z) + t * self.w_error + 8 * UNIT * size + TINY
        grown = exp(2 * moved)
        tail = exp(-np.abs(there))
        share = 1 / (1 + tail)
        weight = tail * share * share
        right, left = _shares(there, tail, share)
        rise = np.where(delta >= 0, right * self.left, self.right * left)  # s'(upper) s'(-lower)
        still = size == 0
        mean = np.where(still, weight, rise * (-expm1(-size) / np.where(still, 1.0, size)))  # of s'' between z and there
        square = w * w
        return Known(
            *self._total(square * mean, mean, grown, 2),
            *self._total(square * weight, weight, grown, 2),
            *self._total(square * w * (weight * (left - right)), weight, grown, 3),
        )

    def _total(self, terms: Floats, weight: Floats, grown: Floats, k: int) -> tuple[Floats, Floats]:
        reach, size = self.powers[k]
        most = weight * (reach * grown)
        spread = most.sum(-1) - weight @ size
        return terms.sum(-1), up(np.maximum(spread, 0.0) + 4 * self.count * most.sum(-1)) + TINY * len(self.w)

    def bend(self, t: Floats, known: Known) -> Floats:
        """|phi''''| <= W^2 phi'' for W = max |w_i|, and phi'' grows by at most a factor e^(W h) in a box of width h."""
        return np.minimum(_grown(t, known, float(self.reach.max())), self.fourth)


def _shares(u: Floats, tail: Floats, share: Floats) -> tuple[Floats, Floats]:
    """s'(u) and s'(-u) from e^-|u|."""
    small = tail * share
    return np.where(u >= 0, share, small), np.where(u >= 0, small, share)


def _grown(t: Floats, known: Known, W: float) -> Floats:
    """Between places: W^2 times the largest that phi'' can be, from the nearer of the two bounds."""
    ends = up(np.abs(known.second) + known.second_error)
    return up(up(W * W) * up(np.minimum(ends[:-1], ends[1:]) * exp(up(W * up(t[1:] - t[:-1]))) * (1 + 2.0**-45)))


def _power_of_two(size: float) -> float:
    """The power of two just above the size, within what float64 can work with."""
    return float(power_of_two(np.clip(np.frexp(size)[1], -900, 900))) if np.isfinite(size) else 1.0


def _power(a: Floats, k: int) -> Floats:
    """By products: within (k - 1) u."""
    return a if k == 1 else a * _power(a, k - 1)


# -- balls -------------------------------------------------------------------------------------------------------------
Exactly = Callable[[Any], tuple[Any, Any, Any]]  # q, phi'' and phi''' at t, as balls


class SoftplusBalls(SoftplusSum):
    """The same, with z_i and w_i as balls: float64 says where the sup is, and balls what it is."""

    def __init__(self, z: Any, w: Any) -> None:
        from flint import arb, arb_mat

        super().__init__(*rounded(z), *rounded(w))
        self.mat = arb_mat
        power = arb(self.end)
        self.starts, self.steps = z, [b / power for b in w]
        self.tails = [(-a).exp() for a in z]

    def exactly(self, t: Any) -> tuple[Any, Any, Any]:
        rises, weights, biases = [], [], []
        is_short = self.end <= 4
        for z, w, tail_here in zip(self.starts, self.steps, self.tails, strict=True):
            step = t * w
            back = (-step).expm1()
            tail = tail_here * (1 + back) if is_short else (-(z + step)).exp()  # e^-(z + t w); a long step would lose digits
            right = 1 / (1 + tail)
            left = tail * right
            rises.append(-back * right * tail_here / (1 + tail_here))
            weight = w * right * left
            weights.append(weight)
            biases.append(w * weight * (left - right))
        second, third = self._dot(weights), self._dot(biases)
        return second if t.is_zero() else self._dot(rises) / t, second, third

    def _dot(self, terms: list[Any]) -> Any:
        return (self.mat(1, len(terms), self.steps) * self.mat(len(terms), 1, terms))[0, 0]


class ByFormula:
    """A line whose values come from a formula in balls; `reach` W bounds |phi''''| <= W^2 phi'' and |phi'''| <= W phi''."""

    def __init__(self, exactly: Exactly, *, end: float, reach: float, fourth: float) -> None:
        self.exactly, self.end = exactly, end
        self.reach, self.fourth = float(up(reach)), float(up(fourth))

    def at(self, t: Floats) -> Known:
        from flint import arb

        columns = zip(*(self.exactly(arb(float(place))) for place in t), strict=True)
        return Known(*(part for column in columns for part in rounded(column)))

    def bend(self, t: Floats, known: Known) -> Floats:
        return np.minimum(_grown(t, known, self.reach), self.fourth)


def end_of(balls: Any) -> float:
    """The power of two just above the largest of some balls."""
    return _power_of_two(max((above(ball) for ball in balls), default=0.0))


def rounded(balls: Any) -> tuple[Floats, Floats]:
    """Float64 middles, and how far they may be off."""
    middles = np.array([float(ball.mid()) for ball in balls])
    radii = np.array([float(ball.rad()) for ball in balls])
    return middles, up(up(radii) + np.abs(middles) * 2.0**-52)


def above(ball: Any) -> float:
    return float(up(float(ball.abs_upper())))

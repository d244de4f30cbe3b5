"""The gradient of f(x) = sum of s(z_i' x), s = log(1 + exp), along a ray x - eta g, in float64, from the margins alone.

With z = Z x and w = Z g the margins along the ray are z - eta w: no product with Z is needed but the last one. The changes of s'
are s'(z - eta w) - s'(z) = -s'(z - eta w) (1 - s'(z)) (e^(eta w) - 1), without cancellation however small eta w is. Where an
exponential overflows they are NaN, and whoever looks must go another way.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SMALL = 2.0**-4  # of the whole change of margins: below it e^y - 1 loses digits


class MarginsAlong:
    """Delta(eta) = grad f(x - eta g) - grad f(x), by its length and those of its derivatives."""

    __slots__ = ("less", "norm", "odds", "parts", "reach", "rows", "w")

    def __init__(self, rows: Floats, norm: float, z: Floats, w: Floats) -> None:
        self.rows, self.norm, self.w = rows, norm, w  # the matrix Z and its spectral norm
        self.odds = np.exp(z)  # s' / (1 - s'), so that s'(z - eta w) = odds / (odds + e^(eta w))
        self.less = -1.0 / (1.0 + self.odds)  # s'(z) - 1
        self.parts = np.empty((3, len(z)))
        self.reach = math.sqrt(w @ w)

    def _slopes(self, eta: float, change: Floats) -> Floats:
        """s'(z - eta w), and into `change` how far that is from s'(z)."""
        s = self.w * eta
        if self.reach * eta < SMALL:
            np.expm1(s, out=change)
            np.add(change, 1.0, out=s)
        else:
            np.exp(s, out=s)
            np.subtract(s, 1.0, out=change)
        s += self.odds
        np.divide(self.odds, s, out=s)
        change *= s
        change *= self.less
        return s

    def square(self, eta: float) -> float:
        """|Delta|^2."""
        change = self.parts[0]
        self._slopes(eta, change)
        made = change @ self.rows
        return float(made @ made)

    def third(self) -> float:
        """No |Delta'''| along the ray is larger: |s''''| <= 1/8."""
        cubes = self.w * self.w
        cubes *= self.w
        return self.norm * math.sqrt(cubes @ cubes) / 8

    def gram(self, eta: float) -> Any:
        """The Gram matrix of Delta, Delta' and Delta'', as lists."""
        parts, w = self.parts, self.w
        first, second, third = parts
        s = self._slopes(eta, first)
        less = s - 1.0
        np.multiply(s, less, out=second)  # minus s''(z - eta w)
        second *= w
        less += s  # 2 s' - 1, and s''' = s'' (1 - 2 s')
        less *= w
        np.multiply(second, less, out=third)
        made = parts @ self.rows
        return (made @ made.T).tolist()

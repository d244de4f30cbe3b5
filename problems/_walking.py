"""Logistic regression at one float64 point after another: what a run alone asks for, without the cost of the general way."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import softplus_series as series

Floats = NDArray[np.float64]


class Walker:
    """grad f(x) = Z' s'(Z x), bit for bit as the general formula has it; and f(x) - f* where a point c next to x* is known.

    Near c the gap is (f(c) - f*) + <grad f(c), x - c> + Taylor's series of the rest in Z (x - c), whose coefficients are known once
    for all; farther away it is the problem's own formula.
    """

    def __init__(self, rows: Floats, columns: Floats, far: Callable[[Floats], Any] | None = None, near: Any = None) -> None:
        self.negative, self.rows, self.columns = -rows, rows, columns
        self.margins = np.empty(len(rows))
        self.gap = None if far is None else self._gap
        self.far = far
        if near is not None:
            self.centre, self.slope, self.least = near
            self.coefficients = list(series.at(rows @ self.centre))
            self.longest = math.sqrt((rows**2).sum(1).max())
            self.away, self.along, self.power = np.empty_like(self.centre), np.empty(len(rows)), np.empty(len(rows))

    def grad(self, x: Floats, out: Floats) -> None:
        s = self.margins
        np.dot(self.negative, x, s)
        np.exp(s, s)
        np.add(s, 1.0, s)
        np.reciprocal(s, s)
        np.dot(self.columns, s, out)

    def _gap(self, x: Floats) -> Any:
        away, along, power = self.away, self.along, self.power
        np.subtract(x, self.centre, away)
        reach = self.longest * math.sqrt(away.dot(away))
        terms = next((terms for terms, far in series.REACH.items() if reach <= far), None)
        if terms is None:
            assert self.far is not None
            return self.far(x)
        np.dot(self.rows, away, along)
        np.multiply(along, along, power)
        rest = power.dot(self.coefficients[0])
        for m in range(1, terms):
            np.multiply(power, along, power)
            rest += power.dot(self.coefficients[m])
        return self.least + self.slope.dot(away) + rest

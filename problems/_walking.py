"""Logistic regression at one float64 point after another: what a run alone asks for, without the cost of the general way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import softplus_series as series

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Walker:
    """`grad(x, out)` writes the gradient, `gap(x)` is f(x) - f*."""

    grad: Callable[[Floats, Floats], None]
    gap: Callable[[Floats], Any] | None = None


def gradients(rows: Floats, columns: Floats) -> Callable[[Floats, Floats], None]:
    """grad f(x) = Z' s'(Z x), bit for bit as the general formula has it."""
    s = np.empty(len(rows))
    margins, back, exp, add, reciprocal = (-rows).dot, columns.dot, np.exp, np.add, np.reciprocal

    def grad(x: Floats, out: Floats) -> None:
        margins(x, s)
        exp(s, s)
        add(s, 1.0, s)
        reciprocal(s, s)
        back(s, out)

    return grad


def gaps(
    rows: Floats, centre: Floats, gradient: Floats, least: float, farther: Callable[[Floats], Any]
) -> Callable[[Floats], Any]:
    """f(x) - f* near a point c next to x*: (f(c) - f*) + <grad f(c), x - c> + Taylor's series of the rest in Z (x - c).

    Its coefficients are computed once. Farther away it is the problem's own formula.
    """
    longest = math.sqrt((rows**2).sum(1).max())
    away, along, power = np.empty_like(centre), np.empty(len(rows)), np.empty(len(rows))
    margins, slope, at = rows.dot, gradient.dot, series.At(rows @ centre)
    subtract, multiply, sqrt, terms_within = np.subtract, np.multiply, math.sqrt, series.terms_within

    def gap(x: Floats) -> Any:
        subtract(x, centre, away)
        terms = terms_within(longest * sqrt(away.dot(away)))
        if terms is None:
            return farther(x)
        margins(away, along)
        multiply(along, along, power)
        rest = power.dot(at[0])
        for m in range(1, terms):
            multiply(power, along, power)
            rest += power.dot(at[m])
        return least + slope(away) + rest

    return gap

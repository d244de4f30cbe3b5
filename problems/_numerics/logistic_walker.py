"""Logistic regression at one float64 point after another: what a run alone asks for, without the cost of the general way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import softplus as series

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LogisticWalker:
    """`grad(x, out)` writes the gradient, `both(x, out)` also returns f(x) - f*."""

    grad: Callable[[Floats, Floats], None]
    both: Callable[[Floats, Floats], Any] | None = None


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


def gradients_and_gaps(
    rows: Floats, columns: Floats, centre: Floats, gradient: Floats, least: float, farther: Callable[[Floats], Any]
) -> Callable[[Floats, Floats], Any]:
    """The gradient by the same formula, and f(x) - f* near a point c next to x*; one product makes the margins of x and of x - c.

    The gap is (f(c) - f*) + <grad f(c), x - c> + Taylor's series of the rest in Z (x - c), whose coefficients are computed once.
    Farther away it is the problem's own formula.
    """
    longest, at = math.sqrt((rows**2).sum(1).max()), series.At(rows @ centre)
    points, margins, power = np.empty((2, len(centre))), np.empty((2, len(rows))), np.empty(len(rows))
    (opposite, away), (s, along) = points, margins
    product, back, slope, squares = points.dot, columns.dot, gradient.dot, at[0].dot
    negative, subtract, multiply, exp, add, reciprocal = np.negative, np.subtract, np.multiply, np.exp, np.add, np.reciprocal
    sqrt, terms_within = math.sqrt, series.terms_within

    def both(x: Floats, out: Floats) -> Any:
        negative(x, opposite)
        subtract(x, centre, away)
        product(columns, margins)
        exp(s, s)
        add(s, 1.0, s)
        reciprocal(s, s)
        back(s, out)
        terms = terms_within(longest * sqrt(away.dot(away)))
        if terms is None:
            return farther(x)
        multiply(along, along, power)
        rest = squares(power)
        for m in range(1, terms):
            multiply(power, along, power)
            rest += power.dot(at[m])
        return least + slope(away) + rest

    return both

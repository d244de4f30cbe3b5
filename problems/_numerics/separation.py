"""Data that a hyperplane separates, wholly or in part: a direction v with Z v <= 0, not all 0, so that f* is not attained.

A linear program in float64 finds v; exact rationals prove it. Moving along v leaves the samples with z_i' v = 0 alone and takes
the losses of the others to 0: inf f is the infimum of the sum over these alone. The program separates strictly whatever any
direction does, so that the sum over the rest has a minimum; where that is enclosed, inf f is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.problems._numerics import eigenvalues
from boundcheck.problems._numerics.minimiser import minimise

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Separation:
    """Whether the direction is proved, how many samples it separates strictly, and inf f where that is known."""

    proved: bool
    separated: int
    infimum: Fraction | None = None


def separation(Z: Floats) -> Separation | None:
    """None where no direction was found."""
    guess = _linear_program(Z)
    if guess is None:
        return None
    products = Z @ guess
    on_the_plane = np.abs(products) <= 1e-7 * np.abs(Z).sum(axis=1)
    for direction in (_snapped(Z[on_the_plane], guess), [Fraction(float(value)) for value in guess]):
        exact = _products(Z, direction)
        if all(value <= 0 for value in exact) and any(value < 0 for value in exact):
            left = np.array([value == 0 for value in exact])
            return Separation(True, int((~left).sum()), _least(Z[left]))
    return Separation(False, int((~on_the_plane).sum()))


def _linear_program(Z: Floats) -> Floats | None:
    """Maximise the sum of s_i <= 1 with Z v + s <= 0, s >= 0."""
    from scipy.optimize import linprog

    samples, features = Z.shape
    answer = linprog(
        np.r_[np.zeros(features), -np.ones(samples)],
        A_ub=np.c_[Z, np.eye(samples)],
        b_ub=np.zeros(samples),
        bounds=[(-1e6, 1e6)] * features + [(0, 1)] * samples,
        method="highs",
    )
    if answer.x is None or -answer.fun < 1e-6:
        return None
    return np.asarray(answer.x[:features])


def _snapped(rows: Floats, guess: Floats) -> list[Fraction]:
    """The direction next to the guess that is exactly 0 on these rows: its free coordinates are the guess's, the rest follow."""
    from flint import fmpq, fmpq_mat

    direction = [Fraction(float(value)) for value in guess]
    if not len(rows):
        return direction
    reduced, rank = fmpq_mat([[fmpq(*float(value).as_integer_ratio()) for value in row] for row in rows]).rref()
    pivots = [next(j for j in range(len(guess)) if reduced[i, j] != 0) for i in range(rank)]
    free = [j for j in range(len(guess)) if j not in pivots]
    for i, pivot in enumerate(pivots):
        direction[pivot] = -sum((_fraction(reduced[i, j]) * direction[j] for j in free), Fraction(0))
    return direction


def _products(Z: Floats, direction: Sequence[Fraction]) -> list[Fraction]:
    return [sum((Fraction(float(z)) * v for z, v in zip(row, direction, strict=True)), Fraction(0)) for row in Z]


def _least(Z: Floats) -> Fraction | None:
    """The least value of the sum over these samples, which attain it; None where it is not enclosed."""
    if not len(Z):
        return Fraction(0)
    known = minimise(np.ascontiguousarray(Z[:, eigenvalues.independent_columns(Z)]))
    return known.value if known else None


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))

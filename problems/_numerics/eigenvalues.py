"""Bounds of eigenvalues that are proofs, and exact linear algebra on rational matrices.

Rump, *Verification of positive definiteness* (2006): if Cholesky in float64 runs to its end on B - c I, with
c = gamma / (1 - gamma) * trace(B), gamma = (d + 1) u / (1 - (d + 1) u), then B is positive definite, for any
order of the sums.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Exact
from boundcheck.support.errors import UserError

UNIT = 2.0**-53
SMALLEST = 2.0**-1000  # covers underflow in the sums
MODERATE = (Fraction(1, 10**100), Fraction(10**100))  # the largest entry of a matrix that float64 can work with as it is
SHORT = 1000  # the largest denominator of an eigenvalue that is looked for as a fraction

Floats = NDArray[np.float64]


def is_surely_positive(B: Floats) -> bool:
    """A proof that the symmetric float64 matrix is positive definite. False means only that there is no proof."""
    d = len(B)
    gamma = (d + 2) * UNIT / (1 - (d + 2) * UNIT)
    # twice Rump's shift: the rest pays for rounding the trace and the shifted diagonal
    shift = 2 * gamma * float(np.abs(np.diag(B)).sum()) + SMALLEST
    try:
        np.linalg.cholesky(B - shift * np.eye(d))
    except np.linalg.LinAlgError:
        return False
    return bool(np.isfinite(B).all())


def bounds(B: Floats) -> tuple[float, float]:
    """Numbers proved to lie below the smallest and above the largest eigenvalue of a symmetric float64 matrix."""
    eigenvalues = np.linalg.eigvalsh(B)
    size = float(np.linalg.norm(B)) + SMALLEST
    return -_above(-B, -float(eigenvalues[0]), size), _above(B, float(eigenvalues[-1]), size)


def _above(B: Floats, guess: float, size: float) -> float:
    """A proved upper bound of the largest eigenvalue, as near to the guess as a proof in float64 allows."""
    d = len(B)
    slack = 4 * d * UNIT * size
    for _ in range(60):
        bound = guess + slack
        # `bound * I - B` rounds on the diagonal only, by at most 2 units of its size: take that off first
        shifted = -B
        np.fill_diagonal(shifted, bound - np.diag(B) - 4 * UNIT * (abs(bound) + np.abs(np.diag(B))))
        if is_surely_positive(shifted):
            return bound
        slack *= 2
    raise UserError(
        f"no proved bound of the eigenvalues of a {d} x {d} matrix of size {size:.3g}; needs finite entries: rescale the matrix"
    )


def rational_bounds(rows: list[list[Fraction]]) -> tuple[Exact, Exact]:
    """Proved bounds of the eigenvalues of a symmetric rational matrix: exact where these are short fractions.

    A short fraction c next to the computed eigenvalue bounds it if B - c I, or c I - B, is semidefinite: that is decided exactly.
    """
    d, unit = len(rows), unit_of(rows)
    if unit != 1:
        low, high = rational_bounds([[value / unit for value in row] for row in rows])
        return Fraction(low) * unit, Fraction(high) * unit
    compact = np.array([[float(value) for value in row] for row in rows])
    # rounding fractions to float64 moves each eigenvalue by at most a unit of the size of the matrix
    moved = 2 * UNIT * float(np.linalg.norm(compact)) + SMALLEST
    low, high = bounds(compact)
    eigenvalues = np.linalg.eigvalsh(compact)
    answer: list[Exact] = []
    for sign, guess, proved in ((1, float(eigenvalues[0]), low - 2 * moved), (-1, float(eigenvalues[-1]), high + 2 * moved)):
        short = Fraction(guess).limit_denominator(SHORT)
        shifted = [[sign * (rows[i][j] - (short if i == j else 0)) for j in range(d)] for i in range(d)]
        is_near = abs(float(short) - guess) <= 1e-9 * (1 + abs(guess))
        answer.append(short if is_near and is_positive_semidefinite(shifted) else proved)
    return answer[0], answer[1]


def unit_of(rows: Any) -> Fraction:
    """1; or the power of two next to the largest entry, where squares of the entries may leave the range of float64."""
    largest = max((abs(Fraction(value)) for row in rows for value in row), default=Fraction(0))
    if largest == 0 or MODERATE[0] <= largest <= MODERATE[1]:
        return Fraction(1)
    return Fraction(2) ** (largest.numerator.bit_length() - largest.denominator.bit_length())


def is_positive_semidefinite(rows: list[list[Fraction]]) -> bool:
    """Exact: symmetric elimination meets no negative pivot, and a zero pivot only with a zero row."""
    from flint import fmpq

    A = [[fmpq(value.numerator, value.denominator) for value in row] for row in rows]
    d = len(A)
    for k in range(d):
        pivot = A[k][k]
        if pivot < 0 or (pivot == 0 and any(A[k][j] != 0 for j in range(k, d))):
            return False
        if pivot == 0:
            continue
        for i in range(k + 1, d):
            factor = A[i][k] / pivot
            if factor != 0:
                for j in range(i, d):
                    A[i][j] = A[j][i] = A[i][j] - factor * A[k][j]
    return True


def least_norm_solution(rows: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """The shortest x with B x = c, exactly, for a symmetric B; None if there is none.

    The shortest solution lies in the range of B, so it is B w with B B w = c, and B B has the range of B.
    """
    from flint import fmpq, fmpq_mat

    B = fmpq_mat([[fmpq(value.numerator, value.denominator) for value in row] for row in rows])
    c = fmpq_mat([[fmpq(value.numerator, value.denominator)] for value in right])
    d = B.nrows()
    square = (B * B).table()
    reduced, rank = fmpq_mat([[*square[i], c[i, 0]] for i in range(d)]).rref()
    w = [fmpq(0)] * d
    for i in range(rank):
        pivot = next(j for j in range(d + 1) if reduced[i, j] != 0)
        if pivot == d:
            return None
        w[pivot] = reduced[i, d]
    x = B * fmpq_mat([[value] for value in w])
    return [Fraction(int(x[i, 0].p), int(x[i, 0].q)) for i in range(d)]


def independent_columns(rows: Any) -> list[int]:
    """Columns that form a basis of the column space of a matrix of floats or fractions, found exactly."""
    from flint import fmpq, fmpq_mat

    table = [[fmpq(*Fraction(value).as_integer_ratio()) for value in row] for row in rows]
    reduced, rank = fmpq_mat(table).rref()
    return [next(j for j in range(reduced.ncols()) if reduced[i, j] != 0) for i in range(rank)]


def gram_bounds(Z: Floats) -> tuple[float, float]:
    """Proved bounds of the eigenvalues of Z'Z: those of the computed product, moved by its rounding errors."""
    n = len(Z)
    low, high = bounds(_symmetric(Z.T @ Z))
    gamma = (n + 2) * UNIT / (1 - (n + 2) * UNIT)
    error = 2 * gamma * float((Z * Z).sum()) + SMALLEST  # |computed - exact| <= gamma |Z|'|Z|, of norm at most the sum of squares
    return math.nextafter(low - error, -math.inf), math.nextafter(high + error, math.inf)


def _symmetric(B: Floats) -> Floats:
    return (B + B.T) / 2

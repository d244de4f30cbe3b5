"""Sums of Bregman distances of s = log(1 + exp) along short displacements, by Taylor's series at v, both ways at once.

With p = s'(v), q = p (1 - p) and t = 1 - 2p the derivative of order m + 2 is q a_m(q) for even m and q t a_m(q) for odd m, where
q' = q t and t' = -2 q give the polynomials a_m. With T_m = that derivative times d^(m+2),

    s(v + d) - s(v) - s'(v) d      = sum of T_m / (m + 2)!
    s(v) - s(v + d) + s'(v + d) d  = sum of (m + 1) T_m / (m + 2)!

so the sums of T_m over the coordinates tell both. What M terms leave out: |t| <= 1, so q changes along d by a factor of at most
e^|d|; with K the largest |a_M| on [0, 1/4] the rest is, either way, at most K (M + 1) / (M + 2)! h^M e^h q d^2 for |d| <= h.
`REACH` has, for each M, an h for which that is at most 2^-46 q d^2 (`REST`); the tests prove it.

Rounding, with exp within 8 u: q = 1 / (e^v + e^-v + 2) is within 13 u of itself, t = 2 / (1 + e^v) - 1 within 23 u; a polynomial
of degree j at q <= 1/4 is within (15 j + 1) u of the sum of its absolute terms, and j <= m / 2; the powers of d and the weights
add m + 5. Together that is less than 24 + 48 m for each m, and `_ROUNDING` adds it up. Where e^v overflows, q is below the floor.
"""

from __future__ import annotations

from bisect import bisect_left
from math import factorial

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.bounded.storage import FLOOR, INFLATE, U

# how many terms, and how long d may be
REACH = {1: 2.0**-45, 2: 2.0**-22, 4: 0.0009, 6: 0.013, 8: 0.05, 12: 0.18, 16: 0.35, 24: 0.65}
REST = 2.0**-46
VARYING = 8  # terms that are worth computing where v differs from row to row
MOST = max(REACH)
_TERMS, _REACHES = list(REACH), list(REACH.values())


def _polynomials() -> list[list[int]]:
    """a_0, a_1, ...: coefficients of 1, q, q^2, ... One more than is used: it bounds the rest."""
    made = [[1]]
    for m in range(1, MOST + 1):
        a = made[-1]
        if m % 2:  # (q a)' = q t (a + q a')
            made.append([(j + 1) * c for j, c in enumerate(a)])
        else:  # (q t a)' = q ((1 - 4q)(a + q a') - 2 q a)
            made.append([(j + 1) * c for j, c in enumerate(a)] + [0])
            for j, c in enumerate(a):
                made[-1][j + 1] -= (4 * j + 6) * c
    return made


POLYNOMIALS = _polynomials()


def _sizes(M: int, first: int, more: int) -> float:
    """The sum over m < M of (first + more m) (m + 1) |a_m|(1/4) h^m / (m + 2)!."""
    sizes = [sum(abs(c) / 4**j for j, c in enumerate(a)) for a in POLYNOMIALS]
    total = sum((first + more * m) * (m + 1) * sizes[m] * REACH[M] ** m / factorial(m + 2) for m in range(M))
    return float(total) * (1 + 2.0**-30)


_ROUNDING = {M: U * _sizes(M, 24, 48) + REST for M in REACH}  # of one coordinate, over q d^2
_SUMMING = {M: U * _sizes(M, 1, 0) for M in REACH}  # of each addition


def terms_within(longest: float) -> int | None:
    """How many terms serve displacements up to this long, if any number here does."""
    place = bisect_left(_REACHES, longest)
    return _TERMS[place] if place < len(_TERMS) and longest == longest else None


def varying(v: Floats, d: Floats, M: int) -> tuple[Floats, Floats, Floats]:
    """For rows of v and of d: the sums there and back, and a bound of the error of either."""
    e = np.exp(v)
    r = np.reciprocal(e)
    r += e
    r += 2.0
    w = d * d
    if M == 1:
        w /= r
        first = _row_sums(w)
        return first / 2, first / 2, _error(first, d, M)
    q = np.reciprocal(r, out=r)
    w *= q
    e += 1.0
    t = np.divide(2.0, e, out=e)
    t -= 1.0
    first = _row_sums(w)
    there, back = first / 2, first / 2
    for m in range(1, M):
        w *= d
        total = _against(w * t if m % 2 else w, q, POLYNOMIALS[m])
        there += total / factorial(m + 2)
        back += total * ((m + 1) / factorial(m + 2))
    return there, back, _error(first, d, M)


def _row_sums(rows: Floats) -> Floats:
    """By a product: a fifth of the time of `sum`."""
    return np.asarray(rows @ np.ones(rows.shape[-1]))


def _against(term: Floats, q: Floats, polynomial: list[int]) -> Floats:
    """Row by row the sum of term times polynomial(q)."""
    if len(polynomial) == 1:
        return _row_sums(term)
    factor = q * float(polynomial[-1])
    for c in polynomial[-2:0:-1]:
        factor += float(c)
        factor *= q
    factor += float(polynomial[0])
    return np.asarray(np.einsum("ij,ij->i", term, factor))


class At:
    """The coefficients of d^2, d^3, ... at one v, each made when it is first read."""

    def __init__(self, v: Floats) -> None:
        with np.errstate(over="ignore", divide="ignore"):
            e = np.exp(v)
            self.q, self.t = 1.0 / (1.0 / e + e + 2.0), 2.0 / (1.0 + e) - 1.0
        self._made: list[Floats] = []

    def __getitem__(self, m: int) -> Floats:
        while len(self._made) <= m:
            n = len(self._made)
            value = self.q * np.polyval([float(c) for c in POLYNOMIALS[n][::-1]], self.q) / factorial(n + 2)
            self._made.append(value * self.t if n % 2 else value)
        return self._made[m]


def fixed(at: At, d: Floats, M: int) -> tuple[Floats, Floats]:
    """For rows of d from one v: the sums there, and a bound of their error."""
    w = d * d
    first = w @ at[0]
    there = first.copy()
    for m in range(1, M):
        w *= d
        there += w @ at[m]
    return there, _error(2 * first, d, M)


def _error(squares: Floats, d: Floats, M: int) -> Floats:
    """What the sums may be off by, from the sum of q d^2. A row of zeros is exact."""
    n = d.shape[-1]
    error = squares * ((_ROUNDING[M] + (n + 2 * M) * _SUMMING[M]) * INFLATE * (1 + (n + 64) * U))
    exact = squares == 0
    if exact.any():
        return np.asarray(error + np.where(exact & ~d.any(-1), 0.0, FLOOR))
    return np.asarray(error + FLOOR)

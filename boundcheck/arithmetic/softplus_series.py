"""Sums of Bregman distances of s = log(1 + exp) along short displacements, by Taylor's series at v, both ways at once.

With p = s'(v), q = p (1 - p) and t = 1 - 2p the derivative of order m + 2 is q a_m(q) for even m and q t a_m(q) for odd m, where
q' = q t and t' = -2 q give the polynomials a_m. With T_m = that derivative times d^(m+2),

    s(v + d) - s(v) - s'(v) d      = sum of T_m / (m + 2)!
    s(v) - s(v + d) + s'(v + d) d  = sum of (m + 1) T_m / (m + 2)!

so the sums of T_m over the coordinates tell both. The rest after M terms: |s''(w)| = 1 / (2 (cosh a + cos b)) at w = a + ib,
hence at most 26 q on the circle of radius 2 about v (e^2 times 2 / (1 + cos 2)), and Cauchy's estimate bounds T_m by
26 m! 2^-m q |d|^(m+2). For |d| <= h the terms from M on are together, either way, at most q d^2 times
26 (h/2)^M / ((M + 2) (1 - h/2)). `REACH` has, for each M, an h for which that is at most 2^-46 = `REST`.

Rounding, with exp within 8 u: q is within 23 u of itself, t within 15 u; a polynomial of degree j at q <= 1/4 is within
(24 j + 1) u of the sum of its absolute terms. `_ROUNDING` adds this up for each M.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.rounding import FLOOR, INFLATE, U

REACH = {1: 2.0**-49, 2: 2.0**-24, 4: 2.0**-12, 6: 2.0**-7, 8: 2.0**-5, 12: 0.125, 16: 0.25, 24: 0.5}  # terms; how long d may be
REST = 2.0**-46
VARYING = 8  # terms that are worth computing where v differs from row to row
MOST = max(REACH)


def _polynomials() -> list[list[int]]:
    """a_0, a_1, ...: coefficients of 1, q, q^2, ..."""
    made = [[1]]
    for m in range(1, MOST):
        a = made[-1]
        if m % 2:  # (q a)' = q t (a + q a')
            made.append([(j + 1) * c for j, c in enumerate(a)])
        else:  # (q t a)' = q ((1 - 4q)(a + q a') - 2 q a)
            made.append([(j + 1) * c for j, c in enumerate(a)] + [0])
            for j, c in enumerate(a):
                made[-1][j + 1] -= (4 * j + 6) * c
    return made


POLYNOMIALS = _polynomials()


def _sizes(M: int, factor: int) -> float:
    """The sum over m < M of (1 + factor (m + 1)) (m + 1) |a_m|(1/4) h^m / (m + 2)!."""
    sizes = [sum(abs(c) / 4**j for j, c in enumerate(a)) for a in POLYNOMIALS]
    total = sum((1 + factor * (m + 1)) * (m + 1) * sizes[m] * REACH[M] ** m / factorial(m + 2) for m in range(M))
    return float(total) * (1 + 2.0**-30)


_ROUNDING = {M: 48 * U * _sizes(M, 1) + REST for M in REACH}  # of one coordinate, over q d^2
_SUMMING = {M: U * _sizes(M, 0) for M in REACH}  # of each addition


def terms_for(d: Floats, most: int) -> int | None:
    """How many terms serve all these displacements, if at most so many do."""
    longest = max(float(d.max(initial=0.0)), -float(d.min(initial=0.0)))
    return next((M for M, reach in REACH.items() if longest <= reach and M <= most), None)


def varying(v: Floats, d: Floats, M: int) -> tuple[Floats, Floats, Floats]:
    """For rows of v and of d: the sums there and back, and a bound of the error of either."""
    e = np.abs(v)
    np.negative(e, out=e)
    np.exp(e, out=e)
    r = 1.0 + e
    np.reciprocal(r, out=r)
    q = e * r
    q *= r
    if M > 1:
        t = np.subtract(1.0, e, out=e)
        t *= r
        np.copysign(t, v, out=t)  # this is -t
    w = np.multiply(q, d, out=r)
    w *= d
    first = w.sum(-1)
    there, back = first / 2, first / 2
    for m in range(1, M):
        w *= d
        odd = m % 2 == 1
        term = w * t if odd else w
        total = _against(term, q, POLYNOMIALS[m])
        if odd:
            total = -total
        there += total / factorial(m + 2)
        back += total * ((m + 1) / factorial(m + 2))
    return there, back, _error(first, d, M)


def _against(term: Floats, q: Floats, polynomial: list[int]) -> Floats:
    """Row by row the sum of term times polynomial(q)."""
    if len(polynomial) == 1:
        return np.asarray(term.sum(-1))
    factor = q * float(polynomial[-1])
    for c in polynomial[-2:0:-1]:
        factor += float(c)
        factor *= q
    factor += float(polynomial[0])
    return np.asarray(np.einsum("ij,ij->i", term, factor))


def fixed(coefficients: Floats, d: Floats, M: int) -> tuple[Floats, Floats]:
    """For rows of d from one v: the sums there, and a bound of their error."""
    w = d * d
    first = w @ coefficients[0]
    there = first.copy()
    for m in range(1, M):
        w *= d
        there += w @ coefficients[m]
    return there, _error(2 * first, d, M)


def at(v: Floats) -> Floats:
    """The coefficients of d^2, d^3, ... at one v, a row each."""
    e = np.exp(-np.abs(v))
    r = 1.0 / (1.0 + e)
    q, t = e * r * r, -np.copysign((1.0 - e) * r, v)
    rows = [q * np.polyval([float(c) for c in a[::-1]], q) / factorial(m + 2) for m, a in enumerate(POLYNOMIALS)]
    return np.stack([row * t if m % 2 else row for m, row in enumerate(rows)])


def _error(squares: Floats, d: Floats, M: int) -> Floats:
    """What the sums may be off by, from the sum of q d^2. A row of zeros is exact."""
    n = d.shape[-1]
    error = squares * ((_ROUNDING[M] + (n + 2 * M) * _SUMMING[M]) * INFLATE * (1 + (n + 64) * U))
    exact = squares == 0
    if exact.any():
        return np.asarray(error + np.where(exact & ~d.any(-1), 0.0, FLOOR))
    return np.asarray(error + FLOOR)

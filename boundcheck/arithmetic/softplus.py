"""Bregman distances of s = log(1 + exp) in float64 without cancellation, and sums of them by Taylor's series."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
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


_E = [1 / factorial(k) for k in range(12, 1, -1)]  # E(d) = d^2 (1/2 + d/6 + ...): the tail is below 2^-60 of it at |d| = 1/8


def softplus(v: Floats) -> Floats:
    """log(1 + e^v) = max(v, 0) + log(1 + e^-|v|), relatively within 20 u."""
    tail = np.abs(v)
    np.negative(tail, out=tail)
    np.exp(tail, out=tail)
    np.log1p(tail, out=tail)
    return np.asarray(np.maximum(v, 0.0) + tail)


_CHUNK = 8192  # so that the temporaries of a chunk stay in the cache
Rows = Callable[[slice], Floats]  # some rows of a stack of vectors


def sums(v: Rows, d: Rows, longest: Floats, width: int) -> tuple[Floats, Floats, Floats, Floats]:
    """For each row the sum of the distances there, and back from v + d to v; then bounds of the error of each.

    `longest` bounds the coordinates of d, row by row.
    """
    made = np.empty((4, len(longest)))
    with np.errstate(all="ignore"):
        for part in _parts(len(longest), width):
            terms = terms_within(float(longest[part].max()))
            if terms is None or terms > VARYING:
                made[:, part] = _far_both(v(part), d(part))
            else:
                made[0, part], made[1, part], made[2:, part] = varying(v(part), d(part), terms)
    return made[0], made[1], made[2], made[3]


def sums_from(v: Floats, d: Rows, longest: Floats) -> tuple[Floats, Floats]:
    """For each row of d the sum of the distances from one v, and a bound of its error."""
    made, known = np.empty((2, len(longest))), At(v)
    with np.errstate(all="ignore"):
        for part in _parts(len(longest), len(v)):
            terms = terms_within(float(longest[part].max()))
            if terms is None:
                value, error = bregman(v, d(part))
                made[:, part] = value.sum(-1), _of_sum(value, error)
            else:
                made[:, part] = fixed(known, d(part), terms)
    return made[0], made[1]


def _parts(count: int, width: int) -> list[slice]:
    step = max(2 * _CHUNK // max(width, 1), 1)
    return [slice(start, min(start + step, count)) for start in range(0, count, step)]


def _far_both(v: Floats, d: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    end = v + d
    there, there_error = bregman(v, d)
    back, back_error = bregman(end, -d)
    back_error += 2 * U * np.abs(end) * back  # |d^3 s| <= d^2 s, so the distance moves relatively by no more than v does
    return there.sum(-1), back.sum(-1), _of_sum(there, there_error), _of_sum(back, back_error)


def _of_sum(values: Floats, errors: Floats) -> Floats:
    """Errors of terms that are not negative, and of adding them up."""
    n = values.shape[-1]
    return np.asarray(errors.sum(-1) * (1 + n * U) + n * U * (1 + 2.0**-30) * values.sum(-1))


def bregman(v: Floats, d: Floats) -> tuple[Floats, Floats]:
    """The distance for each coordinate, never negative, with a bound of its absolute error."""
    v, d = np.broadcast_arrays(v, d)
    flat_v, flat_d = v.reshape(-1), d.reshape(-1)
    value, error = np.empty(flat_v.shape), np.empty(flat_v.shape)
    with np.errstate(all="ignore"):
        for start in range(0, flat_v.size, _CHUNK):
            part = slice(start, start + _CHUNK)
            _chunk(flat_v[part], flat_d[part], value[part], error[part])
    return value.reshape(v.shape), error.reshape(v.shape)


def _chunk(v: Floats, d: Floats, value: Floats, error: Floats) -> None:
    d = np.array(d)
    np.negative(d, out=d, where=v > 0)
    v = -np.abs(v)
    tail = np.exp(v)
    p = tail / (1 + tail)
    np.maximum(_near(p, d), 0.0, out=value)
    np.multiply(value, 320 * U, out=error)
    error += FLOOR * (d != 0)
    far = ~(np.abs(d) <= 0.125)
    if far.any():
        value[far], error[far] = _far(v[far], p[far], d[far])


def _near(p: Floats, d: Floats) -> Floats:
    """p E(d) - G(y) by series."""
    e = _E[0] * d
    for coefficient in _E[1:-1]:
        e += coefficient
        e *= d
    e += _E[-1]
    e *= d
    e *= d
    y = d + e
    y *= p
    w = y / (2 + y)
    z = w * w
    g = 2 / 13 * z
    for k in (11, 9, 7, 5):
        g += 2 / k
        g *= z
    g += 2 / 3
    g *= z
    g -= y
    g *= w  # this is -G
    e *= p
    e += g
    return np.asarray(e)


def _far(v: Floats, p: Floats, d: Floats) -> tuple[Floats, Floats]:
    """log(1 + y) - p d, with absolute errors; beyond d = 30, where e^d could overflow, s(v + d) - s(v) - p d."""
    rise = np.log1p(p * np.expm1(np.minimum(d, 30.0)))
    error = 48 * U * np.abs(rise)
    huge = d > 30.0
    if huge.any():
        end, start = softplus(v + d), softplus(v)
        rise = np.where(huge, end - start, rise)
        error = np.where(huge, 24 * U * (end + start) + 2 * U * np.abs(v + d), error)
    linear = p * d
    value = np.maximum(rise - linear, 0.0)
    value = np.where(np.isnan(v) | np.isnan(d), np.nan, value)
    return value, error + 24 * U * np.abs(linear) + 2 * U * value + FLOOR

"""The Bregman distance of s = log(1 + exp) in float64 without cancellation: s(v + d) - s(v) - s'(v) d.

s(x) = x + s(-x), so the distance is the same at (-v, -d): take v <= 0, p = s'(v) <= 1/2, y = p (e^d - 1). Then it is
log(1 + y) - p d = p E(d) - G(y) with E(d) = e^d - 1 - d and G(y) = y - log(1 + y). For |d| <= 1/8 both come from series: with
w = y / (2 + y), G = w y - 2 w^3 (1/3 + w^2/5 + ...). There G <= 0.72 p E, so little cancels: p is within 10 u, E within 10 u,
G within 70 u of itself, together 75 u p E, which is below 320 u times the distance.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import numpy as np

from boundcheck.arithmetic import softplus_series as series
from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.bounded.storage import FLOOR, U

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
            terms = series.terms_within(float(longest[part].max()))
            if terms is None or terms > series.VARYING:
                made[:, part] = _far_both(v(part), d(part))
            else:
                made[0, part], made[1, part], made[2:, part] = series.varying(v(part), d(part), terms)
    return made[0], made[1], made[2], made[3]


def sums_from(v: Floats, d: Rows, longest: Floats) -> tuple[Floats, Floats]:
    """For each row of d the sum of the distances from one v, and a bound of its error."""
    made, known = np.empty((2, len(longest))), series.At(v)
    with np.errstate(all="ignore"):
        for part in _parts(len(longest), len(v)):
            terms = series.terms_within(float(longest[part].max()))
            if terms is None:
                value, error = bregman(v, d(part))
                made[:, part] = value.sum(-1), _of_sum(value, error)
            else:
                made[:, part] = series.fixed(known, d(part), terms)
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

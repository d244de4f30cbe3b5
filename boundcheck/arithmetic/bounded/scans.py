"""Scans along the last axis, in O(n), with sound radii.

A linear recurrence s_n = a_n s_{n-1} + b_n is bounded after the fact. Whatever numbers t_n were computed, their residual
e_n = t_n - (a_n t_{n-1} + b_n) is known, and |s_n - t_n| <= r_n for

    r_n = (|a_n| + ra_n) r_{n-1} + |t_{n-1}| ra_n + rb_n + |e_n|.

The r_n are a recurrence of nonnegative numbers: rounding makes them relatively wrong by at most 4 n u, and a floor added at
every product (also to the products of coefficients inside a block) stays above what underflow can lose. So the order of
evaluation is free.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boundcheck.arithmetic import compiled
from boundcheck.arithmetic.base import Floats
from boundcheck.arithmetic.bounded.functions import maximum, minimum
from boundcheck.arithmetic.bounded.scalars import BoundedScalars
from boundcheck.arithmetic.bounded.storage import FLOOR, Mids, U, finished


def blocked(a: Floats, b: Floats, carry: Floats, floor: float = 0.0) -> Floats:
    """s_n = a_n s_{n-1} + b_n by blocks of about sqrt(n) / 2: inside all blocks at once, then from block to block.

    With nonnegative data and a positive floor the result is an upper bound, up to relative rounding. A result that is not finite
    is computed again one step after another, for a product inside a block may overflow where the recurrence does not.
    """
    n = a.shape[-1]
    if n < 64 or compiled.for_size(n) is not None:
        return stepwise(a, b, carry)
    width = int(np.sqrt(n) / 2) + 1
    count = -(-n // width)
    lead = a.shape[:-1]
    # steps first: each step then works on contiguous memory
    coefficient, sums = np.ones((count * width, *lead)), np.zeros((count * width, *lead))
    coefficient[:n], sums[:n] = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    products = np.ascontiguousarray(np.swapaxes(coefficient.reshape(count, width, *lead), 0, 1))
    sums = np.ascontiguousarray(np.swapaxes(sums.reshape(count, width, *lead), 0, 1))
    with np.errstate(all="ignore"):
        for j in range(1, width):
            sums[j] += products[j] * sums[j - 1]
            products[j] *= products[j - 1]
            products[j] += floor
        ends = stepwise(np.moveaxis(products[-1], 0, -1), np.moveaxis(sums[-1], 0, -1) + floor, carry)
        starts = np.concatenate([np.broadcast_to(carry, (*lead, 1)), ends[..., :-1]], axis=-1)
        sums += np.multiply(products, np.moveaxis(starts, -1, 0), out=products)
        sums += floor
    made = np.moveaxis(np.swapaxes(sums, 0, 1).reshape(count * width, *lead)[:n], 0, -1)
    return np.asarray(made) if np.isfinite(made).all() else stepwise(a, b, carry)


def stepwise(a: Floats, b: Floats, carry: Floats) -> Floats:
    """The same, one step after another: a loop over Python floats for each row if there are few, over columns if many."""
    made = np.empty(a.shape)
    rows = made.size // max(a.shape[-1], 1)
    if (kernels := compiled.for_size(a.shape[-1])) is not None:
        starts = np.broadcast_to(carry[..., 0], a.shape[:-1])
        for row in np.ndindex(a.shape[:-1]):
            kernels.follow(np.ascontiguousarray(a[row]), np.ascontiguousarray(b[row]), float(starts[row]), made[row])
        return made
    with np.errstate(all="ignore"):
        if rows > 16:
            last = carry[..., 0]
            for n in range(a.shape[-1]):
                last = a[..., n] * last + b[..., n]
                made[..., n] = last
            return made
        starts = np.broadcast_to(carry[..., 0], a.shape[:-1])
        for row in np.ndindex(a.shape[:-1]):
            value, values = float(starts[row]), []
            for factor, term in zip(a[row].tolist(), b[row].tolist(), strict=True):
                value = factor * value + term
                values.append(value)
            made[row] = values
    return made


def recurrence(a: BoundedScalars, b: BoundedScalars, carry: BoundedScalars) -> BoundedScalars:
    """Enclosures of s_n = a_n s_{n-1} + b_n by the residual of a computed sequence."""
    format = a.format
    lead = np.broadcast_shapes(a.shape[:-1], b.shape[:-1], carry.shape[:-1])
    shape = (*lead, *np.broadcast_shapes(a.shape[-1:], b.shape[-1:]))
    mid_a, mid_b = np.broadcast_to(a.mid, shape), np.broadcast_to(b.mid, shape)
    start: Mids = np.broadcast_to(carry.mid, (*lead, 1))
    with np.errstate(all="ignore"):
        made = format.scan(mid_a, mid_b, start)
        before = np.concatenate([start, made[..., :-1]], axis=-1)
        product = mid_a * before
        total = product + mid_b
        rounding = format.u * (format.size(product) + format.size(total)) * (1 + 2 * format.u)
        residual = format.size(made - total) * (1 + 2 * format.u)
        growth = (format.size(mid_a) + a.rad) * (1 + 8 * U)
        terms = format.size(before) * a.rad + np.broadcast_to(b.rad, shape) + residual + rounding
        terms = terms * (1 + 16 * U) + 4 * FLOOR
        radius = blocked(np.broadcast_to(growth, shape), terms, np.broadcast_to(carry.rad, (*lead, 1)), FLOOR)
        return BoundedScalars(format, made, finished(radius * (1 + 8 * shape[-1] * U)))


def cumsum(a: BoundedScalars, carry: BoundedScalars | None) -> BoundedScalars:
    """Each addition is off by at most u |sum|, and the errors add up."""
    if carry is not None:
        return cumsum(_joined(carry, a), None)[..., 1:]
    format = a.format
    with np.errstate(all="ignore"):
        made = np.add.accumulate(a.mid, axis=-1)
        size = format.size(made)
        rounding = np.where((size > 0) & (size < format.small), format.u * size + FLOOR, format.u * size)
        rounding[..., :1] = 0.0
        radius = np.add.accumulate(a.rad + rounding, axis=-1)
        return BoundedScalars(format, made, finished(radius * (1 + 2 * made.shape[-1] * U)))


def cumprod(a: BoundedScalars, carry: BoundedScalars | None) -> BoundedScalars:
    """The recurrence with b = 0. From the first factor that is exactly 0 on, the product is exactly 0."""
    if carry is not None:
        return cumprod(_joined(carry, a), None)[..., 1:]
    format = a.format
    with np.errstate(all="ignore"):
        made = np.multiply.accumulate(a.mid, axis=-1)
        before = np.concatenate([made[..., :1] * 0 + format.plain.lift(1), made[..., :-1]], axis=-1)
        growth = (format.size(a.mid) + a.rad) * (1 + 8 * U)
        terms = (format.size(before) * a.rad + format.u * format.size(made)) * (1 + 16 * U) + 4 * FLOOR
        terms[..., :1] = a.rad[..., :1]
        radius = blocked(growth, terms, np.zeros((*a.shape[:-1], 1)), FLOOR) * (1 + 8 * made.shape[-1] * U)
        zero = np.asarray(a.mid == 0, dtype=bool) & (a.rad == 0)
        if zero.any():
            defined = np.logical_and.accumulate(np.isfinite(a.rad), axis=-1)
            radius = np.where(np.logical_or.accumulate(zero, axis=-1) & defined, 0.0, radius)
        return BoundedScalars(format, made, finished(radius))


def cummin(a: BoundedScalars, carry: BoundedScalars | None) -> BoundedScalars:
    """The running minimum lies between the running minima of the lower and of the upper ends."""
    return _running(minimum, 1.0, a if carry is None else _joined(carry, a), 0 if carry is None else 1)


def cummax(a: BoundedScalars, carry: BoundedScalars | None) -> BoundedScalars:
    """The largest of a is minus the smallest of -a."""
    return _running(maximum, -1.0, a if carry is None else _joined(carry, a), 0 if carry is None else 1)


def _running(pick: Callable[..., BoundedScalars], sign: float, a: BoundedScalars, skip: int) -> BoundedScalars:
    """Other formats: min is associative, so after steps of 1, 2, 4, ... each entry covers all entries before it."""
    if a.mid.dtype == np.float64:
        with np.errstate(all="ignore"):
            values = sign * a.mid
            slack = np.where(a.rad > 0, a.rad * (1 + 4 * U) + 2 * U * np.abs(values) + FLOOR, 0.0)  # the ends round outward
            made = np.minimum.accumulate(values, axis=-1)
            low = np.minimum.accumulate(values - slack, axis=-1)
            high = np.minimum.accumulate(values + slack, axis=-1)
            radius = finished(np.maximum(made - low, high - made))
            return BoundedScalars(a.format, sign * made, radius)[..., skip:]
    step = 1
    while step < a.shape[-1]:
        a = _joined(a[..., :step], pick(a[..., step:], a[..., :-step]))
        step *= 2
    return a[..., skip:]


def _joined(a: BoundedScalars, b: BoundedScalars) -> BoundedScalars:
    lead = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    mids = [np.broadcast_to(x.mid, (*lead, x.shape[-1])) for x in (a, b)]
    radii = [np.broadcast_to(x.rad, (*lead, x.shape[-1])) for x in (a, b)]
    return BoundedScalars(a.format, np.concatenate(mids, axis=-1), np.concatenate(radii, axis=-1))

"""Scans enclose the exact recurrences: growth, decay, underflow, cancellation, carries, and batches."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boundcheck.arithmetic import Order, arithmetic

from .truth import encloses, inside, radii

ROUNDED = ["float64", "mp:30"]


def exact_recurrence(a, b, s):
    made = []
    for p, q in zip(a, b, strict=True):
        s = p * s + q
        # the exact number grows: keep 1200 bits, far below every radius
        s = Fraction(round(s * 2**2400), 2**2400) if abs(s) < 1 else Fraction(round(s * 2**1200), 2**1200)
        made.append(s)
    return made


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize(("low", "high"), [(0.4, 0.7), (0.9, 1.1), (-1.2, 1.2), (1.01, 1.3), (-0.1, 0.0)])
@pytest.mark.parametrize("blurred", [False, True])
def test_a_recurrence_encloses_growth_and_decay(name, low, high, blurred):
    xp, rng, n = arithmetic(name), np.random.default_rng(11), 500
    a, b, s = rng.uniform(low, high, n), rng.normal(size=n), rng.normal(size=1)
    ra, rb, rs = (radii(rng, z) * 1e-3 * blurred for z in (a, b, s))
    result = xp.recurrence(xp.scalars(a, ra), xp.scalars(b, rb), xp.scalars(s, rs))
    encloses(result, exact_recurrence(inside(rng, a, ra), inside(rng, b, rb), inside(rng, s, rs)[0]))
    assert np.isfinite(result.rad).mean() > 0.1


@pytest.mark.parametrize("n", [1, 63, 64, 65, 100, 401])
def test_a_recurrence_is_relatively_accurate_at_every_length(n):
    xp, rng = arithmetic("float64"), np.random.default_rng(n)
    a, b = rng.uniform(0.5, 1.0, n), rng.uniform(0.1, 1.0, n)
    result = xp.recurrence(xp.scalars(a), xp.scalars(b), xp.scalars([1.0]))
    encloses(result, exact_recurrence(inside(rng, a, 0 * a), inside(rng, b, 0 * b), Fraction(1)))
    assert (result.rad < 1e-14 * result.mid).all()


def test_underflow_and_regrowth_inside_a_block_stay_enclosed():
    xp, rng = arithmetic("float64"), np.random.default_rng(12)
    a = np.concatenate([np.full(40, 1e-20), np.full(40, 1e20), np.full(30, 1e-11), np.full(30, 1e11), rng.uniform(0.5, 2, 60)])
    b = np.where(rng.random(200) < 0.1, rng.normal(size=200) * 1e-300, 0.0)
    result = xp.recurrence(xp.scalars(a), xp.scalars(b), xp.scalars([3.0], 1e-10))
    encloses(result, exact_recurrence(inside(rng, a, 0 * a), inside(rng, b, 0 * b), Fraction(3) + Fraction(1e-10)))
    products = xp.cumprod(xp.scalars(a))
    encloses(products, exact_recurrence(inside(rng, a, 0 * a), [Fraction(0)] * 200, Fraction(1)))
    assert xp.error(products)[10] < 1e-200


def test_a_product_inside_a_block_may_overflow_where_the_recurrence_does_not():
    xp = arithmetic("float64")
    a = np.full(200, 1e9)
    a[:190:5] = 0.0
    result = xp.recurrence(xp.scalars(a), xp.scalars(np.ones(200)), xp.scalars([0.0]))
    encloses(result, exact_recurrence([Fraction(v) for v in a.tolist()], [Fraction(1)] * 200, Fraction(0)))
    assert np.isfinite(result.rad).all()


def test_a_long_product_decays_without_becoming_undefined():
    xp = arithmetic("float64")
    result = xp.cumprod(xp.scalars(np.full(20_000, 0.6)))
    assert np.isfinite(result.rad).all()
    assert xp.compare(result, 1e-290)[[100, 1200, 19_999]].tolist() == [Order.GREATER, Order.GREATER, Order.LESS]


def test_a_product_that_meets_zero_is_exactly_zero_from_there_on():
    xp = arithmetic("float64")
    result = xp.cumprod(xp.scalars([0.3, 0.7, 0.0, 0.1, 5.0]))
    assert xp.compare(result, 0).tolist() == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("which", ["cumsum", "cumprod", "cummin", "cummax"])
def test_a_scan_encloses_the_exact_one_and_does_not_depend_on_where_it_is_cut(name, which):
    xp, rng, n = arithmetic(name), np.random.default_rng(13), 150
    a = rng.normal(size=(3, n)) * 10.0 ** rng.integers(-2, 3, size=(3, n))
    ra = radii(rng, a) * 1e-2
    x = np.array(inside(rng, a, ra), dtype=object).reshape(3, n)
    step = {"cumsum": lambda s, t: s + t, "cumprod": lambda s, t: s * t, "cummin": min, "cummax": max}[which]
    truth = [[row[0]] for row in x]
    for made, row in zip(truth, x, strict=True):
        for t in row[1:]:
            made.append(step(made[-1], t))
    flat = [t for row in truth for t in row]
    scalars, scan = xp.scalars(a, ra), getattr(xp, which)
    encloses(scan(scalars), flat)
    first = scan(scalars[:, :70])
    cut = xp.concatenate([first, scan(scalars[:, 70:], first[:, -1:])])
    encloses(cut, flat)
    assert np.allclose(xp.middle(cut), xp.middle(scan(scalars)), rtol=1e-9)
    assert np.isfinite(cut.rad).all()


def test_a_running_minimum_of_exact_numbers_is_exact():
    xp = arithmetic("float64")
    a = np.random.default_rng(14).normal(size=(2, 333))
    result = xp.cummin(xp.scalars(a))
    assert (result.rad == 0).all() and (result.mid == np.minimum.accumulate(a, axis=-1)).all()


def test_a_batch_of_recurrences_is_each_of_them():
    xp, rng = arithmetic("float64"), np.random.default_rng(15)
    a, b, s = rng.uniform(-1, 1, (2, 20, 90)), rng.normal(size=(2, 20, 90)), rng.normal(size=(2, 20, 1))
    batch = xp.recurrence(xp.scalars(a), xp.scalars(b), xp.scalars(s))
    one = xp.recurrence(xp.scalars(a[1, 7]), xp.scalars(b[1, 7]), xp.scalars(s[1, 7]))
    assert batch.shape == (2, 20, 90) and (batch.mid[1, 7] == one.mid).all() and (batch.rad[1, 7] == one.rad).all()


def test_a_wide_start_that_underflows_and_regrows_inside_a_block_stays_enclosed():
    xp = arithmetic("float64")
    a = np.tile([1e-162, 1e-162, 1e162, 1e162], 50)
    result = xp.recurrence(xp.scalars(a), xp.scalars(np.zeros(200)), xp.scalars([0.0], 1e30))
    encloses(result, exact_recurrence([Fraction(v) for v in a.tolist()], [Fraction(0)] * 200, Fraction(1e30)))


def test_a_recurrence_stays_finite_where_only_the_products_of_its_coefficients_overflow():
    xp = arithmetic("float64")
    a = np.tile([1e155, 1e155, 1e-155, 1e-155], 50)
    result = xp.recurrence(xp.scalars(a), xp.scalars(np.zeros(200)), xp.scalars([1e-200]))
    encloses(result, exact_recurrence([Fraction(v) for v in a.tolist()], [Fraction(0)] * 200, Fraction(1e-200)))
    assert np.isfinite(result.mid).all() and np.isfinite(result.rad).all()


@pytest.mark.parametrize("name", ROUNDED)
def test_a_blurred_number_above_the_minimum_may_be_the_minimum(name):
    xp = arithmetic(name)
    a = xp.scalars(np.array([1.0, 1.0625, 4.0]), np.array([0.0, 0.25, 0.5]))
    for end in (-1, 1):
        x = [Fraction(1), Fraction(17, 16) + end * Fraction(1, 4), Fraction(4)]
        encloses(xp.cummin(a), [min(x[: n + 1]) for n in range(3)])
        encloses(xp.cummax(a), [max(x[: n + 1]) for n in range(3)])

"""Every operation encloses the truth, for numbers of every size; comparisons never guess."""

from __future__ import annotations

import operator
from fractions import Fraction

import numpy as np
import pytest

from boundcheck.arithmetic import Order, Truth, arithmetic

from .truth import encloses, fraction, function, inside, mp, numbers, radii

ROUNDED = ["float64", "mp:30"]
OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def balls(xp, seed, count=600, wild=True, positive=False):
    """Random balls and one true number inside each."""
    rng = np.random.default_rng(seed)
    mids = numbers(rng, count, wild)
    mids = np.abs(mids) if positive else mids
    rads = radii(rng, mids)
    return xp.scalars(mids, rads), inside(rng, mids, rads)


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("sign", OPERATIONS)
def test_an_operation_encloses_the_exact_result(name, sign):
    xp, operation = arithmetic(name), OPERATIONS[sign]
    a, x = balls(xp, 1)
    b, y = balls(xp, 2)
    result = operation(a, b)
    truths = [operation(p, q) if sign != "/" or q else None for p, q in zip(x, y, strict=True)]
    assert all(t is not None or r == np.inf for t, r in zip(truths, result.rad, strict=True))
    encloses(result, [t if t is not None else Fraction(0) for t in truths])
    assert np.isfinite(result.rad).mean() > 0.5


@pytest.mark.parametrize("name", ROUNDED)
def test_cancellation_is_enclosed_and_seen(name):
    xp = arithmetic(name)
    tiny = xp.scalar(Fraction(1, 10**25))
    result = (1 + tiny) - 1
    encloses(result, [Fraction(1, 10**25)])
    assert xp.compare(result, 0).item() == (Order.UNKNOWN if name == "float64" else Order.GREATER)


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("which", ["sqrt", "exp", "log"])
def test_a_function_encloses_its_value(name, which):
    xp = arithmetic(name)
    a, x = balls(xp, 3, wild=which != "exp", positive=which != "exp")
    if which == "exp":
        keep = np.abs([float(t) for t in x]) < 500
        a, x = a[keep], [t for t, k in zip(x, keep, strict=True) if k]
    result = getattr(xp, which)(a)
    defined = [t >= 0 if which == "sqrt" else which == "exp" or t > 0 for t in x]
    truths = [function(which, t) if d else fraction(m) for t, d, m in zip(x, defined, result.mid, strict=True)]
    encloses(result, truths)
    assert np.isfinite(result.rad).mean() > 0.5


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("exponent", [Fraction(0), Fraction(3), Fraction(-2), Fraction(1, 2), Fraction(-3, 2), Fraction(2, 3)])
def test_a_power_encloses_its_value(name, exponent):
    xp = arithmetic(name)
    a, x = balls(xp, 4, count=200, wild=False, positive=True)
    result = xp.power(a, exponent)
    truths = []
    for t, m, r in zip(x, result.mid, result.rad, strict=True):
        known = np.isfinite(r) and (t > 0 or (t == 0 and exponent >= 0))
        truths.append(fraction(mp(t) ** mp(exponent)) if known and t else Fraction(int(exponent == 0)) if known else fraction(m))
    encloses(result, truths)
    assert np.isfinite(result.rad).mean() > 0.5


def test_a_root_over_an_enclosure_that_touches_zero_covers_the_nonnegative_part():
    xp = arithmetic("float64")
    root = xp.sqrt(xp.scalars(np.array([1e-20, -1e-20, 0.0]), np.array([1e-18, 1e-18, 1e-18])))
    for truth in (Fraction(0), function("sqrt", Fraction(1e-18) - Fraction(1e-20))):
        encloses(root, [truth] * 3)
    assert np.isinf(xp.error(xp.sqrt(xp.scalars(np.array([-1.0]), 0.5))))
    assert np.isinf(xp.error(xp.log(xp.scalars(np.array([0.5, 0.5]), np.array([0.5, 0.6]))))).all()


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("which", ["minimum", "maximum"])
def test_minimum_and_maximum_enclose_the_exact_one(name, which):
    xp = arithmetic(name)
    a, x = balls(xp, 5)
    b, y = balls(xp, 6)
    near = xp.scalars(np.asarray(xp.middle(a)), 1e-3)
    pick = {"minimum": min, "maximum": max}[which]
    encloses(getattr(xp, which)(a, b), [pick(p, q) for p, q in zip(x, y, strict=True)])
    encloses(getattr(xp, which)(a, near), [pick(p, fraction(m)) for p, m in zip(x, near.mid, strict=True)])


@pytest.mark.parametrize("name", ROUNDED)
def test_an_unknown_choice_encloses_both(name):
    xp = arithmetic(name)
    a, x = balls(xp, 7)
    b, y = balls(xp, 8)
    unknown = xp.choose(np.full(600, Truth.UNKNOWN, dtype=np.int8), a, b)
    encloses(unknown, x)
    encloses(unknown, y)
    yes = xp.choose(np.full(600, Truth.YES, dtype=np.int8), a, b)
    assert (yes.mid == a.mid).all() and (yes.rad == a.rad).all()


@pytest.mark.parametrize("name", ROUNDED)
def test_a_decided_comparison_is_true_of_every_pair_of_numbers_in_the_balls(name):
    xp = arithmetic(name)
    rng = np.random.default_rng(9)
    mids = numbers(rng, 2000)
    # pairs of balls that nearly touch
    other_rads, rads = radii(rng, mids), radii(rng, mids)
    with np.errstate(all="ignore"):
        others = mids + (rads + other_rads) * rng.choice([-1.0, 1.0, 0.999, 1.0000000001, 2.0], size=2000)
    keep = np.isfinite(others)
    mids, others, rads, other_rads = mids[keep], others[keep], rads[keep], other_rads[keep]
    order = xp.compare(xp.scalars(mids, rads), xp.scalars(others, other_rads))
    for a, b, r, s, o in zip(*(z.tolist() for z in (mids, others, rads, other_rads, order)), strict=True):
        gap, reach = Fraction(b) - Fraction(a), Fraction(r) + Fraction(s)
        assert o != Order.LESS or gap > reach
        assert o != Order.GREATER or -gap > reach
        assert o != Order.EQUAL or (gap == 0 and reach == 0)
        assert reach != 0 or o != Order.UNKNOWN
    assert {-1, 0, 1, 2} == set(order.tolist())


@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_compare_unknown_after_any_operation(name, bad):
    xp = arithmetic(name)
    a = xp.scalars(np.array([bad, 1.0]))
    results = [a, -a, a + 1, 1 - a, a * 0, a * 2, a / 3, 1 / a, xp.abs(a), xp.sqrt(a), xp.exp(a), xp.log(a)]
    results += [xp.minimum(a, -5), xp.maximum(a, 5), xp.power(a, Fraction(1, 3))]
    results += [xp.cumsum(a), xp.cumprod(a), xp.cummin(a), xp.cummax(a), xp.recurrence(a, a, xp.scalars([0]))]
    for result in results:
        for other in (0, -(10**300), a):
            assert xp.compare(result, other)[0] == Order.UNKNOWN
        assert np.isinf(xp.error(result)[0])


def test_overflow_is_unknown_and_silent():
    xp = arithmetic("float64")
    huge = xp.scalar(1e200)
    for result in (huge * huge, huge / xp.scalar(1e-200), xp.exp(huge), huge * huge - huge * huge):
        assert xp.compare(result, 0) == Order.UNKNOWN


def test_constants_are_exact_where_they_can_be():
    xp = arithmetic("float64")
    for exact in (3, 0.1, Fraction(3, 8), -(2**60), np.int64(7)):
        assert xp.error(xp.scalar(exact)) == 0
    for value in (Fraction(1, 3), 2**53 + 1, Fraction(1, 10**400), Fraction(10**20 + 1, 7)):
        third = xp.scalar(value)
        assert third.rad > 0
        encloses(third, [Fraction(value)])
    assert np.isinf(xp.error(xp.scalar(10**400)))


def test_an_exact_zero_times_anything_is_an_exact_zero():
    xp = arithmetic("float64")
    assert xp.compare(xp.scalar(0) * xp.scalar(Fraction(1, 3)), 0) == Order.EQUAL
    assert xp.compare(xp.scalars([1.0, 0.0]) / 3, 0).tolist() == [Order.GREATER, Order.EQUAL]

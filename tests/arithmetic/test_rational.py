"""Exact rationals: equalities are proved, and what has no rational value says why."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boundcheck.arithmetic import NotInThisArithmetic, Order, Truth, arithmetic

XP = arithmetic("rational")


def test_a_float_is_the_dyadic_that_it_stores():
    assert XP.text(XP.scalar(0.1)) == "3602879701896397/36028797018963968"
    assert XP.compare(XP.scalar(0.1), XP.scalar(Fraction(1, 10))) == Order.GREATER
    assert XP.compare(XP.scalar(0.1) * 10, 1) == Order.GREATER
    assert XP.compare(XP.scalar(Fraction(1, 3)) * 3, 1) == Order.EQUAL
    assert XP.text(XP.scalar(Fraction(3, 7))) == "3/7"


def test_roots_and_powers_are_exact_or_undefined_with_a_reason():
    roots = XP.sqrt(XP.scalars([4, Fraction(9, 16), 0, 2, -1]))
    assert XP.compare(roots, XP.scalars([2, Fraction(3, 4), 0, 1, 1])).tolist() == [0, 0, 0, 2, 2]
    assert XP.reason(roots) == "sqrt(2) is not rational" and XP.reason(roots[:3]) is None
    assert XP.error(roots).tolist() == [0, 0, 0, np.inf, np.inf]
    assert XP.text(XP.power(XP.scalar(Fraction(8, 27)), Fraction(-2, 3))) == "9/4"
    assert XP.text(XP.power(XP.scalar(5), Fraction(0))) == "1"
    assert XP.reason(XP.power(XP.scalar(3), Fraction(1, 3))) == "root 3(3) is not rational"


def test_an_undefined_number_spreads_through_every_operation():
    bad = 1 / XP.scalars([0])
    results = [bad, -bad, bad + 1, 1 - bad, 0 * bad, bad / 2, 2 / bad, bad - bad, XP.abs(bad), XP.sqrt(bad)]
    results += [XP.power(bad, Fraction(0)), XP.minimum(bad, 1), XP.maximum(1, bad), XP.exp(bad)]
    results += [XP.cumsum(bad), XP.cumprod(XP.scalars([0]), bad), XP.cummin(bad)]
    results += [XP.recurrence(XP.scalars([0]), bad, XP.scalars([0])), XP.normsq(XP.from_coordinates([XP.scalars([1]), bad]))]
    for result in results:
        assert XP.reason(result) == "division by zero"
        assert XP.compare(result, result).tolist() == [Order.UNKNOWN] and np.isnan(XP.middle(result)).all()
    assert XP.reason(XP.scalar(float("nan"))) == "nan is not a number"


def test_there_is_no_exponential_except_where_it_is_rational():
    assert XP.text(XP.exp(XP.scalar(0))) == "1" and XP.text(XP.log(XP.scalar(1))) == "0"
    assert XP.reason(XP.exp(XP.scalar(1))) == "exp(1) is not rational"
    assert XP.reason(XP.log(XP.scalar(2))) == "log(2) is not rational"
    calls = {XP.sigmoid: XP.vector([1]), XP.softplus_sum: XP.vector([0])}
    for call, argument in calls.items():
        with pytest.raises(NotInThisArithmetic, match=r"rational arithmetic has no .*; use --arithmetic auto or ball:256"):
            call(argument)


def test_an_undecided_choice_between_different_numbers_is_undefined():
    unknown = np.array([Truth.UNKNOWN, Truth.UNKNOWN, Truth.YES, Truth.NO], dtype=np.int8)
    chosen = XP.choose(unknown, XP.scalars([1, 1, 1, 1]), XP.scalars([1, 2, 2, 2]))
    assert XP.compare(chosen, XP.scalars([1, 1, 1, 2])).tolist() == [0, 2, 0, 0]


def test_an_exact_point_cannot_have_a_radius():
    with pytest.raises(NotInThisArithmetic, match=r"found an error of 0\.5, needs 0"):
        XP.vectors([[1, 2]], 0.5)
    assert (XP.radius(XP.vectors([[1, 2]])) == 0).all()


def test_numbers_too_large_for_a_float_are_shown_as_infinite_and_still_compare():
    huge = XP.power(XP.scalar(10), Fraction(400))
    assert XP.middle(huge) == np.inf and XP.compare(huge + 1, huge) == Order.GREATER

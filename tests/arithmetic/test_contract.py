"""What every arithmetic shares: one table of formulas, names, and numbers that refuse to be looked at."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from boundcheck.arithmetic import Arithmetic, Order, arithmetic

NAMES = ["float64", "mp:40", "ball:128", "rational"]

# formulas with a rational value, written once
FORMULAS = {
    "sums and products": (lambda xp: 2 - xp.scalar(3) * Fraction(1, 3) / 4 + 0.5, Fraction(9, 4)),
    "a power": (lambda xp: xp.power(xp.scalar(Fraction(9, 4)), Fraction(-3, 2)), Fraction(8, 27)),
    "absolute value": (lambda xp: xp.abs(-xp.scalar(7)), Fraction(7)),
    "minimum": (lambda xp: xp.minimum(xp.scalar(2), xp.maximum(1, xp.scalar(Fraction(1, 3)))), Fraction(1)),
    "a dot product": (lambda xp: xp.dot(xp.vector([1, 2]), xp.vector([Fraction(1, 2), -3])), Fraction(-11, 2)),
    "a norm": (lambda xp: xp.norm(xp.scale(Fraction(1, 5), xp.vector([3, 4]))), Fraction(1)),
    "a transpose": (lambda xp: xp.coordinate(xp.matvec(xp.matrix([[1, 2], [3, 4]]).T, xp.vector([1, 1])), 1), Fraction(6)),
    "a sum": (lambda xp: xp.cumsum(xp.scalars([1, 2, Fraction(1, 2)]), xp.scalars([10]))[..., -1], Fraction(27, 2)),
    "a product": (lambda xp: xp.cumprod(xp.scalars([1, 2, Fraction(1, 3)]))[..., -1], Fraction(2, 3)),
    "a recurrence": (
        lambda xp: xp.recurrence(xp.scalars([2, 3]), xp.scalars([1, Fraction(1, 2)]), xp.scalars([1]))[..., -1],
        Fraction(19, 2),
    ),
    "a running minimum": (lambda xp: xp.cummin(xp.scalars([3, 1, 2]), xp.scalars([5]))[..., 2], Fraction(1)),
    "a running maximum": (lambda xp: xp.cummax(xp.scalars([3, 1, 2]))[..., 2], Fraction(3)),
    "a sum of vectors": (
        lambda xp: xp.coordinate(xp.cumsum_vectors(xp.vectors([[1, 2], [3, 4]]), xp.vectors([[1, 1]])), 0)[..., 1],
        Fraction(5),
    ),
    "vectors end to end": (
        lambda xp: xp.normsq(xp.concatenate_vectors([xp.vectors([[1, 2]]), xp.vectors([[2, 1]])]))[..., 1],
        Fraction(5),
    ),
    "a slice of a stack": (lambda xp: xp.normsq((xp.vectors([[1, 2], [3, 4]])[..., 1:] - xp.vectors([[1, 1]]))[0]), Fraction(13)),
}
# bare arrays take fractions by scalar() only, and are sliced from the front
NOT_PLAIN = {"sums and products", "a norm", "a slice of a stack"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_has_the_same_value_in_every_arithmetic(name, formula):
    xp = arithmetic(name)
    compute, value = FORMULAS[formula]
    result = compute(xp)
    order = xp.compare(result, xp.scalar(value))
    assert order == Order.EQUAL if xp.exact else order in (Order.EQUAL, Order.UNKNOWN)
    assert float(xp.middle(result)) == pytest.approx(float(value), rel=1e-14) and xp.error(result) <= 1e-13
    assert result.shape == () and xp.reason(result) is None
    assert xp.compare(result, xp.scalar(value) + Fraction(1, 10**9)) == Order.LESS
    assert xp.compare(result, xp.scalar(value) - Fraction(1, 10**9)) == Order.GREATER


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("formula", sorted(set(FORMULAS) - NOT_PLAIN))
def test_the_plain_namespace_computes_the_same_formulas(name, formula):
    plain = arithmetic(name).plain
    compute, value = FORMULAS[formula]
    assert float(plain.middle(compute(plain))) == pytest.approx(float(value), rel=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_computed_numbers_have_no_truth_value_and_no_order(name):
    xp = arithmetic(name)
    for value in (xp.scalar(1), xp.vector([1, 2])):
        for look in (bool, float, np.asarray, sorted, hash):
            with pytest.raises(TypeError):
                look([value, value] if look is sorted else value)
        for ask in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
            with pytest.raises(TypeError, match=r"xp\.compare"):
                getattr(value, ask)(value)
    with pytest.raises(TypeError, match=r"xp\.scale"):
        xp.scalar(2) * xp.vector([1, 2])


@pytest.mark.parametrize("name", NAMES)
def test_a_float_array_meets_computed_numbers_from_either_side(name):
    xp = arithmetic(name)
    a, b = xp.scalars([1, 2]), np.array([0.5, 0.25])
    for result in (a * b, b * a):
        assert xp.middle(result).tolist() == [0.5, 0.5]
    assert xp.middle(b - a).tolist() == [-0.5, -1.75]


def test_names_are_parsed_and_shared():
    for name in NAMES:
        assert isinstance(arithmetic(name), Arithmetic) and arithmetic(name).name == name and arithmetic(name) is arithmetic(name)
    assert [arithmetic(name).certified for name in NAMES] == [False, False, True, True]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("flaot64", "did you mean 'float64'"),
        ("rationals", "did you mean 'rational'"),
        ("bell:256", "did you mean 'ball:256'"),
        ("mp:abc", "found 'mp:abc'"),
        ("mp:0", "from 1 to 100000"),
        ("mp", "as in 'mp:50'"),
        ("float64:3", "takes nothing after its name"),
        ("", "no arithmetic ''"),
    ],
)
def test_an_unknown_name_says_in_one_line_what_exists(name, says):
    with pytest.raises(ValueError) as caught:
        arithmetic(name)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_precision_belongs_to_the_arithmetic():
    import mpmath

    before = mpmath.mp.prec
    low, high = arithmetic("mp:20"), arithmetic("mp:200")
    third = high.scalar(1) / 3
    assert high.error(third) < 1e-199 < 1e-22 < low.error(low.scalar(1) / 3)
    assert mpmath.mp.prec == before
    assert high.text(third).startswith("0." + "3" * 199)


def test_naming_float64_imports_neither_mpmath_nor_flint():
    code = "import sys; from boundcheck.arithmetic import arithmetic; arithmetic('float64'); "
    code += "print({'mpmath', 'flint', 'scipy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "set()"

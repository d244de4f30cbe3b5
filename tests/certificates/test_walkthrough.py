"""Every sentence of a walk-through is shown by the certificate's data."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

from boundcheck import Bound, Differentiable, GradientDescent
from boundcheck.certificates.walkthrough import steps
from boundcheck.language.letters import f, k, x, xstar
from boundcheck.verify import NotComputed
from tests.certificates.making import made, one_run
from tests.certificates.test_least_value import TWO_DIPS

FALLS = Bound(given=(Differentiable, GradientDescent()), states=f(x[k]) <= f(xstar))
BOWL = {**TWO_DIPS, "knots": ["0"], "gradients": ["0"], "value_at": ["0", "0"]}


def walk(function: dict[str, Any], minimiser: str, start: str, left: str, right: str) -> list[str]:
    data = made(FALLS, left, right, at=0, function=function, minimiser=[minimiser], run=one_run([start], []))
    return steps(FALLS, data)


def test_a_function_that_bends_down_is_not_called_convex():
    """f'' is -2 between 0 and 1: that f' is 0 at x* shows no minimum there."""
    lines = walk(TWO_DIPS, "-1", "1/2", str(F(1, 4)), str(F(-1, 2)))
    (line,) = (line for line in lines if "minimum" in line)
    assert "is convex" not in line and "f is not convex" in line
    assert "it falls for ever on neither side" in line and "f' bends or is 0 it is at least f(x*)" in line
    for place in ("-1/2 at -1", "0 at 0", "1/4 at 1/2", "0 at 1", "-1/2 at 2"):
        assert place in line, "each place at which f could be lowest is shown with its value"
    assert line.endswith("f(x*) = -1/2.")


def test_a_convex_function_is_called_so():
    (line,) = (line for line in walk(BOWL, "0", "1", "1/2", "0") if "minimum" in line)
    assert line == "2. x* = 0: f'(x*) = 0 and f is convex, so this is a minimum: f(x*) = 0."


def test_where_the_claim_holds_no_line_says_that_it_is_false():
    with pytest.raises(NotComputed, match="holds there"):
        walk(BOWL, "0", "0", "0", "0")


def test_sides_that_agree_in_six_digits_are_told_apart():
    start = "1/100000"
    assert "against" in walk(BOWL, "0", start, str(F(1, 2 * 10**10)), "0")[-1]
    close = Bound(given=(Differentiable, GradientDescent()), states=1 + f(x[k]) <= 1 + f(xstar))
    data = made(close, str(1 + F(1, 2 * 10**10)), "1", at=0, function=BOWL, minimiser=["0"], run=one_run([start], []))
    assert "(1.00000000005 against 1)" in steps(close, data)[-1]

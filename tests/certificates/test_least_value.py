"""Which x* the checker accepts of a function that is not convex: one variable, and f nowhere below f(x*)."""

from __future__ import annotations

from fractions import Fraction as F
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest

from boundcheck.falsify.candidate import Ridges, RidgeTerm
from boundcheck.falsify.families import EITHER_WAY, FunctionFamily
from boundcheck.falsify.shapes import PiecewiseShape, Side
from boundcheck.verify.fields import rational
from boundcheck.verify.functions import Function
from boundcheck.verify.refusals import NotRefuted

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

TWO_DIPS: dict[str, Any] = {  # f' is 0 at -1, 1/2 and 2, so f has its lowest values at -1 and 2
    "kind": "piecewise quadratic",
    "knots": ["-1", "0", "1"],
    "gradients": ["0", "1", "-1"],
    "left_slope": "1",
    "right_slope": "1",
    "value_at": ["0", "0"],
}


def lowest(data: dict[str, Any], *point: str) -> bool:
    return Function(data).lowest([rational(c) for c in point])


def test_the_lower_of_two_dips_is_the_minimiser_and_the_higher_is_not():
    deeper = {**TWO_DIPS, "gradients": ["0", "1/2", "-1"]}
    assert lowest(TWO_DIPS, "-1") and lowest(TWO_DIPS, "2"), "both dips are as deep"
    assert lowest(deeper, "2") and not lowest(deeper, "-1")


@pytest.mark.parametrize(
    ("end", "gradient", "good"),
    [("0", "0", True), ("0", "1/4", True), ("0", "-1/4", False), ("-1", "5", False), ("1", "-1/100", True), ("1", "-1", False)],
)
def test_it_must_not_fall_for_ever_nor_below(end, gradient, good):
    data = {**TWO_DIPS, "knots": ["0", "1", "2"], "gradients": ["0", "1/10", gradient], "left_slope": "1", "right_slope": end}
    assert lowest(data, "0") == good


def test_more_than_one_variable_needs_a_convex_function():
    dented = {"kind": "ridge sum", "terms": [{"direction": ["1", "0"], "function": TWO_DIPS}]}
    with pytest.raises(NotRefuted, match="one variable"):
        lowest(dented, "-1", "0")


def test_the_search_and_the_checker_agree_on_what_is_least_at_0():
    """In exact numbers, and as the floating point that guides the search has it."""
    values = (F(-4), F(-1), F(0), F(1, 2), F(4))
    family = FunctionFamily("", breaks=2, mirrored=True, slopes=EITHER_WAY)
    rows = [(a, b, c, w, v) for a, b, c in product(values, repeat=3) for w, v in ((F(1), F(1, 4)), (F(1, 4), F(4)))]
    least = family.functions(np.array(rows, dtype=float)).least
    seen = set()
    for (a, b, c, w, v), guess in zip(rows, least, strict=True):
        if len({a, b, c}) == 3:
            side = Side((w, w + v), (a, b, c))
            function = Ridges((RidgeTerm((F(1),), PiecewiseShape(side, side)),))
            exact = lowest(function.data(), "0")
            assert (function.minimiser is not None) == exact == (guess >= 0)
            seen.add((exact, function.is_convex))
    assert seen == {(True, True), (True, False), (False, False)}

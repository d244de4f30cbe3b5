"""Values and gradients at points: accepted where some smooth convex function has them, and nowhere else."""

from __future__ import annotations

import random
from copy import deepcopy
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from typing import Any

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Follows, GradientDescent
from boundcheck.language.letters import A, Delta, L, delta, eta, k, mu_f, x
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Smooth, StronglyConvex, TwiceDifferentiable
from boundcheck.verify.fields import rational
from boundcheck.verify.interpolation import Interpolation
from boundcheck.verify.one_variable import Piecewise
from boundcheck.verify.refusals import NotRefuted

from .making import Change, Data, code, drop, made, of, one_run, put, several

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

STEP = GradientDescent()

RATE = Bound(given=(Convex, Smooth, STEP, eta[k] * L <= 1), states=delta[1] <= L * Delta[0] / 7)  # true with 6


def table() -> Data:
    """The Huber function with threshold 1/3 at the points of one step from 1: the worst case of gradient descent."""
    function = {
        "kind": "interpolation",
        "points": [["1"], ["2/3"], ["0"]],
        "gradients": [["1/3"], ["1/3"], ["0"]],
        "values": ["5/18", "1/6", "0"],
        "L": "1",
        "mu": "0",
    }
    parts = {"function": function, "constants": {"L": "1"}, "minimiser": ["0"], "run": one_run(["1"], ["1"]), "at": 1}
    return made(RATE, "1/6", "1/7", **parts)


def with_value(n: int, value: str, left: str = "1/6") -> Change:
    return several(put("function", "values", n, value=value), put("left", value=left))


def rate(*given: Any) -> Bound:
    return Bound(given=(Convex, *given, STEP, eta[k] * L <= 1), states=RATE.states)


TABLE: dict[str, tuple[Change, int]] = {
    "the value is larger by 1/1000": (with_value(1, str(Fraction(1, 6) + Fraction(1, 1000)), "503/3000"), 1),
    "the value is smaller by 1/1000": (with_value(1, str(Fraction(1, 6) - Fraction(1, 1000)), "497/3000"), 1),
    "another value is larger by 1/1000": (with_value(0, str(Fraction(5, 18) + Fraction(1, 1000))), 1),
    "the minimum is smaller by 1/1000": (with_value(2, "-1/1000", "503/3000"), 1),
    "a gradient is larger by 1/1000": (put("function", "gradients", 1, value=["1003/3000"]), 1),
    "gradients that fall": (put("function", "gradients", 0, value=["1/4"]), 1),
    "points that are the same": (
        several(
            put("function", "points", value=[["1"], ["2/3"], ["0"], ["0"]]),
            put("function", "gradients", value=[["1/3"], ["1/3"], ["0"], ["0"]]),
            put("function", "values", value=["5/18", "1/6", "0", "0"]),
        ),
        1,
    ),
    "L of the data too small": (several(put("function", "L", value="999/1000"), put("right", value="1/7")), 1),
    "L claimed below that of the data": (several(put("constants", value={"L": "999/1000"}), put("right", value="999/7000")), 1),
    "L is 0": (put("function", "L", value="0"), 2),
    "L and mu negative": (several(put("function", "L", value="-2"), put("function", "mu", value="-1")), 2),
    "mu is L": (put("function", "mu", value="1"), 2),
    "mu is negative": (put("function", "mu", value="-1/2"), 2),
    "mu too large": (put("function", "mu", value="1/1000"), 1),
    "mu claimed above that of the data": (put("constants", value={"L": "1", "mu": "1/1000"}), 1),
    "mu claimed negative": (put("constants", value={"L": "1", "mu": "-1/1000"}), 1),
    "a constant that is none": (put("constants", value={"L": "1", "slope": "1/3"}), 2),
    "x* is no point of the data": (put("minimiser", value=["1/100"]), 1),
    "x* has a gradient that is not 0": (put("minimiser", value=["2/3"]), 1),
    "the run leaves the data": (put("run", value=one_run(["1"], ["1/2"])), 1),
    "the run starts elsewhere": (put("run", value=one_run(["2"], ["1"])), 1),
    "a gradient is missing": (put("function", "gradients", value=[["1/3"], ["1/3"]]), 2),
    "a value is missing": (put("function", "values", value=["5/18", "1/6"]), 2),
    "a value is not a number": (put("function", "values", 0, value="nan"), 2),
    "a value is infinite": (put("function", "values", 0, value="inf"), 2),
    "a value is null": (put("function", "values", 0, value=None), 2),
    "a gradient of another dimension": (put("function", "gradients", 0, value=["1/3", "0"]), 2),
    "no points": (several(*(put("function", key, value=[]) for key in ("points", "gradients", "values"))), 2),
    "points without coordinates": (
        several(*(put("function", key, value=[[], [], []]) for key in ("points", "gradients"))),
        2,
    ),
    "L is missing": (drop("function", "L"), 2),
    "a second derivative is demanded": (of(rate(TwiceDifferentiable)), 1),
    "a quadratic is demanded": (of(rate(IsQuadratic)), 1),
    "strong convexity is demanded": (of(rate(StronglyConvex)), 1),
    "the true claim": (of(Bound(given=RATE.given, states=delta[1] <= L * Delta[0] / 6)), 1),
    "A is read": (of(Bound(given=(Convex, STEP), states=A(x[0], x[1]) <= 0)), 1),
}


def test_values_and_gradients_that_some_function_has_refute(tmp_path):
    assert code(table(), tmp_path) == verify.REFUTES
    larger = {**table(), "constants": {"L": "7/6"}, "right": "1/6"}  # then the right side is not below the left one
    assert code(larger, tmp_path) == verify.DOES_NOT_REFUTE
    assert code(several(of(rate(Smooth, Differentiable)), put("constants", value={"L": "1", "mu": "0"}))(table()), tmp_path) == 0


@pytest.mark.parametrize(("change", "expected"), [pytest.param(*case, id=title) for title, case in TABLE.items()])
def test_a_corrupted_table_is_rejected(change, expected, tmp_path):
    assert code(change(deepcopy(table())), tmp_path) == expected


def test_a_point_that_is_only_enclosed_is_no_point_of_the_table(tmp_path):
    bound = Bound(given=(Convex, STEP, Follows(eta[k] == 1 / L)), states=delta[1] <= L * Delta[0] / 7)
    thirds = {**table(), "claim": bound.to_json(), "hash": bound.hash}
    assert code(thirds, tmp_path) == verify.REFUTES
    half = {**thirds["function"], "points": [["1"], ["2/3"], ["0"]]}
    opened = {**thirds, "run": one_run(["1"], [None]), "function": half}
    assert code(opened, tmp_path) == verify.DOES_NOT_REFUTE  # 1 - 1/3 is a ball there


def strongly_convex() -> Data:
    """(x^2 + 3 y^2) / 2 at (3, 1), at (0, -2) = (3, 1) - (3, 3), and at 0."""
    function = {
        "kind": "interpolation",
        "points": [["3", "1"], ["0", "-2"], ["0", "0"]],
        "gradients": [["3", "3"], ["0", "-6"], ["0", "0"]],
        "values": ["6", "6", "0"],
        "L": "3",
        "mu": "1",
    }
    bound = Bound(given=(StronglyConvex, STEP), states=delta[1] <= mu_f * Delta[0] / 2)
    return made(
        bound, "6", "5", function=function, constants={"mu": "1"}, minimiser=["0", "0"], run=one_run(["3", "1"], ["1"]), at=1
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(lambda data: data, 0, id="as it is"),
        pytest.param(put("constants", value={"mu": "1/2"}), 1, id="another right side"),
        pytest.param(several(put("constants", value={"mu": "1/2"}), put("right", value="5/2")), 0, id="a smaller mu is one too"),
        pytest.param(put("constants", value={"mu": "1001/1000"}), 1, id="mu too large"),
        pytest.param(put("function", "mu", value="1001/1000"), 1, id="mu of the data too large"),
        pytest.param(put("function", "L", value="2999/1000"), 1, id="L of the data too small"),
        pytest.param(put("function", "values", 1, value="6001/1000"), 1, id="a value too large"),
        pytest.param(put("function", "values", 1, value="5999/1000"), 1, id="a value too small"),
        pytest.param(put("minimiser", value=["0"]), 2, id="x* of another dimension"),
    ],
)
def test_strong_convexity_in_two_dimensions(change, expected, tmp_path):
    assert code(change(strongly_convex()), tmp_path) == expected


def of_a_function(random_: random.Random, drawn: Piecewise, count: int) -> Data:
    points = random_.sample([Fraction(n, 4) for n in range(-24, 25)], count)
    found = [drawn.at(rational(str(p))) for p in points]
    return {
        "kind": "interpolation",
        "points": [[str(p)] for p in points],
        "gradients": [[str(gradient)] for _, gradient in found],
        "values": [str(value) for value, _ in found],
        "L": str(drawn.high),
        "mu": str(drawn.low),
    }


@pytest.mark.parametrize("seed", range(40))
def test_data_of_a_function_are_accepted_and_no_smaller_class_is_that_they_are_not_of(seed):
    random_ = random.Random(seed)
    knots = sorted(random_.sample(range(-5, 6), 3))
    gradients = [Fraction(random_.randint(-9, 0)), Fraction(random_.randint(1, 5)), Fraction(random_.randint(6, 20))]
    drawn = Piecewise(
        {
            "kind": "piecewise quadratic",
            "knots": [str(n) for n in knots],
            "gradients": [str(g) for g in gradients],
            "left_slope": str(Fraction(1, random_.randint(1, 4))),
            "right_slope": str(random_.randint(1, 9)),
            "value_at": ["0", str(random_.randint(-3, 3))],
        }
    )
    data = of_a_function(random_, drawn, 6)
    Interpolation(data)
    pairs = [(p[0], q[0], g[0], h[0]) for p, g in zip(data["points"], data["gradients"], strict=True)
             for q, h in zip(data["points"], data["gradients"], strict=True) if p != q]  # fmt: skip
    slopes = [(Fraction(g) - Fraction(h)) / (Fraction(p) - Fraction(q)) for p, q, g, h in pairs]
    with pytest.raises(NotRefuted):
        Interpolation({**data, "L": str(max(slopes) - Fraction(1, 1000)), "mu": "0"})
    with pytest.raises(NotRefuted):
        Interpolation({**data, "L": "100", "mu": str(min(slopes) + Fraction(1, 1000))})


def exists_in_one_dimension(data: Data) -> bool:
    """Decided otherwise: between neighbours f' climbs with slopes from mu to L, late or early, so f rises within limits."""
    low, high = Fraction(data["mu"]), Fraction(data["L"])
    rows = sorted(zip([p[0] for p in data["points"]], [g[0] for g in data["gradients"]], data["values"], strict=True), key=place)
    for (p, g, f), (q, h, e) in pairwise([tuple(map(Fraction, row)) for row in rows]):
        steep = (h - g - low * (q - p)) / (high - low)  # how long f' climbs with slope L
        if not 0 <= steep <= q - p:
            return False
        least = g * (q - p) + low * (q - p) ** 2 / 2 + (high - low) * steep**2 / 2
        most = least + (high - low) * steep * (q - p - steep)
        if not least <= e - f <= most:
            return False
    return True


def place(row: tuple[str, str, str]) -> Fraction:
    return Fraction(row[0])


def is_accepted(data: Data) -> bool:
    try:
        Interpolation(data)
    except NotRefuted:
        return False
    return True


def some_table(seed: int) -> Data:
    """Neighbours at, within or a little beyond the limits."""
    random_ = random.Random(seed)
    low, high = Fraction(random_.randint(0, 3), 2), Fraction(random_.randint(4, 8), 2)
    points = sorted(random_.sample(range(-4, 5), random_.randint(2, 4)))
    gradients, values = [Fraction(random_.randint(-4, 4))], [Fraction(0)]
    for width in (b - a for a, b in pairwise(points)):
        steep = width * Fraction(random_.randint(-1, 9), 8)
        rise = gradients[-1] * width + low * width**2 / 2 + (high - low) * steep**2 / 2
        rise += (high - low) * steep * (width - steep) * random_.choice([0, 0, Fraction(1, 2), 1, 1])
        values.append(values[-1] + rise + random_.choice([0, 0, 0, 1, -1]) * Fraction(1, 1000))
        gradients.append(gradients[-1] + low * width + (high - low) * steep)
    columns = {"points": [[str(p)] for p in points], "gradients": [[str(g)] for g in gradients], "values": [*map(str, values)]}
    return {"kind": "interpolation", **columns, "L": str(high), "mu": str(low)}


def test_a_table_is_accepted_exactly_where_a_function_of_one_variable_exists():
    found = []
    for seed in range(400):
        data = some_table(seed)
        found.append(is_accepted(data))
        assert found[-1] == exists_in_one_dimension(data), data
    assert 100 < sum(found) < 300

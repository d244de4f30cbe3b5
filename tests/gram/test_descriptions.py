"""Sets in sums of functions, free points with conditions, and classes that are described in more than one way."""

from __future__ import annotations

from fractions import Fraction

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.gram.affine import Affine, NotModelled
from boundcheck.gram.class_conditions import different
from boundcheck.letters import ConvexSet, Function, f, x, xstar
from boundcheck.model.function_classes import CONVEX
from boundcheck.model.lojasiewicz import LOJASIEWICZ
from boundcheck.theorems.performance_estimation import inexact_proximal, nonconvex
from boundcheck.tightness.numbers import Numbers

STEP_1 = {"L": 1, "mu": Fraction(1, 5), "parameters": {"gamma": 1}}


def worst_with(claim: Bound, k: int, **numbers: object) -> float:
    pytest.importorskip("clarabel")
    from boundcheck.tightness.program import worst

    return worst(claim, k, Numbers(**numbers))[1].high  # type: ignore[arg-type]


def test_a_set_in_a_sum_stands_for_its_indicator() -> None:
    C = ConvexSet("C")
    assert str((f + C)(x[0])) == "f(x_0) + C(x_0)"
    assert str((C + f).gradient(xstar, "subgradient")) == "subgrad C(x*) + grad f(x*)"
    assert str((C + ConvexSet("Q"))(x[0])) == "C(x_0) + Q(x_0)"
    assert str((Function("h") + C)(x[0])) == "h(x_0) + C(x_0)"


def test_a_sharper_description_of_a_class_gives_no_larger_worst_case() -> None:
    by_parts, combined, by_matrices = (
        worst_with(nonconvex.naive_short, 1, **STEP_1, descriptions={"f": about}) for about in LOJASIEWICZ
    )
    assert by_matrices < combined - 1e-3 and combined <= by_parts + 1e-4


def test_the_sharpest_description_is_the_usual_one() -> None:
    usual = worst_with(nonconvex.naive_short, 1, **STEP_1)
    assert usual == pytest.approx(worst_with(nonconvex.naive_short, 1, **STEP_1, descriptions={"f": LOJASIEWICZ[-1]}), rel=1e-4)


def test_a_description_of_another_class_is_refused() -> None:
    with pytest.raises(NotModelled, match="'convex' does not describe"):
        worst_with(nonconvex.naive_short, 1, **STEP_1, descriptions={"f": CONVEX})


def test_free_points_of_steps_that_are_not_made_are_not_in_the_program() -> None:
    from boundcheck.tightness.named import named_ratio_program

    made = named_ratio_program(inexact_proximal.forward_backward, 2, Numbers(L=1, parameters={"zeta": Fraction(1, 2)}))
    assert len(made.program.data["h", None]) == 5  # x*, and x_{i+1} and w_i for two steps


def test_equations_that_are_multiples_of_others_are_left_out() -> None:
    one = Affine(Fraction(1), {("F", 0): Fraction(2), ("F", 1): Fraction(-4)})
    other = Affine(Fraction(0), {("F", 0): Fraction(2), ("F", 1): Fraction(-4)})
    assert different([one, one.scaled(Fraction(-3)), other]) == (one, other)

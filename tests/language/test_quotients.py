"""Formulas as quotients of polynomials: what is the same by the rules of fractions, and what only looks alike."""

from __future__ import annotations

import pytest

from boundcheck.language.letters import L, Max, Prod, Sum, eta, f, grad, i, j, k, normsq, sqrt, x, xstar
from boundcheck.language.quotients import Quotients
from boundcheck.language.scalars import Scalar

a, b = eta[k], normsq(grad(x[k]))

SAME: list[tuple[Scalar, Scalar]] = [
    ((a + b) * (a - b), a * a - b * b),
    (a / b + b / a, (a * a + b * b) / (a * b)),
    (Sum(eta[i], i, 0, k), Sum(eta[j], j, 0, k)),
    (Sum(2 * eta[i] * b, i, 0, k), 2 * b * Sum(eta[j], j, 0, k)),
    (Sum(eta[i] + 1, i, 0, k), Sum(eta[i], i, 0, k) + k + 1),
    (Sum(eta[i + 1] - eta[i], i, 0, k), eta[k + 1] - eta[0]),
    (Sum(1 / eta[i] ** 2 - 1 / eta[i - 1] ** 2, i, 1, k), 1 / eta[k] ** 2 - 1 / eta[0] ** 2),
    (Sum(eta[i - 1], i, 1, k + 1), Sum(eta[i], i, 0, k)),
    (Sum(eta[i] / Sum(eta[j], j, 0, k), i, 0, k), 1 + 0 * a),
    (Sum(Sum(eta[j], j, 0, i), i, 0, k), Sum(Sum(eta[i], i, 0, j), j, 0, k)),
]
OTHER: list[tuple[Scalar, Scalar]] = [
    (a * b, a + b),
    (Sum(eta[i], i, 0, k), Sum(eta[i], i, 1, k)),
    (Sum(eta[i], i, 0, k, where=eta[i] <= 1 / L), Sum(eta[i], i, 0, k)),
    (Sum(eta[i], i, 5, k), Sum(eta[i], i, 0, k) - Sum(eta[i], i, 0, 4)),  # k may be less than 5
    (Sum(i * eta[i], i, 0, k), Sum((i - 1) * eta[i], i, 0, k)),
    (Sum(i.number() * eta[i - 1], i, 1, k + 1), Sum(i.number() * eta[i], i, 0, k)),
    (Sum(Sum(eta[j], j, 0, i - 1), i, 1, k + 1), Sum(Sum(eta[j], j, 0, i + 1), i, 0, k)),
    (Sum(Sum(1 + 0 * eta[j], j, 0, i), i, -3, k), Sum(i + 1, i, -3, k)),  # of an empty sum
    (sqrt(a * a), a),
    (Max(eta[i], i, 0, k), eta[k]),
    (Prod(eta[i], i, 0, k), Prod(eta[i], i, 0, k - 1)),
    (f(x[k]), f(xstar)),
]


def quotient(formula: Scalar) -> object:
    return Quotients().quotient(formula)[0]


@pytest.mark.parametrize(("left", "right"), SAME, ids=str)
def test_the_same_formula_written_in_two_ways_has_a_difference_of_0(left: Scalar, right: Scalar) -> None:
    assert quotient(left - right) == {}


@pytest.mark.parametrize(("left", "right"), OTHER, ids=str)
def test_formulas_that_differ_somewhere_have_none(left: Scalar, right: Scalar) -> None:
    assert quotient(left - right) != {}

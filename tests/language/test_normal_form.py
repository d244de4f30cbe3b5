"""Formulas that are the same by arithmetic have one form, whatever way they are written; others have not."""

from fractions import Fraction

import pytest

from boundcheck import Parameter
from boundcheck.language.normal_form import normal_form
from boundcheck.letters import L, delta, eta, f, grad, i, inner, k, larger, norm, normsq, smaller, sqrt, x, xstar

gamma = Parameter("gamma")
AT_2 = (("gamma", Fraction(2)),)

ALIKE = [
    (eta[i] == 1 / L, eta[k] == L**-1),
    (eta[i] == 1 / L, eta[i] * L - 1 == 0),
    (inner(grad(x[i + 1]), grad(x[i])) == 0, inner(grad(x[k]), -grad(x[k + 1])) == 0),
    (eta[i] == gamma * delta[i] / normsq(grad(x[i])), eta[i] == 2 * (f(x[i]) - f(xstar)) / norm(grad(x[i])) ** 2),
    (eta[i] == 2 * delta[i] / inner(grad(x[i]), grad(x[i])), eta[i] == delta[i] * gamma / normsq(grad(x[i]))),
    (eta[i] == smaller(1 / L, delta[i] / L), eta[i] == smaller(L**-1 * delta[i], 1 / L)),
    (
        eta[i] == norm(x[i] - x[i - 1]) / (2 * norm(grad(x[i]))),
        eta[i] == Fraction(1, 2) * norm(x[i - 1] - x[i]) / norm(grad(x[i])),
    ),
    (eta[i] == sqrt(1 + eta[i - 1] / eta[i - 2]), eta[i] == sqrt(eta[i - 1] / eta[i - 2] + 1)),
    (normsq(x[i] - xstar) <= 1, normsq(xstar - x[i]) <= 1),
]
APART = [
    (eta[i] == 1 / L, eta[i] == 2 / L),
    (eta[i] == 1 / L, eta[i + 1] == 1 / L),
    (eta[i] == smaller(1 / L, delta[i] / L), eta[i] == larger(1 / L, delta[i] / L)),
    (eta[i] * delta[i] == delta[i], eta[i] == 1),  # the first says nothing where f(x_i) = f*
    (eta[i] <= 1 / L, eta[i] >= 1 / L),
]


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=str)
def test_the_same_formula_written_two_ways(one, other):
    assert normal_form(one, AT_2) == normal_form(other, AT_2)


@pytest.mark.parametrize(("one", "other"), APART, ids=str)
def test_two_formulas(one, other):
    assert normal_form(one, AT_2) != normal_form(other, AT_2)


def test_the_value_of_a_parameter_counts():
    polyak = eta[i] == gamma * delta[i] / normsq(grad(x[i]))
    assert normal_form(polyak, (("gamma", Fraction(1)),)) != normal_form(polyak, AT_2)
    assert normal_form(polyak) == normal_form(eta[k] == delta[k] * gamma / normsq(grad(x[k])))

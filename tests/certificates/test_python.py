"""Formulas as plain Python mean what the formula means."""

from __future__ import annotations

from fractions import Fraction as F
from math import prod
from typing import Any

import pytest

from boundcheck.language.letters import (
    D,
    K,
    Max,
    Min,
    Numbers,
    Prod,
    Sum,
    eta,
    f,
    grad,
    i,
    inner,
    k,
    larger,
    mean,
    mu,
    mu_f,
    norm,
    normsq,
    smaller,
    sqrt,
    x,
    xstar,
)
from boundcheck.language.python import exact, name_of, number, python
from boundcheck.language.scalars import NONE, Parameter, as_scalar

HERE: dict[str, Any] = {
    "F": F,
    "prod": prod,
    "x": [F(3), F(2), F(1, 2)],
    "x_prime": [F(4), F(1)],
    "xs": F(0),
    "eta": [F(1, 2), F(1, 3)],
    "lambda_": [F(7)],
    "f": lambda u: u * u / 2,
    "df": lambda u: u,
    "D": lambda a, b: F(2),
    "mu": lambda a, b: F(5),
    "mu_f": F(1),
    "sqrt": lambda u: F(2) if u == 4 else None,
    "k": 1,
    "gamma": F(3, 2),
}
gamma = Parameter("gamma")


@pytest.mark.parametrize(
    ("formula", "text", "value"),
    [
        (as_scalar(1) / as_scalar(2), "F(1, 2)", F(1, 2)),
        (1 / as_scalar(k), "F(1, k)", F(1)),
        ((k + 1) / 2 * gamma, "F(k + 1, 2)*gamma", F(3, 2)),
        (eta[0] - (eta[1] - eta[0]), "eta[0] - (eta[1] - eta[0])", F(2, 3)),
        (eta[0] / (eta[1] * eta[0]), "eta[0]/(eta[1]*eta[0])", F(3)),
        (eta[0] / (eta[1] / eta[0]), "eta[0]/(eta[1]/eta[0])", F(3, 4)),
        (-((eta[0] + eta[1]) ** 2), "-(eta[0] + eta[1])**2", -F(25, 36)),
        (2 * -eta[0], "2*(-eta[0])", F(-1)),
        (normsq(x[0] - xstar), "(x[0] - xs)**2", F(9)),
        (norm(x[k] - x[0]), "abs(x[k] - x[0])", F(1)),
        (inner(grad(x[0]), x[1] - x[0]), "df(x[0])*(x[1] - x[0])", F(-3)),
        (f(x[0] - eta[0] * grad(x[0])), "f(x[0] - eta[0]*df(x[0]))", F(9, 8)),
        (D(x[k], x[k + 1]) * mu(x[0], xstar) * mu_f, "D(x[k], x[k + 1])*mu(x[0], xs)*mu_f", F(10)),
        (Sum(eta[i] ** 2, i, 0, k), "sum(eta[i]**2 for i in range(k + 1))", F(13, 36)),
        (Sum(eta[i], i, 1, k, where=eta[i] < 1), "sum(eta[i] for i in range(1, k + 1) if eta[i] < 1)", F(1, 3)),
        (Prod(1 + eta[i], i, 0, k - 1), "prod(1 + eta[i] for i in range(k))", F(3, 2)),
        (Min(f(x[i]), i, 0, k), "min(f(x[i]) for i in range(k + 1))", F(2)),
        (Max(f(x[i]), i, 0, k), "max(f(x[i]) for i in range(k + 1))", F(9, 2)),
        (f(mean(x[i], over=(i, 0, k))), "f(sum(1*x[i] for i in range(k + 1))/F(sum(1 for i in range(k + 1))))", F(25, 8)),
        (larger(eta[0], eta[1]) + smaller(eta[0], 1), "max(eta[0], eta[1]) + min(eta[0], 1)", F(1)),
        (sqrt(as_scalar(4)), "sqrt(4)", F(2)),
        (as_scalar(2) ** -2, "F(2)**(-2)", F(1, 4)),
        (normsq(x.of("prime")[0]), "x_prime[0]**2", F(16)),
        (Numbers("lambda", NONE)[0], "lambda_[0]", F(7)),
    ],
)
def test_a_formula_is_written_with_the_brackets_it_needs_and_evaluates_to_its_value(formula, text, value):
    assert python(formula) == text
    assert eval(text, dict(HERE)) == value


def test_in_more_dimensions_products_of_vectors_are_calls():
    assert python(normsq(x[0] - xstar), 2) == "normsq(x[0] - xs)"
    assert python(inner(grad(x[0]), x[1]), 2) == "dot(df(x[0]), x[1])"
    assert python(norm(x[K]), 2) == "norm(x[K])"


def test_numbers_and_names():
    assert [number(F(3)), number("3/4"), exact(3), exact("-1/2")] == ["3", "F(3, 4)", "F(3)", "F(-1, 2)"]
    assert [name_of("x"), name_of("lambda"), name_of("x", "prime"), name_of("eta-min")] == ["x", "lambda_", "x_prime", "eta_min"]

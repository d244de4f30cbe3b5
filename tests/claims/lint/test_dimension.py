"""A wrong dimension planted in each operator is found, and named."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.lint.dimension import dimension, dimension_findings
from boundcheck.language.interpreter import NoMeaning
from boundcheck.language.letters import (
    M_,
    A,
    D,
    Delta,
    H,
    L,
    Max,
    Min,
    Prod,
    Sum,
    delta,
    eta,
    eta_length,
    f,
    gap,
    grad,
    i,
    inner,
    j,
    k,
    larger,
    log,
    mean,
    mu_,
    mu_f,
    norm,
    normsq,
    smaller,
    sqrt,
    x,
    xstar,
)
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import CURVATURE, LENGTH, NONE, SLOPE, STEP, VALUE, Dimension, Parameter, Scalar
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Vector

KNOWN: list[tuple[Scalar, Dimension]] = [
    (f(x[k]), VALUE),
    (gap(x[k]), VALUE),
    (norm(grad(x[k])), SLOPE),
    (norm(x[k] - xstar), LENGTH),
    (Delta[k], Dimension(Fraction(0), Fraction(2))),
    (inner(grad(x[k]), x[k] - xstar), VALUE),
    (eta[k], STEP),
    (eta_length[k], LENGTH),
    (eta[k] * M_[k], NONE),
    (eta[k] * normsq(grad(x[k])), VALUE),
    (sqrt(L * mu_f), CURVATURE),
    (Delta[0] / Sum(eta[i], i, 0, k), VALUE),
    (Sum(eta[i] / M_[i], i, 0, k), STEP * STEP),
    (Prod(1 - eta[i] * mu_[i], i, 0, k) * delta[0], VALUE),
    (norm(x[k] - eta[k] * grad(x[k])), LENGTH),
    (norm(x[k] - eta_length[k] / norm(grad(x[k])) * grad(x[k])), LENGTH),
    (f(mean(x[i], weight=eta[i], over=(i, 0, k))), VALUE),
    (norm(-(grad(x[k]) / L)), LENGTH),
    (abs(delta[k]), VALUE),
    (-delta[k] * k, VALUE),
    (larger(L, M_[k]), CURVATURE),
    ((1 - mu_f / L) ** k * delta[0], VALUE),
]


@pytest.mark.parametrize(("formula", "expected"), KNOWN, ids=[str(formula) for formula, _ in KNOWN])
def test_the_dimension_of(formula: Scalar, expected: Dimension) -> None:
    assert dimension(formula) == expected
    assert dimension_findings([formula <= formula]) == []


ALIKE: list[Relation] = [
    Prod(eta[i], i, 0, k) <= Prod(1 / L, i, 0, k),
    Prod(eta[i], i, 0, k) <= Prod(1 / L, j, 1, k + 1),
    Prod(eta[i] * L, i, 0, k) <= 1,
    Prod(eta[i], i, 0, k) * Prod(L, i, 0, k) <= 1,
    Prod(eta[i], i, 0, k) <= (1 / L) ** k * eta[0],
    Prod(eta[i], i, 1, 3) <= 1 / L**3,
    sqrt(Prod(eta[i] ** 2, i, 0, k)) <= Prod(1 / L, i, 0, k),
    Sum(Prod(eta[j], j, 0, k) * delta[i], i, 0, k) <= Prod(1 / L, i, 0, k) * delta[0],
    Sum(Prod(eta[j], j, 0, i) * Prod(L, j, 0, i) * delta[i], i, 0, k) <= delta[0] * (k + 1),
]


@pytest.mark.parametrize("relation", ALIKE, ids=str)
def test_products_over_ranges_of_one_length_are_alike(relation: Relation) -> None:
    assert dimension_findings([relation]) == []


def test_hypotheses_are_linted_as_statements_are() -> None:
    """By dimension and by what f + C does to them; and the remark says which hypothesis it is about."""
    states = delta[k] <= delta[0]
    (unlike,) = Bound(given=(eta[i] <= L,), states=states).lint()
    assert unlike.check == "dimension" and unlike.message.startswith("in the hypothesis eta_i <= L: ")
    (moves,) = Bound(given=(f(x[i]) <= 2 * f(x[0]),), states=states).lint()
    assert moves.check == "shift" and moves.severity == "error" and "in the hypothesis f(x_i) <= 2 f(x_0)" in moves.message
    assert Bound(given=(eta[i] <= 1 / L, f(x[i + 1]) <= f(x[i])), states=states).lint() == []


pure, length = Parameter("t", NONE), Parameter("r", LENGTH)

PLANTED: list[tuple[Relation, str, str]] = [
    (delta[k] + Delta[k] <= delta[0], "|x_k - x*|^2", "is x^2, but it is added to f(x_k) - f(x*), which is f"),
    (delta[k] - Delta[k] <= delta[0], "|x_k - x*|^2", "is x^2, but it is subtracted from f(x_k) - f(x*), which is f"),
    (delta[k] <= Delta[0], "|x_0 - x*|^2", "is x^2, but it is compared with f(x_k) - f(x*), which is f"),
    (delta[k] == Delta[0], "|x_0 - x*|^2", "is x^2, but it is compared with"),
    (delta[k] * eta[k] <= delta[0], "f(x_0) - f(x*)", "is f, but it is compared with (f(x_k) - f(x*)) eta_k, which is x^2"),
    (delta[k] / eta[k] <= delta[0], "f(x_0) - f(x*)", "which is f^2/x^2"),
    (1 - eta[k] <= 1, "eta_k", "is x^2/f, but it is subtracted from 1, which is a pure number"),
    (-eta[k] + 1 <= 1, "1", "is a pure number, but it is added to -eta_k, which is x^2/f"),
    (abs(eta[k]) <= 1, "1", "which is x^2/f"),
    (eta[k] ** 2 <= eta[k], "eta_k", "which is x^4/f^2"),
    (sqrt(eta[k]) <= eta[k], "eta_k", "which is x/f^1/2"),
    (log(eta[k]) <= 1, "eta_k", "the logarithm is taken of eta_k, which is x^2/f; it must be a pure number"),
    (eta[k] * log(1 + eta[k]) <= 1, "eta_k", "is x^2/f, but it is added to 1"),
    (larger(eta[k], L) <= 1, "L", "is f/x^2, but it is compared with eta_k, which is x^2/f, in max(eta_k, L)"),
    (smaller(eta[k], 1) <= eta[0], "1", "is a pure number, but it is compared with eta_k"),
    (Sum(eta[i] + M_[i], i, 0, k) <= eta[0], "M(x_i, x_{i+1})", "added to eta_i, which is x^2/f"),
    (Sum(eta[i], i, 0, k) <= 1, "1", "compared with sum_{i=0..k} eta_i, which is x^2/f"),
    (Min(eta[i], i, 0, k) <= 1, "1", "compared with min_{i=0..k} eta_i"),
    (Max(eta[i] + 1, i, 0, k) <= eta[0], "1", "added to eta_i"),
    (Prod(eta[i], i, 0, k) <= 1, "1", "compared with prod_{i=0..k} eta_i, which is (x^2/f)^k times (x^2/f)"),
    (eta[0] ** k <= 1, "1", "which is (x^2/f)^k"),
    (Prod(eta[i], i, 0, k) <= Prod(1 / L, i, 1, k), "prod_{i=1..k} 1/L", "is (x^2/f)^k, but it is compared with"),
    (Prod(eta[i], i, 0, k) <= Prod(L, i, 0, k), "prod_{i=0..k} L", "is (f/x^2)^k times (f/x^2)"),
    (Prod(eta[i], i, 0, k, where=eta[i] <= 1 / L) <= 1, "eta_i", "as many factors as its condition leaves"),
    (log(Prod(eta[i], i, 0, k)) <= 1, "prod_{i=0..k} eta_i", "it must be a pure number"),
    (Sum(Prod(eta[j], j, 0, i), i, 0, k) <= 1, "prod_{j=0..i} eta_j", "another dimension for each i"),
    (Prod(eta[i], i, 1, 3) <= 1 / L**2, "1/L^2", "is x^4/f^2, but it is compared with prod_{i=1..3} eta_i, which is x^6/f^3"),
    (Sum(eta[i], i, 0, k, where=eta[i] < M_[i]) <= eta[0], "M(x_i, x_{i+1})", "compared with eta_i, which is x^2/f"),
    (norm(x[k] - grad(x[k])) <= length, "grad f(x_k)", "is f/x, but it is subtracted from x_k, which is x"),
    (norm(x[k] + eta[k] * x[0]) <= length, "eta_k x_0", "is x^3/f, but it is added to x_k"),
    (normsq(x[k] - xstar) <= length, "r", "which is x^2"),
    (inner(x[k] - xstar, x[k] - grad(x[k])) <= length**2, "grad f(x_k)", "subtracted from x_k"),
    (f(x[k] - grad(x[k])) <= f(x[k]), "grad f(x_k)", "subtracted from x_k"),
    (f(grad(x[k])) <= f(x[k]), "grad f(x_k)", "f is taken at grad f(x_k), which is f/x; it must be a point"),
    (norm(grad(2 * grad(x[k]))) <= norm(grad(x[k])), "2 grad f(x_k)", "grad f is taken at 2 grad f(x_k), which is f/x"),
    (D(x[k], grad(x[k])) <= L, "grad f(x_k)", "D is taken at grad f(x_k)"),
    (A(grad(x[k]), grad(x[0])) <= L, "grad f(x_k)", "A is taken at"),
    (
        f(mean(eta[i] * x[i], weight=eta[i], over=(i, 0, k))) <= f(x[k]),
        "mean_{i=0..k}[eta_i x_i with weights eta_i]",
        "which is x^3/f",
    ),
    (f(mean(x[i], weight=eta[i] + 1, over=(i, 0, k))) <= f(x[k]), "1", "added to eta_i"),
    (norm(x[k] / norm(x[0])) <= length, "r", "which is a pure number"),
    (H(x[k], x[0]) * pure <= eta[k], "eta_k", "compared with H(x_k, x_0) t, which is f/x^2"),
    (k * eta[k] <= k, "k", "is a pure number, but it is compared with k eta_k"),
]


@pytest.mark.parametrize(("relation", "piece", "says"), PLANTED, ids=[str(relation) for relation, _, _ in PLANTED])
def test_a_planted_wrong_dimension_is_named(relation: Relation, piece: str, says: str) -> None:
    found = dimension_findings([relation])
    assert found, f"{relation} passed"
    assert found[0].piece == piece
    assert says in found[0].message


def test_one_mistake_is_reported_once_however_deep() -> None:
    relation = delta[k] * (1 + 2 * (3 + (1 - eta[k]))) <= delta[0]
    assert len(dimension_findings([relation])) == 1


def test_zero_has_every_dimension() -> None:
    assert dimension_findings([eta[k] >= 0, larger(delta[k], 0) <= delta[0], 0 + eta[k] <= eta[0]]) == []


def test_a_hypothesis_is_looked_at_too() -> None:
    (finding,) = Bound(states=delta[k + 1] <= delta[k], given=(eta[i] <= M_[i],)).lint()
    assert finding.piece == "M(x_i, x_{i+1})"


@dataclass(frozen=True, eq=False, repr=False)
class UnknownScalar(Scalar):
    of: Scalar


@dataclass(frozen=True, eq=False, repr=False)
class UnknownVector(Vector):
    of: Vector


@pytest.mark.parametrize(
    "node", [UnknownScalar(eta[k]), UnknownVector(x[k]), norm(UnknownVector(x[k]))], ids=["scalar", "vector", "inside"]
)
def test_a_kind_of_node_that_it_does_not_know_is_refused_by_name(node: Node) -> None:
    with pytest.raises(NoMeaning, match=r"Unknown(Scalar|Vector) has no dimension"):
        dimension(node)

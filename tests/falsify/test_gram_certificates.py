"""Claims about named functions, sets and operators are refuted with certificates that the independent checker accepts."""

from __future__ import annotations

import json
from fractions import Fraction as Q

import pytest

from boundcheck import Bound, Constant, Convex, Follows, GradientDescent, Monotone, Smooth, StronglyConvex, falsify, verify
from boundcheck.falsify.gram_certificates.search import attempts
from boundcheck.language.scalars import SLOPE, reduce_over
from boundcheck.letters import L, Operator, eta, f, grad, i, inner, k, mu_f, normsq, x, xstar
from boundcheck.model.facts import Lipschitz, LipschitzOperator

from .gram_claims import MISTAKES, SHARP, TIGHT, proximal_gradient, proximal_point, steps

pytest.importorskip("clarabel")
BUDGET = 60.0
QUICK = ("proximal gradient", "Halpern", "stochastic gradient")


def refuted(bound: Bound) -> None:
    found = falsify(bound, budget=BUDGET, jobs=1)
    assert found, found.explain()
    assert found.certificate["kind"] == "gram" and found.strategy == "Gram matrix"
    assert verify(json.loads(json.dumps(found.certificate))).refutes
    assert "false" in found.explain()[-1]


@pytest.mark.parametrize("name", TIGHT)
def test_what_is_tight_is_refuted_1_percent_sharper(name: str) -> None:
    refuted(TIGHT[name](SHARP))


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_found(name: str) -> None:
    refuted(MISTAKES[name]())


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in TIGHT])
def test_what_is_true_is_not_refuted(name: str) -> None:
    found = falsify(TIGHT[name](Q(1)), budget=4, jobs=1)
    assert not found and found.candidates > 3


def test_the_nearest_is_told_of_what_holds() -> None:
    found = falsify(TIGHT["proximal gradient"](Q(1)), budget=2, jobs=1)
    assert not found and found.nearest == pytest.approx(1, abs=1e-4)


# -- claims about f alone, which other strategies do not refute ------------------------------------------------------------------


def least(body, last):
    return reduce_over("min", body, i, 0, last)


M = Constant("M", SLOPE)
OF_F = {
    "non-convex, from 5 on": Bound(
        given=(Smooth, GradientDescent(), Follows(eta[i] == 1 / L)),
        for_all=k >= 5,
        states=least(normsq(grad(x[i])), k) <= SHARP * Q(4, 3) * L * (f(x[0]) - f(x[k])) / k,
    ),
    "exact line search": Bound(
        given=(StronglyConvex, Smooth, GradientDescent(), inner(grad(x[i + 1]), grad(x[i])) == 0),
        for_all=k >= 1,
        states=f(x[k]) - f(xstar) <= SHARP * ((L - mu_f) / (L + mu_f)) ** 2 * (f(x[k - 1]) - f(xstar)),
    ),
    "subgradients": Bound(
        given=(Convex, Lipschitz, GradientDescent(), Follows(eta[i] == 1 / M)),
        for_all=k >= 1,
        states=least(f(x[i]) - f(xstar), k) <= M / (2 * (k + 1)) * normsq(x[0] - xstar) + Q(45, 100) * M,
    ),
}


@pytest.mark.parametrize("name", OF_F)
def test_claims_about_f_have_such_certificates(name: str) -> None:
    found = next(made.found for made in attempts(OF_F[name], 0, lambda: True) if made.found)
    assert verify(found.certificate).refutes


def test_a_claim_about_f_is_tried_by_gram_matrices_after_the_rest() -> None:
    """A short budget: what is left of it for the other strategies finds nothing."""
    found = falsify(OF_F["non-convex, from 5 on"], budget=8, jobs=1)
    assert found and verify(found.certificate).refutes


def test_what_is_not_certified_is_told() -> None:
    """Of monotone Lipschitz operators only necessary inequalities are known."""
    A = Operator("A")
    claim = proximal_point(0 * normsq(x[0] - xstar), fact=Monotone(A), left=normsq(x[k] - x[k - 1]))
    claim = Bound(given=(*claim.given, LipschitzOperator.of(A)), for_all=k >= 2, states=claim.states)
    found = falsify(claim, budget=2, jobs=1)
    assert not found and found.uncertified > 0


def test_a_second_expectation_reads_every_path() -> None:
    from boundcheck.gram.named_reading import NamedSetting, read_named
    from boundcheck.letters import Draws, E

    j = Draws("j")
    update = steps(__import__("boundcheck").Update(x[k + 1], x[k] - eta[k] * grad(f[j[k]], x[k])))
    claim = Bound(given=(Convex, Smooth, update), for_all=k >= 1, states=E(normsq(x[k])) <= 2 * E(normsq(x[k])))
    sides = [claim.states.left, claim.states.right.right]
    _, (first, second) = read_named(claim, NamedSetting(), lambda made, at: [made.scalar(side, at) for side in sides])
    assert first == second


def test_a_prox_with_another_step_is_another_claim() -> None:
    assert proximal_gradient(L * normsq(x[0] - xstar)).hash != proximal_gradient(2 * L * normsq(x[0] - xstar)).hash

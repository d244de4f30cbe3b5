"""The corpus, translated problems and quadratics with chosen eigenvalues break wrong claims and no true one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck import Bound, Convex, Differentiable, GradientDescent, Smooth
from boundcheck.arithmetic import arithmetic
from boundcheck.claims.hypotheses import AtEachStep
from boundcheck.language.letters import L, eta, f, grad, i, inner, k, mean, norm, normsq, x, xstar
from boundcheck.language.vectors import Point
from boundcheck.library.catalogue import find_bounds
from boundcheck.model.problem import Convex as IsConvex
from boundcheck.power.corpus import _settings, adds_points, found_on_quadratics, kills, translate

p, q = Point("x"), Point("y")
GD = (Convex, Differentiable, GradientDescent())


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (normsq(x[k] - xstar) <= 1, False),
        (normsq(x[k] + xstar) <= 1, True),
        (f(mean(x[i], over=(i, 0, k))) <= 1, False),
        (f(x[k] + x[0]) <= 1, True),
        (f(Fraction(1, 2) * x[k] + Fraction(1, 2) * x[0]) <= 1, False),
        (norm(grad(x[k]) + grad(x[0])) <= 1, False),
        (inner(grad(x[k]), 2 * x[k] - xstar) <= 1, True),
        (norm(grad(x[k] - eta[k] * grad(x[k]))) <= 1, False),
    ],
)
def test_which_claims_add_points(states, expected):
    assert adds_points(Bound(given=GD, states=states)) is expected


def test_a_translated_problem_is_the_same_function_elsewhere():
    xp = arithmetic("rational")
    for setting in _settings():
        one, other = setting.problem, translate(setting.problem)
        at = [xp.vectors([[Fraction(c) for c in problem.start]]) for problem in (one, other)]
        assert xp.bare(one.f(xp, at[0])).tolist() == xp.bare(other.f(xp, at[1])).tolist()
        assert other.name != one.name and other.facts == one.facts
        if one.minimiser is not None and not any(one.minimiser.point):
            assert all(a + b == 0 for a, b, s in zip(other.start, other.minimiser.point, one.start, strict=True) if s)


def test_a_sum_of_points_is_broken_elsewhere_and_a_difference_is_not():
    closer = Bound(given=(*GD, Smooth, AtEachStep(eta[i] <= 1 / L)), states=normsq(x[k] - xstar) <= normsq(x[0] - xstar))
    wrong = replace(closer, states=normsq(x[k] - xstar) <= normsq(x[0] + xstar), reading="mutant")
    found = kills(closer, [closer, wrong])
    assert list(found) == [wrong.hash] and "moved" in found[wrong.hash].where and found[wrong.hash].k >= 1


def test_a_claim_that_reads_mu_is_not_asked_of_a_function_that_has_none():
    (bound,) = find_bounds("eq:directional-sc.at-least-mu@printed")
    dropped = replace(bound, given=tuple(h for h in bound.given if "StronglyConvex" not in str(h)), reading="mutant")
    assert any(not setting.problem.has(IsConvex) for setting in _settings()) and not kills(bound, [dropped])


def test_quadratics_with_chosen_eigenvalues():
    (cycle,) = find_bounds("sec:quadratic-case.cauchy-cycle@lemma")
    assert found_on_quadratics(cycle) is None
    every = tuple(h for h in cycle.hypotheses if "grad f(x* + 1/L" not in str(h))
    assert len(every) == len(cycle.hypotheses) - 1
    found = found_on_quadratics(replace(cycle, given=every, reading="mutant"))
    assert found is not None and found.candidate.k == 1 and found.failure.right == "1/2"

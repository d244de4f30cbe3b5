"""`check` of claims about more than f: true ones hold, certified; false ones are violated; what cannot be evaluated says so."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from boundcheck import Bound, By, Convex, Follows, Method, Outcome, Paper, Smooth, StronglyConvex, Update
from boundcheck.check.verdict import Verdict
from boundcheck.claims.hypotheses import FixedPointOf, Minimises, Solution, ZeroOf
from boundcheck.language.letters import Delta, E, L, average, eta, f, grad, i, k, mu_f, normsq, v, x, xstar, y
from boundcheck.language.named import ConvexSet, Draws, Function, Operator, minimise_linear, project, prox, resolvent, subgrad
from boundcheck.language.scalars import LENGTH, Constant
from boundcheck.language.vectors import Point
from boundcheck.library.names import problem_named
from boundcheck.model.facts import Diameter, Indicator, Monotone, Nonexpansive
from boundcheck.suite.grid import GridSetting, chosen_settings, works

h, C, A, T, j = Function("h"), ConvexSet("C"), Operator("A"), Operator("T", LENGTH), Draws("j")
PAPER = Paper(name="test")
D = Constant("D_C", LENGTH)


def claim(label: str, method: Method, states: Any, *given: Any, start: int = 1) -> Bound:
    return Bound(source=PAPER.at(label), given=(*given, By(method)), for_all=k >= start, states=states)


ISTA = Method(name="proximal gradient", each=(Update(x[k + 1], prox(h, eta[k], x[k] - eta[k] * grad(x[k]))),))
IMPLICIT = Method(name="proximal gradient", each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k]) - eta[k] * subgrad(h, x[k + 1])),))
PROJECTED = Method(name="projected gradient", each=(Update(x[k + 1], project(C, x[k] - 1 / L * grad(x[k]))),))
FRANK_WOLFE = Method(
    name="Frank-Wolfe",
    each=(Update(y[k], minimise_linear(C, grad(x[k]))), Update(x[k + 1], (1 - 2 / (k + 2)) * x[k] + 2 / (k + 2) * y[k])),
)
HALPERN = Method(name="Halpern", each=(Update(x[k + 1], 1 / (k + 2) * x[0] + (1 - 1 / (k + 2)) * T(x[k])),))
PROXIMAL_POINT = Method(name="proximal point", each=(Update(x[k + 1], resolvent(A, 1, x[k])),))
DOUGLAS_RACHFORD = Method(
    name="Douglas-Rachford",
    each=(
        Update(y[k], prox(f, 1 / L, x[k])),
        Update(v[k], prox(h, 1 / L, 2 * y[k] - x[k])),
        Update(x[k + 1], x[k] + v[k] - y[k]),
    ),
)
SGD = Method(name="sgd", each=(Update(x[k + 1], x[k] - 1 / (2 * L) * grad(f[j[k]], x[k])),))
COMPOSITE = (Convex, Smooth, Convex(h), Minimises(f + h))
F = f + h
gap = F(x[k]) - F(xstar)
anchor = xstar + 1 / L * grad(xstar)


TRUE = {
    "ista": (claim("ista", ISTA, gap <= L * Delta[0] / (4 * k), *COMPOSITE, Follows(eta[i] == 1 / L)), 10, 0.99),
    "implicit": (claim("implicit", IMPLICIT, gap <= L * Delta[0] / (4 * k), *COMPOSITE, Follows(eta[i] == 1 / L)), 10, 0.99),
    "projected": (
        claim(
            "projected", PROJECTED, f(x[k]) - f(xstar) <= L * Delta[0] / (4 * k), Convex, Smooth, Indicator(C),
            Solution(grad(xstar) + subgrad(C, xstar)),
        ), 5, 0.99,
    ),
    "frank-wolfe": (
        claim(
            "frank-wolfe", FRANK_WOLFE, f(x[k]) - f(xstar) <= 2 * L * D**2 / (k + 2), Convex, Smooth, Indicator(C), Diameter(C),
            Solution(grad(xstar) + subgrad(C, xstar)),
        ), 4, 0.1,
    ),
    "halpern": (
        claim(
            "halpern", HALPERN, normsq(x[k] - T(x[k])) <= 4 * Delta[0] / (k + 1) ** 2, Nonexpansive(T), FixedPointOf(T),
        ), 2, 0.99,
    ),
    "proximal point": (
        claim("proximal point", PROXIMAL_POINT, normsq(x[k] - x[k - 1]) <= Delta[0] / k, Monotone(A), ZeroOf(A)), 4, 0.79,
    ),
    "douglas-rachford": (
        claim("douglas-rachford", DOUGLAS_RACHFORD, F(v[k - 1]) - F(xstar) <= L * normsq(x[0] - anchor) / k, *COMPOSITE), 10, 0.2,
    ),
    "sgd": (
        claim(
            "sgd", SGD, E(normsq(x[k] - xstar)) <= E(normsq(x[k - 1] - xstar)) + average(i, normsq(grad(f[i], xstar))) / L**2,
            Convex, Smooth,
        ), 4, 0.1,
    ),
}  # fmt: skip


def verdicts(bound: Bound, *names: str, arithmetic: str | None = None, steps: int | None = None) -> list[Verdict]:
    chosen = chosen_settings("quick", [problem_named(name) for name in names], (), arithmetic, steps)
    chosen = chosen or [GridSetting(problem_named("huber"), "auto", None, ())]  # type: ignore[arg-type]
    return [verdict for work in works(chosen, [bound]) for verdict in work.verdicts()]


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_hold_certified_and_some_are_tight(name: str) -> None:
    bound, least, tight = TRUE[name]
    found = verdicts(bound)
    assert {v.outcome for v in found} <= {Outcome.HOLDS, Outcome.VACUOUS}, [v for v in found if not v.exercised]
    held = [v for v in found if v.outcome is Outcome.HOLDS]
    assert len({v.cell.problem for v in held}) >= max(2, least) - 2 and all(v.certified for v in held)
    assert max(v.tightest.ratio for v in held if v.tightest is not None) >= tight


@pytest.mark.parametrize("name", ["ista", "projected", "halpern", "proximal point", "douglas-rachford", "sgd"])
def test_claims_that_are_too_good_are_violated_certified(name: str) -> None:
    bound = TRUE[name][0].sharpened(Fraction(1, 20))
    found = [v for v in verdicts(bound) if v.outcome is Outcome.VIOLATED]
    assert found and all(v.certified for v in found)


def test_an_implicit_update_is_the_proximal_step() -> None:
    one, other = (verdicts(TRUE[name][0], "lasso-2d")[0] for name in ("ista", "implicit"))
    assert one.tightest is not None and other.tightest is not None
    assert (one.tightest.left, one.tightest.right) == (other.tightest.left, other.tightest.right)


def test_long_runs_of_draws_are_samples_and_never_certified() -> None:
    bound = claim("sample", SGD, E(normsq(x[k] - xstar)) <= 100 * Delta[0], Convex, Smooth)
    (verdict,) = verdicts(bound, "rows-1d", arithmetic="ball:128", steps=9)
    assert verdict.outcome is Outcome.HOLDS and not verdict.certified
    assert verdict.grade == "statistical (99.9 %)" and verdict.to_json()["grade"] == verdict.grade


def test_short_runs_of_draws_walk_every_path() -> None:
    bound = claim("paths", SGD, E(normsq(x[k] - xstar)) <= 100 * Delta[0], Convex, Smooth)
    (verdict,) = verdicts(bound, "points-1d", steps=3)
    assert verdict.certified and "expectations are over all 8 paths" in verdict.notes


def test_what_no_run_can_solve_is_named() -> None:
    both = Method(name="both", each=(Update(x[k + 1], x[k] - grad(x[k + 1]) / L - subgrad(h, x[k + 1]) / L),))
    bound = claim("both", both, gap <= L * Delta[0], *COMPOSITE)
    (verdict,) = verdicts(bound, "lasso-2d")
    assert verdict.outcome is Outcome.NOT_EVALUATED and not verdict.exercised
    assert "asks for one step on f and h together" in verdict.reason


def test_a_problem_without_the_parts_is_not_asked() -> None:
    assert verdicts(TRUE["ista"][0], "quarter-turn") == []


def test_a_sum_beside_one_curvature_is_one_step() -> None:
    both = Method(name="both", each=(Update(x[k + 1], x[k] - grad(x[k + 1]) - subgrad(h, x[k + 1])),))
    bound = claim("both", both, normsq(x[k] - xstar) <= Delta[0], *COMPOSITE)
    (verdict,) = verdicts(bound, "lasso-1d")
    assert verdict.outcome is Outcome.HOLDS and verdict.certified


def test_free_vectors_are_as_long_as_the_claim_allows() -> None:
    e = Point("e", k, dimension=grad(x[0]).at.dimension * Constant("L").dimension)  # type: ignore[attr-defined]
    inexact = Method(name="inexact", each=(Update(x[k + 1], x[k] - (grad(x[k]) + e) / (2 * L)),), free=(e,))
    limit = normsq(e) <= normsq(grad(x[k])) / 4
    bound = claim("inexact", inexact, normsq(x[k] - xstar) <= Delta[0], StronglyConvex, Smooth, limit)
    found = verdicts(bound, "lasso-1d")
    assert len(found) == 4 and all(v.outcome is Outcome.HOLDS for v in found)
    wrong = [
        v for v in verdicts(replace(bound, states=normsq(x[k] - xstar) <= (1 - mu_f / L / 2) ** 2 * Delta[0] / 4), "lasso-1d")
    ]
    assert any(v.outcome is Outcome.VIOLATED for v in wrong)


def test_the_same_claims_by_name_of_the_api() -> None:
    from boundcheck import check

    assert check(TRUE["ista"][0], "lasso-2d").outcome is Outcome.HOLDS

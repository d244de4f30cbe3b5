"""AdGD and Barzilai-Borwein by hand; lengths for normalized gradient descent; what rules refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.check.answer import check
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Follows, GradientDescent
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import D, eta, grad, i, k, normsq, x
from boundcheck.language.scalars import Scalar
from boundcheck.library.catalogue import problems, rules
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.problems.piecewise import huber, piecewise_quadratic
from boundcheck.problems.quadratic import isotropic, quadratic
from boundcheck.runners import (
    adgd,
    bb_long,
    bb_short,
    cauchy,
    dai_yang,
    length,
    lengths,
    over_L,
    over_sqrt,
    over_sqrt_K,
    polyak,
    run,
)
from boundcheck.runners.engine.run_view import RunView

from .methods import NORMALIZED

ETA = as_column(eta[k])[0]
DIAGONAL = quadratic([[1, 0], [0, 10]], start=[10, 1], name="two")
CLASSICAL = [adgd(Fraction(1, 100)), bb_long(Fraction(1, 100)), bb_short(Fraction(1, 100))]


def steps_of(problem: Problem, rule: Rule, steps: int, xp: str = "float64", **more: Any) -> Any:
    trace = run(problem, rule, steps=steps, columns=[ETA], xp=xp, **more)
    column = trace.columns[ETA]
    return [Fraction(str(value)) for value in column.data[0]] if xp == "rational" else trace.xp.middle(column)[0]


def numbers(problem: Problem, rule: Rule, leaf: Scalar, steps: int) -> Any:
    trace = run(problem, rule, steps=steps, columns=[as_column(leaf)[0]])
    return trace.xp.middle(trace.columns[as_column(leaf)[0]])[0]


# -- AdGD ----------------------------------------------------------------------------------------------------------------------


def test_adgd_on_a_parabola_by_hand() -> None:
    """f'' = 2: |s| / (2 |y|) = 1/4 for ever. eta_1 is 1/4 whatever eta_0 was, since theta_0 is infinite; then 1/4 is smaller."""
    parabola = isotropic(1, curvature=2, start=[1], name="parabola")
    assert steps_of(parabola, adgd(Fraction(1, 100)), 5, "rational") == [Fraction(1, 100)] + [Fraction(1, 4)] * 4
    assert steps_of(parabola, adgd(Fraction(1, 3)), 3, "rational") == [Fraction(1, 3)] + [Fraction(1, 4)] * 2


def test_adgd_grows_by_the_root_of_one_plus_theta_where_the_curvature_falls() -> None:
    """f' falls from 11 with slope 10 to 1, and is flat from 2 to 1: there the limit is infinite, and the growth decides."""
    wall = piecewise_quadratic([-1, 1, 2], [-1, 1, 1], left_slope=0, right_slope=10, start=3, name="wall")
    etas = steps_of(wall, adgd(Fraction(1, 100)), 6)
    assert etas[1] == pytest.approx(1 / 20)
    for n in range(2, 6):
        growth = math.sqrt(1 + etas[n - 1] / etas[n - 2]) * etas[n - 1]
        assert etas[n] <= growth * (1 + 1e-12)
    assert any(etas[n] == pytest.approx(math.sqrt(1 + etas[n - 1] / etas[n - 2]) * etas[n - 1]) for n in range(2, 6))


def test_the_second_term_of_adgd_is_one_over_D_of_the_step_before() -> None:
    problem, rule = problems()["logistic-40x5"](), adgd(1)  # a long first step, so that growth does not bind at once
    etas, curvatures = steps_of(problem, rule, 12), numbers(problem, rule, D(x[k], x[k + 1]), 12)
    assert etas[1] == pytest.approx(1 / curvatures[0], rel=1e-9)
    assert all(etas[n] <= 1 / curvatures[n - 1] * (1 + 1e-9) for n in range(1, 12))


def test_adgd_ends_where_both_its_terms_are_infinite() -> None:
    ended = run(huber(), adgd(), steps=3).ended[0]
    assert ended == "no step at step 1: both terms of AdGD are infinite: the gradient at x_1 is that at x_0"
    assert run(huber(), adgd(), steps=3, xp="rational").ended[0] == ended


def test_adgd_keeps_no_more_of_the_past_than_it_reads() -> None:
    seen: list[RunView] = []
    rule = adgd()

    def step(run_: RunView) -> Any:
        seen.append(run_)
        return rule.step(run_)

    run(DIAGONAL, Rule(name="watched", step=step, remembers=True), steps=20)
    last, deep = seen[-1], 0
    while last.before is not None:
        last, deep = last.before, deep + 1
    assert deep == 2


# -- Barzilai and Borwein --------------------------------------------------------------------------------------------------------


def test_barzilai_borwein_long_is_cauchys_step_of_the_point_before() -> None:
    (_, second, *_) = steps_of(DIAGONAL, bb_long(Fraction(1, 100)), 3, "rational")
    assert second == steps_of(DIAGONAL, cauchy(), 1, "rational")[0] == Fraction(200, 1100)


def test_barzilai_borwein_short_by_hand() -> None:
    """g = (10, 10) and B g = (10, 100): <g, B g> / |B g|^2."""
    assert steps_of(DIAGONAL, bb_short(Fraction(1, 100)), 2, "rational")[1] == Fraction(100 + 1000, 100 + 10000)


def test_the_long_step_is_not_shorter() -> None:
    problem = problems()["logistic-40x5"]()
    trial = [steps_of(problem, rule, 2)[1] for rule in (bb_short(Fraction(1, 100)), bb_long(Fraction(1, 100)))]
    assert trial[0] <= trial[1]


def test_where_the_gradient_did_not_grow_there_is_no_barzilai_borwein_step() -> None:
    for rule in (bb_long(), bb_short()):
        for xp in ("float64", "rational", "mp:30"):
            assert "<s, y> is 0, not positive" in run(huber(), rule, steps=3, xp=xp).ended[0]
        assert "not positive" in run(problems()["dented"](), rule, steps=40).ended[0]


# -- all of them -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", CLASSICAL, ids=lambda r: r.name)
@pytest.mark.parametrize("name", ["quadratic-3d", "quartic", "logistic-40x5"])
def test_the_steps_follow_the_formula_that_the_rule_declares(rule: Rule, name: str) -> None:
    assert rule.follows is not None
    for formula, outcome in ((rule.follows, Outcome.HOLDS), (eta[i] == 2 * rule.follows.right, Outcome.VACUOUS)):
        follows = Bound(given=(GradientDescent(), Follows(formula)), states=normsq(grad(x[k])) > 0, for_all=k >= 3)
        (verdict,) = check([follows], run(problems()[name](), rule, steps=6))
        assert verdict.outcome is outcome, verdict.explain()


@pytest.mark.parametrize("rule", CLASSICAL, ids=lambda r: r.name)
@pytest.mark.parametrize("xp", ["float64", "rational", "mp:30"])
def test_a_batch_is_the_runs_one_by_one(rule: Rule, xp: str) -> None:
    problem = isotropic(2, curvature=3, start=[3, 4], name="plain") if xp == "rational" else DIAGONAL
    starts = [[3, 4], [-6, 8], [Fraction(5), 12]]
    batch = run(problem, rule, steps=5, columns=[ETA], starts=starts, xp=xp)
    for number, start in enumerate(starts):
        alone = run(problem, rule, steps=5, columns=[ETA], starts=[start], xp=xp)
        assert alone.steps[0] == batch.steps[number]
        count = int(alone.steps[0])
        mine, its = (trace.xp.middle(trace.columns[ETA]) for trace in (batch, alone))
        np.testing.assert_allclose(mine[number, :count], its[0, :count], rtol=1e-9)


@pytest.mark.parametrize("make", [adgd, bb_long, bb_short, length, over_sqrt, over_sqrt_K], ids=lambda m: m.__name__)
@pytest.mark.parametrize("value", [0, -1, Fraction(-1, 2), math.nan, math.inf, "fast", None])
def test_a_number_that_is_not_positive_is_refused_in_one_line(make: Callable[[Any], Rule], value: Any) -> None:
    with pytest.raises(RuleError, match=r"is a positive number; found .+$"):
        make(value)


# -- lengths ---------------------------------------------------------------------------------------------------------------------


def normalized(rule: Rule, steps: int, xp: str = "rational") -> Any:
    return run(huber(), rule, steps=steps, columns=[ETA], xp=xp, method=NORMALIZED)


def test_lengths_by_hand() -> None:
    third = [1 / math.sqrt(n + 1) / 3 for n in range(4)]
    for rule, expected in (
        (length(Fraction(1, 3)), [1 / 3] * 4),
        (over_sqrt_K(Fraction(1, 3)), [1 / 6] * 4),
        (over_sqrt(Fraction(1, 3)), third),
        (lengths([1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 7)]), [1, 1 / 2, 1 / 3, 1 / 7]),
    ):
        trace = normalized(rule, 4, "float64")
        np.testing.assert_allclose(trace.xp.middle(trace.columns[ETA])[0], expected, rtol=1e-12, err_msg=rule.name)


def test_a_normalized_step_in_rationals_ends_at_a_root_that_is_not_rational() -> None:
    assert normalized(over_sqrt_K(1), 4).steps[0] == 4
    assert [str(value) for value in normalized(over_sqrt_K(1), 4).columns[ETA].data[0]] == ["1/2"] * 4
    for rule, made in ((over_sqrt_K(1), 0), (over_sqrt(1), 1)):
        trace = normalized(rule, 3)
        assert trace.steps[0] == made
        assert "is not rational" in trace.ended[0]


def test_lengths_drive_normalized_gradient_descent_only() -> None:
    for rule in (length(1), over_sqrt(1), over_sqrt_K(1), lengths([1])):
        assert rule.methods == ("normalized",)


def test_a_sequence_that_is_too_short_says_so() -> None:
    with pytest.raises(RuleError, match="has 2 lengths and was asked for number 2"):
        normalized(lengths([1, 1]), 3)
    with pytest.raises(RuleError, match="has no lengths"):
        lengths([])


def test_names_are_what_the_command_line_takes() -> None:
    from boundcheck.library.names import rule_named

    for name in ("1/D", "1/A", "1/D-as-printed", "adgd(1/1000)", "bb_long(1/1000)", "bb_short(1/1000)"):
        assert name in rules()
    for name in ("adgd(1/7)", "bb_long(3)", "bb_short(1/2)", "length(2)", "over_sqrt(1/2)", "over_sqrt_K(3)"):
        assert rule_named(name).name == name  # type: ignore[union-attr]
    assert rule_named("lengths(1, 1/2)").methods == ("normalized",)  # type: ignore[union-attr]


def test_a_gradient_whose_square_underflows_ends_the_run() -> None:
    made = run(problems()["quadratic-4-5"](), cauchy(), steps=300)
    assert "too small for a float" in made.ended[0] and made.steps[0] > 100


@pytest.mark.parametrize("rule", [polyak(1), cauchy(), dai_yang()], ids=lambda r: r.name)
def test_a_gradient_whose_square_is_too_large_ends_the_run_and_is_no_fault_of_the_rule(rule: Rule) -> None:
    huge = quadratic([[10**40, 0], [0, 2 * 10**40]], start=[10**130, 10**130], name="huge")
    made = run(huge, [rule, over_L(1)], steps=3, columns=[as_column(eta[k])[0]])
    assert made.steps[0] == 0 and ("too large for a float" in made.ended[0] or "left the floating-point" in made.ended[0])

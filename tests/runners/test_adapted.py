"""Strongly adapted steps solve eta M = 1, exactly where that is possible; the equation as printed solves something else."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest

from boundcheck.arithmetic import Order, arithmetic
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import A, D, Numbers, eta, k, x
from boundcheck.language.scalars import STEP, Scalar
from boundcheck.library.catalogue import problems
from boundcheck.model.problem import Convex, Differentiable, Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.problems.piecewise import flat_bottom, huber, piecewise_quadratic, steep_then_flat
from boundcheck.problems.power import quartic
from boundcheck.problems.quadratic import isotropic, quadratic
from boundcheck.problems.smooth_abs import smooth_abs
from boundcheck.runners import (
    adgd,
    backtracking,
    bb_long,
    bb_short,
    cauchy,
    constant,
    dai_yang,
    length,
    over_L,
    over_sqrt,
    over_sqrt_K,
    polyak,
    run,
)
from boundcheck.runners.engine.run_view import RunView
from boundcheck.runners.roots.rays import AsPrinted, OneOverA, OneOverD
from boundcheck.runners.rules.strongly_adapted import bracket, strongly_adapted, zero_finding_as_printed
from boundcheck.runs.trace import Trace

from .methods import MOMENTUM, NORMALIZED

BY_D, BY_A, BACK, PRINTED = (
    strongly_adapted("D"),
    strongly_adapted("A"),
    strongly_adapted("A", back=True),
    zero_finding_as_printed(),
)
CHORDS = {"1/D": D(x[k], x[k + 1]), "1/A": A(x[k], x[k + 1]), "1/A-back": A(x[k + 1], x[k]), "1/D-as-printed": D(x[k], x[k + 1])}
# f' is 2 at the start 11/3 and 1 at the knot 1, between two pieces neither of which holds the start; eta is no dyadic number
KNOT = piecewise_quadratic(
    [0, 1, 2],
    [0, 1, Fraction(3, 2)],
    left_slope=1,
    right_slope=Fraction(3, 10),
    start=Fraction(11, 3),
    name="root at a knot",
)
TWO_D = quadratic([[1, 0], [0, 10]], start=[10, 1], name="two")


def read(trace: Trace, leaf: Scalar, *, local: bool = False) -> Any:
    return trace.columns[as_column(leaf, local)[0]]


def eta_M(problem: Problem, rule: Rule, steps: int, xp: str = "float64") -> tuple[Trace, Any]:
    """eta M at each step, each from the stored point and its exact image."""
    chord = as_column(CHORDS[rule.name], xp != "rational")[0]
    trace = run(problem, rule, steps=steps, columns=[chord, as_column(eta[k])[0]], xp=xp)
    return trace, trace.columns[chord] * read(trace, eta[k]) if trace.steps[0] else None


def unbounded(name: str, grad: Any, **more: Any) -> Problem:
    """A convex function of one variable, given by its gradient, without a minimiser."""
    facts = frozenset({Convex(), Differentiable()})
    return Problem(name=name, dimension=1, f=lambda xp, x: xp.coordinate(x, 0), grad=grad, facts=facts, start=[3], **more)


LINE = unbounded(
    "line",
    lambda xp, x: x * 0 + xp.vector([1]),
    chord=lambda xp, x, d, gx, gy, side: xp.coordinate(d, 0) * 0,
    rational=True,
)


def _bend(xp: Any, x: Any) -> Any:
    u = xp.coordinate(x, 0)
    return xp.from_coordinates([1 + u / (4 * xp.sqrt(1 + u * u))])


BEND = unbounded("bend", _bend)  # x + sqrt(1 + x^2) / 4: the gradient stays above 3/4, and below 5/4


# -- the right equation --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["quadratic-30d", "huber", "steep-then-flat", "smooth-abs", "quartic", "abs-3/2", "logistic-40x5"]
)
def test_one_over_D_makes_eta_D_one_at_every_step(name: str) -> None:
    trace, products = eta_M(problems()[name](), BY_D, 12)
    assert trace.steps[0] == 12
    off = np.abs(trace.xp.middle(products) - 1)
    assert (off <= 1e-11 + trace.xp.error(products)).all()
    assert off.max() < 1e-9


@pytest.mark.parametrize("name", ["quadratic-30d", "quartic", "figure-objective", "smooth-abs"])
def test_one_over_A_makes_eta_A_one_at_every_step(name: str) -> None:
    trace, products = eta_M(problems()[name](), BY_A, 6)
    assert trace.steps[0] >= 1
    assert np.abs(trace.xp.middle(products) - 1).max() < 1e-9


@pytest.mark.parametrize("name", ["quadratic-2d", "quadratic-3d", "quadratic-30d", "isotropic-4d"])
@pytest.mark.parametrize(("rule", "closed"), [(BY_D, dai_yang()), (BY_A, cauchy()), (BACK, cauchy())])
def test_on_quadratics_they_are_the_steps_of_dai_and_yang_and_of_cauchy(name: str, rule: Rule, closed: Rule) -> None:
    problem, column = problems()[name](), as_column(eta[k])[0]
    ours, theirs = (run(problem, one, steps=5, columns=[column]) for one in (rule, closed))
    assert ours.steps[0] == theirs.steps[0]
    np.testing.assert_allclose(ours.xp.middle(read(ours, eta[k])), theirs.xp.middle(read(theirs, eta[k])), rtol=1e-9)


def test_at_high_precision_the_root_has_as_many_digits() -> None:
    trace, products = eta_M(quartic(), BY_D, 3, "mp:60")
    assert trace.steps[0] == 3
    assert max(abs(value - 1) for value in products.mid[0]) < 1e-55


def test_eta_A_never_falls_along_a_ray() -> None:
    """A is a supremum over more and more of the ray, so its root is the only one."""
    for name in ("steep-then-flat", "quartic", "figure-objective", "smooth-abs", "logistic-40x5"):
        problem = problems()[name]()
        xp = arithmetic("float64").plain
        at = xp.vector(problem.start)
        ray = OneOverA(problem, xp, at, problem.grad(xp, at))
        values = [float(ray.value(step)) for step in np.geomspace(1e-3, 10, 60)]
        assert all(b >= a - 1e-9 * (1 + abs(a)) for a, b in pairwise(values)), name


def test_A_the_other_way_round_is_another_step() -> None:
    trace, products = eta_M(quartic(), BACK, 1)
    assert trace.xp.middle(products)[0, 0] == pytest.approx(1, abs=1e-9)
    forwards = run(quartic(), BY_A, steps=1, columns=[as_column(eta[k])[0]])
    assert trace.xp.middle(read(trace, eta[k]))[0, 0] > 2 * forwards.xp.middle(read(forwards, eta[k]))[0, 0]


# -- balls ---------------------------------------------------------------------------------------------------------------------


def _counted(problem: Problem) -> tuple[Problem, list[int]]:
    """The same problem, and how many gradients were computed in balls."""
    count = [0]

    def grad(xp: Any, x: Any) -> Any:
        count[0] += getattr(xp, "encloses", False)
        return problem.grad(xp, x)

    return replace(problem, grad=grad), count


@pytest.mark.parametrize("bits", [128, 256])
@pytest.mark.parametrize("rule", [BY_D, PRINTED, BY_A, BACK], ids=lambda r: r.name)
@pytest.mark.parametrize("name", ["quadratic-3d", "quartic", "smooth-abs", "logistic-40x5"])
def test_in_balls_the_root_has_as_many_bits_for_a_few_gradients(name: str, rule: Rule, bits: int) -> None:
    problem, count = _counted(problems()[name]())
    goal = 8 if rule is PRINTED else 1
    trace, products = eta_M(problem, rule, 3, f"ball:{bits}")
    assert trace.steps[0] >= 1
    off = trace.xp.abs(products * products - goal)
    # where M itself is not known so well, nobody knows eta better
    assert (trace.xp.middle(off) <= 2.0 ** (24 - bits) + 2 * trace.xp.error(off)).all()
    assert (trace.xp.error(off) <= (1e-6 if rule in (BY_A, BACK) and name == "logistic-40x5" else 2.0 ** (24 - bits))).all()
    assert count[0] <= 16 * trace.steps[0] + 2


@pytest.mark.parametrize("rule", [BY_D, BY_A, BACK, PRINTED], ids=lambda r: r.name)
@pytest.mark.parametrize("name", ["quadratic-3d", "quartic", "huber", "logistic-40x5"])
def test_in_balls_the_steps_are_those_of_float64_with_more_bits(name: str, rule: Rule) -> None:
    problem, column = problems()[name](), as_column(eta[k])[0]
    rough, fine = (run(problem, rule, steps=2, columns=[column], xp=xp) for xp in ("float64", "ball:160"))
    assert rough.steps[0] == fine.steps[0]
    if fine.steps[0]:
        assert all(step.is_exact() for step in read(fine, eta[k]).data[0])
        np.testing.assert_allclose(rough.xp.middle(read(rough, eta[k])), fine.xp.middle(read(fine, eta[k])), rtol=1e-4)


def test_in_balls_the_steps_go_on_where_float64_has_lost_the_gradient() -> None:
    """At |g| about 2^-150 differences of gradients in float64 are rounding: the guess is that of the Hessian."""
    problem = problems()["logistic-40x5"]()
    leaves = [as_column(D(x[k], x[k + 1]), True)[0], as_column(eta[k])[0]]
    trace = run(problem, BY_D, steps=150, columns=leaves, xp="ball:320")
    assert trace.steps[0] == 150
    products = trace.columns[leaves[0]] * trace.columns[leaves[1]]
    assert trace.xp.middle(trace.xp.abs(products - 1)).max() < 1e-30


@pytest.mark.parametrize(
    "rule", [cauchy(), dai_yang(), adgd(), bb_long(), bb_short(), polyak(1), *(over_L(c) for c in (1, 2))], ids=lambda r: r.name
)
def test_rules_with_a_formula_choose_in_balls_what_they_choose_at_high_precision(rule: Rule) -> None:
    problem, column = problems()["quadratic-3d"](), as_column(eta[k])[0]
    fine, high = (run(problem, rule, steps=6, columns=[column], xp=xp) for xp in ("ball:160", "mp:40"))
    assert fine.steps[0] == high.steps[0] == 6
    assert all(step.is_exact() for step in read(fine, eta[k]).data[0])
    for mine, theirs in zip(read(fine, eta[k]).data[0], read(high, eta[k]).mid[0], strict=True):
        assert mpmath.almosteq(mpmath.mpf(mine.mid().str(45, radius=False)), mpmath.mpf(theirs), 1e-14)


@pytest.mark.parametrize("rule", [length(1), over_sqrt(1), over_sqrt_K(1)], ids=lambda r: r.name)
def test_lengths_are_chosen_in_balls_too(rule: Rule) -> None:
    trace = run(problems()["quadratic-3d"](), rule, steps=5, columns=[as_column(eta[k])[0]], xp="ball:128", method=NORMALIZED)
    again = run(problems()["quadratic-3d"](), rule, steps=5, columns=[as_column(eta[k])[0]], method=NORMALIZED)
    assert trace.steps[0] == 5
    np.testing.assert_allclose(trace.xp.middle(read(trace, eta[k])), again.xp.middle(read(again, eta[k])), rtol=1e-14)


@pytest.mark.parametrize("kind", ["H", "D"])
def test_backtracking_chooses_in_balls_what_is_adapted_for_certain(kind: str) -> None:
    problem = problems()["quadratic-3d"]()
    fine, rough = (
        run(
            problem,
            backtracking(kind),
            steps=8,
            columns=[as_column(eta[k])[0]],
            xp=xp,
            method=MOMENTUM,
            parameters={"alpha0": Fraction(1, 2)},
        )
        for xp in ("ball:128", "float64")
    )
    assert fine.steps[0] == 8
    assert fine.xp.middle(read(fine, eta[k])).tolist() == rough.xp.middle(read(rough, eta[k])).tolist()


# -- the side that satisfies <= --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [BY_D, BY_A, BACK], ids=lambda r: r.name)
@pytest.mark.parametrize("xp", ["float64", "mp:40", "ball:128", "rational"])
def test_the_rule_below_is_adapted_for_certain_and_the_rule_itself_is_not(rule: Rule, xp: str) -> None:
    """eta M <= 1 is a tie for the rule itself, and is decided for steps that are smaller by 2^-20."""
    below = rule.below
    assert below is not None and below.follows is None and below.name == f"{rule.name}(1-2^-20)"
    problem = problems()["parabola" if xp == "rational" else "quadratic-3d"]()
    chord, column = as_column(CHORDS[rule.name], xp != "rational")[0], as_column(eta[k])[0]
    for one, decided in ((below, True), (rule, False)):
        trace = run(problem, one, steps=3, columns=[chord, column], xp=xp)
        assert trace.steps[0] >= 1
        orders = trace.xp.compare(trace.columns[chord] * trace.columns[column], trace.xp.scalar(1))
        assert (orders == Order.LESS).all() == decided
        if one is below:
            assert (trace.xp.compare(trace.columns[chord] * trace.columns[column], 1 - 2.0**-18) == Order.GREATER).all()


def test_below_a_root_that_is_not_rational_there_are_rational_steps() -> None:
    assert run(quartic(), BY_D, steps=3, xp="rational").steps[0] == 0
    trace = run(quartic(), BY_D.below, steps=3, columns=[as_column(D(x[k], x[k + 1]))[0], as_column(eta[k])[0]], xp="rational")
    assert trace.steps[0] == 3
    products = read(trace, D(x[k], x[k + 1])) * read(trace, eta[k])
    assert (trace.xp.compare(products, 1) == Order.LESS).all()
    assert (trace.xp.compare(products, 1 - 2.0**-18) == Order.GREATER).all()


# -- exact rationals -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", [huber(), steep_then_flat(), flat_bottom(), KNOT], ids=lambda p: p.name)
@pytest.mark.parametrize("rule", [BY_D, BY_A], ids=lambda r: r.name)
def test_on_piecewise_quadratics_the_root_is_exact(problem: Problem, rule: Rule) -> None:
    trace, products = eta_M(problem, rule, 5, "rational")
    assert trace.steps[0] >= 1
    assert all(value == 1 for value in products.data[0])
    assert not trace.ended[0] or "exactly zero" in trace.ended[0]


def test_a_root_where_two_pieces_meet_is_found() -> None:
    """eta = (11/3 - 1) / 2. No secant through both sides of the knot hits it."""
    trace = run(KNOT, BY_D, steps=1, columns=[as_column(eta[k])[0]], xp="rational")
    assert list(map(str, read(trace, eta[k]).data[0])) == ["4/3"]


def test_in_several_dimensions_it_is_exact_where_the_square_root_is() -> None:
    problem = quadratic([[3, 0], [0, 4]], start=[1, 0], name="axis")
    trace = run(problem, BY_D, steps=3, columns=[as_column(eta[k])[0]], xp="rational")
    assert list(map(str, read(trace, eta[k]).data[0])) == ["1/6"] * 3


def test_where_no_root_is_rational_the_run_ends_and_says_so() -> None:
    ended = run(problems()["quadratic-2d"](), BY_D, steps=3, xp="rational").ended[0]
    assert ended == "no step at step 0: sqrt(63125/32) is not rational"
    assert "no rational root was found near 0.0128937" in run(quartic(), BY_D, steps=3, xp="rational").ended[0]


# -- no root -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [BY_D, BY_A], ids=lambda r: r.name)
@pytest.mark.parametrize("xp", ["float64", "mp:30", "rational"])
def test_a_linear_function_is_alternative_i(rule: Rule, xp: str) -> None:
    trace = run(LINE, rule, steps=3, xp=xp)
    assert trace.steps[0] == 0
    assert f"alternative (i) of prop:existence-{rule.name[-1]}" in trace.ended[0]
    assert "no root up to eta = " in trace.ended[0]


@pytest.mark.parametrize("xp", ["float64", "mp:30"])
def test_a_gradient_that_never_changes_by_half_is_alternative_i(xp: str) -> None:
    trace = run(BEND, BY_D, steps=3, xp=xp)
    assert trace.steps[0] == 0
    assert "alternative (i) of prop:existence-D" in trace.ended[0]
    assert "eta*D is only 0.78" in trace.ended[0]  # 2 (g - 3/4) / g for g = 1 + 3 / (4 sqrt(10))


def test_a_jump_over_one_is_no_root() -> None:
    """f' of |x| jumps from 1 to -1: eta D goes from 0 to 4. A(x - eta g, x) jumps on huber, whose f'' does."""
    assert "eta*D jumps from 0 to 4" in run(smooth_abs(0), BY_D, steps=3).ended[0]
    for xp in ("float64", "rational"):
        assert "eta*A jumps from 0 to 2" in run(huber(), BACK, steps=3, xp=xp).ended[0]


def test_a_problem_without_chords_has_no_one_over_A() -> None:
    assert "bend has no enclosure of A along a chord" in run(BEND, BY_A, steps=3).ended[0]


def test_a_gradient_that_is_no_number_is_one_clear_line() -> None:
    broken = unbounded("broken", lambda xp, x: np.where(x < 2, np.nan, 1.0) if isinstance(x, np.ndarray) else x)
    (ended,) = run(broken, BY_D, steps=3).ended
    assert ended == "no step at step 0: eta = 1/D(x, x - eta grad f(x)) is undefined at eta = 2: its value is nan"


@pytest.mark.parametrize("kind", ["H", "L", "", 1])
def test_other_kinds_are_refused(kind: Any) -> None:
    with pytest.raises(RuleError, match="found for D and for A; found"):
        strongly_adapted(kind)


# -- the equation as printed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["parabola", "quadratic-30d", "huber", "quartic", "smooth-abs", "logistic-40x5"])
def test_as_printed_eta_D_is_two_square_roots_of_two_so_not_even_adapted(name: str) -> None:
    trace, products = eta_M(problems()[name](), PRINTED, 10)
    assert trace.steps[0] == 10
    np.testing.assert_allclose(trace.xp.middle(products), 2 * math.sqrt(2), rtol=1e-8)
    assert (trace.xp.middle(products) - trace.xp.error(products) > 2).all()


def test_as_printed_is_two_square_roots_of_two_times_the_right_step_on_a_quadratic() -> None:
    problem = problems()["quadratic-30d"]()
    printed, right = (run(problem, rule, steps=1, columns=[as_column(eta[k])[0]]) for rule in (PRINTED, dai_yang()))
    a, b = (float(trace.xp.middle(read(trace, eta[k]))[0, 0]) for trace in (printed, right))
    assert a / b == pytest.approx(2 * math.sqrt(2), rel=1e-9)


def _ray(kind: type[Any], problem: Problem) -> Any:
    xp = arithmetic("rational").plain
    at = xp.vector(problem.start)
    return kind(problem, xp, at, problem.grad(xp, at))


@pytest.mark.parametrize("problem", [huber(), quartic(), TWO_D], ids=lambda p: p.name)
@pytest.mark.parametrize("step", [Fraction(1, 100), Fraction(1, 7), Fraction(3, 2), Fraction(5)])
def test_what_the_three_equations_say_of_the_change_of_the_gradient(problem: Problem, step: Fraction) -> None:
    """Exactly, with c = |g(eta) - g|^2 / |g|^2: printed says c = 2, the display before it c = 4, and eta = 1/D says c = 1/4."""
    printed, right = _ray(AsPrinted, problem), _ray(OneOverD, problem)
    xp, at = printed.xp, printed.xp.lift(step)
    new, g = printed.gradient(at), printed.g
    c = xp.normsq(new - g) / xp.normsq(g)
    assert printed.value(at) == (c - 2) / 2
    assert right.value(at) == 4 * c - 1
    corrected = (xp.normsq(new) / 2 - xp.dot(new, g) + xp.normsq(g) * 3 / 8) / xp.normsq(g)
    assert corrected == right.value(at) / 8
    assert (corrected == 0) == (4 * c == 1)


def test_the_display_before_it_is_eta_D_equal_to_four() -> None:
    """x^2 / 2 from 1: |g(eta) - g| = eta, so 2 |g| is eta = 2, where D = 2; and |g| / 2 is eta = 1/2."""
    half = isotropic(1, curvature=1, start=[1], name="half")
    for step, product in ((2, 4), (Fraction(1, 2), 1)):
        trace = run(half, constant(step), steps=1, columns=[as_column(D(x[k], x[k + 1]))[0]], xp="rational")
        assert step * Fraction(str(read(trace, D(x[k], x[k + 1])).data[0, 0])) == product


def test_as_printed_is_negative_all_the_way_to_a_minimiser_and_may_have_no_root_beyond_it() -> None:
    """In one dimension g(eta) is between 0 and g until the minimiser is met. On the wall g = 10; beyond 0 it is >= -1."""
    problem = steep_then_flat()
    ray = _ray(AsPrinted, problem)
    to_minimiser = Fraction(9, 2) / 10
    assert all(ray.value(ray.xp.lift(to_minimiser * n / 40)) < 0 for n in range(41))
    for xp in ("float64", "rational"):
        trace = run(problem, PRINTED, steps=3, xp=xp)
        assert trace.steps[0] == 0
        assert "eq:zero-finding as printed meets no root up to eta = " in trace.ended[0]
        assert "eta*D is only 2.2 there" in trace.ended[0]


def test_as_printed_is_never_rational_in_one_dimension() -> None:
    assert run(huber(), PRINTED, steps=3, xp="rational").ended[0] == "no step at step 0: sqrt(8) is not rational"


# -- brackets ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["quadratic-3d", "huber", "quartic", "logistic-40x5"])
@pytest.mark.parametrize("rule", [BY_D, BY_A], ids=lambda r: r.name)
def test_the_rule_notes_two_steps_about_its_own(name: str, rule: Rule) -> None:
    low, high = (Numbers(name, STEP)[k] for name in ("eta_lo", "eta_hi"))
    trace = run(problems()[name](), rule, steps=4, columns=[as_column(leaf)[0] for leaf in (low, eta[k], high)])
    below, own, above = (trace.xp.middle(read(trace, leaf)) for leaf in (low, eta[k], high))
    assert (below < own).all() and (own < above).all()
    assert (above / below < 1 + 2.0**-11).all()


def _past(problem: Problem, xp: str = "float64") -> RunView:
    plain = arithmetic(xp).plain
    at = plain.vector(problem.start)
    return RunView(problem, plain, 0, at, problem.grad(plain, at), None)


def test_a_bracket_has_a_sign_change_between_its_ends() -> None:
    for kind, equation in (("D", OneOverD), ("A", OneOverA)):
        for problem in (quartic(), problems()["logistic-40x5"]()):
            past = _past(problem)
            low, high = bracket(past, kind)
            ray = equation(problem, past.xp, past.x, past.grad)
            assert ray.value(low) <= 0 <= ray.value(high)


def test_in_rationals_a_bracket_is_exact_even_where_the_root_is_not_rational() -> None:
    past = _past(quartic(), "rational")
    low, high = bracket(past, "D")
    ray = OneOverD(past.problem, past.xp, past.x, past.grad)
    assert ray.value(low) < 0 < ray.value(high)
    assert high - low <= low * past.xp.lift(2.0**-40)
    low, high = bracket(_past(huber(), "rational"), "D")
    assert str(low) == str(high) == "5/2"


def test_a_bracket_of_something_else_is_refused() -> None:
    with pytest.raises(RuleError, match="a root is found for D, A"):
        bracket(_past(huber()), "H")


# -- batches -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [replace(BY_D, records=()), replace(BY_A, records=()), PRINTED], ids=lambda r: r.name)
def test_a_batch_is_the_runs_one_by_one(rule: Rule) -> None:
    column, starts = as_column(eta[k])[0], [[Fraction(2)], [Fraction(-3)], [Fraction(1, 2)]]
    batch = run(quartic(), rule, steps=5, columns=[column], starts=starts)
    for number, start in enumerate(starts):
        alone = run(quartic(), rule, steps=5, columns=[column], starts=[start])
        np.testing.assert_allclose(
            batch.xp.middle(batch.columns[column])[number], alone.xp.middle(alone.columns[column])[0], rtol=1e-12
        )


def test_in_a_batch_in_rationals_each_run_ends_for_its_own_reason() -> None:
    rule = replace(BY_D, records=())
    batch = run(problems()["quadratic-2d"](), rule, steps=2, starts=[[1, 0], [10, 1]], xp="rational")
    assert batch.steps.tolist() == [2, 0]
    assert batch.ended[0] == "" and "sqrt(63125/32) is not rational" in batch.ended[1]


@pytest.mark.parametrize("rule", [replace(BY_D, records=()), PRINTED, adgd(Fraction(1, 100)), BACK.below], ids=lambda r: r.name)
def test_in_a_batch_in_balls_each_run_ends_for_its_own_reason(rule: Rule) -> None:
    column, starts = as_column(eta[k])[0], [[Fraction(3)], [Fraction(1, 2)], [Fraction(5)]]
    batch = run(huber(), rule, steps=3, columns=[column], starts=starts, xp="ball:128")
    for number, start in enumerate(starts):
        alone = run(huber(), rule, steps=3, columns=[column], starts=[start], xp="ball:128")
        assert batch.steps[number] == alone.steps[0]
        reasons = [trace.ended[at].rpartition(": ")[2] for trace, at in ((batch, number), (alone, 0))]
        assert reasons[0] == reasons[1]
        count = int(alone.steps[0])
        if count:
            mine, theirs = (trace.columns[column].data[at, :count] for trace, at in ((batch, number), (alone, 0)))
            assert all(a == b for a, b in zip(mine, theirs, strict=True))
    assert any(batch.ended) == (rule.name in ("adgd(1/100)", "1/A-back(1-2^-20)"))

"""`check_problem` puts everything that a problem says of itself to the test, its formulas in many arithmetics too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.base import NotInThisArithmetic
from boundcheck.library.names import problem_named
from boundcheck.library.user_rules import may_be_called
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Problem, TwiceDifferentiable
from boundcheck.support.errors import WrongType
from boundcheck.testing.contract import FLOAT64, MP, Check, ContractFinding, Wrong, collected, concluded, fraction, pairs, shown
from boundcheck.testing.facts import (
    f_is_convex,
    the_bregman_difference_is_its_definition,
    the_gap_is_f_less_its_least_value,
    the_gradient_is_affine,
    the_gradient_is_continuous,
    the_gradient_is_lipschitz,
    the_gradient_is_locally_lipschitz,
    the_gradient_is_strongly_monotone,
    the_hessian_is_continuous,
    the_minimiser_minimises,
)
from boundcheck.testing.oracles import (
    a_stack_of_points_is_its_points_one_by_one,
    answers_do_not_depend_on_earlier_ones,
    f_and_grad_answer,
    inputs_are_left_alone,
    the_chord_quantities_enclose_dense_samples,
    the_data_are_the_function,
    the_gradient_is_the_slope_of_f,
    the_hessian_is_the_slope_of_the_gradient,
    the_start_is_no_stationary_point,
)
from boundcheck.testing.parts import (
    each_part_keeps_its_facts,
    each_prox_keeps_its_inclusion,
    linear_minima_are_least,
    solutions_solve,
)

OF_PARTS = (each_part_keeps_its_facts, each_prox_keeps_its_inclusion, linear_minima_are_least, solutions_solve)
XP = "compute with the functions of `xp` only: a bare float, math.sqrt or numpy function loses the enclosure"


def oracles(problem: Problem, xp: Any, x: Any, d: Any) -> Iterator[tuple[str, Any]]:
    """Yield what the problem says at x and along d, as scalars."""
    gx, gy = problem.grad(xp, x), problem.grad(xp, x + d)
    yield "f", problem.f(xp, x)
    yield "<gradient, d>", xp.dot(gx, d)
    if problem.gap is not None:
        yield "the gap", problem.gap(xp, x, gx)
    if problem.bregman is not None:
        yield "the Bregman difference", problem.bregman(xp, x, d, gx, gy)
    if problem.hessian_vector is not None:
        yield "<Hessian d, d>", xp.dot(problem.hessian_vector(xp, x, d), d)


def float64_with_bounds_encloses_the_truth(problem: Problem) -> None:
    """f, gradient, gap and Bregman difference in float64 are within their own error bounds of 50 digits."""
    for x, d in pairs(problem, seed=11):
        truth = dict(oracles(problem, MP, MP.vectors(x), MP.vectors(d)))
        for what, found in oracles(problem, FLOAT64, FLOAT64.vectors(x), FLOAT64.vectors(d)):
            off = np.abs(np.asarray(MP.middle(MP.array(truth[what]) - MP.scalars(FLOAT64.middle(found)))))
            if not (off <= FLOAT64.error(found) * (1 + 1e-12)).all():
                raise Wrong(
                    found=f"{what} in float64 at x = {shown(x)} off by {float(off):.3g}",
                    needed=f"at most its own error bound, {float(FLOAT64.error(found)):.3g}",
                    do=XP,
                )


def balls_hold_the_truth(problem: Problem) -> None:
    """The same in balls of 128 bits, which certify."""
    xp = arithmetic("ball:128")
    for x, d in pairs(problem, seed=16):
        truth = dict(oracles(problem, MP, MP.vectors(x), MP.vectors(d)))
        for what, found in oracles(problem, xp, xp.vectors(x), xp.vectors(d)):
            apart = found - xp.scalar(fraction(truth[what]))  # holds 0
            off, slack = np.abs(np.asarray(xp.middle(apart))), 1e-40 * float(abs(truth[what]) + abs(truth["f"]))
            if not (off <= xp.error(apart) + slack).all():
                raise Wrong(
                    found=f"{what} in ball:128 at x = {shown(x)} off by {float(off):.3g}",
                    needed=f"at most its radius, {float(xp.error(found)):.3g}",
                    do=XP,
                )


def enclosures_of_a_ball_hold_for_its_points(problem: Problem) -> None:
    """Every oracle at a ball, knots and 0 inside it or not, encloses what it gives at single points of the ball."""
    rng = np.random.default_rng(14)
    x, d = (np.array(rows) for rows in zip(*pairs(problem, 24, seed=14), strict=True))
    radius = np.abs(rng.standard_normal(24)) * 0.3 * np.linalg.norm(x, axis=1)
    wide = dict(_answers(problem, FLOAT64.vectors(x, radius), FLOAT64.vectors(d)))
    for _ in range(4):
        direction = rng.standard_normal(x.shape)
        direction *= (radius * rng.uniform(0, 0.999, 24) / np.linalg.norm(direction, axis=1))[:, None]
        for what, value in _answers(problem, FLOAT64.vectors(x + direction), FLOAT64.vectors(d)):
            off = abs(FLOAT64.middle(value) - FLOAT64.middle(wide[what])) - FLOAT64.error(wide[what])
            told = (FLOAT64.error(value) < np.inf) & (FLOAT64.error(wide[what]) < np.inf)  # an infinite radius holds everything
            for k in np.flatnonzero(told & ~(off <= FLOAT64.error(value))):
                ball = f"the ball of radius {radius[k]:.3g} about x = {shown(x[k])}"
                raise Wrong(
                    found=f"{what} on {ball} without its value at + {shown(direction[k])}",
                    needed="an enclosure of the values at all points of the ball",
                    do=XP,
                )


def _answers(problem: Problem, x: Any, d: Any) -> Iterator[tuple[str, Any]]:
    yield from oracles(problem, FLOAT64, x, d)
    if problem.chord is not None:
        gx, gy = problem.grad(FLOAT64, x), problem.grad(FLOAT64, x + d)
        for side in ("sup", "inf"):
            yield f"chord {side}", problem.chord(FLOAT64, x, d, gx, gy, side)


def exact_rationals_agree(problem: Problem) -> None:
    """Where every number is rational, rationals and 50 digits say the same. A root may be irrational here and there."""
    exact, decided = arithmetic("rational"), 0
    for x, d in pairs(problem, seed=12):
        truth = dict(oracles(problem, MP, MP.vectors(x), MP.vectors(d)))
        for what, found in _in_rationals(problem, exact, x, d):
            if exact.reason(found) is not None:
                continue
            decided += 1
            off = abs(MP.scalar(Fraction(str(found.data[()]))) - truth[what])
            if not off <= 1e-35 * (abs(truth[what]) + abs(truth["f"]) + MP.scalar(1e-8)):
                raise Wrong(found=f"{what} in rationals at x = {shown(x)} off by {float(off):.3g}", needed="0", do=XP)
    start = exact.vector(problem.start)
    reason = exact.reason(problem.f(exact, start)) or exact.reason(exact.dot(problem.grad(exact, start), start))
    if not decided and reason is not None:
        raise Wrong(
            found=f"rational=True, and nothing rational at the start either: {reason}",
            needed="oracles that are rational at some points",
            do="declare rational=False",
        )


def _in_rationals(problem: Problem, exact: Any, x: Any, d: Any) -> list[tuple[str, Any]]:
    try:
        return list(oracles(problem, exact, exact.vectors(x), exact.vectors(d)))
    except NotInThisArithmetic as no:
        raise Wrong(found=f"rational=True, and {no}", needed="oracles that are rational", do="declare rational=False") from no


NEEDS = "check_problem needs a Problem, a name of the catalogue, or a function without arguments that returns a Problem"


def check_problem(problem: Problem | str | Callable[[], Problem], *, raise_error: bool = True) -> list[ContractFinding]:
    """Return everything that is wrong with a problem, at once: raised as one ContractError, or returned with raise_error=False.

    The checks are randomised with fixed seeds and made at 50 digits: what they find is wrong; that they find nothing is no proof.
    """
    made = _made(problem)
    found = collected([f_and_grad_answer], made) if made.has_f else []
    if not found and made.has_f:  # without f and grad there is nothing to compare with
        found = collected(_checks(made), made)
    if not found and (made.parts or made.components):
        found = collected(OF_PARTS, made)
    return concluded(f"problem '{made.name}'", found, raise_error)


def _made(given: Any) -> Problem:
    """Return the problem itself: of a name, or of a function that makes it."""
    if isinstance(given, Problem):
        return given
    if isinstance(given, str):
        return problem_named(given)
    if not callable(given):
        raise WrongType(f"{NEEDS}; found {given!r:.60}")
    name = getattr(given, "__name__", type(given).__name__)
    if not may_be_called(given, 0):
        raise WrongType(f"{NEEDS}; found {name}, which needs arguments")
    made = given()
    if not isinstance(made, Problem):
        raise WrongType(f"{NEEDS}; found {name}, which returns {made!r:.60}")
    return made


def _checks(problem: Problem) -> Iterator[Check]:
    """Yield those that this problem gives reason for."""
    yield inputs_are_left_alone
    yield answers_do_not_depend_on_earlier_ones
    yield a_stack_of_points_is_its_points_one_by_one
    if not problem.parts:  # else what is least is not f alone
        yield the_start_is_no_stationary_point
    yield the_gradient_is_the_slope_of_f
    if problem.hessian_vector is not None or problem.hessian is not None:
        yield the_hessian_is_the_slope_of_the_gradient
    if problem.has(Convex):
        yield f_is_convex
    if problem.has(Convex) and problem.has(Differentiable):
        yield the_gradient_is_continuous
    if problem.has(TwiceDifferentiable):
        yield the_hessian_is_continuous
    if problem.has(IsQuadratic):
        yield the_gradient_is_affine
    if problem.L is not None:
        yield the_gradient_is_lipschitz
    if problem.mu:
        yield the_gradient_is_strongly_monotone
    if problem.local_smoothness is not None:
        yield the_gradient_is_locally_lipschitz
    if problem.minimiser is not None:
        yield the_minimiser_minimises
    if problem.gap is not None and problem.infimum is not None:
        yield the_gap_is_f_less_its_least_value
    if problem.bregman is not None:
        yield the_bregman_difference_is_its_definition
    if problem.chord is not None:
        yield _chords
    yield float64_with_bounds_encloses_the_truth
    yield enclosures_of_a_ball_hold_for_its_points
    yield balls_hold_the_truth
    if problem.rational:
        yield exact_rationals_agree
    if problem.data is not None:
        yield the_data_are_the_function


def _chords(problem: Problem) -> None:
    """In one dimension more of them: each is quicker."""
    count, samples = (40, 65) if problem.dimension == 1 else (4, 9)
    the_chord_quantities_enclose_dense_samples(problem, count=count, samples=samples)


_chords.__name__ = the_chord_quantities_enclose_dense_samples.__name__

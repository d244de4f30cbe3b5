"""`check_problem`: everything that a problem says of itself, put to the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from boundcheck.library.names import problem_named
from boundcheck.library.user_rules import may_be_called
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Problem, TwiceDifferentiable
from boundcheck.support.errors import WrongType
from boundcheck.testing.arithmetics import (
    balls_hold_the_truth,
    enclosures_of_a_ball_hold_for_its_points,
    exact_rationals_agree,
    float64_with_bounds_encloses_the_truth,
)
from boundcheck.testing.contract import Check, ContractFinding, collected, concluded
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

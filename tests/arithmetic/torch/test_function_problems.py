"""Problems from torch functions: they agree with the formulas of the catalogue, and say that their errors are assumed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boundcheck.arithmetic import NotInThisArithmetic, Order, arithmetic
from boundcheck.check.answer import check
from boundcheck.check.question import needs, questions
from boundcheck.check.verdict import Outcome
from boundcheck.library.catalogue import find_bounds
from boundcheck.model.problem import Convex, Differentiable, Minimiser, Smooth
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.torch_function import ASSUMED, torch_problem
from boundcheck.runners import about, run
from boundcheck.runners.rules.explicit import constant, over_L

from .places import BOTH, torch

BUILT_IN = synthetic_logistic(40, 5, seed=2)
ROWS = torch.tensor(np.asarray(BUILT_IN.grad.__self__.constants._matrix))


def losses(x):
    z = ROWS.to(x) @ x
    return torch.logaddexp(torch.zeros_like(z), z).sum()


def rosenbrock(x):
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


def logistic(**more):
    return torch_problem(
        losses, start=BUILT_IN.start, facts=BUILT_IN.facts, minimiser=BUILT_IN.minimiser, name="by autograd", **more
    )


@pytest.mark.parametrize("name", ["float64", *BOTH])
def test_autograd_agrees_with_the_formula_of_the_catalogue(name):
    xp, made = arithmetic(name), logistic()
    x = np.random.default_rng(61).normal(size=(3, 4, 5)).astype(np.float32).astype(np.float64)
    tolerance = 1e-4 if "32" in name else 1e-12
    for plain_x in (x, x[0], x[0, 0]):
        assert np.allclose(made.f(xp.plain, plain_x), BUILT_IN.f(xp.plain, plain_x), rtol=tolerance, atol=0)
        assert np.allclose(made.grad(xp.plain, plain_x), BUILT_IN.grad(xp.plain, plain_x), rtol=tolerance, atol=tolerance)
    for radius in (0.0, 1e-6):
        at = xp.vectors(x, radius)
        assert (xp.compare(made.f(xp, at), BUILT_IN.f(xp, at)) == Order.UNKNOWN).all()  # both enclose the same number
        apart = xp.norm(made.grad(xp, at) - BUILT_IN.grad(xp, at))
        assert (xp.compare(apart, xp.scalar(0)) == Order.UNKNOWN).all() and np.isfinite(xp.error(apart)).all()


@pytest.mark.parametrize("name", ["float64", *BOTH])
def test_a_gradient_that_is_wrong_by_more_than_assumed_is_seen(name):
    """The same comparison rejects a function that is off by a hundredth: the assumed errors do not hide everything."""
    xp = arithmetic(name)
    wrong = torch_problem(lambda x: 1.01 * losses(x), start=BUILT_IN.start, facts=BUILT_IN.facts, name="wrong")
    at = xp.vectors(np.ones((1, 5)))
    assert xp.compare(wrong.f(xp, at), BUILT_IN.f(xp, at)).tolist() == [Order.GREATER]
    assert xp.compare(xp.norm(wrong.grad(xp, at) - BUILT_IN.grad(xp, at)), xp.scalar(0)).tolist() == [Order.GREATER]


def ask(problem, rule, name, steps=30):
    bound = find_bounds("eq:local-descent-lemma")[0]
    asked = list(questions([bound], about(problem), exact=False, smoothness=("L",)))
    trace = run(problem, rule, steps=steps, columns=needs(asked, "gradient descent"), xp=name)
    (verdict,) = check([bound], trace, smoothness=("L",))
    return verdict


@pytest.mark.parametrize("name", ["float64", *BOTH])
def test_claims_are_checked_on_a_torch_function_and_say_what_is_assumed(name):
    verdict = ask(logistic(), over_L(Fraction(1, 2)), name)
    assert Outcome.VIOLATED not in verdict.outcomes and (verdict.outcomes == Outcome.HOLDS).sum() >= 1
    assert not verdict.certified and any(ASSUMED in note for note in verdict.notes)


def test_a_stated_error_widens_the_enclosures():
    xp = arithmetic("torch")
    at = xp.vectors(np.ones((1, 5)))
    narrow, wide = (logistic(relative_error=error).grad(xp, at) for error in (1e-15, 1e-6))
    assert (xp.radius(wide) > 1e6 * xp.radius(narrow)).all()
    with pytest.raises(ValueError, match="found relative_error -1; needs a finite number, 0 or more"):
        logistic(relative_error=-1)


@pytest.mark.parametrize("name", BOTH)
def test_a_function_without_a_smoothness_constant_has_no_bounded_trajectory(name):
    xp = arithmetic(name)
    valley = torch_problem(
        rosenbrock, start=[-1, 1], facts=(Differentiable(),), minimiser=Minimiser(point=(1, 1)), name="rosenbrock"
    )
    at = np.array([[-1.0, 1.0], [0.5, 2.0]])
    assert np.allclose(valley.f(xp.plain, at), [4.0, 306.5]) and np.allclose(valley.grad(xp.plain, at), [[-4, 0], [-351, 350]])
    assert (
        np.isfinite(xp.error(valley.f(xp, xp.vectors(at)))).all() and np.isinf(xp.error(valley.f(xp, xp.vectors(at, 1e-9)))).all()
    )
    assert np.isinf(xp.radius(valley.grad(xp, xp.vectors(at, 1e-9)))).all()
    local = torch_problem(rosenbrock, start=[-1, 1], local_smoothness=lambda points, radius: 2000.0 + 0 * radius, name="bounded")
    assert (xp.radius(local.grad(xp, xp.vectors(at, 1e-9))) < 1e-1).all()
    trace = run(valley, constant(Fraction(1, 2000)), steps=50, columns=[], xp=name)
    assert trace.ended == ("",)


@pytest.mark.parametrize("name", ["rational", "mp:30", "ball:64"])
def test_exact_and_high_precision_arithmetics_refuse_a_torch_function_in_one_line(name):
    made, xp = logistic(), arithmetic(name)
    for space in (xp, xp.plain):
        for oracle in (made.f, made.grad):
            with pytest.raises(NotInThisArithmetic, match=r"is a torch function: .*; use --arithmetic float64 or torch:cpu$"):
                oracle(space, space.vectors([[1, 1, 1, 1, 1]]))


def test_a_function_that_returns_no_number_is_refused_in_one_line():
    made = torch_problem(lambda x: 2 * x, start=[1, 2], facts=(Convex(), Smooth(2)), name="a vector")
    with pytest.raises(ValueError, match=r"a vector: the torch function returned shape \(2,\); needs one number"):
        made.f(arithmetic("torch").plain, np.ones((3, 2)))

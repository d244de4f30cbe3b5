"""The checker against the framework: random formulas on random runs have the same exact sides in both."""

from __future__ import annotations

import random
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.evaluate.series import Series
from boundcheck.language.letters import (
    A,
    Delta,
    H,
    L,
    Max,
    Min,
    Prod,
    Sum,
    delta,
    eta,
    f,
    gap,
    grad,
    i,
    inner,
    k,
    larger,
    mean,
    mu,
    normsq,
    smaller,
    x,
    xstar,
)
from boundcheck.language.ranges import leaves
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Chord
from boundcheck.language.vectors import Point
from boundcheck.library.catalogue import runner
from boundcheck.model.problem import Problem
from boundcheck.problems.piecewise import piecewise_quadratic
from boundcheck.problems.quadratic import quadratic
from boundcheck.problems.ridge import ridge_2d
from boundcheck.runners import given
from boundcheck.verify.certificate import Certificate
from boundcheck.verify.chords import chord_quantity
from boundcheck.verify.fields import rational
from boundcheck.verify.functions import Function

from .making import made, one_run

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

STEPS = 3
XP = arithmetic("rational")


def some_piecewise(random_: random.Random) -> Problem:
    knots = sorted({Fraction(random_.randint(-8, 8), 2) for _ in range(4)} | {Fraction(-1), Fraction(2)})
    gradients = sorted(Fraction(random_.randint(-6, 6), 2) for _ in knots)
    return piecewise_quadratic(
        knots, gradients, left_slope=1, right_slope=random_.randint(1, 4), start=Fraction(random_.randint(9, 15), 2)
    )


def some_quadratic(random_: random.Random) -> Problem:
    a, b, c = random_.randint(1, 3), random_.randint(-1, 1), random_.randint(1, 3)
    return quadratic([[a * a + b * b, b * c], [b * c, c * c]], xstar=[1, Fraction(1, 2)], start=[3, -2])


def leaf(random_: random.Random, n: Any) -> Any:
    return random_.choice(
        [
            eta[n],
            delta[n],
            Delta[n],
            normsq(grad(x[n])),
            H(x[n], x[n + 1]),
            A(x[n], x[n + 1]),
            A(x[n + 1], x[n]),
            mu(x[n], xstar),
            mu(x[n + 1], x[n]),
            inner(grad(x[n]), x[n] - xstar),
            f(x[n + 1]),
            normsq(x[n] - eta[n] * grad(x[n + 1]) - xstar),
            L,
        ]
    )


def formula(random_: random.Random, depth: int) -> Any:
    """A random scalar formula that is meant at k."""
    if depth == 0:
        return leaf(random_, k)
    a, b = formula(random_, depth - 1), formula(random_, depth - 1)
    body = leaf(random_, i) * leaf(random_, i)
    good = eta[i] < leaf(random_, i)
    return random_.choice(
        [
            a + b,
            a - b,
            a * b,
            a / (1 + b * b),
            a**2,
            abs(a),
            larger(a, b),
            smaller(a, b),
            (k + 1) * a / 3,
            Sum(body, i, 0, k),
            Sum(body, i, 0, k, where=good),
            Prod(1 + eta[i] * leaf(random_, i), i, 0, k),
            Min(leaf(random_, i), i, 0, k),
            Max(leaf(random_, i), i, 0, k),
            gap(mean(x[i], weight=eta[i], over=(i, 0, k))),
            gap(mean(x[i + 1], over=(i, 0, k))),
        ]
    )


def framework_sides(problem: Problem, rule: Any, relation: Relation) -> list[list[Any]]:
    columns: set[Column] = {as_column(one)[0] for side in (relation.left, relation.right) for one in leaves(side)}
    trace = runner().run(problem, rule, steps=STEPS, columns=columns, xp=XP)
    constants = {n: XP.scalar(v) for n, v in runner().about(problem).constants.items() if v is not None}
    series = Series(XP, trace, constants)
    reached = int(trace.steps[0])  # a zero gradient ends a run
    made = []
    for side in (relation.left, relation.right):
        values = series.values(side, "k", 0, reached).data.reshape(-1)
        made.append([values[n if values.size > 1 else 0] for n in range(reached)])
    return made


@pytest.mark.parametrize("seed", range(60))
def test_the_checker_and_the_framework_find_the_same_sides(seed):
    random_ = random.Random(seed)
    make = random_.choice([some_piecewise, some_piecewise, some_quadratic, lambda r: ridge_2d()])
    problem = make(random_)
    steps = [Fraction(random_.randint(1, 6), random_.randint(2, 9)) for _ in range(STEPS)]
    states = formula(random_, 2) <= formula(random_, 2)
    bound = Bound(given=(GradientDescent(),), states=states)
    left, right = framework_sides(problem, given(steps), states)
    assert problem.data is not None and problem.minimiser is not None
    for n in range(len(left)):
        draft = made(
            bound,
            "0",
            "0",
            at=n,
            function=problem.data,
            constants={"L": str(Fraction(problem.L))} if "L" in str(states) else {},  # type: ignore[arg-type]
            minimiser=[str(Fraction(c)) for c in problem.minimiser.point],
            run=one_run([str(Fraction(c)) for c in problem.start], [str(s) for s in steps]),
        )
        found = Certificate(draft).sides()
        assert [str(value) for value in found] == [str(left[n]), str(right[n])], str(states)


@pytest.mark.parametrize("kind", ["D", "H", "A", "mu"])
@pytest.mark.parametrize("seed", range(4))
def test_numbers_of_a_chord_agree_with_the_framework_in_both_directions(kind, seed):
    problem = some_piecewise(random.Random(seed))
    column = Column(Chord(kind, Point("x"), Point("y")))
    trace = runner().chords(problem, columns=[column], count=1, xp=XP)
    function = Function(problem.data)
    found = trace.columns[column].data.reshape(-1)
    assert len(found) > 100
    for n, value in enumerate(found):
        ends = [[rational(part.split(" = ")[1])] for part in trace.chord(n).split(", ")]
        assert str(chord_quantity(kind, function, *ends)) == str(value), trace.chord(n)

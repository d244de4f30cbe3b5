"""What a float64 run says of a column encloses what the exact run with the same steps from the same start has there."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.evaluate.columns import Column, as_column
from boundcheck.language.letters import A, D, Delta, H, eta, f, grad, i, k, mean, mu, normsq, x, xstar
from boundcheck.language.scalars import Chord, Gap, Scalar
from boundcheck.library.catalogue import problems
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runners import cauchy, given, over_L, polyak, run
from boundcheck.runs.trace import Trace

average = mean(x[i], weight=eta[i], over=(i, 0, k))
PATH: tuple[Scalar, ...] = (
    Gap(x[k]),
    f(x[k]),
    Delta[k],
    normsq(grad(x[k])),
    D(x[k], x[k + 1]),
    H(x[k], x[k + 1]),
    A(x[k], x[k + 1]),
    mu(x[k], xstar),
    Gap(average),
    normsq(average - x[k]),
)
CHEAP = tuple(
    leaf for leaf in PATH if not isinstance(leaf, Chord) or leaf.kind in "DH"
)  # sup and inf over a chord take long in mpmath


def exactly(value: Any) -> Fraction | None:
    """The number that an mpf or an fmpq is; None where it is undefined."""
    if hasattr(value, "_mpf_"):
        sign, mantissa, exponent, _ = value._mpf_
        return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent
    return Fraction(int(value.p), int(value.q)) if hasattr(value, "p") else None


def truths(trace: Trace, column: Column) -> list[tuple[Fraction, float] | None]:
    """Each entry of the only run with its own error."""
    data = trace.columns[column]
    middles = data.data[0] if trace.xp.exact else data.mid[0]
    errors = trace.xp.error(data)[0]
    return [None if (v := exactly(m)) is None else (v, float(e)) for m, e in zip(middles, errors, strict=True)]


def both(problem: Problem, rule: Rule, steps: int, leaves: Sequence[Scalar], xp: str) -> tuple[Trace, Trace]:
    start = [[float(c) for c in problem.start]]
    columns = [as_column(leaf)[0] for leaf in (*leaves, eta[k])]
    trace = run(problem, rule, steps=steps, columns=columns, starts=start)
    taken = trace.xp.middle(trace.columns[columns[-1]])[0]
    return trace, run(problem, given([float(s) for s in taken]), steps=len(taken), columns=columns, starts=start, xp=xp)


CASES = [
    ("quadratic-2d", over_L(1), 40, "rational"),
    ("quadratic-2d", over_L(Fraction(3, 2)), 40, "rational"),
    ("quadratic-3d", polyak(Fraction(3, 2)), 25, "rational"),
    ("quadratic-3d", cauchy(), 300, "mp:60"),
    ("huber", over_L(Fraction(3, 2)), 40, "rational"),
    ("huber", polyak(Fraction(7, 4)), 15, "rational"),
    ("steep-then-flat", polyak(1), 25, "rational"),
    ("quadratic-30d", over_L(1), 100, "mp:60"),
    ("logistic-40x5", over_L(1), 40, "mp:60"),
    ("logistic-40x5", polyak(Fraction(3, 2)), 20, "mp:60"),
    ("smooth-abs", over_L(1), 80, "mp:60"),
]


@pytest.mark.parametrize(("name", "rule", "steps", "xp"), CASES, ids=[f"{n}, {r.name}, {xp}" for n, r, _, xp in CASES])
def test_the_exact_run_is_inside_the_enclosures_of_the_float_run(name: str, rule: Rule, steps: int, xp: str) -> None:
    leaves = CHEAP if name.startswith("logistic") else PATH
    trace, truth = both(problems()[name](), rule, steps, leaves, xp)
    seen = 0
    for leaf in leaves:
        column = as_column(leaf)[0]
        if column not in truth.columns or column not in trace.columns:
            continue
        middles = trace.xp.middle(trace.columns[column])[0]
        radii = trace.xp.error(trace.columns[column])[0]
        for n, (true, middle, radius) in enumerate(zip(truths(truth, column), middles, radii, strict=False)):
            if true is None or not np.isfinite(radius):
                continue
            value, error = true
            off = abs(Fraction(float(middle)) - value)
            assert off <= Fraction(float(radius)) + Fraction(error), (
                f"{leaf} at {n}: {middle} is off by {float(off):.3g}, radius {radius:.3g}"
            )
            seen += 1
    assert seen > 20


def test_the_enclosures_are_tight_enough_to_be_of_use() -> None:
    """After 300 steps the trajectory's error is still close to rounding."""
    trace, _ = both(problems()["quadratic-30d"](), over_L(1), 300, (Delta[k],), "mp:30")
    column = as_column(Delta[k])[0]
    relative = trace.xp.error(trace.columns[column])[0] / trace.xp.middle(trace.columns[column])[0]
    assert relative.max() < 1e-10


def test_a_start_that_floats_cannot_hold_is_replaced_by_the_one_that_they_hold() -> None:
    """1/3 is not a double: the run is the exact run from the double next to it."""
    from boundcheck.problems.quadratic import quadratic

    problem = quadratic([[1, 0], [0, 10]], start=[Fraction(1, 3), Fraction(1, 7)], name="thirds")
    column = as_column(Delta[k])[0]
    trace = run(problem, over_L(1), steps=1, columns=[column])
    stored = Fraction(1 / 3) ** 2 + Fraction(1 / 7) ** 2
    middle, radius = trace.xp.middle(trace.columns[column])[0, 0], trace.xp.error(trace.columns[column])[0, 0]
    assert abs(Fraction(float(middle)) - stored) <= Fraction(float(radius))

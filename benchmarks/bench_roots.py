"""Strongly adapted steps, eta = 1/D(x, x - eta grad f(x)), on logistic regression with 280 samples of 34: cost, and failures.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_roots.py [--quick]

The cost of a step is that of the whole run, gradient included, against a step of the bare NumPy loop with 1/L (f, gradient,
update: what performance goals call a bare step), and against gradient descent with 1/L in the same engine. A start
fails if its run ends without a step, or if the residual, computed here by another formula, does not change its sign within a
relative 2^-20 of the step. Starts are near 0, far away, and near the minimiser, with a good, a bad or no step before.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import Any

import numpy as np
from alike import as_function
from baselines import bare_run
from harness import Measured, compare, spread_of, told

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RunEnds
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.runners import over_L, run, strongly_adapted
from boundcheck.runners.engine.run_view import RunView

WIDTH = 2.0**-20
STEPS = 60  # from the start until gradients are below 1e-9
LOOP, ENGINE = 4, 8  # times as many steps of 1/L are timed as strongly adapted ones


def residual(Z: Any, x: Any, g: Any, eta: float) -> float:
    """|g(eta) - g| / |g| - 1/2, by s'(a) - s'(b) = sinh((a - b) / 2) / (2 cosh(a / 2) cosh(b / 2))."""
    with np.errstate(over="ignore"):
        b, w = Z @ x, Z @ g
        a = b - eta * w
        # the quotient without overflow: everything times e^(-|a|/2 - |b|/2)
        half = -eta * w / 2
        below = (1 + np.exp(-np.abs(a))) * (1 + np.exp(-np.abs(b)))
        above = np.exp(np.abs(half) - np.abs(a) / 2 - np.abs(b) / 2) * -np.expm1(-2 * np.abs(half))
        change = Z.T @ (np.sign(half) * above / below)
    return float(np.linalg.norm(change) / np.linalg.norm(g) - 0.5)


def starts(problem: Problem, count: int, seed: int = 7) -> Any:
    """A quarter each: of size 1/8 to 1, far, tiny, and near the minimiser; with the size of the step before, or none."""
    assert problem.minimiser is not None
    rng = np.random.default_rng(seed)
    star = np.array([float(Fraction(v)) for v in problem.minimiser.point])
    for n in range(count):
        direction = rng.standard_normal(problem.dimension)
        kind = n % 4
        if kind == 3:
            x = star + direction * 10 ** rng.uniform(-9, -1)
        else:
            x = direction * 10 ** (rng.uniform(-1, 0), rng.uniform(0, 2.5), rng.uniform(-12, -6))[kind]
        yield x, (None, 1.0, 10 ** rng.uniform(-3, 3))[(n // 4) % 3]


def failures(problem: Problem, rule: Rule, count: int) -> int:
    Z, L, failed = problem.grad.__self__.constants._matrix, float(problem.L), 0  # type: ignore[attr-defined,arg-type]
    for x, scale in starts(problem, count):
        g = problem.grad(FLOAT64, x)
        before = None
        if scale is not None:
            before = RunView(problem, FLOAT64, 0, x, g, None, L, 2)
            before.eta = np.float64(scale / L)
        try:
            eta = float(rule.step(RunView(problem, FLOAT64, 1, x, g, before, L, 2)))
        except RunEnds:
            failed += 1
            continue
        failed += not residual(Z, x, g, eta * (1 - WIDTH)) < 0 < residual(Z, x, g, eta * (1 + WIDTH))
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="400 starts, short runs")
    parser.add_argument("--repeat", type=int, default=0)
    chosen = parser.parse_args()
    problem, rule, bare = synthetic_logistic(280, 34), strongly_adapted("D"), over_L(1)
    steps, count, repeat = (STEPS, 400, 41) if chosen.quick else (STEPS, 10_000, 201)
    function = as_function(problem)
    strong = ("1/D", lambda: run(problem, rule, steps=steps))
    # about as much work on both sides, so that whoever else uses the machine takes as much from both
    for times, name, goal, work in (
        (LOOP, "a step of the bare loop with 1/L", "9", lambda: bare_run(function, LOOP * steps)),
        (ENGINE, "a step of 1/L in the same engine", "", lambda: run(problem, bare, steps=ENGINE * steps)),
    ):
        (ratio,) = compare((name, work), strong, repeat=chosen.repeat or repeat)
        each = [times * value for value in (ratio.median, ratio.low, ratio.high)]
        what = f"a strongly adapted step, eta = 1/D / {name}"
        told(Measured(what, *each, unit="x", goal=goal, limit=5.0 if goal else None))
    failed = failures(problem, rule, count)
    told(spread_of(f"roots not found, or not bracketed, from {count} random starts", [failed], "", goal="9", limit=0))


if __name__ == "__main__":
    main()

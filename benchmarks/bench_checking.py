"""What checking costs: `run` and `check` of every claim that applies, M = D and H, against a bare NumPy loop with f (goals 4, 5).

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_checking.py [--steps 20000] [--repeat 5] [--quick]

`boundcheck.run` and `boundcheck.check`, as a user calls them: all claims of the library about one run of gradient descent
that read no sup or inf along a chord, and four of them alone, at every k, in float64 with error bounds, tightness and both
sides. The bare loop computes f, the gradient, the step and the update, as anyone would write it. One thread each: pools that
fight would measure the fight. Compiled code is made before the clock starts; its time is told apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from harness import Measured, compare, told
from threadpoolctl import threadpool_limits

from boundcheck import check, run
from boundcheck.arithmetic.compiled import uncompiled, wanted
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.check.question import Question
from boundcheck.claims.bound import Bound
from boundcheck.language.scalars import Chord
from boundcheck.library.catalogue import bounds
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.quadratic import power_law_quadratic
from boundcheck.runners import over_L, polyak
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

GD = "gradient descent"
GOALS = {"quadratic d=10": 1.5, "quadratic d=300": 1.4, "logistic 280x34": 1.5}
POLYAK_GOAL, COMPILED_GOAL = 1.8, 1.15
FEW = 4


def asked(problem: Problem, rule: Rule) -> list[Question]:
    """Every claim that applies to this run, M = D and H, but those that read a sup or inf along a chord."""
    about_runs = [b for b in bounds() if not b.is_about_chords and len(b.runs.roles) == 1]
    found = GridSetting(problem, "float64", PROFILES["full"], (rule,)).asked(about_runs, rule, ("H", "D"))
    return [q for q in found if not q.wrong_method(GD) and not _reads_extremum(q)]


def _reads_extremum(q: Question) -> bool:
    return any(isinstance(n, Chord) and n.kind in ("A", "mu") for c in q.columns for n in c.formula.walk())


def claims(problem: Problem, rule: Rule) -> list[Bound]:
    """The claims of those questions, in the library's order."""
    return list({q.bound.id: q.bound for q in asked(problem, rule)}.values())


def checked(problem: Problem, rule: Rule, steps: int, found: list[Bound]) -> int:
    """What a user types."""
    return len(check(found, run(problem, rule, steps=steps), smoothness=("D", "H")))


def without_numba(problem: Problem, rule: Rule, steps: int, found: list[Bound]) -> int:
    with uncompiled():
        return checked(problem, rule, steps, found)


def bare_quadratic(problem: Problem, steps: int, gamma: float | None) -> Callable[[], Any]:
    B, xstar = np.ascontiguousarray(problem.hessian(FLOAT64).rows), FLOAT64.vector(problem.minimiser.point)  # type: ignore
    start, L = FLOAT64.vector(problem.start), float(problem.L)  # type: ignore[arg-type]

    def loop() -> Any:
        x, values, eta = start.copy(), np.empty(steps), 1 / L
        for k in range(steps):
            d = x - xstar
            g = B @ d
            values[k] = 0.5 * (d @ g)
            if gamma is not None:
                eta = gamma * values[k] / (g @ g)
            x = x - eta * g
        return values

    return loop


def bare_logistic(problem: Problem, steps: int, gamma: float | None) -> Callable[[], Any]:
    Z = np.array(problem.grad.__self__.constants._matrix)  # type: ignore[attr-defined]
    start, L, fstar = FLOAT64.vector(problem.start), float(problem.L), float(problem.minimiser.value)  # type: ignore

    def loop() -> Any:
        x, values, eta = start.copy(), np.empty(steps), 1 / L
        for k in range(steps):
            z = Z @ x
            values[k] = np.logaddexp(0, z).sum()
            g = Z.T @ (1 / (1 + np.exp(-z)))
            if gamma is not None:
                eta = gamma * (values[k] - fstar) / (g @ g)
            x = x - eta * g
        return values

    return loop


def problems() -> dict[str, tuple[Problem, Callable[..., Callable[[], Any]]]]:
    return {
        "quadratic d=10": (power_law_quadratic(dimension=10, seed=0), bare_quadratic),
        "quadratic d=300": (power_law_quadratic(dimension=300, seed=0), bare_quadratic),
        "logistic 280x34": (synthetic_logistic(280, 34), bare_logistic),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="2,000 steps, once: fixed costs weigh ten times as much")
    given = parser.parse_args()
    steps, repeat = (2_000, 1) if given.quick else (given.steps, given.repeat)
    with threadpool_limits(limits=1), np.errstate(over="ignore"):
        for name, (problem, bare) in problems().items():
            for rule, gamma in ((over_L(1), None), (polyak(1), 1.0)):
                _measure(name, problem, rule, bare(problem, steps, gamma), steps, repeat)


def _measure(name: str, problem: Problem, rule: Rule, loop: Callable[[], Any], steps: int, repeat: int) -> None:
    found = claims(problem, rule)
    what = f"{name}, {rule.name}, {len(found)} claims"
    plain, fast = f"run and check, {what}, NumPy", f"run and check, {what}, compiled"
    few = f"run and check, {name}, {rule.name}, {FEW} claims, NumPy"
    limit = GOALS[name] if rule.constant else POLYAK_GOAL
    contenders = [
        (plain, lambda: without_numba(problem, rule, steps, found)),
        (few, lambda: without_numba(problem, rule, steps, found[:FEW])),
    ]
    limits = {plain: limit}
    if wanted():
        started = time.perf_counter()
        checked(problem, rule, steps, found)
        first = time.perf_counter() - started
        contenders.append((fast, lambda: checked(problem, rule, steps, found)))
        if name.startswith("quadratic"):
            limits[fast] = COMPILED_GOAL
    for ratio in compare(("bare loop", loop), *contenders, repeat=repeat, limits=limits):
        goal = "4" if ratio.name == plain else "5" if ratio.limit is not None else ""
        told(replace(ratio.slower(), goal=goal))
        if ratio.name == fast:
            apart = max(first - ratio.seconds, 0.0)
            told(Measured(f"{what}: loading compiled code, once", apart, apart, apart, "s"))


if __name__ == "__main__":
    main()

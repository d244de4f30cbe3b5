"""What certified verdicts cost: balls against the best mpmath and against float64, on logistic regression with 280 samples of 34.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_certified.py [--steps 100] [--repeat 5]

The mpmath loop is written for speed: one fdot a row, one exp a sample, shared by f and its gradient.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
from harness import compare

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.ball import Ball
from boundcheck.bound import Bound
from boundcheck.language.scalars import Chord
from boundcheck.problem import Problem
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.registry import bounds
from boundcheck.rule import Rule
from boundcheck.runners import over_L, polyak
from boundcheck.suite import PROFILES, Setting
from boundcheck.verdict import Outcome

DIGITS, BITS = 50, 169


def mpmath_oracle(problem: Problem) -> Any:
    """f and grad f at 50 digits, as fast as mpmath goes."""
    context = mpmath.MPContext()
    context.dps = DIGITS
    Z = [[context.mpf(float(v)) for v in row] for row in problem.grad.__self__.constants._matrix]  # type: ignore[attr-defined]
    columns = list(zip(*Z, strict=True))

    def both(x: list[Any]) -> tuple[Any, list[Any]]:
        z = [context.fdot(row, x) for row in Z]
        tails = [context.exp(-abs(v)) for v in z]
        f = context.fsum(context.log1p(t) + max(v, 0) for v, t in zip(z, tails, strict=True))
        s = [1 / (1 + t) if v >= 0 else t / (1 + t) for v, t in zip(z, tails, strict=True)]
        return f, [context.fdot(column, s) for column in columns]

    return context, both


def applicable(setting: Setting, rule: Rule, *, chords: bool) -> list[tuple[Any, list[Any]]]:
    """The questions about gradient descent with this rule; without `chords`, those that need no sup or inf along a chord."""

    def reads_extremum(q: Any) -> bool:
        return any(isinstance(n, Chord) and n.kind in ("A", "mu") for c in q.columns for n in c.formula.walk())

    about_runs = [b for b in bounds() if _is_plain(b)]
    found = setting.experiments(about_runs, rule)
    return [(e, [q for q in asked if chords or not reads_extremum(q)]) for e, asked in found if e.is_gradient_descent]


def _is_plain(bound: Bound) -> bool:
    return not bound.is_about_chords and len(bound.runs.roles) == 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=5)
    chosen = parser.parse_args()
    problem = synthetic_logistic(280, 34)
    x = np.random.default_rng(1).standard_normal(34) / 8
    context, both = mpmath_oracle(problem)
    ball, float64 = Ball(BITS), arithmetic("float64")
    in_mpmath = [context.mpf(float(v)) for v in x]
    in_floats = float64.plain.vectors(x)

    def balls() -> object:
        at = ball.vectors(x)
        return problem.f(ball, at), problem.grad(ball, at)

    def floats() -> object:
        return [(problem.f(float64.plain, in_floats), problem.grad(float64.plain, in_floats)) for _ in range(20)]

    print(f"f and its gradient at {DIGITS} digits, logistic 280 x 34 (float64: twenty times)")
    for ratio in compare(("balls", balls), ("mpmath", lambda: both(in_mpmath)), ("20 x float64", floats), repeat=chosen.repeat):
        print(f"  {ratio}")
    for rule in (over_L(1), polyak(1)) if chosen.steps else ():
        for chords in (False, True):
            _claims(problem, rule, chosen.steps, chords)


def _claims(problem: Problem, rule: Rule, steps: int, chords: bool) -> None:
    profile = replace(PROFILES["full"], steps=steps)
    times = {}
    for name in ("float64", "auto"):
        setting = Setting(problem, name, profile, (rule,))
        asked = applicable(setting, rule, chords=chords)
        started = time.perf_counter()
        found = [v for experiment, questions in asked for v in setting.answers(experiment, questions)]
        times[name] = time.perf_counter() - started
    certified = sum(v.exercised and v.certified for v in found)
    undecided = sum(v.outcome is Outcome.UNDECIDED for v in found)
    what = "all applicable claims" if chords else "all that need no sup or inf along a chord"
    print(f"{rule.name}, {steps} steps, {what}: {len(found)} verdicts, {certified} certified, {undecided} undecided")
    ratio = times["auto"] / times["float64"]
    print(f"  auto {steps / times['auto']:.0f} iterates a second, {ratio:.1f} x float64 with error bounds")


if __name__ == "__main__":
    main()

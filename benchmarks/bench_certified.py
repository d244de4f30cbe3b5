"""What certified verdicts cost: balls against the best mpmath and against float64, on logistic regression with 280 samples of 34.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_certified.py [--quick] [--steps 100] [--repeat 25] [--all]

The mpmath loop is written for speed: one fdot a row, one exp a sample, shared by f and its gradient. Every repetition is at
another point, or on a problem made anew, so that nothing kept from one serves the next. Certified iterates are counted by the
second of computing time of the one process, which is the clock's on an idle core: the whole ladder, with runs made again for
exact steps and for more bits.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
from alike import margins
from baselines import mpmath_logistic
from harness import Ratio, compare, spread_of, told

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.balls.ball import Ball
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.language.scalars import Chord
from boundcheck.library.catalogue import bounds
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.runners import over_L, polyak
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

DIGITS, BITS = 50, 169
MANY, FLOATS = 25, 40  # evaluations in balls and in float64 that are timed at once


def applicable(setting: GridSetting, rule: Rule, *, chords: bool) -> list[tuple[Any, list[Any]]]:
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
    parser.add_argument("--quick", action="store_true", help="30 steps, one repetition of the claims")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=25)
    parser.add_argument("--all", action="store_true", help="Polyak's steps too, and claims about sup and inf along a chord")
    chosen = parser.parse_args()
    oracles(synthetic_logistic(280, 34), chosen.repeat)
    steps = chosen.steps or (30 if chosen.quick else 100)
    claims(over_L(1), steps, False, 1 if chosen.quick else 15, goal="8")
    if chosen.all:
        for rule, chords in ((over_L(1), True), (polyak(1), False), (polyak(1), True)):
            claims(rule, steps, chords, 1)


def oracles(problem: Problem, repeat: int) -> None:
    """f and its gradient, at a new point each time."""
    context, both = mpmath_logistic(margins(problem), DIGITS)
    ball, float64 = Ball(BITS), arithmetic("float64")
    points = (np.random.default_rng(n).standard_normal(34) / 8 for n in count(1))

    def balls() -> object:
        at = ball.vectors(next(points))
        return problem.f(ball, at), problem.grad(ball, at)

    def floats() -> object:
        at = float64.plain.vectors(next(points))
        return [(problem.f(float64.plain, at), problem.grad(float64.plain, at)) for _ in range(FLOATS)]

    def in_mpmath() -> object:
        return both([context.mpf(float(v)) for v in next(points)])

    # about as much work on both sides, so that whoever else uses the machine takes as much from both
    def many_balls() -> object:
        return [balls() for _ in range(MANY)]

    name = f"f and gradient at {DIGITS} digits, balls"
    (by_mpmath,) = compare(("the best mpmath", in_mpmath), (name, many_balls), repeat=repeat)
    each = [value / MANY for value in (by_mpmath.median, by_mpmath.low, by_mpmath.high)]
    told(replace(Ratio(name, "the best mpmath", *each, by_mpmath.seconds / MANY).faster(15.0), goal="7"))
    (by_floats,) = compare((f"{FLOATS} x float64", floats), (name, balls), repeat=8 * repeat)
    each = [FLOATS * value for value in (by_floats.median, by_floats.low, by_floats.high)]
    told(replace(Ratio(name, "float64", *each, by_floats.seconds, 60.0).slower(), goal="7"))


def claims(rule: Rule, steps: int, chords: bool, repeat: int, goal: str = "") -> None:
    """All claims of the library that apply to the rule's run, by the ladder, and by float64 with error bounds in turn."""
    profile = replace(PROFILES["full"], steps=steps)
    rates, ratios = [], []
    for _ in range(repeat):
        times, problem = {}, synthetic_logistic(280, 34)
        for name in ("float64", "auto"):
            setting = GridSetting(problem, name, profile, (rule,))
            asked = applicable(setting, rule, chords=chords)
            started = time.process_time()
            found = [v for experiment, questions in asked for v in setting.answers(experiment, questions)]
            times[name] = time.process_time() - started
        rates.append(steps / times["auto"])
        ratios.append(times["auto"] / times["float64"])
    what = f"{rule.name}, {steps} steps, {len(found)} claims" + (" with sup and inf along chords" if chords else "")
    least = 250.0 if goal else None
    told(spread_of(f"certified iterates a second, {what}", rates, "1/s", goal=goal, limit=least, at_least=True))
    told(spread_of(f"auto / float64 with error bounds, {what}", ratios, "x"))
    certified = sum(v.exercised and v.certified for v in found)
    undecided = sum(v.outcome is Outcome.UNDECIDED for v in found)
    print(f"  {certified} of {len(found)} verdicts are certified, {undecided} undecided; the rest are vacuous")


if __name__ == "__main__":
    main()

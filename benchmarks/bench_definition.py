"""Evaluation in one pass against the plain NumPy loop that computes every sum anew at each k, on runs that are already there.

    python benchmarks/bench_definition.py [--quick]

Both give both sides of the claim at every k. Ours have error bounds and a verdict at each k besides, with the hypotheses checked.
The claim about Polyak's step is asked at every k, also where float64 cannot decide it any more. The whole is compared too: a bare
run whose claims are checked from the definition, against a run that is checked as it streams; runs without checks against the
bare loop; and mpmath against balls. Seconds are of the processor: all of it is one thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from time import process_time
from unittest import mock

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from alike import as_function, margins
from baselines import CLAIMS, bare_run, mpmath_logistic, mpmath_quadratic, mpmath_run, recorded_run
from harness import arguments, compare, told

from boundcheck.check.answer import answer
from boundcheck.check.question import Question, needs
from boundcheck.check.verdict_builder import VerdictBuilder
from boundcheck.library.catalogue import find_bounds
from boundcheck.model.problem import Problem
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.quadratic import random_quadratic
from boundcheck.runners import over_L, polyak, run
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

DIGITS, BALLS = 50, "ball:169"


def questions(problem: Problem, label: str, gamma: float | None, arithmetic: str = "float64") -> list[Question]:
    rule = over_L(1) if gamma is None else polyak(Fraction(gamma))
    return GridSetting(problem, arithmetic, PROFILES["full"], (rule,)).asked(find_bounds(label), rule, ("D",))


def evaluation(problem: Problem, steps: int, repeat: int) -> None:
    """Each claim alone, on a run that is there."""
    for label, (from_definition, gamma) in CLAIMS.items():
        asked = questions(problem, label, gamma)
        rule = over_L(1) if gamma is None else polyak(Fraction(gamma))
        trace = run(problem, rule, steps=steps, columns=needs(asked, "gradient descent"))
        plain = recorded_run(as_function(problem), steps, gamma)

        def ours(trace=trace, asked=asked) -> object:
            with mock.patch.object(VerdictBuilder, "worth_asking", lambda it: it.end):
                return answer(asked, trace)

        def theirs(plain=plain, gamma=gamma, from_definition=from_definition) -> object:
            return from_definition(plain, gamma)

        name = f"{label} at every k, K = {steps:,}"
        for ratio in compare(("the loop from the definition", theirs), (name, ours), repeat=repeat, clock=process_time):
            told(ratio.faster())


def whole(problem: Problem, steps: int, repeat: int) -> None:
    """Run and check: three claims, steps 1/L."""
    labels = [label for label, (_, gamma) in CLAIMS.items() if gamma is None]
    asked = [q for label in labels for q in questions(problem, label, None)]

    def theirs() -> object:
        plain = recorded_run(as_function(problem), steps)
        return [CLAIMS[label][0](plain) for label in labels]

    def ours() -> object:
        return answer(asked, run(problem, over_L(1), steps=steps, columns=needs(asked, "gradient descent")))

    name = f"run and {len(labels)} claims, K = {steps:,}"
    for ratio in compare(("the loop from the definition", theirs), (name, ours), repeat=repeat, clock=process_time):
        told(ratio.faster())


def unchecked(problem: Problem, what: str, steps: int, repeat: int) -> None:
    """A run alone, which no claim asks anything of, against the bare loop: steps 1/L and Polyak's."""
    function = as_function(problem)
    for gamma in (None, 1.5):
        rule = over_L(1) if gamma is None else polyak(Fraction(gamma))

        def theirs(gamma=gamma) -> object:
            return bare_run(function, steps, gamma)

        def ours(rule=rule) -> object:
            return run(problem, rule, steps=steps)

        name = f"run without checks, {what}, {rule.name}, K = {steps:,}"
        for ratio in compare(("the bare loop", theirs), (name, ours), repeat=repeat, clock=process_time):
            told(ratio.slower())


def in_many_digits(problem: Problem, what: str, steps: int, repeat: int) -> None:
    """A run alone: mpmath against balls, which enclose every iterate."""
    function = as_function(problem)
    if problem.hessian is None:
        context, both = mpmath_logistic(margins(problem), DIGITS)
    else:
        rows = [function.grad(function.xstar + e) for e in _basis(problem.dimension)]
        context, both = mpmath_quadratic(rows, function.xstar, DIGITS)
    asked = questions(problem, "eq:local-descent-lemma@printed", None, BALLS)
    columns = needs(asked, "gradient descent")

    def mpmath() -> object:
        return mpmath_run(both, context, function.start, function.L, steps)

    def balls() -> object:
        return run(problem, over_L(1), steps=steps, xp=BALLS)

    def checked() -> object:
        return answer(asked, run(problem, over_L(1), steps=steps, columns=columns, xp=BALLS))

    ours: list[tuple[str, Callable[[], object]]] = [
        (f"run enclosed in {BALLS}, {what}", balls),
        (f"run enclosed in {BALLS} and the descent lemma certified, {what}", checked),
    ]
    for ratio in compare((f"the mpmath loop at {DIGITS} digits", mpmath), *ours, repeat=repeat, clock=process_time):
        told(ratio.faster())


def _basis(d: int) -> list[list[float]]:
    return [[float(i == j) for j in range(d)] for i in range(d)]


def main() -> None:
    given = arguments(__doc__).parse_args()
    problem = random_quadratic(10, condition=1000, seed=1)
    for steps in (500,) if given.quick else (2_000, 20_000):
        evaluation(problem, steps, repeat=3 if steps > 2_000 or given.quick else 5)
        whole(problem, steps, repeat=3)
    quadratics = {
        f"quadratic d = {d}": random_quadratic(d, condition=1000, seed=1) for d in ((10,) if given.quick else (10, 300))
    }
    problems = quadratics | ({} if given.quick else {"logistic 280 x 34": synthetic_logistic(280, 34)})
    for what, each in problems.items():
        unchecked(each, what, 200 if given.quick else 2_000, repeat=3 if given.quick else 7)
    for what, each in problems.items():
        in_many_digits(each, what, 5 if given.quick else 10, repeat=3)


if __name__ == "__main__":
    main()

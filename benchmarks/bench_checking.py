"""What checking costs: a run with every Section 2 and Polyak claim, M = H and D, against the bare NumPy loop that computes f.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_checking.py [--steps 20000] [--dimension 300] [--repeat 5]

One thread each: pools that fight would measure the fight.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from unittest import mock

import numpy as np
from harness import compare

from boundcheck.arithmetic import arithmetic
from boundcheck.bound import Bound
from boundcheck.check import answer, check
from boundcheck.decide import decide
from boundcheck.problem import Problem
from boundcheck.problems.quadratic import power_law_quadratic
from boundcheck.question import Question, needs
from boundcheck.registry import bounds
from boundcheck.rule import Rule
from boundcheck.runners import over_L, polyak, run
from boundcheck.suite import PROFILES, Setting

SECTIONS = ("2", "A", "4.2.2", "D")


def bare_loop(problem: Problem, B: np.ndarray, xstar: np.ndarray, steps: int, gamma: float | None) -> np.ndarray:
    """Gradient descent as anyone would write it: f, gradient, step, update."""
    x = np.array([float(c) for c in problem.start])
    values = np.empty(steps)
    eta = 1.0 / float(problem.L)  # type: ignore[arg-type]
    for k in range(steps):
        d = x - xstar
        g = B @ d
        values[k] = 0.5 * (d @ g)
        if gamma is not None:
            eta = gamma * values[k] / (g @ g)
        x = x - eta * g
    return values


def claims() -> list[Bound]:
    return [b for b in bounds() if b.source.section in SECTIONS and not b.is_about_chords and not b.untested]


def asked(problem: Problem, rule: Rule) -> list[Question]:
    """What `boundcheck check` asks of this rule: a claim about Polyak steps is not asked of constant ones."""
    return Setting(problem, "float64", PROFILES["full"], (rule,)).asked(claims(), rule, ("H", "D"))


def checked(problem: Problem, rule: Rule, steps: int, found: list[Question]) -> int:
    """Run and decide every claim; f at a mean only where Jensen's inequality does not settle the claim."""
    trace = run(problem, rule, steps=steps, columns=needs([q.through_jensen() or q for q in found], "gradient descent"))
    return len(decide(found, trace))


def asked_at_every_k(problem: Problem, rule: Rule, steps: int, found: list[Question]) -> int:
    """The same, also where a hypothesis is undecided already and nothing can come of it: Polyak runs leave float64 early."""
    with mock.patch.object(check._Asked, "_worth_asking", lambda asked: asked.end):
        return checked(problem, rule, steps, found)


def measured(problem: Problem, rule: Rule, steps: int, found: list[Question]) -> int:
    """Run and measure every claim: f at every mean computed while the run streams, and how tight each bound is."""
    trace = run(problem, rule, steps=steps, columns=needs(found, "gradient descent"))
    return len(answer(found, trace))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    problem = power_law_quadratic(dimension=given.dimension, seed=0)
    assert problem.minimiser is not None
    xstar = np.array([float(c) for c in problem.minimiser.point])
    plain = arithmetic("float64").plain
    B = np.asarray(problem.hessian_vector(plain, np.zeros(given.dimension), np.eye(given.dimension)))  # type: ignore[misc]
    print(f"{len(claims())} claims, d = {given.dimension}, K = {given.steps}, M = H and D")
    for rule, gamma, limit in ((over_L(1), None, 1.6), (polyak(Fraction(3, 2)), 1.5, 2.0)):
        name, found = f"checked {rule.name}", asked(problem, rule)
        for ratio in compare(
            (f"bare {rule.name}", lambda gamma=gamma: bare_loop(problem, B, xstar, given.steps, gamma)),
            (f"unchecked {rule.name}", lambda rule=rule: run(problem, rule, steps=given.steps)),
            (f"{name}", lambda rule=rule, found=found: checked(problem, rule, given.steps, found)),
            (f"{name}, every k", lambda rule=rule, found=found: asked_at_every_k(problem, rule, given.steps, found)),
            (f"checked and measured {rule.name}", lambda rule=rule, found=found: measured(problem, rule, given.steps, found)),
            repeat=given.repeat,
            limits={name: limit, f"{name}, every k": limit},
        ):
            print(ratio)


if __name__ == "__main__":
    main()

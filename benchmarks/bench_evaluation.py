"""Evaluating all claims of one run costs time linear in K: the same claims at K = 20,000 against K = 2,000.

python benchmarks/bench_evaluation.py [--repeat 7]
"""

from __future__ import annotations

import argparse
from fractions import Fraction

from harness import compare

from boundcheck.check import answer
from boundcheck.problems.quadratic import random_quadratic
from boundcheck.question import needs
from boundcheck.registry import bounds
from boundcheck.runners import over_L, polyak, run
from boundcheck.suite import PROFILES, Setting

SHORT, LONG = 2_000, 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=7)
    given = parser.parse_args()
    problem = random_quadratic(5, condition=100, seed=1)
    for rule in (over_L(1), polyak(Fraction(1))):
        asked = Setting(problem, "float64", PROFILES["full"], (rule,)).asked(bounds(), rule)
        traces = {K: run(problem, rule, steps=K, columns=needs(asked, "gradient descent")) for K in (SHORT, LONG)}
        print(f"{len(asked)} questions about {rule.name}")
        for ratio in compare(
            (f"K = {SHORT}", lambda traces=traces, asked=asked: answer(asked, traces[SHORT])),
            (f"K = {LONG}", lambda traces=traces, asked=asked: answer(asked, traces[LONG])),
            repeat=given.repeat,
            limits={f"K = {LONG}": 12.0},
        ):
            print(ratio)


if __name__ == "__main__":
    main()

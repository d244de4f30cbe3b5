"""Evaluating all claims of one run costs time linear in K: the same claims, in float64, at K = 100,000 against K = 20,000.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_evaluation.py [--quick] [--repeat 3]

The run is made before; what is timed is the verdicts of every question about it. With --quick: 10,000 against 2,000.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from fractions import Fraction

from harness import compare, told

from boundcheck.check.answer import answer
from boundcheck.check.question import needs
from boundcheck.library.catalogue import bounds
from boundcheck.problems.quadratic import random_quadratic
from boundcheck.runners import over_L, polyak, run
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

TIMES, LIMIT = 5, 5.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    problem, short = random_quadratic(5, condition=100, seed=1), 2_000 if given.quick else 20_000
    long = TIMES * short
    for rule in (over_L(1), polyak(Fraction(1))):
        asked = GridSetting(problem, "float64", PROFILES["full"], (rule,)).asked(bounds(), rule)
        traces = {K: run(problem, rule, steps=K, columns=needs(asked, "gradient descent")) for K in (short, long)}
        name = f"{len(asked)} claims about {rule.name}, K = {long:,}"
        (ratio,) = compare(
            (f"K = {short:,}", lambda traces=traces, asked=asked: answer(asked, traces[short])),
            (name, lambda traces=traces, asked=asked: answer(asked, traces[long])),
            repeat=given.repeat,
            limits={name: LIMIT},
        )
        told(replace(ratio.slower(), goal="" if given.quick else "6"))


if __name__ == "__main__":
    main()

"""A general dense matrix, four methods: the engine's batch, one product for all, against the plain loop (goal 3).

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_dense.py [--dimension 300] [--steps 2000] [--repeat 5] [--quick]

The plain loop takes one method at a time, with a dense product for the gradient and one for B g, and notes the gap, D and the
step, as in the figure. The engine makes the same runs and records the same three columns, with their error bounds. No structure
of the matrix is used: no eigenbasis.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
from bench_figures import plain_loop
from harness import compare, told
from threadpoolctl import threadpool_limits

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import D, eta, i, x
from boundcheck.language.scalars import Gap
from boundcheck.problems.quadratic import random_quadratic
from boundcheck.runners import cauchy, dai_yang, over_L, polyak, run

GOAL = 3
METHODS = ("1/L", "polyak(1)", "1/A", "1/D")
COLUMNS = [as_column(leaf)[0] for leaf in (Gap(x[i]), D(x[i], x[i + 1]), eta[i])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--steps", type=int, default=2_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="300 steps, once")
    given = parser.parse_args()
    steps, repeat = (300, 1) if given.quick else (given.steps, given.repeat)
    problem = random_quadratic(given.dimension, condition=1000.0, seed=0)
    A = np.ascontiguousarray(problem.hessian(FLOAT64).rows)  # type: ignore[misc]
    xstar, start = FLOAT64.vector(problem.minimiser.point), FLOAT64.vector(problem.start)  # type: ignore[union-attr]
    whole = (A, A @ xstar, start, -0.5 * xstar @ A @ xstar, float(problem.L))  # type: ignore[arg-type]
    rules = (over_L(1), polyak(1), cauchy(), dai_yang())
    with threadpool_limits(limits=1), np.errstate(all="ignore"):
        for ratio in compare(
            ("the plain loop", lambda: [plain_loop(*whole, method, steps) for method in METHODS]),
            (f"dense d={given.dimension}, 4 methods in a batch", lambda: run(problem, rules, steps=steps, columns=COLUMNS)),
            repeat=repeat,
        ):
            told(replace(ratio.faster(GOAL), goal="3"))


if __name__ == "__main__":
    main()

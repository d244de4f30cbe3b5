"""The quadratics figure: all its runs in the eigenbasis against a plain NumPy loop, in the manner of the authors' script.

python benchmarks/bench_figures.py [STEPS]

The loop takes one problem and one method at a time, with a dense product for the gradient and one for B g, and notes the gap, D
and the step. Both make the same runs of the same methods; the loop's first gaps are checked against the engine's. STEPS is 2,000
unless given: the loop takes minutes for the figure's 20,000. The engine's time has the eigendecompositions in it.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from harness import compare
from threadpoolctl import threadpool_limits

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.figure import figures
from boundcheck.registry import drawn_from, runner
from boundcheck.theorems.directional_smoothness.figures.quadratics import METHODS

GOAL = 20  # times as fast


def plain_loop(A: Any, b: Any, start: Any, fstar: float, method: str, L: float, steps: int) -> Any:
    """x'Ax/2 - b'x, minimised from a start; the gap, D and eta of every step."""
    x = start.copy()
    noted = np.empty((3, steps))
    for k in range(steps):
        g = A @ x - b
        gap = 0.5 * (x @ (g - b)) - fstar
        Bg = A @ g
        D = 2 * np.linalg.norm(Bg) / np.linalg.norm(g)
        if method == "1/L":
            eta = 1 / L
        elif method == "1/D":
            eta = 1 / D
        elif method == "1/A":
            eta = (g @ g) / (g @ Bg)
        elif method == "polyak(1)":
            eta = gap / (g @ g)
        else:
            eta = 2 * np.sqrt(2) / D
        noted[:, k] = gap, D, eta
        x = x - eta * g
    return noted


def main(steps: int) -> None:
    options = figures()["quadratics"].options
    problems = [drawn_from("power-law", dimension=options["dimension"], seed=seed) for seed in range(options["problems"])]
    dense = []
    for problem in problems:
        A = np.ascontiguousarray(problem.hessian(FLOAT64).rows)  # type: ignore[misc]
        xstar = FLOAT64.vector(problem.minimiser.point)  # type: ignore[union-attr]
        dense.append((A, A @ xstar, FLOAT64.vector(problem.start), -0.5 * xstar @ A @ xstar, float(problem.L)))  # type: ignore[arg-type]

    def loop() -> Any:
        return [[plain_loop(A, b, x, f, method, L, steps) for method in METHODS] for A, b, x, f, L in dense]

    def engine() -> Any:
        return runner().in_eigenbasis(problems, METHODS, steps=steps)

    with threadpool_limits(limits=1):
        first = runner().in_eigenbasis(problems, METHODS, steps=8)
        for p, (A, b, x, f, L) in enumerate(dense):
            for m, method in enumerate(METHODS):
                assert np.allclose(plain_loop(A, b, x, f, method, L, 8)[0], first.gap[p, m, :8], rtol=1e-6), (p, method)
        print(f"{len(problems)} problems x {len(METHODS)} methods x {steps:,} steps, d = {options['dimension']}")
        for ratio in compare(("plain loop", loop), ("eigenbasis", engine), repeat=2, limits={"eigenbasis": 1 / GOAL}):
            print(ratio)
            print(f"the plain loop takes {1 / ratio.median:.1f} times as long as the eigenbasis (goal: {GOAL})")
        started, cpu = time.perf_counter(), time.process_time()
        figures()["quadratics"].compute(options, lambda done, what: None)
        seconds, used = time.perf_counter() - started, time.process_time() - cpu
        print(
            f"numbers of the whole figure, {options['steps']:,} steps, problems drawn: {seconds:.1f} s, {used:.1f} s of processor"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)

"""The quadratics figure: all its runs in the eigenbasis against a plain NumPy loop in the manner of the authors' (goals 1, 2).

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_figures.py [--steps 20000] [--loop-steps 1000] [--repeat 2] [--whole] [--quick]

The loop takes one problem and one method at a time, with a dense product for the gradient and one for B g, and notes the gap, D
and the step. Both make the same runs of the same methods; the loop's first gaps are checked against the engine's. Every step of
the loop costs the same, and all 20,000 take minutes, so it makes the first --loop-steps of them and its time is scaled; --whole
makes them all. The engine's time has the eigendecompositions in it; compiling is told apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from harness import spread_of, told
from threadpoolctl import threadpool_limits

from boundcheck.arithmetic.compiled import uncompiled, wanted
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.figures import figures
from boundcheck.library.catalogue import runner
from boundcheck.library.names import draw_from_family
from boundcheck.theorems.directional_smoothness.figures.quadratics import METHODS


def plain_loop(A: Any, b: Any, start: Any, fstar: float, L: float, method: str, steps: int) -> Any:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--loop-steps", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--whole", action="store_true", help="the plain loop makes every step; takes minutes")
    parser.add_argument("--quick", action="store_true", help="100 steps of the loop, once")
    given = parser.parse_args()
    looped, repeat = (100, 1) if given.quick else (given.steps if given.whole else given.loop_steps, given.repeat)
    options = figures()["quadratics"].options
    problems = [draw_from_family("power-law", dimension=options["dimension"], seed=seed) for seed in range(options["problems"])]
    dense = []
    for problem in problems:
        A = np.ascontiguousarray(problem.hessian(FLOAT64).rows)  # type: ignore[misc]
        xstar = FLOAT64.vector(problem.minimiser.point)  # type: ignore[union-attr]
        dense.append((A, A @ xstar, FLOAT64.vector(problem.start), -0.5 * xstar @ A @ xstar, float(problem.L)))  # type: ignore[arg-type]
    with threadpool_limits(limits=1):
        _agree(problems, dense)
        print(f"{len(problems)} problems x {len(METHODS)} methods x {given.steps:,} steps, d = {options['dimension']}")
        if wanted():
            started = time.perf_counter()
            runner().in_eigenbasis(problems[:1], METHODS, steps=1)
            print(f"compiling, or loading what was compiled before: {time.perf_counter() - started:.2f} s")
        speeds: dict[str, list[float]] = {"NumPy": [], "compiled": []}
        for _ in range(repeat):
            plain = _seconds(lambda: [[plain_loop(*p, m, looped) for m in METHODS] for p in dense]) * given.steps / looped
            with uncompiled():
                took = _seconds(lambda: runner().in_eigenbasis(problems, METHODS, steps=given.steps))
            speeds["NumPy"].append(plain / took)
            if wanted():
                took = _seconds(lambda: runner().in_eigenbasis(problems, METHODS, steps=given.steps))
                speeds["compiled"].append(plain / took)
        by = "whole" if looped == given.steps else f"{looped:,} of its steps, scaled"
        for name, goal, limit in (("NumPy", "1", 20.0), ("compiled", "2", 100.0)):
            if speeds[name]:
                what = f"quadratics figure, {name}, times as fast as the plain loop ({by})"
                told(spread_of(what, speeds[name], "x", goal=goal, limit=limit, at_least=True))


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _agree(problems: Any, dense: Any) -> None:
    """The first gaps of both are the same."""
    first = runner().in_eigenbasis(problems, METHODS, steps=8)
    for p, (A, b, x, f, L) in enumerate(dense):
        for m, method in enumerate(METHODS):
            assert np.allclose(plain_loop(A, b, x, f, L, method, 8)[0], first.gap[p, m, :8], rtol=1e-6), (p, method)


if __name__ == "__main__":
    main()

"""Peak memory of the quadratics figure, checked: 20 problems, d = 300, 20,000 steps, 4 methods, every claim at every k (goal 11).

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_memory.py [--problems 20] [--steps 20000] [--quick]

A fresh process makes each run and checks all claims that apply, by `boundcheck.run` and `boundcheck.check`, and keeps what
each verdict came to. Its peak is what the system says of it (ru_maxrss), imports included: with NumPy alone, for that is what
everyone has; numba with its compiler adds some 110 MB of its own, which is told beside it for one problem.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from contextlib import nullcontext

from bench_checking import claims
from harness import Measured, told
from threadpoolctl import threadpool_limits

from boundcheck import check, run
from boundcheck.arithmetic.compiled import uncompiled, wanted
from boundcheck.library.names import draw_from_family
from boundcheck.runners.rules.explicit import cauchy, dai_yang, over_L, polyak

MB = 2**20
GOAL = 300


def worker(problems: int, steps: int, compiled: bool) -> None:
    rules = (over_L(1), polyak(1), cauchy(), dai_yang())
    started, outcomes = time.perf_counter(), Counter[str]()
    with threadpool_limits(limits=1), nullcontext() if compiled else uncompiled():
        drawn = (draw_from_family("power-law", dimension=300, seed=seed) for seed in range(problems))
        for problem in drawn:
            for rule in rules:
                found = check(claims(problem, rule), run(problem, rule, steps=steps), smoothness=("D", "H"))
                outcomes.update(verdict.outcome.name for verdict in found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"peak": peak, "seconds": time.perf_counter() - started, "outcomes": dict(outcomes)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=20)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--quick", action="store_true", help="one problem, 5,000 steps")
    parser.add_argument("--compiled", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    problems, steps = (1, 5_000) if given.quick else (given.problems, given.steps)
    if given.worker:
        worker(problems, steps, given.compiled)
        return
    _measure(problems, steps, compiled=False)
    if wanted():
        _measure(1, steps, compiled=True)


def _measure(problems: int, steps: int, *, compiled: bool) -> None:
    command = [sys.executable, __file__, "--worker", "--problems", str(problems), "--steps", str(steps)]
    command += ["--compiled"] if compiled else []
    made = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    peak = made["peak"] / MB
    by = "compiled" if compiled else "NumPy"
    what = f"peak memory, {problems} x d=300 x {steps:,} steps x 4 methods, checked, {by}"
    told(Measured(what, peak, peak, peak, "MB", None if compiled else GOAL, goal="" if compiled else "11"))
    print(f"{sum(made['outcomes'].values()):,} verdicts {made['outcomes']} in {made['seconds']:.0f} s", flush=True)


if __name__ == "__main__":
    main()

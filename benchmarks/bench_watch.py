"""What watching costs: a PyTorch loop on logistic regression, 280 x 34, watched and bare, in turn.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_watch.py [--steps 500] [--repeat 15]

Recording is inside the loop; `trace` and `check` come after it, and are timed apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import torch
from harness import compare

from boundcheck import Convex, Differentiable, check, watch

LIMIT = 2.0


def loop(steps: int, watched: Callable[..., Any] | None = None) -> Any:
    """Train; `watched(optimizer, loss module, closure)` is the one line more."""
    torch.manual_seed(0)
    A = torch.randn(280, 34, dtype=torch.float64)
    labels = (A[:, 0] + 0.5 * torch.randn(280, dtype=torch.float64) > 0).double()
    model = torch.nn.Linear(34, 1, dtype=torch.float64)
    loss_fn = torch.nn.BCEWithLogitsLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=100, gamma=0.5)
    quiet = torch.nn.functional.binary_cross_entropy_with_logits
    recorder = watched and watched(optimizer, loss_fn, lambda: quiet(model(A).squeeze(-1), labels))
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_fn(model(A).squeeze(-1), labels)
        loss.backward()
        optimizer.step()
        schedule.step()
    return recorder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--repeat", type=int, default=15)
    given = parser.parse_args()
    torch.set_num_threads(1)
    ways = {
        "watch(optimizer, loss module)": lambda optimizer, module, closure: watch(optimizer, module),
        "watch(optimizer, closure)": lambda optimizer, module, closure: watch(optimizer, closure),
        "watch(optimizer, full=closure)": lambda optimizer, module, closure: watch(optimizer, full=closure),
    }
    contenders = [(name, lambda way=way: loop(given.steps, way)) for name, way in ways.items()]
    limits = dict.fromkeys(list(ways)[:2], LIMIT)  # full= computes a second gradient: that is no matter of watching
    for ratio in compare(("bare loop", lambda: loop(given.steps)), *contenders, repeat=given.repeat, limits=limits):
        print(ratio)
    recorder = loop(given.steps, ways["watch(optimizer, loss module)"])
    start = time.perf_counter()
    trace = recorder.trace(facts=(Convex(), Differentiable()), estimate=True)
    middle = time.perf_counter()
    check("prop:convex-any-stepsize", trace, smoothness=("D", "H"))
    print(
        f"afterwards: trace {middle - start:.3f} s, verdicts at {given.steps - 1} iterates {time.perf_counter() - middle:.3f} s"
    )


if __name__ == "__main__":
    main()

"""What watching costs: a PyTorch loop on logistic regression, 280 x 34, watched and bare, in turn.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_watch.py [--quick] [--steps 500] [--repeat 15]

Recording is inside the loop; `trace` and `check` come after it, and are timed apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
from harness import arguments, compare, spread_of, told

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
    parser = arguments(__doc__)
    parser.add_argument("--steps", type=int, help="of the loop [default: 500, quick 50]")
    parser.add_argument("--repeat", type=int, help="[default: 15, quick 3]")
    given = parser.parse_args()
    steps, repeat = given.steps or (50 if given.quick else 500), given.repeat or (3 if given.quick else 15)
    torch.set_num_threads(1)
    ways = {
        "watch(optimizer, loss module)": lambda optimizer, module, closure: watch(optimizer, module),
        "watch(optimizer, closure)": lambda optimizer, module, closure: watch(optimizer, closure),
        "watch(optimizer, full=closure)": lambda optimizer, module, closure: watch(optimizer, full=closure),
    }
    contenders = [(name, lambda way=way: loop(steps, way)) for name, way in ways.items()]
    limits = dict.fromkeys(list(ways)[:2], LIMIT)  # full= computes a second gradient: that is no matter of watching
    for ratio in compare(("bare loop", lambda: loop(steps)), *contenders, repeat=repeat, limits=limits):
        told(ratio.slower())
    recorder = loop(steps, ways["watch(optimizer, loss module)"])
    start = time.perf_counter()
    trace = recorder.trace(facts=(Convex(), Differentiable()), estimate=True)
    middle = time.perf_counter()
    check("prop:convex-any-stepsize", trace, smoothness=("D", "H"))
    done = time.perf_counter()
    told(spread_of(f"the trace of {steps} steps, after the loop", [middle - start], "s"))
    told(spread_of(f"verdicts of two choices of M at {steps - 1} iterates, after the loop", [done - middle], "s"))


if __name__ == "__main__":
    main()

"""Why a run ends before its last step."""

from __future__ import annotations

from typing import Any

from boundcheck.arithmetic.undefined import Undefined

LARGEST = 20_000  # bits of a denominator in exact rationals; beyond it a step takes seconds and the next one minutes


def why_over(total: float, k: int) -> str:
    return f"the gradient is exactly zero at x_{k}" if total == 0 else f"the run left the floating-point numbers at step {k}"


def why_stop(x: Any, g: Any, k: int) -> str:
    """Why a run in rationals or at high precision cannot go on from x_k, or ""."""
    for entry in (*x, *g):
        if isinstance(entry, Undefined):
            return f"x_{k} or its gradient is not rational: {entry.reason}"
    if all(entry == 0 for entry in g):
        return f"the gradient is exactly zero at x_{k}"
    size = max(entry.q.bit_length() if hasattr(entry, "q") else 0 for entry in x)
    return f"the numbers have {size} bits at x_{k}, more than {LARGEST}" if size > LARGEST else ""

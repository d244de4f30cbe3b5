"""How one run in float64 asks for gradients: one point after another, each written where it is kept.

A problem whose gradient is its own method may have a walker, which computes the same with less around it: `grad(x, out)` bit for
bit, and `both(x, out)`, which also returns f(x) - f*, in any order of summation. An oracle that someone replaced has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.problem import Problem


@dataclass(frozen=True)
class Walker:
    """The oracles for one point at a time; no `both` where the problem's own gap is to be asked."""

    grad: Callable[[Any, Any], None]
    both: Callable[[Any, Any], Any] | None = None


def walker_of(problem: Problem) -> Walker:
    """The problem's own walker, or its oracles as they are."""
    make, holder = getattr(problem.grad, "walker", None), getattr(problem.grad, "__self__", None)
    if make is None or holder is None:

        def grad(x: Any, out: Any) -> None:
            out[:] = problem.grad(FLOAT64, x)

        return Walker(grad)
    own = make(holder)
    same = getattr(problem.gap, "__self__", None) is holder
    return Walker(own.grad, own.both if same else None)

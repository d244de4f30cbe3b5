"""The loop of one run in floating point: bare vectors, written where they are kept, and nothing batched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.model.problem import Problem
from boundcheck.runners.engine.run_view import RunView


@dataclass(frozen=True)
class Walker:
    """The oracles of a problem for one point after another, each result written where it is kept.

    A problem whose gradient is its own method may have a walker, which computes the same with less around it: `grad(x, out)` bit
    for bit, and `both(x, out)`, which also returns f(x) - f*, in any order of summation. No `both` where the problem's own
    gap is to be asked, and an oracle that was replaced has no walker.
    """

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


def run_alone(run: Any, steps: int, X: Any, G: Any, E: Any) -> None:
    """Run `run`, the only one of an engine's batch, from X[:, 0] with gradient G[:, 0], through these buffers."""
    loop = _Alone(run, walker_of(run.problem), X[0], G[0], E[0])
    size, first, n, done = len(X[0]), 0, 0, 0
    while done < steps and run.running:
        made = loop.go(done, n, min(size - 1 - n, steps - done))
        done, n = done + made, n + made
        if n == size - 1:
            first, n = run.flush(first, X, G, E, n, last=False)
        elif done < steps:
            break
    run.flush(first, X, G, E, n, last=True)


class _Alone:
    """A rule that never changes its step is asked once. One that is asked in Python sees copies, since it may keep them."""

    def __init__(self, run: Any, walker: Walker, X: Any, G: Any, E: Any) -> None:
        self.run, self.walker = run, walker
        self.points, self.grads, self.etas, self.moved = list(X), list(G), E, np.empty_like(X[0])
        self.past: RunView | None = None
        self.eta: Any = None
        self.gap: Any = None  # at the point that the next step starts from, where it is known

    def go(self, done: int, n: int, count: int) -> int:
        """Up to `count` steps from entry n of the buffers, the first of them number `done`; fewer where the rule ends the run."""
        run, rule = self.run, self.run.rules[0]
        if run.prescribed is not None:
            self.etas[n : n + count] = run.prescribed[0, done : done + count]
            return self._along(n, count)
        if rule.constant:
            if self.eta is None:
                self.eta = self._asked(done, self.points[n], self.grads[n])
            if self.eta is None:
                return 0
            self.etas[n : n + count] = self.eta
            return self._along(n, count)
        if rule.numbers is not None and self.walker.both is not None:
            return self._by_numbers(done, n, count)
        for made in range(count):
            eta = self._asked(done + made, self.points[n + made], self.grads[n + made])
            if eta is None:
                return made
            self.etas[n + made] = eta
            self._along(n + made, 1)
        return count

    def _along(self, n: int, count: int) -> int:
        """Steps that are known."""
        points, grads, moved, grad, multiply, subtract = *self._buffers, np.multiply, np.subtract
        x, g = points[n], grads[n]
        for m, eta in enumerate(self.etas[n : n + count].tolist(), n + 1):
            multiply(g, eta, moved)
            after, g = points[m], grads[m]
            subtract(x, moved, after)
            grad(after, g)
            x = after
        return count

    def _by_numbers(self, done: int, n: int, count: int) -> int:
        """Steps from f - f* and |grad f|^2; the rule is asked in Python where they are no positive number."""
        points, grads, moved, _, multiply, subtract = *self._buffers, np.multiply, np.subtract
        numbers, both, etas = self.run.rules[0].numbers, self.walker.both, self.etas
        assert both is not None
        x, g = points[n], grads[n]
        gap = both(x, moved) if self.gap is None else self.gap
        for made in range(count):
            square = g.dot(g)
            eta = numbers(gap, square)
            if not 0 < eta < np.inf:
                eta = self._asked(done + made, x, g, gap=gap, grad_normsq=square)
                if eta is None:
                    return made
            etas[n] = eta
            multiply(g, eta, moved)
            n += 1
            after, g = points[n], grads[n]
            subtract(x, moved, after)
            gap = both(after, g)
            x = after
        self.gap = gap
        return count

    @property
    def _buffers(self) -> tuple[Any, Any, Any, Any]:
        return self.points, self.grads, self.moved, self.walker.grad

    def _asked(self, k: int, x: Any, g: Any, **known: Any) -> Any:
        self.past = self.run.ask_alone(k, x.copy(), g.copy(), self.past, **known)
        return self.past.eta

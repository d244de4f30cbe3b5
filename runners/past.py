"""What a step-size rule sees: the run up to now. Everything is computed when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from boundcheck.problem import Problem


class Past:
    """The rows of a batch that one rule drives, at step k. Numbers have shape (rows,), vectors (rows, d); alone, () and (d,)."""

    def __init__(self, problem: Problem, xp: Any, k: int, x: Any, grad: Any, before: Past | None, L: Any = None) -> None:
        self.L = L
        self.problem, self.xp, self.k, self.x, self.grad, self.before = problem, xp, k, x, grad, before
        self.eta: Any = None  # the step taken here, once the rule has chosen it

    def forget(self) -> Past:
        """This moment without what came before it: a rule sees one step back unless it asks for more."""
        self.before = None
        return self

    @cached_property
    def grad_normsq(self) -> Any:
        return self.xp.normsq(self.grad)

    @cached_property
    def f(self) -> Any:
        return self.problem.f(self.xp, self.x)

    @cached_property
    def gap(self) -> Any:
        """f(x) - f*."""
        if self.problem.gap is not None:
            return self.problem.gap(self.xp, self.x, self.grad)
        assert self.problem.minimiser is not None
        return self.f - self.xp.scalar(self.problem.minimiser.value)

    def hessian_times(self, v: Any) -> Any:
        assert self.problem.hessian_vector is not None
        return self.problem.hessian_vector(self.xp, self.x, v)

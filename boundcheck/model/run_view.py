"""What a step-size rule sees: a run at one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from boundcheck.arithmetic.base import Namespace, Scalars, Vectors
from boundcheck.language.scalars import Scalar
from boundcheck.model.problem import Problem


class RunView(Protocol):
    """A run at step k, as its rule sees it. docs/rules.md has a table of these names."""

    xp: Namespace
    problem: Problem
    k: int
    steps: int
    x: Vectors
    grad: Vectors
    L: Any
    eta: Any
    noted: dict[str, Any]

    @property
    def before(self) -> RunView | None:
        """The moment k - 1; None at the first step."""

    @property
    def history(self) -> Sequence[RunView]:
        """The moments 0, ..., k - 1, for a rule that remembers."""

    @property
    def grad_normsq(self) -> Scalars:
        """The square of the norm of the gradient."""

    @property
    def f(self) -> Scalars:
        """The value of f at x_k."""

    @property
    def f_star(self) -> Scalars:
        """The infimum of f."""

    @property
    def gap(self) -> Scalars:
        """The difference f(x_k) - inf f, without cancellation where the problem can."""

    def f_at(self, x: Vectors) -> Scalars:
        """Return f at a trial point."""

    def grad_at(self, x: Vectors) -> Vectors:
        """Return the gradient at a trial point."""

    def hessian_times(self, v: Vectors) -> Vectors:
        """Return the Hessian at x_k times v."""

    def note(self, name: str, value: Any) -> None:
        """Record a number beside the step."""

    def of_formula(self, formula: Scalar) -> Scalars:
        """Return the value of a formula that reads x_k, the letters of the problem and numbers, and no other entry of the run."""

"""What the framework asks of the package that executes optimizers: the protocol `Runner`, found by entry point.

The framework imports no runner. It calls the five functions below on the module that an entry point of the group
"boundcheck.methods" offers; `runners/` states, where mypy reads it, that it has them with these signatures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Arithmetic, Exact
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import Column
from boundcheck.model.method import GRADIENT_DESCENT, Method
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.trace import About, Experiment, Trace


class Descents(Protocol):
    """The runs of many quadratics (first axis) with many rules (second): gaps at 0, ..., K, and what the K steps met."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules, in the order of the second axis."""

    @property
    def gap(self) -> NDArray[np.float64]:
        """f(x_k) - f* for k = 0, ..., K."""

    @property
    def D(self) -> NDArray[np.float64]:
        """D(x_k, x_{k+1}) for each step."""

    @property
    def A(self) -> NDArray[np.float64]:
        """A(x_k, x_{k+1}) for each step."""

    @property
    def eta(self) -> NDArray[np.float64]:
        """The steps."""


@runtime_checkable
class Runner(Protocol):
    """A module or object that runs methods on problems and samples chords."""

    def about(self, problem: Problem) -> About:
        """Return what every trace of this problem knows of it, without a run."""

    def run(
        self,
        problem: Problem,
        rules: Rule | Sequence[Rule],
        *,
        steps: int,
        columns: Iterable[Column] = (),
        starts: Sequence[Sequence[Exact]] | None = None,
        xp: Arithmetic | str = "float64",
        method: Method = GRADIENT_DESCENT,
        parameters: Mapping[str, Exact] | None = None,
        unfrozen: bool = False,
    ) -> Trace:
        """Return the trace of a method from each start with each rule."""

    def trace(
        self,
        problem: Problem,
        experiment: Experiment,
        *,
        steps: int,
        count: int,
        columns: Iterable[Column],
        xp: Arithmetic | str,
        unfrozen: bool = False,
        seed: int = 0,
    ) -> Trace | None:
        """Return the trace of an experiment: `count` chords or `steps` steps; None where no unfrozen run exists."""

    def solves(self, problem: Problem, bound: Bound) -> bool:
        """Return whether the problem gives an x* that solves what a claim says, or the claim reads none."""

    def chords(
        self, problem: Problem, *, columns: Iterable[Column], count: int = 200, xp: Arithmetic | str = "float64", seed: int = 0
    ) -> Trace:
        """Return the columns of `count` pairs of points, drawn with the seed."""

    def in_eigenbasis(
        self, problems: Sequence[Problem], rules: Sequence[Rule | str], *, steps: int, progress: Callable[[int], Any] = ...
    ) -> Descents:
        """Return gradient descent on each quadratic with each rule, as one array program in float64."""


RuleMaker = Callable[..., Rule]  # of exact numbers, or of one sequence of them

"""A trace: the columns that a run recorded, and what is known of the function and the method; an experiment makes one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Arithmetic, Scalars
from boundcheck.arithmetic.computation_lock import one_turn
from boundcheck.claims.hypotheses import Runs
from boundcheck.evaluate.columns import Column, entries
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.relations import Relation
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import Fact, Problem
from boundcheck.model.rule import Rule

if TYPE_CHECKING:
    from boundcheck.runs.recorded.recording import Recorded

CHORDS = "chords"


@dataclass(frozen=True, eq=False)
class Experiment:
    """Chords (no rule); or the runs that a claim is about, driven by a rule, with the letters that their methods read."""

    rule: Rule | None
    runs: Runs | None = None
    values: tuple[tuple[str, Any], ...] = ()
    smoothness: str | ChordQuantity = ""  # a search for steps looks at the M of the claim

    @cached_property
    def key(self) -> str | tuple[Any, ...]:
        if self.rule is None or self.runs is None:
            return CHORDS
        roles = tuple((role, method.key, method.name) for role, method in self.runs.roles)
        return self.rule.name, roles, self.runs.steps, self.values, self.smoothness

    @property
    def method(self) -> str:
        """What its trace is called."""
        return CHORDS if self.runs is None else self.runs.method

    @property
    def is_gradient_descent(self) -> bool:
        """One gradient descent: its errors are well understood, so it may run for long."""
        return self.runs is not None and [method.key for _, method in self.runs.roles] == [GRADIENT_DESCENT.key]


@dataclass(frozen=True, kw_only=True)
class About:
    """What a trace knows of its problem: name, facts, constants, and whether f attains its minimum."""

    problem: str
    facts: frozenset[Fact]
    constants: Mapping[str, Any]
    minimiser: str  # which one, or "" where there is none
    parts: Mapping[str, frozenset[Fact]] | None = None  # of what else the claim speaks, by the claim's names


@dataclass(frozen=True, kw_only=True, repr=False)
class Trace:
    """One batch of runs. Each column has shape (runs, entries); run b made `steps[b]` steps and ended because of `ended[b]`.

    >>> from boundcheck import run
    >>> run("huber", "1/(2L)", steps=5)
    <Trace of huber (Convex, Differentiable, Smooth) by gradient descent in float64: 1/(2L): 5 steps>
    """

    xp: Arithmetic
    about: About
    method: str  # gradient descent, chords, ...
    names: tuple[str, ...]  # of the runs in the batch: the step-size rule
    steps: NDArray[np.int64]
    ended: tuple[str, ...]
    columns: Mapping[Column, Scalars] = field(repr=False)
    parameters: Mapping[str, tuple[Any, ...]] = field(
        default_factory=dict
    )  # letters that the methods fix: Polyak's gamma, one a run
    replay: Callable[[Iterable[Column]], Mapping[Column, Scalars]] | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    chord: Callable[[int], str] | None = None  # for chords: the two points of an entry
    moved: float = 0.0  # relatively, by how much freezing made steps smaller than the rule says
    follows: tuple[Relation, ...] = ()  # formulas that the steps satisfy by construction: they were not frozen
    refused: Mapping[str, str] = field(default_factory=dict)  # columns that this problem or arithmetic cannot give, and why
    blocked: str = ""  # the piece of the claim for which no run can be made
    confidence: str = ""  # where expectations are means of samples
    recorded: Recorded | None = None  # the arrays, where boundcheck did not make the run
    unknown: str = ""  # what its data do not bound of an estimated x* or f*

    def is_beside(self, local: bool) -> bool:
        """Are its columns of a run beside the one that was named: of frozen steps, or `local` ones, of rounded points?"""
        return bool(self.moved) or (local and self.xp.certified and not self.xp.exact)

    def window(self, column: Column, low: int, high: int) -> Scalars:
        return entries(self.xp, self.columns[column], low, high)

    def length(self, column: Column) -> int:
        shape: tuple[int, ...] = self.columns[column].shape
        return shape[-1]

    def with_columns(self, wanted: Iterable[Column]) -> Trace:
        """This trace with columns that it lacks, by running again where that is possible."""
        missing = [column for column in dict.fromkeys(wanted) if column not in self.columns]
        if not missing or self.replay is None:
            return self
        with one_turn():
            return replace(self, columns={**self.columns, **self.replay(missing)})

    # -- runs that boundcheck did not make: docs/watch.md -----------------------------------------------------------------

    @classmethod
    def from_arrays(
        cls,
        *,
        x: Any = None,
        f: Any = None,
        grad: Any = None,
        eta: Any = None,
        x_star: Any = None,
        f_star: float | None = None,
        problem: Problem | None = None,
        facts: Iterable[Any] = (),
        estimate: bool | str | Iterable[str] = False,
        method: str = "",
        name: str = "",
        **more: Any,
    ) -> Trace:
        """A run from arrays: points and gradients (K+1, d), values (K+1,), steps (K,).

        What is None is computed where the rest tells it: steps from points and gradients, values and gradients from the problem.
        `estimate` names what is enclosed from the data and the facts, "f_star" and "x_star"; True is both. `more`: `by` (what
        made the steps), `precision` ("float32" where that computed them), `relative_error` (assumed of values and gradients),
        `notes`.
        """
        from boundcheck.runs.recorded.recording import record

        known = {"x_star": x_star, "f_star": f_star, "problem": problem, "facts": facts, "estimate": estimate}
        return cls._of(record(x=x, f=f, grad=grad, eta=eta, method=method, name=name, **known, **more))

    @classmethod
    def from_parquet(cls, path: str | Path, *, problem: Problem | None = None) -> Trace:
        """The run that `to_parquet` wrote; `problem` gives its oracles back."""
        from boundcheck.runs.recorded.parquet import read

        return cls._of(read(path, problem))

    def to_parquet(self, path: str | Path) -> None:
        """The arrays and what is known beside them, bit for bit. Only recorded runs have arrays; others can be run again."""
        from boundcheck.runs.recorded.parquet import write
        from boundcheck.runs.recorded.recording import NotARun

        if self.recorded is None:
            raise NotARun("this trace was run by boundcheck, and keeps columns, no arrays: run it again, or write to_pandas()")
        write(self.recorded, path)

    @classmethod
    def _of(cls, run: Recorded) -> Trace:
        from boundcheck.runs.recorded.trace_source import seal

        made = seal(run)
        which = run.problem.minimiser.which if run.problem is not None and run.problem.minimiser is not None else "the one given"
        known = "" if run.f_star is None or (run.problem is not None and run.problem.minimiser is None) else which
        return cls(
            xp=made.xp,
            about=About(problem=run.name, facts=run.facts, constants=made.constants, minimiser=known),
            method=made.steps.method,
            names=(run.by,),
            steps=np.array([run.steps]),
            ended=(run.ended,),
            columns={},
            replay=made.replay,
            notes=made.notes,
            refused=made.refused,
            recorded=run,
            unknown=made.open,
        )

    # -- looking --------------------------------------------------------------------------------------------------------

    def to_pandas(self) -> Any:
        """A table with a row for each run and k: f, the gap, |grad f|, eta."""
        from boundcheck.runs.trace_views import trace_table

        return trace_table(self)

    def plot(self, ax: Any = None) -> Any:
        """The gap (or f, where f* is not known) and |grad f| against k, on a logarithmic scale. Returns the axes."""
        from boundcheck.runs.trace_views import plot_trace

        return plot_trace(self, ax)

    def __repr__(self) -> str:
        made = ", ".join(f"{name}: {count} steps" for name, count in zip(self.names, self.steps.tolist(), strict=True))
        facts = ", ".join(sorted(str(fact) for fact in self.about.facts)) or "nothing declared"
        ended = "".join(f"; {name} ended: {why}" for name, why in zip(self.names, self.ended, strict=True) if why)
        kind = "recorded" if self.recorded is not None else self.xp.name
        return f"<Trace of {self.about.problem} ({facts}) by {self.method} in {kind}: {made}{ended}>"

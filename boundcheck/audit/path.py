"""The path of a rule on one problem in float64: every step is recorded, every oracle call is counted, and time is limited."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from boundcheck.audit.supervised_run import KINDS, Floats, ObservedRun, watch
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.language.letters import f, grad, i, normsq, x
from boundcheck.language.scalars import Gap
from boundcheck.library.catalogue import bounds, runner
from boundcheck.library.declarations import chord_quantities
from boundcheck.library.user_rules import as_rule
from boundcheck.model.method import GRADIENT_DESCENT, Method
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runs.trace import Trace


def driven_by(rule: Rule) -> Method:
    """Gradient descent if the rule may drive it; else the first method of its kind that the library has a claim about."""
    if GRADIENT_DESCENT.kind in rule.methods:
        return GRADIENT_DESCENT
    for bound in bounds():
        if not bound.runs.steps and bound.runs.main.kind in rule.methods:
            return bound.runs.main
    raise RuleError(
        f"rule '{rule.name}' drives {', '.join(rule.methods)}; an audit knows gradient descent, normalized, accelerated"
    )


SECONDS = 3.0  # one run, at most
ENOUGH = 10_000  # oracle calls: a rule that asks much makes fewer steps


@dataclass(frozen=True, kw_only=True)
class Path:
    """One run of a rule on a problem of the battery, in float64."""

    problem: Problem
    rule: Rule
    trace: Trace | None = field(repr=False)  # None if there is not even a first step
    steps: int  # made
    ended: str  # why the run ended early, or ""
    error: str  # one line where the rule is at fault, or ""
    eta: Floats = field(repr=False)  # (steps,)
    f: Floats = field(repr=False)  # (steps + 1,)
    grad_norm: Floats = field(repr=False)  # (steps + 1,)
    gap: Floats | None = field(repr=False)  # (steps + 1,) f(x_k) - inf f, None where inf f is not known
    smoothness: Mapping[str, Floats] = field(repr=False)  # of each declared M: (steps,), NaN where not known
    rises: NDArray[np.bool_] = field(repr=False)  # (steps,): is f(x_{i+1}) > f(x_i), rounding excluded?
    calls: Mapping[str, int]  # "f", "gradient", "Hessian", "chord": oracle calls made by method and rule together
    calls_at: Mapping[str, NDArray[np.int64]] = field(repr=False)  # (steps + 1,): when x_k and its gradient were known
    seconds: float


def path(problem: Problem, rule: Rule, *, steps: int, seconds: float = SECONDS) -> Path:
    """Return the run of a rule from the problem's start.

    Nothing that the rule does is raised here: `error` says it in one line.
    """
    started = time.perf_counter()
    rule = as_rule(rule)
    method = driven_by(rule)
    seen = watch(problem, rule, method, steps=steps, seconds=seconds, enough=ENOUGH)
    return _recorded(problem, rule, method, seen, time.perf_counter() - started)


@dataclass(frozen=True)
class _Columns:
    """What is recorded: at stored points and their exact images, where the method is one map; else along the run."""

    value: Column
    gap: Column
    square: Column
    chords: Mapping[str, Column]

    @classmethod
    def of(cls, *, local: bool) -> _Columns:
        value, gap, square = (as_column(leaf, local)[0] for leaf in (f(x[i]), Gap(x[i]), normsq(grad(x[i]))))
        chords = {name: as_column(M(x[i], x[i + 1]), local)[0] for name, M in chord_quantities().items()}
        return cls(value, gap, square, chords)


@cache
def _columns(local: bool) -> _Columns:
    return _Columns.of(local=local)


def _recorded(problem: Problem, rule: Rule, method: Method, seen: ObservedRun, seconds: float) -> Path:
    """Return the run with these steps, made again and recorded. The rule is not asked."""
    made, has_gap = seen.steps, problem.minimiser is not None
    read = _columns(method.is_one_map)
    columns = [read.value, read.square, *([read.gap] if has_gap else []), *(read.chords.values() if made else ())]
    again = replace(rule, step=lambda run: seen.eta[run.k], constant=False, needs=(), records=(), remembers=False)
    trace: Trace = runner().run(problem, again, steps=made, columns=columns, xp="float64", method=method)
    made = min(made, int(trace.steps[0]))  # in another order of additions a gradient may be 0 a few steps earlier
    trace = replace(trace, ended=(seen.ended or seen.error or trace.ended[0],))
    values = _read(trace, read.value, made + 1)
    gap = _read(trace, read.gap, made + 1) if has_gap else None if problem.infimum is None else values - float(problem.infimum)
    return Path(
        problem=problem,
        rule=rule,
        trace=trace if made else None,
        steps=made,
        ended=seen.ended or (trace.ended[0] if made < seen.steps else ""),
        error=seen.error,
        eta=seen.eta[:made],
        f=values,
        grad_norm=np.sqrt(_read(trace, read.square, made + 1)),
        gap=gap,
        smoothness={name: _read(trace, column, made) for name, column in read.chords.items()},
        rises=_rises(trace, read.gap if has_gap else read.value, made),
        calls=dict(zip(KINDS, seen.calls[-1].tolist(), strict=True)),
        calls_at={kind: seen.calls[: made + 1, n] for n, kind in enumerate(KINDS)},
        seconds=seconds,
    )


def _read(trace: Trace, column: Column, count: int) -> Floats:
    """Return the middles of a column; NaN where the problem cannot give it."""
    if column not in trace.columns:
        return np.full(count, np.nan)
    return np.array(trace.xp.middle(trace.columns[column])[0, :count], dtype=np.float64)


def _rises(trace: Trace, column: Column, made: int) -> NDArray[np.bool_]:
    """Return where a column certainly grows from one entry to the next."""
    numbers = trace.columns[column][0, : made + 1]
    middle, radius = (np.asarray(part) for part in (trace.xp.middle(numbers), trace.xp.error(numbers)))
    with np.errstate(all="ignore"):
        return np.asarray(middle[1:] - middle[:-1] > radius[1:] + radius[:-1])

"""From a recorded run to what a trace holds: its columns, its method, and what its numbers say of declared facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.evaluate.columns import Column
from boundcheck.model.problem import Convex
from boundcheck.runs.recorded.columns import Columns
from boundcheck.runs.recorded.recording import Floats, NotARun, Recorded, Whole
from boundcheck.runs.recorded.rounding import Descent, Errors, descent, errors, lipschitz

PAIRS = 400  # points of which every pair is looked at, if they are short; more would cost their square
NUMBERS = 2e7  # that looking at pairs may touch
WRONG = "the gradients, the values or the fact are wrong (were the gradients those of minibatches, or clipped?)"


def refuse_contradictions(run: Recorded, known: Errors) -> None:
    if run.problem is not None:
        _with_problem(run, known)
    _least_value(run, known)
    if run.x is None or run.grad is None:
        return
    count = min(PAIRS, max(2, int(np.sqrt(NUMBERS / run.x.shape[1]))))
    chosen = np.unique(np.linspace(0, run.steps, count).astype(np.int64))
    neighbours = np.arange(run.steps, dtype=np.int64)
    _pairs(run, known, neighbours, neighbours + 1)
    _pairs(run, known, neighbours + 1, neighbours)
    for i in chosen:
        _pairs(run, known, np.full(len(chosen), i), chosen)
    if run.x_star is not None and not run.estimated:
        _star(run, known)


def _pairs(run: Recorded, known: Errors, i: Whole, j: Whole) -> None:
    """f(x_j) lies above the tangent at x_i, by mu |x_j - x_i|^2 / 2; gradients differ by at most L |x_j - x_i|."""
    assert run.x is not None and run.grad is not None
    across = run.x[j] - run.x[i]
    length = np.linalg.norm(across, axis=-1)
    slope = known.gradient[i] + known.gradient[j]
    if any(isinstance(fact, Convex) for fact in run.facts):
        tangent = run.f[i] + (run.grad[i] * across).sum(-1) + float(run.mu) / 2 * length**2
        room = known.value[i] + known.value[j] + slope * length + 1e-14 * np.abs(tangent)
        low = run.f[j] < tangent - room
        if low.any():
            n = int(low.argmax())
            fact = f"strongly convex with mu = {float(run.mu):g}" if run.mu else "convex"
            raise NotARun(
                f"f is declared {fact}; the run contradicts it: f(x_{j[n]}) = {run.f[j[n]]:.6g} lies below what "
                f"x_{i[n]} foretells, {tangent[n]:.6g}: {WRONG}"
            )
    if run.L is not None:
        change = np.linalg.norm(run.grad[j] - run.grad[i], axis=-1)
        steep = change > float(run.L) * length * (1 + 1e-12) + slope
        if steep.any():
            n = int(steep.argmax())
            seen = change[n] / length[n] if length[n] else np.inf
            raise NotARun(
                f"f is declared smooth with L = {float(run.L):g}; the run contradicts it: from x_{i[n]} to x_{j[n]} the gradient "
                f"changes at the rate {seen:.6g}: {WRONG}"
            )


def _least_value(run: Recorded, known: Errors) -> None:
    if run.f_star is None:
        return
    low = run.f < run.f_star - known.value - run.relative_error * abs(run.f_star)
    if low.any():
        n = int(low.argmax())
        raise NotARun(f"f_star = {run.f_star:.6g} is no minimum: f(x_{n}) = {run.f[n]:.6g} is below it")


def _star(run: Recorded, known: Errors) -> None:
    """No tangent passes above f* at x*; f(x_n) - f* is at most L |x_n - x*|^2 / 2."""
    assert run.x is not None and run.grad is not None and run.x_star is not None and run.f_star is not None
    if not any(isinstance(fact, Convex) for fact in run.facts) or run.problem is not None:
        return
    across = run.x_star - run.x
    tangent = run.f + (run.grad * across).sum(-1)
    room = known.value + known.gradient * np.linalg.norm(across, axis=-1) + run.relative_error * abs(run.f_star)
    if run.L is not None and (far := run.f - run.f_star > float(run.L) / 2 * (across**2).sum(-1) + room).any():
        n = int(far.argmax())
        raise NotARun(f"x_star is too near to x_{n} for L = {float(run.L):g}: f(x_{n}) - f_star = {run.f[n] - run.f_star:.6g}")
    high = tangent > run.f_star + room
    if high.any():
        n = int(high.argmax())
        raise NotARun(
            f"x_star and f_star do not fit a convex function: the tangent at x_{n} foretells at least {tangent[n]:.6g} at "
            f"x_star, and f_star is {run.f_star:.6g}"
        )


def _with_problem(run: Recorded, known: Errors) -> None:
    """Recorded values and gradients are those of the problem that the user names."""
    if run.x is None or run.problem is None:
        return
    values = np.atleast_1d(np.asarray(run.problem.f(FLOAT64, run.x), dtype=np.float64))
    room = known.value + run.relative_error * np.abs(values)
    _refuse_far("f", "value", np.abs(values - run.f), room, run)
    if run.grad is not None:
        gradients = np.asarray(run.problem.grad(FLOAT64, run.x))
        sizes = np.linalg.norm(gradients, axis=-1)
        bend = lipschitz(replace(run, grad=gradients))
        room = run.relative_error * (sizes + sizes[0] + bend * np.linalg.norm(run.x, axis=-1))
        _refuse_far("grad", "gradient", np.linalg.norm(gradients - run.grad, axis=-1), room, run)


def _refuse_far(array: str, what: str, off: Floats, room: Floats, run: Recorded) -> None:
    assert run.problem is not None
    if (far := off > room).any():
        n = int(far.argmax())
        raise NotARun(f"{array}[{n}] is not the {what} of {run.problem.name} at x[{n}]: off by {off[n]:.3g}")


@dataclass(frozen=True)
class Sealed:
    """A recorded run that contradicts nothing that is said of it."""

    run: Recorded
    steps: Descent
    xp: Arithmetic
    constants: dict[str, Any]
    columns: Columns
    refused: dict[str, str]  # filled as columns are asked for

    def replay(self, missing: Iterable[Column]) -> dict[Column, Scalars]:
        made = {}
        for column in missing:
            try:
                with np.errstate(all="ignore"):
                    made[column] = self.columns.column(column)
            except NotInThisArithmetic as no:
                self.refused[str(column)] = str(no)
        return made

    @property
    def notes(self) -> tuple[str, ...]:
        run, said = self.run, self.steps.notes
        problem = run.problem.notes if run.problem is not None else ()
        error = f"errors of the recorded numbers are assumed, {run.relative_error:.1g} relatively, not bounded"
        drift = "" if run.L is not None or not self.steps.holds else "no L is declared: the drift is judged by the largest seen"
        return (*run.notes, *said, *problem, *filter(None, (self.columns.star.note(run), error, drift)))

    @property
    def open(self) -> str:
        """What the run does not tell of an estimated x* or f*, or ""."""
        return self.columns.star.open(self.run)


def seal(run: Recorded) -> Sealed:
    xp = arithmetic("float64")
    steps = descent(run)
    known = errors(run, steps, xp)
    refuse_contradictions(run, known)
    of_problem = run.problem.constants if run.problem is not None else {}
    constants = {"L": run.L, "mu": run.mu, **of_problem}
    columns = Columns(replace(run, eta=steps.eta), steps, known, xp, constants)
    return Sealed(run, steps, xp, constants, columns, {})

"""Gradient descent with a step that is one number, such as 1/L, taken as that number and not as a rounded one.

Where a rule's formula reads no point, its enclosure is known before the run. The engine stores the points of the frozen step,
which a run with that step has visited already. The error of a step then has eta |grad f| in it, times how far freezing moved eta,
and for eta L <= 2 such errors only add up. No tube is needed, and no derivative.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from boundcheck.arithmetic import Arithmetic
from boundcheck.arithmetic.base import Exact, Order
from boundcheck.evaluate.columns import Column
from boundcheck.evaluate.series import Series
from boundcheck.language.vectors import Vector
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import Convex, Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runners.enclosures.lipschitz import nearest
from boundcheck.runners.engine.batch import Batch
from boundcheck.runners.engine.descent import about, letters, notes_on
from boundcheck.runners.engine.exact_steps import explicit
from boundcheck.runners.engine.recorder import Recorder
from boundcheck.runs.trace import Trace


class _Enclosed(Batch):
    step: Any = None  # the value of the formula, as a ball

    def as_steps(self, rule: Rule, answer: Any, count: int, k: int) -> Any:
        """The rule must say what its formula says. Points move by the frozen step, as those of other runs do."""
        if np.isin(self.plain.compare(self.plain.array(self.step), self.plain.array(answer)), (Order.LESS, Order.GREATER)).any():
            raise RuleError(f"rule '{rule.name}' does not follow {explicit(rule)} at step {k}")
        return super().as_steps(rule, answer, count, k)

    def enclosing(self, eta: Any) -> Any:
        """The step itself: how far the exact image is from the stored point then has the freezing in it."""
        made = np.empty_like(eta)
        made[:] = self.step
        return made


def takes_one_step(problem: Problem, rule: Rule, xp: Arithmetic) -> bool:
    """Is the rule's formula one number for the whole run, and is a step by it known to stretch nothing?"""
    if not (xp.certified and not xp.exact and rule.constant and problem.has(Convex) and problem.L is not None):
        return False
    if any(isinstance(node, Vector) for node in explicit(rule).right.walk()):
        return False
    step = _step(problem, rule, xp)
    return 0 < float(xp.middle(step).max() + xp.error(step).max()) * nearest(problem.L) <= 2 - 2.0**-20


def _step(problem: Problem, rule: Rule, xp: Arithmetic) -> Any:
    """The value of the rule's formula."""
    known = {**letters(problem, xp), **{name: xp.scalar(value) for name, value in rule.parameters.items()}}
    formula = explicit(rule)
    return Series(xp, None, known).values(formula.right, "i", 0, 1)  # type: ignore[arg-type]


def run_enclosed(
    problem: Problem, rule: Rule, *, steps: int, columns: Iterable[Column], start: Sequence[Exact] | None = None, xp: Arithmetic
) -> Trace:
    """The trace of the exact steps of the rule's formula; see `takes_one_step`."""
    begin = problem.start if start is None else start
    known = {**letters(problem, xp), **{name: xp.scalar(value) for name, value in rule.parameters.items()}}
    recorder = Recorder(problem, xp, frozenset(columns), known, even=True)
    runs = _Enclosed(problem, [rule], [begin], xp, recorder)
    runs.step = xp.bare(_step(problem, rule, xp)).reshape(-1)[0]  # type: ignore[attr-defined]
    done = runs.go(steps)

    def replay(missing: Iterable[Column]) -> dict[Column, Any]:
        return dict(run_enclosed(problem, rule, steps=steps, columns=missing, start=start, xp=xp).columns)

    return Trace(
        xp=xp,
        about=about(problem),
        method=GRADIENT_DESCENT.name,
        names=(rule.name,),
        steps=done.steps,
        ended=tuple(done.ended),
        columns=recorder.columns(done.steps),
        parameters={name: (value,) for name, value in rule.parameters.items()},
        replay=replay,
        notes=notes_on(problem, 0.0),
        refused={str(c): why for c, why in recorder.refused.items()},
        follows=(explicit(rule), *rule.implies),
    )

"""Runs of any method: one alone, or several from one start for one claim that reads them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.arithmetic import Arithmetic, arithmetic
from boundcheck.arithmetic.base import Exact
from boundcheck.arithmetic.computation_lock import begin_run, in_turn
from boundcheck.evaluate.columns import Column
from boundcheck.model.method import Method
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runners.engine.exact_steps import explicit, with_own_steps
from boundcheck.runners.engine.method_run import Iteration
from boundcheck.runners.engine.recorder import Recorder
from boundcheck.runners.engine.run_history import History, Together
from boundcheck.runs.trace import About, Trace


@dataclass(frozen=True)
class Role:
    """A method driven by a rule from a start."""

    method: Method
    rule: Rule
    start: Sequence[Exact]


def about(problem: Problem) -> About:
    constants: dict[str, Any] = {"L": problem.L, "mu": problem.mu, **problem.constants}
    which = problem.minimiser.which if problem.minimiser is not None else ""
    return About(problem=problem.name, facts=frozenset(problem.facts), constants=constants, minimiser=which)


def letters(problem: Problem, xp: Any) -> dict[str, Any]:
    """The constants of a problem in an arithmetic."""
    return {name: xp.scalar(value) for name, value in about(problem).constants.items() if value is not None}


def notes_on(problem: Problem, moved: float) -> tuple[str, ...]:
    """What every verdict on a run must say: which minimiser, what is assumed, and how far freezing moved its steps."""
    minimiser = problem.minimiser
    which = () if minimiser is None or minimiser.which == "the only one" else (f"x* is {minimiser.which}",)
    by = f"less than 2^{int(np.ceil(np.log2(moved)))}" if 0 < moved < np.inf else "no one knows how far"
    return (*which, *problem.notes, *((f"steps are frozen, {by} below the rule's",) if moved > 0 else ()))


@in_turn
def run_together(
    problem: Problem,
    roles: Mapping[str, Role],
    *,
    steps: int,
    columns: Iterable[Column],
    xp: Arithmetic | str = "float64",
    parameters: Mapping[str, Exact] | None = None,
    method: str = "",
    unfrozen: bool = False,
) -> Trace:
    """One trace of all roles: x is the run "", x.of("other") the run "other". It is as long as the shortest of them.

    It is called `method`, or by their own names. Unfrozen: steps are the exact values of the rules' formulas.
    """
    begin_run()
    xp = arithmetic(xp) if isinstance(xp, str) else xp
    fixed = {**{n: v for role in roles.values() for n, v in role.rule.parameters.items()}, **(parameters or {})}
    known = {**{n: v for n, v in about(problem).constants.items() if v is not None}, **fixed}
    moves = {role: with_own_steps(r.method, r.rule) if unfrozen else r.method for role, r in roles.items()}
    runs = {role: Iteration(problem, moves[role], r.rule, r.start, xp, known).go(steps) for role, r in roles.items()}
    made = min(run.steps for run in runs.values())
    state = {role: r.method.state for role, r in roles.items()}  # y may be set at k in one method, and at k + 1 in another
    recorder = Recorder(problem, xp, frozenset(columns), {n: xp.scalar(v) for n, v in known.items()}, state)
    histories = {role: History(run, made) for role, run in runs.items()}
    recorder.take_whole(histories[""] if list(roles) == [""] else Together(histories))

    def replay(missing: Iterable[Column]) -> dict[Column, Any]:
        again = run_together(
            problem, roles, steps=steps, columns=missing, xp=xp, parameters=parameters, method=method, unfrozen=unfrozen
        )
        return dict(again.columns)

    moved = 0.0 if unfrozen else max(run.moved for run in runs.values())
    ended = "; ".join(dict.fromkeys(run.ended for run in runs.values() if run.ended))
    return Trace(
        xp=xp,
        about=about(problem),
        method=method or " and ".join(role.method.name for role in roles.values()),
        names=(" and ".join(dict.fromkeys(role.rule.name for role in roles.values())),),
        steps=np.array([made]),
        ended=(ended,),
        columns=recorder.columns(),
        parameters={n: (v,) for n, v in fixed.items()},
        replay=replay,
        notes=notes_on(problem, moved),
        moved=moved,
        refused={str(c): why for c, why in recorder.refused.items()},
        follows=tuple(f for r in roles.values() for f in (explicit(r.rule), *r.rule.implies)) if unfrozen else (),
    )

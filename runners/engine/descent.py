"""Runs of gradient descent, batched over rules and starts on one problem, and of any method, alone or several together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.arithmetic import Arithmetic, arithmetic
from boundcheck.arithmetic.base import Exact
from boundcheck.arithmetic.computation_lock import begin_run, in_turn
from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.evaluate.columns import Column
from boundcheck.language.scalars import Term
from boundcheck.model.method import GRADIENT_DESCENT, Method
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runners.engine.batch import Batch
from boundcheck.runners.engine.exact_steps import explicit, with_own_steps
from boundcheck.runners.engine.method_run import Iteration
from boundcheck.runners.engine.recorder import Recorder
from boundcheck.runners.engine.run_history import History, Together
from boundcheck.runners.engine.segment import column_reads
from boundcheck.runners.quadratics.inner_products import tells
from boundcheck.runs.trace import About, Trace
from boundcheck.support.errors import UserError


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


@in_turn
def run(
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
    """A method from each start with each rule; the trace has the columns asked for, and replays others.

    Gradient descents run as one batch. Any other method, and a rule that records numbers of its own, runs alone; so do unfrozen
    steps: the exact values of the rule's formula, in place of those that the run stored.
    """
    rules = [rules] if isinstance(rules, Rule) else list(rules)
    starts = [problem.start] if starts is None else list(starts)
    xp = arithmetic(xp) if isinstance(xp, str) else xp
    _refuse(problem, rules, starts, steps)
    wanted = frozenset(columns)
    if method.key != GRADIENT_DESCENT.key or unfrozen or any(_records_read(c) for c in wanted):
        if len(rules) != 1 or len(starts) != 1:
            raise UserError(
                f"{method.name} with what its rule records, or unfrozen, runs alone; "
                f"found {len(rules)} rules, {len(starts)} starts"
            )
        role = Role(method, rules[0], starts[0])
        return run_together(problem, {"": role}, steps=steps, columns=wanted, xp=xp, parameters=parameters, unfrozen=unfrozen)
    batch = [(rule, start) for rule in rules for start in starts]
    all_starts = [start for _, start in batch]

    common = _common([rule for rule, _ in batch])
    named = {name: xp.scalars(np.array(values, dtype=object)[:, None]) for name, values in common.items()}

    def recorded(part: Iterable[Column], prescribed: Any = None, *, by_grams: bool = False, steps: int = steps) -> Batch:
        begin_run()
        even = xp.certified and all(rule.constant for rule in rules)
        recorder = Recorder(problem, xp, part, {**letters(problem, xp), **named}, even=even)
        runs = Batch(problem, rules, all_starts, xp, recorder, by_grams=by_grams, prescribed=prescribed)
        runs.own_points = by_grams and not any(c.local for c in wanted - told)
        return runs.go(steps)

    told = _told(problem, Recorder(problem, xp, wanted, {}).leads) if xp.plain is FLOAT64 else frozenset()
    done = recorded(told, by_grams=True) if told else recorded(wanted)
    columns, refused = done.recorder.columns(done.steps), done.recorder.refused

    refused = {**refused, **done.recorder.too_short(int(done.steps.max()))}

    def beside(others: frozenset[Column]) -> frozenset[Column]:
        """These, read off the points of the same steps; and the local columns again, where those had points of their own."""
        return others | {c for c in columns if c.local} if done.own_points and any(c.local for c in others) else others

    if told and wanted - told:
        rest = recorded(beside(wanted - told), done.etas, steps=done.etas.shape[1]).recorder
        columns = {**columns, **rest.columns(done.steps)}
        refused = {**refused, **rest.refused, **rest.too_short(int(done.steps.max()))}

    def replay(missing: Iterable[Column]) -> dict[Column, Any]:
        """With the steps as they were: where inner products told a rule what it read, it might answer otherwise now.

        What reads numbers that no rule here records is left out: for it all others would run alone, which takes 15 times as long.
        """
        noted = {name for rule in rules for name in rule.records}
        missing = [column for column in missing if _records_read(column) <= noted]
        if not missing:
            return {}
        if done.etas is None:
            return dict(run(problem, rules, steps=steps, columns=missing, starts=starts, xp=xp).columns)
        return recorded(beside(frozenset(missing)), done.etas, steps=done.etas.shape[1]).recorder.columns(done.steps)

    return Trace(
        xp=xp,
        about=about(problem),
        method=method.name,
        names=tuple(rule.name for rule, _ in batch),
        steps=done.steps,
        ended=tuple(done.ended),
        columns=columns,
        parameters=common,
        replay=replay,
        notes=notes_on(problem, done.moved),
        moved=done.moved,
        refused={str(c): why for c, why in refused.items()},
    )


def _told(problem: Problem, columns: Iterable[Column]) -> frozenset[Column]:
    """The columns that inner products tell, with all that their factors read."""
    told: set[Column] = set()
    for column in columns:  # what others read comes before them
        if column_reads(column) <= told and tells(problem, [column]):
            told.add(column)
    return frozenset(told)


def _common(rules: Sequence[Rule]) -> dict[str, tuple[Any, ...]]:
    """The letters that every rule fixes, with what each of them says."""
    names = sorted({name for rule in rules for name in rule.parameters})
    values = {name: tuple(rule.parameters.get(name) for rule in rules) for name in names}
    return {name: each for name, each in values.items() if None not in each}


def _records_read(column: Column) -> set[str]:
    """The names of the numbers beside its steps, recorded by a rule, that a column reads."""
    return {n.name for n in column.formula.walk() if isinstance(n, Term) and n.name != "eta"}


def _refuse(problem: Problem, rules: Sequence[Rule], starts: Sequence[Sequence[Exact]], steps: int) -> None:
    if not rules:
        raise UserError("a run needs at least one rule; found none")
    if steps < 0:
        raise UserError(f"a run needs a number of steps, 0 or more; found {steps}")
    for rule in rules:
        if lacking := rule.missing(problem):
            raise UserError(lacking)
    for start in starts:
        if len(start) != problem.dimension:
            raise UserError(f"{problem.name} has dimension {problem.dimension}; found a start with {len(start)} coordinates")

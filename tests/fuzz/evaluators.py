"""Every evaluator of boundcheck that gives outcomes, asked for the same claims on the same runs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any
from unittest import mock

import numpy as np

from boundcheck.check import hypotheses_on_run as stepwise
from boundcheck.check.question import Question, needs, questions
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import THE_SAME_STEPS, AtEachStep, By, Follows, Once, Runs
from boundcheck.claims.source import Paper
from boundcheck.language.tree import IndexRange
from boundcheck.model.problem import Convex, Differentiable, Smooth, StronglyConvex
from boundcheck.runners import chords, run, trace
from boundcheck.runners.engine import batch
from boundcheck.runners.engine.descent import Role, run_together
from boundcheck.runners.rules.explicit import given, over_L
from boundcheck.runs.trace import Experiment, Trace

from .settings import METHODS, Setting
from .truth import EACH, FOLLOWS, Claim

FACTS = {"Convex": Convex, "Differentiable": Differentiable, "Smooth": Smooth, "StronglyConvex": StronglyConvex}
KINDS = {EACH: AtEachStep, FOLLOWS: Follows, "once": Once}
checking: Any = import_module("boundcheck.check.answer")
FUZZ = Paper(name="fuzz")
NAMES = {int(o): o.name for o in Outcome}


@dataclass(frozen=True)
class Evaluator:
    """An arithmetic and a way to ask: `check`, or `jensen`, the stronger claim about the mean of f where there is one."""

    name: str
    arithmetic: str
    how: str = "check"
    exact: bool = False
    recorded: bool = False
    unfrozen: bool = False  # with the exact value of the rule's step, enclosed


EVALUATORS = {
    e.name: e
    for e in (
        Evaluator("rational", "rational", exact=True),
        Evaluator("rational, Jensen", "rational", "jensen", exact=True),
        Evaluator("ball:128", "ball:128"),
        Evaluator("ball:256", "ball:256"),
        Evaluator("ball:128, Jensen", "ball:128", "jensen"),
        Evaluator("ball:128, unfrozen", "ball:128", unfrozen=True),
        Evaluator("float64", "float64"),
        Evaluator("float64, Jensen", "float64", "jensen"),
        Evaluator("recorded", "float64", recorded=True),
        Evaluator("recorded, Jensen", "float64", "jensen", recorded=True),
    )
}


def as_bound(claim: Claim, setting: Setting, label: str = "claim") -> Bound:
    hypotheses: list[Any] = [KINDS[kind](relation) for kind, relation in claim.given]
    hypotheses += [FACTS[name] for name in claim.facts]
    if not claim.about_chords:
        hypotheses.append(_runs(setting))
    return Bound(
        source=FUZZ.at(label),
        states=claim.states,
        given=tuple(hypotheses),
        for_all=IndexRange(claim.letter, claim.start),
        try_with=dict(claim.parameters),
        **({"smoothness": claim.smoothness} if claim.smoothness else {}),
    )


def _runs(setting: Setting) -> Runs:
    roles = setting.roles
    return By(roles[""]) if len(roles) == 1 else Runs.together(roles, THE_SAME_STEPS)


def make_trace(
    setting: Setting, bounds: Sequence[Bound], evaluator: Evaluator, *, about_chords: bool = False, count: int = 12
) -> Trace:
    """The run or runs, with the columns that the claims read."""
    from boundcheck.arithmetic import arithmetic
    from boundcheck.runners.engine.descent import about

    problem, xp = setting.problem, evaluator.arithmetic
    if evaluator.recorded:
        return _recorded(setting)
    method = "chords" if about_chords else _runs(setting).method
    fixed = setting.parameters
    asked = list(questions(bounds, about(problem), exact=arithmetic(xp).exact, fixed=fixed))
    columns = needs(asked, method)
    if about_chords:
        return chords(problem, columns=columns, count=count, xp=xp, seed=0)
    if setting.is_batch:
        rules = [given(list(etas), name=f"given {n}") for n, etas in enumerate(setting.etas)]
        # every rule from every start is a batch; each run has its own rule here, so rules are as many as starts
        return run(problem, rules, steps=setting.steps, columns=columns, starts=[setting.starts[0]], xp=xp)
    etas = list(setting.etas[0]) or [Fraction(1)]
    rule = over_L(setting.over_L) if setting.over_L is not None else given(etas)
    if evaluator.unfrozen:
        experiment = Experiment(rule, _runs(setting), tuple(fixed.items()))
        made = trace(problem, experiment, steps=setting.steps, count=count, columns=columns, xp=xp, unfrozen=True)
        assert made is not None, "the rule c / L has steps of its own"
        return made
    if len(setting.methods) > 1:
        roles = {role: Role(METHODS[name], rule, problem.start) for role, name in setting.methods}
        return run_together(
            problem, roles, steps=setting.steps, columns=columns, xp=xp, parameters=fixed, method=_runs(setting).method
        )
    return run(problem, rule, steps=setting.steps, columns=columns, xp=xp, method=setting.roles[""], parameters=fixed or None)


def _recorded(setting: Setting) -> Trace:
    made = setting.run(0)
    x = [made.entries["", "x"][n] for n in range(made.steps + 1)]
    eta = [made.entries["", "eta"][n] for n in range(made.steps)]
    points = np.array([[float(c) for c in p] for p in x])
    values = np.array([float(setting.function.value(p)) for p in x])
    gradients = np.array([[float(c) for c in setting.function.grad(p)] for p in x])
    steps = np.array([float(e) for e in eta])
    return Trace.from_arrays(x=points, f=values, grad=gradients, eta=steps, problem=setting.problem)


def is_dyadic(setting: Setting) -> bool:
    """Are all numbers of the run float64s, so that a recorded run is the exact one?"""
    made = setting.run(0)
    numbers = [c for n in range(made.steps + 1) for c in made.entries["", "x"][n]]
    numbers += [c for n in range(made.steps + 1) for c in setting.function.grad(made.entries["", "x"][n])]
    numbers += [setting.function.value(made.entries["", "x"][n]) for n in range(made.steps + 1)]
    numbers += list(made.entries["", "eta"].values()) + list(setting.function.minimiser)
    numbers.append(setting.function.value(setting.function.minimiser))
    return all(Fraction(float(n)) == n for n in numbers)


def ask(bounds: Sequence[Bound], trace: Trace, evaluator: Evaluator) -> list[list[Verdict]]:
    """The verdicts of each claim: for each choice of M and parameters, on each run."""
    asked: list[Question] = []
    sizes = []
    for bound in bounds:
        mine = list(questions([bound], trace.about, exact=trace.xp.exact, fixed=trace.parameters))
        asked += mine
        sizes.append(len(mine) * len(trace.names))
    found = (checking.answer if evaluator.how == "check" else _through_jensen)(asked, trace)
    assert len(found) == sum(sizes)
    parts, at = [], 0
    for size in sizes:
        parts.append(found[at : at + size])
        at += size
    return parts


def _through_jensen(asked: Sequence[Question], trace: Trace) -> list[Verdict]:
    """The verdicts of the stronger claims about the mean of f, where none of them fails; else those of the claims themselves."""
    runs, made = len(trace.names), checking.answer(asked, trace)
    for n, q in enumerate(asked):
        if (stronger := q.through_jensen()) is not None:
            found = checking.answer([stronger], trace)
            if not any((v.outcomes == Outcome.VIOLATED).any() for v in found):
                made[n * runs : (n + 1) * runs] = found
    return made


@contextlib.contextmanager
def small_windows(length: int) -> Iterator[None]:
    """Windows and chunks of a few entries: what is carried from one to the next is carried often."""

    def windows(start: int, end: int, runs: int = 1) -> Iterator[tuple[int, int]]:
        return ((low, min(low + length, end)) for low in range(start, end, length))

    with contextlib.ExitStack() as stack:
        for module, name, value in (
            (stepwise, "windows", windows),
            (checking, "windows", windows),
            (checking, "SHORT", length),
            (batch, "CHUNK", length),
            (batch, "ALONE", 1),
        ):
            if hasattr(module, name):
                stack.enter_context(mock.patch.object(module, name, value))
        yield


def outcomes(verdict: Verdict) -> Iterator[tuple[int, str]]:
    for n, outcome in enumerate(verdict.outcomes.tolist()):
        yield verdict.first_k + n, NAMES[outcome]

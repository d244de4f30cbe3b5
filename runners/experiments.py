"""Making experiments: chords, a method's run, several runs with the same steps, exponential search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boundcheck.arithmetic import Arithmetic, arithmetic
from boundcheck.evaluate.columns import Column
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runners.enclosures.constant_step import run_enclosed, takes_one_step
from boundcheck.runners.engine.chord_pairs import chords
from boundcheck.runners.engine.descent import Role, about, run, run_together
from boundcheck.runners.engine.exact_steps import has_own_steps
from boundcheck.runners.engine.method_run import Iteration
from boundcheck.runners.named.record import named_trace
from boundcheck.runners.rules.exponential_search import EXPONENTIAL_SEARCH, search_and_run
from boundcheck.runs.named_experiment import NamedExperiment
from boundcheck.runs.trace import Experiment, Trace
from boundcheck.support.errors import UserError


def trace(
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
    """The trace of an experiment: `count` chords, drawn with the seed, or `steps` steps.

    `unfrozen`: with the steps that the rule's formula gives, enclosed; None where there is no such run.
    """
    xp = arithmetic(xp) if isinstance(xp, str) else xp
    if isinstance(experiment, NamedExperiment):
        return None if unfrozen else _named(problem, experiment, steps, columns, xp, seed)
    rule, runs = experiment.rule, experiment.runs
    if unfrozen and (rule is None or runs is None or len(runs.roles) > 1 or not has_own_steps(problem, rule)):
        return None
    if rule is None or runs is None:
        return chords(problem, columns=columns, count=count, xp=xp, seed=seed)
    if runs.steps == EXPONENTIAL_SEARCH:
        return search_and_run(problem, experiment, steps=steps, columns=columns, xp=xp)
    if runs.searched:
        raise UserError(f"'{runs.steps}' is no search that is known here; there is '{EXPONENTIAL_SEARCH}'")
    values = dict(experiment.values)
    if unfrozen and runs.main.key == GRADIENT_DESCENT.key and takes_one_step(problem, rule, xp):
        return run_enclosed(problem, rule, steps=steps, columns=columns, xp=xp)
    if len(runs.roles) == 1:
        return run(problem, rule, steps=steps, columns=columns, xp=xp, method=runs.main, parameters=values, unfrozen=unfrozen)
    chosen = _steps_of(problem, experiment, steps, xp)
    again = Rule(name=rule.name, step=lambda run: chosen[run.k], parameters=rule.parameters)
    roles = {role: Role(method, again, problem.start) for role, method in runs.roles}
    return run_together(problem, roles, steps=len(chosen), columns=columns, xp=xp, parameters=values, method=runs.method)


def _named(
    problem: Problem, experiment: NamedExperiment, steps: int, columns: Iterable[Column], xp: Arithmetic, seed: int
) -> Trace:
    """The run that a claim about more than f describes."""
    assert experiment.claim is not None and experiment.about is not None and experiment.rule is not None
    return named_trace(
        problem,
        experiment.claim,
        steps=steps,
        columns=columns,
        xp=xp,
        about=experiment.about,
        values=dict(experiment.values),
        rule=experiment.rule if experiment.by_rule else None,
        name=experiment.rule.name,
        choice=experiment.choice,
        seed=seed,
    )


def _steps_of(problem: Problem, experiment: Experiment, steps: int, xp: Arithmetic) -> list[Any]:
    """The steps that the rule chooses for the main run; the others take the same."""
    assert experiment.rule is not None and experiment.runs is not None
    known = {**about(problem).constants, **experiment.rule.parameters, **dict(experiment.values)}
    constants = {name: value for name, value in known.items() if value is not None}
    done = Iteration(problem, experiment.runs.main, experiment.rule, problem.start, xp, constants).go(steps)
    return [done.entries["eta"][n] for n in range(done.steps)]

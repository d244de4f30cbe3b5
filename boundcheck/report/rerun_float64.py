"""A second run of a cell in floating point: the numbers of claims on it, to look at and compare, never for a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from boundcheck.arithmetic import NotInThisArithmetic
from boundcheck.check.answer import answer
from boundcheck.check.question import Question
from boundcheck.check.verdict import Cell, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Runs
from boundcheck.library.catalogue import NotFound, runner
from boundcheck.library.names import problem_named, rule_named
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runs.trace import CHORDS, About, Experiment
from boundcheck.suite.grid import GridSetting, experiment_for
from boundcheck.suite.profiles import PROFILES, Profile

IN = "float64"
KEPT = 64  # problems


@dataclass(frozen=True)
class Request:
    """A claim, perhaps a changed one, with this M, on the run of a cell of so many steps."""

    bound: Bound
    smoothness: str
    cell: Cell
    steps: int


def without_conditions(bound: Bound, **changes: Any) -> Bound:
    """Return the claim of the same method's runs, without hypotheses about the steps: its sides are numbers all the same."""
    return bound.assuming((h for h in bound.hypotheses if isinstance(h, Runs)), **changes)


def ask_again(requests: Sequence[Request]) -> list[Verdict | None]:
    """Return the verdict of each request in floating point, with both sides; None where it cannot be asked.

    Each run is made once, as long as any request needs it, and each question is asked once of it: an answer may be longer than
    its request. Only what a fixed horizon decides is run with that horizon.
    """
    placed = [_placed(request) for request in requests]
    longest: dict[Any, int] = {}
    for request, made in zip(requests, placed, strict=True):
        if made is not None:
            longest[made.run] = max(longest.get(made.run, 0), request.steps)
    groups: dict[Any, dict[Any, _Placed]] = {}
    for made in placed:
        if made is not None:
            groups.setdefault(made.run, {}).setdefault(made.asked, made)
    found: dict[Any, Verdict] = {}
    for run, group in groups.items():
        first = next(iter(group.values()))
        setting = replace(first.setting, profile=_profile(longest[run]))
        answers = _answered(setting, first.experiment, [made.question for made in group.values()])
        found |= {(run, asked): verdict for asked, verdict in zip(group, answers, strict=False)}
    return [None if made is None else found.get((made.run, made.asked)) for made in placed]


@dataclass(frozen=True, eq=False)
class _Placed:
    """A request, ready to be asked."""

    setting: GridSetting
    experiment: Experiment
    question: Question
    run: Any  # what tells runs apart
    asked: Any  # what tells questions about one run apart


def _answered(setting: GridSetting, experiment: Experiment, asked: Sequence[Question]) -> Iterable[Verdict]:
    try:
        return answer(asked, setting.trace(experiment, asked, IN), sides=True)
    except (RuleError, NotInThisArithmetic, NotFound):
        return ()


def _placed(request: Request) -> _Placed | None:
    """None where the problem or the method is not known by name, or its steps depend on what is claimed."""
    bound, cell = request.bound, request.cell
    if bound.runs.searched or bound.is_about_chords != (cell.method == CHORDS):
        return None
    try:
        problem, rule = _problem(cell.problem), rule_named(cell.method)
    except ValueError:
        return None
    setting = GridSetting(problem, IN, _profile(request.steps), () if rule is None else (rule,))
    question = Question(bound, request.smoothness, _values(bound, cell, rule), _about(cell.problem), False)
    experiment = experiment_for(question, rule)
    horizon = request.steps if bound.has_fixed_horizon else None
    run = cell.problem, cell.method, experiment.key, horizon
    return _Placed(setting, experiment, question, run, (bound, question.smoothness, question.values))


def _values(bound: Bound, cell: Cell, rule: Rule | None) -> tuple[tuple[str, Any], ...]:
    """Return the cell's values of the letters that the rule does not fix.

    Of one that the cell has not, the first that is tried.
    """
    fixed = set(rule.parameters) if rule is not None else set()
    known = dict(cell.parameters)
    chosen = {name: known.get(name, bound.try_with[name][0]) for name in bound.parameters if name not in fixed}
    return tuple((name, Fraction(value)) for name, value in chosen.items())


@lru_cache(maxsize=KEPT)
def _profile(steps: int) -> Profile:
    quick = PROFILES["quick"]
    return replace(quick, steps=steps, method_steps=steps, every_k=True, chords=max(steps, quick.chords))


@lru_cache(maxsize=KEPT)
def _problem(name: str) -> Problem:
    return problem_named(name)


@lru_cache(maxsize=KEPT)
def _about(name: str) -> About:
    made: About = runner().about(_problem(name))
    return made


def constants_of(problem: str) -> Mapping[str, Any]:
    """L, mu and the other constants that a problem declares; none where it is not known by name."""
    try:
        return _about(problem).constants
    except ValueError:
        return {}

"""Instances: where a false claim is seen to fail, or a true one comes near equality."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from boundcheck.check.question import questions
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound, Instance
from boundcheck.library.catalogue import runner
from boundcheck.library.names import problem_named, rule_named
from boundcheck.suite.grid import GridCell, GridSetting, experiment_for
from boundcheck.suite.profiles import PROFILES
from boundcheck.support.errors import UserError

NEARLY_TIGHT = 0.9  # left over right, at some k >= 1


@dataclass(frozen=True, eq=False)
class AnsweredCell(GridCell):
    """A cell with its verdict."""

    verdict: Verdict


def cells_on(bound: Bound, at: Instance) -> list[GridCell]:
    """The questions that an instance stands for: one for each M that it leaves open."""
    if unknown := sorted(set(at.parameters) - set(bound.parameters)):
        raise UserError(f"{bound.id}: an instance gives {unknown[0]}, which the claim does not read")
    if at.smoothness and at.smoothness not in bound.smoothness:
        raise UserError(f"{bound.id}: an instance has M = {at.smoothness}; the claim is for {', '.join(bound.smoothness)}")
    problem, rule = problem_named(at.problem), rule_named(at.method)
    quick = PROFILES["quick"]
    size = {"steps": at.steps, "method_steps": at.steps, "exact_steps": {problem.dimension: at.steps}}
    profile = replace(quick, every_k=True, bits=512, chords=max(at.steps, quick.chords), **size)  # type: ignore[arg-type]
    setting = GridSetting(problem, at.arithmetic, profile, () if rule is None else (rule,))
    asked = questions(
        [bound],
        runner().about(problem),
        exact=setting.exact,
        fixed=() if rule is None else rule.parameters,
        smoothness=(at.smoothness,) if at.smoothness else None,
    )
    wanted = {name: Fraction(value) for name, value in at.parameters.items()}
    return [
        GridCell(setting, experiment_for(q, rule), q)
        for q in asked
        if all(Fraction(value) == wanted.get(name, value) for name, value in q.values)
    ]


def try_instance(bound: Bound, at: Instance, *, sides: bool = False) -> AnsweredCell:
    """The claim on an instance: a violated cell where there is one, else the first."""
    chosen = replace(bound, try_with={**bound.try_with, **{name: (value,) for name, value in at.parameters.items()}})
    found = []
    for cell in cells_on(chosen, at):
        verdict = cell.answered(sides=sides)
        found.append(AnsweredCell(cell.setting, cell.experiment, cell.question, verdict))
        if verdict.outcome is Outcome.VIOLATED:
            break
    if not found:
        raise UserError(f"{bound.id}: the instance asks nothing of the claim")
    return min(found, key=lambda cell: cell.verdict.outcome is not Outcome.VIOLATED)

"""Instances: where a false claim is seen to fail, or a true one comes near equality."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from boundcheck.check.question import Question, questions
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound, Instance
from boundcheck.library.catalogue import runner
from boundcheck.library.names import problem_named, rule_named
from boundcheck.runs.experiment import Experiment
from boundcheck.suite.grid import PROFILES, Setting, experiment_for
from boundcheck.support.errors import UserError

NEARLY_TIGHT = 0.9  # left over right, at some k >= 1


@dataclass(frozen=True, eq=False)
class Place:
    """A claim on an instance, ready to be tried."""

    setting: Setting
    experiment: Experiment
    question: Question

    def answered(self, *, sides: bool = False) -> Verdict:
        (found,) = self.setting.answers(self.experiment, [self.question], sides=sides)
        return found


@dataclass(frozen=True, eq=False)
class Tried(Place):
    """What came of it."""

    verdict: Verdict


def places(bound: Bound, at: Instance) -> list[Place]:
    """The questions that an instance stands for: one for each M that it leaves open."""
    if unknown := sorted(set(at.parameters) - set(bound.parameters)):
        raise UserError(f"{bound.id}: an instance gives {unknown[0]}, which the claim does not read")
    if at.smoothness and at.smoothness not in bound.smoothness:
        raise UserError(f"{bound.id}: an instance has M = {at.smoothness}; the claim is for {', '.join(bound.smoothness)}")
    problem, rule = problem_named(at.problem), rule_named(at.method)
    quick = PROFILES["quick"]
    size = {"steps": at.steps, "method_steps": at.steps, "exact_steps": {problem.dimension: at.steps}}
    profile = replace(quick, every_k=True, bits=512, chords=max(at.steps, quick.chords), **size)  # type: ignore[arg-type]
    setting = Setting(problem, at.arithmetic, profile, () if rule is None else (rule,))
    asked = questions(
        [bound],
        runner().about(problem),
        exact=setting.exact,
        fixed=() if rule is None else rule.parameters,
        smoothness=(at.smoothness,) if at.smoothness else None,
    )
    wanted = {name: Fraction(value) for name, value in at.parameters.items()}
    return [
        Place(setting, experiment_for(q, rule), q)
        for q in asked
        if all(Fraction(value) == wanted.get(name, value) for name, value in q.values)
    ]


def try_instance(bound: Bound, at: Instance, *, sides: bool = False) -> Tried:
    """The claim on an instance: a violated cell where there is one, else the first."""
    chosen = replace(bound, try_with={**bound.try_with, **{name: (value,) for name, value in at.parameters.items()}})
    found = []
    for place in places(chosen, at):
        verdict = place.answered(sides=sides)
        found.append(Tried(place.setting, place.experiment, place.question, verdict))
        if verdict.outcome is Outcome.VIOLATED:
            break
    if not found:
        raise UserError(f"{bound.id}: the instance asks nothing of the claim")
    return min(found, key=lambda tried: tried.verdict.outcome is not Outcome.VIOLATED)

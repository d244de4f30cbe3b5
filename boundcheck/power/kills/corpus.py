"""The corpus: the suite's own small problems in exact rationals. What fails there is killed by a certified verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from boundcheck.arithmetic import NotInThisArithmetic
from boundcheck.check.question import Question
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.falsify.exact import reads
from boundcheck.model.problem import Convex
from boundcheck.model.rule import RuleError
from boundcheck.power.kills.quadratics import found_on_quadratics
from boundcheck.power.kills.translation import moved, moves
from boundcheck.runs.experiment import Experiment
from boundcheck.suite.grid import PROFILES, Setting, settings
from boundcheck.suite.instances import places

SMALL = replace(PROFILES["quick"], name="corpus", steps=5, exact_steps={1: 5, 2: 4}, chords=60, largest=2)
BALLS = "ball:128"
FEW_STEPS = 40  # of an instance that a claim names


@dataclass(frozen=True)
class Kill:
    """Where a mutant fails, certified, and at which k."""

    where: str
    k: int
    ratio: float


@cache
def _settings() -> list[Setting]:
    return settings(SMALL, in_arithmetic="rational")


@cache
def _elsewhere() -> list[Setting]:
    """The same problems moved, in rationals and in balls."""
    exact = [s for s in _settings() if s.problem.minimiser is None or s.problem.minimiser.refined is None]
    return [replace(s, problem=moved(s.problem), arithmetic=kind) for s in exact for kind in ("rational", BALLS)]


def kills(original: Bound, mutants: Sequence[Bound]) -> dict[int, Kill]:
    """For each mutant that the corpus breaks, by its number: where. k = 0 does not count: nothing has happened yet."""
    found: dict[int, Kill] = {}
    number = {id(bound): n for n, bound in enumerate(mutants)}
    movable = {id(bound) for bound in mutants if moves(bound)}
    for setting in (*_settings(), *(_elsewhere() if movable else ())):
        for rule in (None,) if original.is_about_chords else setting.rules:
            alive = [bound for n, bound in enumerate(mutants) if n not in found]
            if not alive:
                return found
            if setting in _elsewhere():
                alive = [bound for bound in alive if id(bound) in movable]
            if not setting.problem.has(Convex):
                alive = [bound for bound in alive if not _reads_mu(bound)]
            for experiment, asked in setting.experiments(alive, rule):
                for q, verdict in _answers(setting, experiment, asked):
                    if (kill := _kill(q, verdict)) is not None:
                        found.setdefault(number[id(q.bound)], kill)
    for n, bound in enumerate(mutants):
        if n not in found and (kill := _where_it_is_tight(original, bound) or _on_quadratics(bound)) is not None:
            found[n] = kill
    return found


def _on_quadratics(mutant: Bound) -> Kill | None:
    found = found_on_quadratics(mutant)
    return None if found is None else Kill("a quadratic with chosen eigenvalues", found.candidate.k, found.failure.margin)


def _reads_mu(bound: Bound) -> bool:
    """A function that is not convex has no mu."""
    return "mu" in reads(bound)[0]


def _answers(setting: Setting, experiment: Experiment, asked: Sequence[Question]) -> Iterator[tuple[Question, Verdict]]:
    try:
        yield from zip(asked, setting.answers(experiment, asked), strict=True)
    except (RuleError, NotInThisArithmetic):
        return


def _kill(q: Question, verdict: Verdict) -> Kill | None:
    if verdict.outcome is not Outcome.VIOLATED or not verdict.certified or verdict.violation is None:
        return None
    first = 0 if q.bound.is_about_chords else max(0, 1 - verdict.first_k)
    broken = np.flatnonzero(verdict.outcomes[first:] == Outcome.VIOLATED)
    if not len(broken):
        return None
    return Kill(
        f"{verdict.cell.problem} by {verdict.cell.method}", int(broken[0]) + first + verdict.first_k, verdict.violation.ratio
    )


def _where_it_is_tight(original: Bound, mutant: Bound) -> Kill | None:
    """On the instances that the claim itself names, where it comes near equality."""
    for at in original.try_on:
        try:
            asked = places(mutant, replace(at, steps=min(at.steps, FEW_STEPS)))
        except ValueError:
            continue
        for place in asked:
            for q, verdict in _answers(place.setting, place.experiment, [place.question]):
                if (kill := _kill(q, verdict)) is not None:
                    return kill
    return None

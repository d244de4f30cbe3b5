"""The corpus: the suite's own small problems in exact rationals. What fails there is killed by a certified verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from boundcheck.arithmetic import NotInThisArithmetic
from boundcheck.bound import Bound
from boundcheck.experiment import Experiment
from boundcheck.instance import places
from boundcheck.question import Question
from boundcheck.rule import RuleError
from boundcheck.suite import PROFILES, Setting, settings
from boundcheck.verdict import Outcome, Verdict

SMALL = replace(PROFILES["quick"], name="corpus", exact_steps={1: 5, 2: 4}, chords=60, largest=2)
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


def kills(original: Bound, mutants: Sequence[Bound]) -> dict[int, Kill]:
    """For each mutant that the corpus breaks, by its number: where. k = 0 does not count: nothing has happened yet."""
    found: dict[int, Kill] = {}
    number = {id(bound): n for n, bound in enumerate(mutants)}
    for setting in _settings():
        for rule in (None,) if original.is_about_chords else setting.rules:
            alive = [bound for n, bound in enumerate(mutants) if n not in found]
            if not alive:
                return found
            for experiment, asked in setting.experiments(alive, rule):
                for q, verdict in _answers(setting, experiment, asked):
                    if (kill := _kill(q, verdict)) is not None:
                        found.setdefault(number[id(q.bound)], kill)
    for n, bound in enumerate(mutants):
        if n not in found and (kill := _where_it_is_tight(original, bound)) is not None:
            found[n] = kill
    return found


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

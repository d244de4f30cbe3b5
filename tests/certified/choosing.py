"""Which claims are compared on which runs: few for each run, and always those that were compared least so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random

from boundcheck.check.precision_ladder import AUTO
from boundcheck.check.question import Question
from boundcheck.library.catalogue import bounds, problems
from boundcheck.runs.trace import Experiment
from boundcheck.suite.grid import GridSetting, settings
from boundcheck.suite.profiles import Profile
from boundcheck.support.processes.pool import in_processes

from .cells import Comparing, Comparison, Decide, Tally, claims_of


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of the truth set: problems with the number of steps of gradient descent on each, and how much is asked there."""

    problems: Mapping[str, int]
    experiments: int  # of each problem: those whose rule and method were seen least
    claims: int  # of each experiment
    paper: str = ""  # its claims alone
    method_steps: int = 14
    chords: int = 60
    ks: int = 8
    nominal: int = 1
    seed: int = 4


@dataclass
class Chosen:
    """Counts what was taken, so that every claim, rule and method has its turn."""

    part: Part
    claims: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)

    def settings(self) -> Iterator[GridSetting]:
        for name, steps in self.part.problems.items():
            profile = Profile(
                name="truth", largest=400, steps=steps, chords=self.part.chords, method_steps=min(steps, self.part.method_steps)
            )
            yield from settings(profile, only_problems=[problems()[name]()], in_arithmetic=AUTO)

    def experiments(self, setting: GridSetting) -> list[tuple[Experiment, list[Question]]]:
        random = Random(f"{self.part.seed} {setting.problem.name}")
        asked = [bound for bound in bounds() if self.part.paper in ("", bound.source.paper.name)]
        found = [pair for rule in (*setting.rules, None) for pair in setting.experiments(asked, rule)]
        random.shuffle(found)
        taken = []
        for _ in range(min(self.part.experiments, len(found))):
            best = min(found, key=lambda pair: self.methods[self._kind(pair[0])])
            found.remove(best)
            self.methods[self._kind(best[0])] += 1
            taken.append((best[0], self._questions(best[1], random)))
        return [pair for pair in taken if pair[1]]

    def _kind(self, experiment: Experiment) -> str:
        return f"{experiment.method} with {experiment.rule.name if experiment.rule is not None else 'chords'}"

    def _questions(self, asked: list[Question], random: Random) -> list[Question]:
        found = [made for q in random.sample(asked, len(asked)) for made in claims_of(q)]
        taken: list[Question] = []
        while found and len(taken) < self.part.claims:
            best = min(found, key=lambda q: self.claims[q.bound.id])
            found.remove(best)
            self.claims[best.bound.id] += 1
            taken.append(best)
        return taken


def compare_all(part: Part, decide: Decide, jobs: int = 1) -> Tally:
    """Every comparison of a part. What is chosen does not depend on what comes of it, so processes may share the work."""
    tally, chosen = Tally(), Chosen(part)
    tasks = [
        partial(_compared, part, decide, setting, experiment, asked)
        for setting in chosen.settings()
        for experiment, asked in chosen.experiments(setting)
    ]
    with in_processes(tasks, jobs) as results:
        for result in results:
            tally.add(result())
    return tally


def _compared(
    part: Part, decide: Decide, setting: GridSetting, experiment: Experiment, asked: list[Question]
) -> list[Comparison]:
    seed = (part.seed, setting.problem.name, experiment.method)
    return list(Comparing(setting, experiment, decide, ks=part.ks, nominal=part.nominal, seed=seed).compare(asked))

"""The grid: which claims are asked on which problems, by which methods, with which M, in which arithmetic; and who shares a run.

`boundcheck check`, `paper`, `sweep` and the pytest plugin lay out their cells here. A work is what shares runs: one problem in
one arithmetic with one method (or chords), for all claims and every M. A cell is one question of a work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from boundcheck.arithmetic import arithmetic
from boundcheck.check.precision_ladder import AUTO, climb, rungs
from boundcheck.check.question import Question, needs, questions
from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep
from boundcheck.language.scalars import Term
from boundcheck.library.catalogue import (
    NotFound,
    everyday_rules,
    exact_only_problems,
    problems,
    rules,
    runner,
    special_problems,
)
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.trace import CHORDS, About, Experiment, Trace
from boundcheck.suite.horizons import at_horizon, together
from boundcheck.suite.objections import Objection, objection
from boundcheck.suite.own_rules import own_rules, rules_beside
from boundcheck.suite.profiles import PROFILES, Profile


@dataclass(frozen=True, eq=False)
class GridSetting:
    """One problem in one arithmetic: each method runs with each rule, and chords are sampled, once for all claims."""

    problem: Problem
    arithmetic: str
    profile: Profile
    rules: tuple[Rule, ...]
    chosen: bool = True  # the rules were named by someone: all of them are tried on every claim
    seed: int = 0  # of the chords
    named: bool = False  # the problem was named by someone
    in_arithmetic: bool = False  # and the arithmetic

    @property
    def name(self) -> str:
        return f"{self.problem.name}[{self.arithmetic}]"

    @property
    def exact(self) -> bool:
        return self.arithmetic == "rational"

    @property
    def steps(self) -> int:
        if self.exact:
            return self.profile.exact_steps.get(self.problem.dimension, 4)
        return self.profile.steps

    @cached_property
    def about(self) -> About:
        return runner().about(self.problem)

    def asked(self, bounds: Iterable[Bound], rule: Rule | None, smoothness: Iterable[str] | None = None) -> list[Question]:
        """The questions that make sense here with this rule (None: chords)."""
        return [q for bound in bounds for q, why in self.considered(bound, rule, smoothness) if why is None]

    def considered(
        self, bound: Bound, rule: Rule | None, smoothness: Iterable[str] | None = None
    ) -> Iterator[tuple[Question, Objection | None]]:
        """Each question about a claim with this rule (None: chords), and what stands against asking it here."""
        if bound.untested or bound.is_about_chords != (rule is None) or (rule and not self.worth_trying(rule, bound)):
            return
        fixed = rule.parameters if rule is not None else ()
        for q in questions([bound], self.about, exact=self.exact, fixed=fixed, smoothness=smoothness):
            yield q, objection(rule, q)

    def worth_trying(self, rule: Rule, bound: Bound) -> bool:
        """A claim that names no formula for the steps is tried with a few rules, unless someone asks for others."""
        enough = everyday_rules().get(bound.runs.main.kind)
        if self.chosen or enough is None or rule.name in enough or rule in own_rules(bound):
            return True
        return bool(bound.rules or bound.sequences.intersection(rule.records)) or bound.runs.searched

    def own_rules(self, bound: Bound) -> list[Rule]:
        """The rules that the claim's own hypotheses are, beside those of the setting; none where rules were named."""
        if self.chosen:
            return []
        beside = rules_beside(bound, [rule for rule in self.rules if self.worth_trying(rule, bound)])
        return [rule for rule in beside if not rule.missing(self.problem)]

    def _on_the_safe_side(self, rule: Rule | None, q: Question) -> Rule | None:
        """A rule that solves eta = 1/M makes eta <= 1/M a tie: a claim that assumes no more gets steps a little below."""
        if rule is None or rule.below is None or self.exact or q.form.rules:
            return rule
        assumes = any(
            isinstance(n, Term) and n.name == "eta" for h, r in q.hypotheses if isinstance(h, AtEachStep) for n in r.walk()
        )
        return rule.below if assumes else rule

    def experiments(
        self, bounds: Iterable[Bound], rule: Rule | None, smoothness: Iterable[str] | None = None
    ) -> list[tuple[Experiment, list[Question]]]:
        """What to run with this rule, each with all the questions that it answers."""
        groups: dict[Any, tuple[Experiment, list[Question]]] = {}
        for q in self.asked(bounds, rule, smoothness):
            experiment = experiment_for(q, self._on_the_safe_side(rule, q))
            groups.setdefault(experiment.key, (experiment, []))[1].append(q)
        return list(groups.values())

    def trace(self, experiment: Experiment, asked: Sequence[Question], arithmetic: str | None = None) -> Trace:
        """The run of an experiment, with the columns that these questions need."""
        made = self._run(experiment, asked, arithmetic or self.arithmetic, False)
        assert made is not None
        return made

    def _run(
        self, experiment: Experiment, asked: Sequence[Question], arithmetic: str, unfrozen: bool, steps: int | None = None
    ) -> Trace | None:
        """`unfrozen`: with the steps that the rule's formula gives, enclosed; None where it has no such formula."""
        made: Trace | None = runner().trace(
            self.problem,
            experiment,
            steps=self.steps_for(experiment) if steps is None else steps,
            count=self.profile.chords,
            columns=needs(asked, experiment.method),
            xp=arithmetic,
            unfrozen=unfrozen,
            **({"seed": self.seed} if self.seed else {}),
        )
        return made

    def answers(self, experiment: Experiment, asked: Sequence[Question], *, sides: bool = False) -> list[Verdict]:
        """The verdicts of all questions about one experiment, each from the arithmetic that decided it."""
        by_horizon = [q for q in asked if q.bound.schedule_reads_horizon and q.horizon is None]
        others = [q for q in asked if q not in by_horizon]
        steps = self.steps_for(experiment)
        found = dict(zip(others, self._climbed(experiment, steps, others, sides), strict=True)) if others else {}
        if by_horizon:
            lengths = range(1, min(steps, self.profile.horizons) + 1)
            each = [self._at_horizon(experiment, K, by_horizon, sides) for K in lengths]
            for n, q in enumerate(by_horizon):
                found[q] = together([verdicts[n] for verdicts in each], q.bound.has_fixed_horizon)
        return [found[q] for q in asked]

    def _at_horizon(self, experiment: Experiment, K: int, asked: Sequence[Question], sides: bool) -> list[Verdict]:
        """The verdicts of the run of K steps, whose schedule depends on K."""
        return self._climbed(at_horizon(experiment, K), K, [replace(q, horizon=K) for q in asked], sides)

    def _climbed(self, experiment: Experiment, steps: int, asked: Sequence[Question], sides: bool) -> list[Verdict]:
        order = rungs(self.arithmetic, self.problem.dimension * steps, self.profile.bits)
        return climb(asked, partial(self._run, experiment, steps=steps), order, every_k=self.profile.every_k, sides=sides)

    def steps_for(self, experiment: Experiment) -> int:
        """Errors of a trajectory grow quickly where nothing is known of the method's map: short runs tell as much."""
        return self.steps if experiment.is_gradient_descent else min(self.steps, self.profile.method_steps)

    def verdicts(
        self, bounds: Sequence[Bound], smoothness: Iterable[str] | None = None, *, sides: bool = False
    ) -> Iterator[Verdict]:
        """The verdicts of all claims: each experiment is run once in each arithmetic that it needs."""
        kinds = None if smoothness is None else tuple(smoothness)
        for work in works([self], bounds):
            yield from work.verdicts(kinds, sides=sides)


RunKey = tuple[str, int, Any]  # problem[arithmetic], steps, experiment


@dataclass(frozen=True, eq=False)
class GridCell:
    """One question of the grid, ready to be answered: where it is asked, and of which experiment."""

    setting: GridSetting
    experiment: Experiment
    question: Question

    @property
    def rule(self) -> Rule | None:
        return self.experiment.rule

    @property
    def bound(self) -> Bound:
        return self.question.bound

    @property
    def method(self) -> str:
        return CHORDS if self.rule is None else self.rule.name

    @property
    def run(self) -> RunKey:
        """What cells have in common that share a run."""
        return self.setting.name, self.setting.steps_for(self.experiment), self.experiment.key

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The letters that have a value here: chosen for the claim, or fixed by the method."""
        fixed = {} if self.rule is None else {n: v for n, v in self.rule.parameters.items() if n in self.bound.parameters}
        return tuple((name, str(value)) for name, value in sorted({**dict(self.question.values), **fixed}.items()))

    def answered(self, *, sides: bool = False) -> Verdict:
        (found,) = self.setting.answers(self.experiment, [self.question], sides=sides)
        return found


@dataclass(frozen=True)
class GridWork:
    """What shares runs: one problem in one arithmetic with one rule (None: chords), for all claims and every M."""

    setting: GridSetting
    rule: Rule | None
    bounds: tuple[Bound, ...]

    def __str__(self) -> str:
        return f"{self.setting.name} {CHORDS if self.rule is None else self.rule.name}"

    def experiments(self, smoothness: Sequence[str] | None = None) -> list[tuple[Experiment, list[Question]]]:
        """What is run, each with all the questions that it answers."""
        return self.setting.experiments(self.bounds, self.rule, smoothness)

    def cells(self, smoothness: Sequence[str] | None = None) -> Iterator[GridCell]:
        for experiment, asked in self.experiments(smoothness):
            yield from (GridCell(self.setting, experiment, question) for question in asked)

    def verdicts(self, smoothness: Sequence[str] | None = None, *, sides: bool = False) -> Iterator[Verdict]:
        for experiment, asked in self.experiments(smoothness):
            yield from self.setting.answers(experiment, asked, sides=sides)


def works(chosen: Iterable[GridSetting], bounds: Iterable[Bound]) -> list[GridWork]:
    """The works of a grid in their order: each setting with each of its rules, chords, then claims beyond f."""
    from boundcheck.suite.named_grid import named_works

    chosen, given = list(chosen), list(bounds)
    bounds = [bound for bound in given if not bound.is_beyond_f]
    about_runs = tuple(b for b in bounds if not b.is_about_chords)
    about_chords = tuple(b for b in bounds if b.is_about_chords)
    found = [GridWork(setting, rule, about_runs) for setting in chosen for rule in setting.rules if about_runs]
    for setting in chosen:
        found += [GridWork(setting, rule, (bound,)) for bound in about_runs for rule in setting.own_rules(bound)]
    found += [GridWork(setting, None, about_chords) for setting in chosen if about_chords]
    return found + named_works(chosen, [bound for bound in given if bound.is_beyond_f])


def _built(profile: Profile) -> list[Problem]:
    special = special_problems() if profile.everyday else ()
    return [make() for name, make in problems().items() if name not in special]


def settings(
    profile: Profile,
    *,
    only_problems: Sequence[Problem] | None = None,
    only_rules: Sequence[Rule] | None = None,
    in_arithmetic: str | None = None,
) -> list[GridSetting]:
    """Every problem of the catalogue that is not too large: by the ladder and, where it can, in exact rationals."""
    chosen = only_problems if only_problems is not None else _built(profile)
    result = []
    for problem in chosen:
        if only_problems is None and problem.dimension > profile.largest:
            continue
        kinds = [in_arithmetic] if in_arithmetic else ["rational", AUTO] if problem.rational else [AUTO]
        if profile.everyday and only_problems is None and not in_arithmetic and problem.name in exact_only_problems():
            kinds = ["rational"]
        usable = tuple(r for r in (only_rules if only_rules is not None else rules().values()) if not r.missing(problem))
        for kind in kinds:
            if kind == "rational" and not problem.rational:
                continue
            named = only_problems is not None
            made = GridSetting(problem, kind, profile, usable, only_rules is not None, 0, named, in_arithmetic is not None)
            result.append(made)
    return result


def chosen_settings(
    profile: str, only_problems: Sequence[Problem], only_rules: Sequence[Rule], in_arithmetic: str | None, steps: int | None
) -> list[GridSetting]:
    if in_arithmetic is not None and in_arithmetic != AUTO:
        arithmetic(in_arithmetic)  # refuses a bad name before anything runs
    for problem in only_problems:
        if in_arithmetic == "rational" and not problem.rational:
            raise NotFound(f"{problem.name} cannot be evaluated in exact rationals; use --arithmetic auto or ball:256")
    found = settings(
        PROFILES[profile],
        only_problems=list(only_problems) or None,
        only_rules=list(only_rules) or None,
        in_arithmetic=in_arithmetic,
    )
    return [replace(s, profile=_with_steps(s, steps, asked=in_arithmetic == "rational")) for s in found]


def _with_steps(setting: GridSetting, steps: int | None, *, asked: bool) -> Profile:
    """The steps asked for. Rationals grow threefold at each: there the profile is a limit, unless they were asked for."""
    if steps is None:
        return setting.profile
    d = setting.problem.dimension
    few = steps if asked else min(steps, setting.profile.exact_steps.get(d, 4))
    exact = {**setting.profile.exact_steps, d: few}
    return replace(setting.profile, steps=steps, horizons=steps, exact_steps=exact, asked_steps=steps)


def experiment_for(q: Question, rule: Rule | None) -> Experiment:
    """The experiment that a question is asked of, with this rule (None: chords)."""
    if rule is None:
        return Experiment(None)
    runs = q.bound.runs
    read = {name for _, method in runs.roles for name in method.parameters}
    values = tuple((name, value) for name, value in q.values if name in read)
    return Experiment(rule, runs, values, q.bound.chord(q.smoothness) if runs.searched else "")

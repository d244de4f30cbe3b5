"""The grid for claims about more than f: the problems whose parts can play a claim, and the runs that it describes there.

The steps are the claim's own formula, or there are none; where it leaves them open, a few constant ones or the rules that were
asked for. What is free is chosen in several ways, one run each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from boundcheck.check.casting import cast, trees_of, why_not
from boundcheck.check.precision_ladder import AUTO, BALLS, climb
from boundcheck.check.question import Question, questions
from boundcheck.check.verdict import Cell, Verdict, not_evaluated
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Once
from boundcheck.language.letters import L, eta, i
from boundcheck.language.scalars import Expectation, Term
from boundcheck.language.tree import Draw, IndexError_
from boundcheck.library.catalogue import problems_with_parts, runner
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RunEnds
from boundcheck.runs.named_experiment import NamedExperiment
from boundcheck.runs.trace import About
from boundcheck.suite.grid import GridCell, GridSetting, GridWork

OWN, NO_STEPS = "own steps", "no steps"
STEPS = 10  # of a run, unless asked for
EXACT_PATHS = 256  # of draws: as many steps are made as have no more, unless more are asked for
CHOICES = ("zero", "along the gradient", "against the gradient", "mixed")
MOST_CASTS = 2  # ways in which one problem plays a claim


def _never(run: object) -> object:
    raise RunEnds("the claim gives no steps")


@dataclass(frozen=True, eq=False)
class NamedGridSetting(GridSetting):
    """One problem that plays one claim, in one arithmetic or by the ladder."""

    bound: Bound | None = None
    known: About | None = None

    @property
    def steps(self) -> int:
        assert self.bound is not None
        if self.profile.asked_steps is not None:
            return self.profile.asked_steps
        return min(STEPS, exact_depth(self.bound, self.problem))

    def steps_for(self, experiment: object) -> int:
        return self.steps

    def answers(self, experiment: object, asked: Sequence[Question], *, sides: bool = False) -> list[Verdict]:
        assert isinstance(experiment, NamedExperiment)
        order: tuple[str, ...] = (self.arithmetic,)
        if self.arithmetic == AUTO:
            balls = tuple(ball for ball in BALLS if int(ball.partition(":")[2]) <= self.profile.bits)
            order = (*(("rational",) if self._is_rational(experiment) else ()), *(balls or BALLS[:1]))
        try:
            for q in asked:
                _ = q.columns
            return climb(asked, partial(self._run, experiment), order, every_k=self.profile.every_k, sides=sides)
        except IndexError_ as wrong:
            return [not_evaluated(_cell(q, experiment, order[0]), str(wrong)) for q in asked]

    def _is_rational(self, experiment: NamedExperiment) -> bool:
        """Whether the run is rational as far as it was asked for: a root may end it earlier."""
        if not self.problem.rational:
            return False
        probe = self._run(experiment, (), "rational", False)
        return probe is not None and (bool(probe.blocked) or int(probe.steps[0]) == self.steps)


def _cell(q: Question, experiment: NamedExperiment, arithmetic: str) -> Cell:
    assert experiment.rule is not None
    parameters = tuple((name, str(value)) for name, value in sorted(q.values))
    return Cell(
        claim=q.bound.id,
        problem=q.about.problem,
        method=experiment.rule.name,
        arithmetic=arithmetic,
        smoothness=q.smoothness,
        parameters=parameters,
    )


@dataclass(frozen=True)
class NamedWork(GridWork):
    """One claim on one problem that plays it, with one source of steps."""

    def experiments(self, smoothness: Sequence[str] | None = None) -> list[tuple[NamedExperiment, list[Question]]]:  # type: ignore[override]
        setting, bound, rule = self.setting, self.bounds[0], self.rule
        assert isinstance(setting, NamedGridSetting) and setting.known is not None and rule is not None
        by_rule = rule.name not in (OWN, NO_STEPS)
        free = any(method.free for _, method in bound.runs.roles)
        found: list[tuple[NamedExperiment, list[Question]]] = []
        for q in questions([bound], setting.known, exact=False, fixed=rule.parameters, smoothness=smoothness):
            if q.out_of_place:
                continue
            for choice in CHOICES if free else ("",):
                named = rule if not choice else replace(rule, name=f"{rule.name}, {choice}")
                values = (*rule.parameters.items(), *q.values)
                experiment = NamedExperiment(
                    named, bound.runs, values, claim=bound, about=setting.known, choice=choice or "zero", by_rule=by_rule
                )
                found.append((experiment, [q]))
        return found

    def cells(self, smoothness: Sequence[str] | None = None) -> Iterator[GridCell]:
        for experiment, asked in self.experiments(smoothness):
            yield from (GridCell(self.setting, experiment, question) for question in asked)

    def verdicts(self, smoothness: Sequence[str] | None = None, *, sides: bool = False) -> Iterator[Verdict]:
        for experiment, asked in self.experiments(smoothness):
            yield from self.setting.answers(experiment, asked, sides=sides)


def named_works(chosen: Sequence[GridSetting], bounds: Sequence[Bound]) -> list[GridWork]:
    """The works of claims about more than f: on the problems that someone named, else on all problems with parts that can."""
    found: list[GridWork] = []
    for bound in bounds:
        if bound.untested:
            continue
        for setting in on_which(chosen):
            found += works_on(bound, setting)
    return found


def on_which(chosen: Sequence[GridSetting]) -> list[GridSetting]:
    """The settings on which such claims are tried: one for each problem, in the arithmetic that was asked for."""
    if not chosen:
        return []
    first = chosen[0]
    kind = AUTO if len({setting.arithmetic for setting in chosen}) > 1 or not first.in_arithmetic else first.arithmetic
    if first.named:
        named = {setting.problem.name: setting.problem for setting in chosen}
        return [replace(first, problem=problem, arithmetic=kind) for problem in named.values()]
    return [replace(first, problem=make(), arithmetic=kind) for make in problems_with_parts().values()]


def works_on(bound: Bound, setting: GridSetting) -> list[GridWork]:
    """The works of one claim on one problem."""
    if setting.arithmetic == "rational" and not setting.problem.rational:
        return []
    found: list[GridWork] = []
    for n, one in enumerate(cast(bound, setting.problem)):
        if n == MOST_CASTS:
            break
        problem = one.problem
        if not _solves(bound, problem):
            continue
        known = runner().about(problem)
        known = replace(known, constants={"n": count_of(problem), **known.constants, **one.constants}, parts=one.facts)
        about = replace(known, minimiser="")
        mine = NamedGridSetting(
            problem, setting.arithmetic, setting.profile, setting.rules, setting.chosen, setting.seed, bound=bound, known=about
        )
        found += [NamedWork(mine, rule, (bound,)) for rule in rules_for(bound, mine)]
        break
    return found


def count_of(problem: Problem) -> int:
    """How many components its finite sum has, or how many blocks of coordinates: the n of a claim."""
    counts = [len(problem.components), *(len(part.components) for part in problem.parts.values())]
    return max(counts) or len(problem.blocks) or problem.dimension


def _solves(bound: Bound, problem: Problem) -> bool:
    """Whether the problem gives an x* that solves what the claim says, where the claim reads one."""
    return runner().solves(problem, bound)


def why_not_on(bound: Bound, problem: Problem) -> str:
    """Why a claim is not tried on a problem, or ""."""
    if reason := why_not(bound, problem):
        return reason
    if not any(_solves(bound, one.problem) for one in cast(bound, problem)):
        return f"needs x* that solves what the claim says; {problem.name} gives none"
    return ""


def why_nowhere(bound: Bound, chosen: Sequence[GridSetting]) -> str:
    """Why none of the problems can be asked, of those that someone named, or of all with parts: by the nearest."""
    if bound.untested:
        return bound.untested
    reasons = [why_not_on(bound, setting.problem) for setting in on_which(chosen)]
    return min(filter(None, reasons), key=len, default="no problem has the parts that it is about")


def rules_for(bound: Bound, setting: GridSetting) -> list[Rule]:
    """Where the steps come from: the rules that were asked for, the claim's formula, or a few constant steps."""
    if not reads_steps(bound):
        return [Rule(name=NO_STEPS, step=_never)]
    if setting.chosen:
        return list(setting.rules)
    if gives_steps(bound):
        return [Rule(name=OWN, step=_never)]
    if setting.problem.L is not None:
        return [Rule(name=f"{factor}/L", follows=(eta[i] == factor / L)) for factor in (Fraction(1), Fraction(1, 2))]
    return [Rule(name=f"{step}", follows=(eta[i] == step), parameters={}) for step in (Fraction(1), Fraction(1, 2))]


def reads_steps(bound: Bound) -> bool:
    """Whether the method or the claim reads eta."""
    return any(isinstance(n, Term) and n.name == "eta" for tree in trees_of(bound) for n in tree.walk())


def gives_steps(bound: Bound) -> bool:
    """Whether some hypothesis is a formula for the steps."""
    return any(
        isinstance(h, AtEachStep | Once)
        and h.relation.op == "=="
        and isinstance(h.relation.left, Term)
        and h.relation.left.name == "eta"
        and not any(isinstance(n, Term) and n.name == "eta" for n in h.relation.right.walk())
        for h in bound.hypotheses
    )


def exact_depth(bound: Bound, problem: Problem) -> int:
    """How many steps have no more paths of draws than are all walked."""
    trees = trees_of(bound)
    names = {part.name for tree in trees for n in tree.walk() for part in n.parts if isinstance(part, Draw)}
    if not names or not any(isinstance(n, Expectation) for tree in trees for n in tree.walk()):
        return STEPS
    each = count_of(problem) ** len(names)
    depth = 1
    while each > 1 and each ** (depth + 1) <= EXACT_PATHS:
        depth += 1
    return min(STEPS, depth) if each > 1 else STEPS

"""The suite: which claims are tried on which problems, by which methods, in which arithmetic. All claims share a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any

from boundcheck.check.precision_ladder import AUTO, climb, rungs
from boundcheck.check.question import Question, needs, questions
from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Once
from boundcheck.language.canonical import canonical_step
from boundcheck.language.definition import decided
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Chord, Constant, Parameter, Term
from boundcheck.library.catalogue import everyday_rules, exact_only_problems, problems, rules, runner, special_problems
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.experiment import Experiment
from boundcheck.runs.trace import Trace


@dataclass(frozen=True, kw_only=True)
class Profile:
    """How much is tried: the size of problems, the length of runs, the number of chords."""

    name: str
    largest: int  # dimension
    steps: int  # in inexact arithmetic
    exact_steps: dict[int, int] = field(
        default_factory=dict
    )  # in rationals, by dimension: the numbers' size triples at each step
    chords: int = 200
    method_steps: int = 25  # of methods other than gradient descent, in floating point
    bits: int = 512  # the budget of the ladder
    every_k: bool = True  # go up the ladder for each k; else until something is certified
    everyday: bool = False  # leave out what the problems mark as special, or as showing nothing new in floating point


PROFILES = {
    "quick": Profile(
        name="quick",
        largest=30,
        steps=150,
        exact_steps={1: 8, 2: 6},
        method_steps=12,
        bits=256,
        every_k=False,
        everyday=True,
    ),
    "full": Profile(name="full", largest=400, steps=300, exact_steps={1: 9, 2: 7}, chords=500),
}


@dataclass(frozen=True, eq=False)
class Setting:
    """One problem in one arithmetic: each method runs with each rule, and chords are sampled, once for all claims."""

    problem: Problem
    arithmetic: str
    profile: Profile
    rules: tuple[Rule, ...]
    chosen: bool = True  # the rules were named by someone: all of them are tried on every claim
    seed: int = 0  # of the chords

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
    def about(self) -> Any:
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
        if self.chosen or enough is None or rule.name in enough:
            return True
        return bool(bound.rules or bound.sequences.intersection(rule.records)) or bound.runs.searched

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

    def _run(self, experiment: Experiment, asked: Sequence[Question], arithmetic: str, unfrozen: bool) -> Trace | None:
        """`unfrozen`: with the steps that the rule's formula gives, enclosed; None where it has no such formula."""
        made: Trace | None = runner().trace(
            self.problem,
            experiment,
            steps=self.steps_for(experiment),
            count=self.profile.chords,
            columns=needs(asked, experiment.method),
            xp=arithmetic,
            unfrozen=unfrozen,
            **({"seed": self.seed} if self.seed else {}),
        )
        return made

    def answers(self, experiment: Experiment, asked: Sequence[Question], *, sides: bool = False) -> list[Verdict]:
        """The verdicts of all questions about one experiment, each from the arithmetic that decided it."""
        size = self.problem.dimension * self.steps_for(experiment)
        order = rungs(self.arithmetic, size, self.profile.bits)
        return climb(asked, partial(self._run, experiment), order, every_k=self.profile.every_k, sides=sides)

    def steps_for(self, experiment: Experiment) -> int:
        """Errors of a trajectory grow quickly where nothing is known of the method's map: short runs tell as much."""
        return self.steps if experiment.is_gradient_descent else min(self.steps, self.profile.method_steps)

    def verdicts(
        self, bounds: Sequence[Bound], smoothness: Iterable[str] | None = None, *, sides: bool = False
    ) -> Iterator[Verdict]:
        """Run each experiment once in each arithmetic that it needs, and ask every claim of it."""
        smoothness = None if smoothness is None else tuple(smoothness)
        for rule in (*self.rules, None):
            for experiment, asked in self.experiments(bounds, rule, smoothness):
                yield from self.answers(experiment, asked, sides=sides)


@dataclass(frozen=True)
class Objection:
    """Why a claim is not asked: of several, the one that came furthest tells most."""

    passed: int  # how many of the conditions in `objection` had been met
    why: str


def objection(rule: Rule | None, q: Question) -> Objection | None:
    """What stands against asking a question with a rule (None: chords), or None: this decides, and this is what people read.

    The rule's formula must be the claim's, or go through the same number of a chord (1/A for 1/A, whichever way round).
    """
    if q.out_of_place:
        return Objection(0, q.out_of_place)
    return None if rule is None else _against(rule, q)


def may_follow(rule: Rule, q: Question) -> bool:
    """Could the rule satisfy the claim's hypotheses about the steps and their parameters?"""
    return _against(rule, q) is None


def _against(rule: Rule, q: Question) -> Objection | None:
    kind = q.bound.runs.kind
    if kind not in rule.methods:
        return Objection(2, f"{rule.name} does not drive {kind}; a Rule says which it drives with methods=...")
    if lacking := sorted(_unset(q) - set(rule.records)):
        return Objection(3, f"{rule.name} does not record {lacking[0]}; a Rule says so with records=...")
    if rule.follows is not None:  # else its steps will show
        mine = _formula(rule.follows)
        for relation, wanted in ((r, _formula(r)) for r in q.form.rules):
            if mine.text != wanted.text and not (wanted.kinds and wanted.kinds == mine.kinds):
                return Objection(4, f"{rule.name} does not follow {relation}; a Rule says so with follows=...")
    for h in q.bound.hypotheses:
        if isinstance(h, Once) and decided(h.relation, rule.parameters) is False:
            chosen = ", ".join(f"{n} = {v}" for n, v in rule.parameters.items() if n in _letters(h.relation))
            return Objection(5, f"{rule.name} has {chosen}, and the claim assumes {h.relation}")
    return None


def why_not_asked(
    bound: Bound, chosen: Iterable[Setting], smoothness: Sequence[str] | None = None, named: Sequence[Rule] = ()
) -> str:
    """Why none of these settings asks a claim: what stood against the try that came furthest. `named`: the rules asked for."""
    if bound.untested:
        return bound.untested
    if bound.reads_M and smoothness is not None and not set(smoothness) & set(bound.smoothness):
        return f"it is stated for M = {', '.join(bound.smoothness)}; found --smoothness {', '.join(smoothness)}"
    found: list[tuple[Objection, Rule | None]] = []
    for setting in chosen:
        usable = (None,) if bound.is_about_chords else setting.rules
        found += [(why, rule) for rule in usable for _, why in setting.considered(bound, rule, smoothness) if why is not None]
        for q in questions([bound], setting.about, exact=setting.exact, smoothness=smoothness) if not usable else ():
            lacking = [why for rule in named if (why := rule.missing(setting.problem))]
            nobody = Objection(1, "; ".join([f"no method here can run on {setting.problem.name}", *lacking]))
            found.append((objection(None, q) or nobody, None))
    if not found:
        return "no problem or method to try it on"
    furthest = max(found, key=lambda one: one[0].passed)[0]
    tried = len({rule.name for _, rule in found if rule is not None})
    return furthest.why + (f" (it came nearest of the {tried} methods tried)" if furthest.passed > 1 and tried > 1 else "")


@cache
def _letters(relation: Relation) -> frozenset[str]:
    return frozenset(n.name for n in relation.walk() if isinstance(n, Parameter | Constant))


def _unset(q: Question) -> set[str]:
    """The sequences of numbers that the claim reads and no method sets: a rule must record them."""
    made = {update.name for _, method in q.bound.runs.roles for update in (*method.first, *method.each)}
    return set(q.bound.sequences) - made - {"eta"}


@dataclass(frozen=True)
class _Formula:
    """A formula for the steps, in its canonical text, and the numbers of chords that it reads."""

    text: str
    kinds: frozenset[str]


@cache
def _formula(relation: Relation) -> _Formula:
    return _Formula(canonical_step(relation), frozenset(n.kind for n in relation.walk() if isinstance(n, Chord)))


def _built(profile: Profile) -> list[Problem]:
    special = special_problems() if profile.everyday else ()
    return [make() for name, make in problems().items() if name not in special]


def settings(
    profile: Profile,
    *,
    only_problems: Sequence[Problem] | None = None,
    only_rules: Sequence[Rule] | None = None,
    in_arithmetic: str | None = None,
) -> list[Setting]:
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
            result.append(Setting(problem, kind, profile, usable, chosen=only_rules is not None))
    return result


def experiment_for(q: Question, rule: Rule | None) -> Experiment:
    """The experiment that a question is asked of, with this rule (None: chords)."""
    if rule is None:
        return Experiment(None)
    runs = q.bound.runs
    read = {name for _, method in runs.roles for name in method.parameters}
    values = tuple((name, value) for name, value in q.values if name in read)
    return Experiment(rule, runs, values, q.bound.chord(q.smoothness) if runs.searched else "")

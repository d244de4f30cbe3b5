"""The truth about a step-size rule, in one call, on the battery of problems that the catalogues declare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any

from boundcheck.arithmetic.computation_lock import in_turn
from boundcheck.audit import headline
from boundcheck.audit.behaviour import Behaviour, behaviour, not_deterministic
from boundcheck.audit.diagnosis import Diagnosis, diagnose
from boundcheck.audit.path import SECONDS as ONE_RUN
from boundcheck.audit.path import Path, driven_by, path
from boundcheck.audit.race import Race, compare
from boundcheck.audit.theorems import Limit, Spread, TheoremChecks, check_theorems, here
from boundcheck.library.catalogue import NotFound, needing, problems
from boundcheck.library.declarations import audit_battery, raced_problems
from boundcheck.library.names import problem_named, rule_named
from boundcheck.library.user_rules import as_rule, meant
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.support.errors import UserError

STEPS = 100  # of one run


@dataclass(frozen=True)
class BatteryProblem:
    """A problem of the battery, and the group that it stands for."""

    group: str
    problem: Problem


@dataclass(frozen=True)
class SkippedProblem:
    """A problem of the battery that cannot be built here, and why."""

    group: str
    name: str
    why: str


def battery(groups: tuple[str, ...] = ()) -> tuple[list[BatteryProblem], list[SkippedProblem]]:
    """Return the problems of these groups (all, unless some are named), and what had to be left out."""
    known = audit_battery()
    for group in groups:
        if group not in known:
            raise NotFound(f"no group '{group}' in the battery; there are {', '.join(known)}")
    places: list[BatteryProblem] = []
    skipped: list[SkippedProblem] = []
    for group in groups or known:
        for name in known[group]:
            found = _built(name)
            if isinstance(found, Problem):
                places.append(BatteryProblem(group, found))
            else:
                skipped.append(SkippedProblem(group, name, found))
    return places, skipped


def _built(name: str) -> Problem | str:
    """Return the problem, or why it is not there."""
    make = problems().get(name)
    if make is not None:
        return make()
    if name not in needing():
        return "no such problem is installed"
    try:
        return needing()[name]()
    except (ValueError, ImportError) as wrong:
        return str(wrong)


SECONDS = 25.0
STUCK = 4  # problems on which a rule may use up its time
OTHER_STEPS = 25  # of methods other than gradient descent, whose runs are costly to enclose
NOT_CHECKED = TheoremChecks((), (), (), ("theorems, and the race with known rules: a quick audit leaves them out",))


@dataclass(frozen=True, kw_only=True, repr=False)
class Audit:
    """What was found: one line at the top, a diagnosis, theorems, behaviour on each problem, a comparison with known rules.

    >>> from boundcheck import audit
    >>> found = audit(lambda run: 1 / run.L, "huber", steps=5, quick=True)
    >>> found.steps
    5
    """

    rule: str
    about: str
    steps: int
    diagnosis: Diagnosis
    checked: TheoremChecks = field(repr=False)
    behaviours: tuple[Behaviour, ...]
    races: tuple[Race, ...]
    differs: str = ""  # how the steps of two runs of the rule on one problem differ
    skipped: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def errors(self) -> tuple[str, ...]:
        """What the rule did wrong, a line a problem."""
        return tuple(one.error for one in self.behaviours if one.error)

    @property
    def word(self) -> str:
        """The first word of the line at the top: CLEAN, WRONG, DIVERGES, ... as docs/audit.md describes them."""
        return headline.word(self)

    @property
    def verdict(self) -> str:
        """The line at the top."""
        return headline.line(self)

    @property
    def exit_code(self) -> int:
        """0: clean, or declares nothing; 1: something is wrong; 3: nothing was exercised."""
        return headline.EXIT_CODES.get(self.word, 1)

    def to_json(self) -> dict[str, Any]:
        """As docs/audit.md describes it."""
        return {
            "rule": self.rule,
            "about": self.about or None,
            "verdict": self.verdict,
            "word": self.word,
            "steps": self.steps,
            "diagnosis": self.diagnosis.to_json(),
            "theorems": [theorem.to_json() for theorem in self.checked.theorems],
            "theorems_on": list(self.checked.problems),
            "behaviour": [one.to_json() for one in self.behaviours],
            "comparison": [race_json(race) for race in self.races],
            "not_deterministic": self.differs or None,
            "skipped": [*self.skipped, *self.checked.skipped],
            "seconds": round(self.seconds, 3),
            "exit_code": self.exit_code,
        }

    def to_pandas(self, table: str = "behaviour") -> Any:
        """Return a data frame: "behaviour" (a row a problem), "theorems" (a row a claim), "cells", or "comparison"."""
        from boundcheck.audit.export import frame

        return frame(self, table)

    def __rich__(self) -> Any:
        from boundcheck.audit.tables import whole

        return whole(self)

    def __repr__(self) -> str:
        from boundcheck.audit.tables import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from boundcheck.audit.export import as_html

        return as_html(self)


@in_turn
def audit(
    rule: Any,
    problems: Sequence[Problem | str] | Problem | str | None = None,
    *,
    steps: int = STEPS,
    seconds: float = SECONDS,
    follows: str = "",
    spread: Spread = here,
    told: Callable[[str], None] = lambda what: None,
    quick: bool = False,
) -> Audit:
    """Run a rule on the battery, or on these problems, and say what it is, which theorems it obeys, and where it breaks.

    `rule` is whatever `boundcheck.run` takes. `follows` names the rule that it means to be, where it does not say so itself.
    One problem, or its name, is taken as a list of one. All is done in this process; `boundcheck audit --jobs` uses several.
    `quick`: the rule is diagnosed; no theorem is checked, and no known rule raced.

    >>> from boundcheck import audit
    >>> audit("1/L", "huber", steps=5, quick=True).rule
    '1/L'
    """
    if steps < 1:
        raise UserError(f"an audit needs at least one step; found {steps}")
    if not seconds > 0:
        raise UserError(f"an audit needs some seconds; found {seconds}")
    started = monotonic()
    if isinstance(problems, str | Problem):
        problems = [problems]
    made = _meaning(as_rule(rule), follows)
    places, skipped = _places(problems)
    if driven_by(made).key != GRADIENT_DESCENT.key:
        steps = min(steps, OTHER_STEPS)
    paths = _paths(made, places, steps, told)
    skipped += [f"{place.problem.name}: the rule took all the time on {STUCK} problems" for place in places[len(paths) :]]
    told("comparing steps")
    diagnosis = diagnose(made, paths, horizon=steps)
    told("checking theorems")
    same = diagnosis.is_known
    good = [one for one in paths if not one.error]
    letters = same.parameters if same is not None else None
    known: dict[str, Any] = {"parameters": letters, "all_of_them": problems is not None, "spread": spread}
    checked = NOT_CHECKED if quick else check_theorems(made, good, seconds=seconds, **known)
    told("racing known rules")
    races = [] if quick else _races(made, good, problems is not None, seconds, spread)
    return Audit(
        rule=made.name,
        about=made.about.strip().split("\n")[0],
        steps=steps,
        diagnosis=diagnosis,
        checked=checked,
        behaviours=tuple(behaviour(one, place.group) for one, place in zip(paths, places, strict=False)),
        races=tuple(races),
        differs=not_deterministic(made, good, horizon=steps),
        skipped=tuple(skipped),
        seconds=monotonic() - started,
    )


def _meaning(rule: Rule, follows: str) -> Rule:
    """Return the rule with what the user says that it means to be."""
    if not follows:
        return rule
    like = rule_named(follows)
    if like is None or like.follows is None:
        raise RuleError(f"'{follows}' has no formula to follow; name another rule, or write follows= in the file")
    return replace(rule, follows=like.follows, parameters={**rule.parameters, **like.parameters}, means=meant(follows, like))


def _places(problems: Sequence[Problem | str] | None) -> tuple[list[BatteryProblem], list[str]]:
    if problems is None:
        places, left_out = battery()
        return places, [f"{one.name}: {one.why}" for one in left_out]
    if not problems:
        raise NotFound("an audit needs at least one problem; leave `problems` out for the whole battery")
    return [BatteryProblem("given", problem_named(one) if isinstance(one, str) else one) for one in problems], []


def _paths(rule: Rule, places: Sequence[BatteryProblem], steps: int, told: Callable[[str], None]) -> list[Path]:
    """Return a path on each problem. A rule that uses up its time on some gets less on the next, and none after a few."""
    paths: list[Path] = []
    stuck = 0
    for place in places:
        if stuck == STUCK:
            break
        told(f"running on {place.problem.name}")
        limit = ONE_RUN if not stuck else ONE_RUN / 3
        paths.append(path(place.problem, rule, steps=steps, seconds=limit))
        stuck += bool(paths[-1].error) and paths[-1].seconds >= limit
    return paths


def _races(rule: Rule, paths: Sequence[Path], given: bool, seconds: float, spread: Spread) -> list[Race]:
    raced = raced_problems()
    among = [one.problem for one in paths if one.steps and (given or one.problem.name in raced)]
    if GRADIENT_DESCENT.kind not in rule.methods:
        return []
    limit = Limit(seconds)
    tasks = [partial(_race, rule, problem, limit) for problem in among]
    return [race for races in spread(tasks) for race in races]


def _race(rule: Rule, problem: Problem, limit: Limit) -> list[Race]:
    return [] if limit.is_over else compare(rule, [problem])


def race_json(race: Race) -> dict[str, Any]:
    lanes = []
    for lane in race.lanes:
        reached = {
            f"{goal:g}": None if at is None else {"k": at.k, "calls": dict(at.calls), "total": at.total}
            for goal, at in lane.reached.items()
        }
        smallest = lane.smallest if lane.smallest == lane.smallest and lane.smallest != float("inf") else None
        lanes.append({"rule": lane.rule, "reached": reached, "steps": lane.steps, "smallest": smallest, "why": lane.why or None})
    return {"problem": race.problem, "lanes": lanes, "why": race.why or None}

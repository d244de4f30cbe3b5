"""Running the suite from the command line: pieces of work for a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from boundcheck.arithmetic import arithmetic
from boundcheck.check.precision_ladder import AUTO
from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import NotFound
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runs.experiment import CHORDS
from boundcheck.suite.grid import PROFILES, Profile, Setting, settings
from boundcheck.suite.instances import places, try_instance
from boundcheck.support.processes.pool import in_processes
from boundcheck.support.terminal import progress


@dataclass(frozen=True)
class Work:
    """One problem in one arithmetic with one rule (None: chords), for all claims at once."""

    setting: Setting
    rule: Rule | None
    bounds: tuple[Bound, ...]

    def __str__(self) -> str:
        return f"{self.setting.name} {self.rule.name if self.rule is not None else CHORDS}"

    def verdicts(self, smoothness: Sequence[str] | None = None, *, sides: bool = False) -> Iterator[Verdict]:
        alone = replace(self.setting, rules=(self.rule,) if self.rule is not None else ())
        return alone.verdicts(self.bounds, smoothness, sides=sides)


def pieces(chosen: Sequence[Setting], bounds: Sequence[Bound]) -> list[Work]:
    about_runs = tuple(b for b in bounds if not b.is_about_chords)
    about_chords = tuple(b for b in bounds if b.is_about_chords)
    found = [Work(setting, rule, about_runs) for setting in chosen for rule in setting.rules if about_runs]
    return found + [Work(setting, None, about_chords) for setting in chosen if about_chords]


def run_all(
    chosen: Sequence[Setting],
    bounds: Sequence[Bound],
    smoothness: Sequence[str] | None = None,
    gave_up: Callable[[str], None] | None = None,
    jobs: int = 1,
) -> Iterator[Verdict]:
    """Every verdict, in an order that does not depend on `jobs`.

    That a rule gave up (a step that is not positive) is told to `gave_up`; without one it ends everything.
    """
    works = pieces(chosen, bounds)
    with in_processes([partial(_verdicts, work, smoothness) for work in works], jobs) as results:
        for _, result in zip(progress(works, "checking"), results, strict=True):
            try:
                yield from result()
            except RuleError as wrong:
                if gave_up is None:
                    raise
                gave_up(str(wrong))


def _verdicts(work: Work, smoothness: Sequence[str] | None) -> list[Verdict]:
    return list(work.verdicts(smoothness))


def chosen_settings(
    profile: str, only_problems: Sequence[Problem], only_rules: Sequence[Rule], in_arithmetic: str | None, steps: int | None
) -> list[Setting]:
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


def _with_steps(setting: Setting, steps: int | None, *, asked: bool) -> Profile:
    """The steps asked for. Rationals grow threefold at each: there the profile is a limit, unless they were asked for."""
    if steps is None:
        return setting.profile
    d = setting.problem.dimension
    few = steps if asked else min(steps, setting.profile.exact_steps.get(d, 4))
    return replace(setting.profile, steps=steps, exact_steps={**setting.profile.exact_steps, d: few})


def on_their_own(bounds: Sequence[Bound], jobs: int = 1) -> Iterator[Verdict]:
    """The verdicts on the instances that claims name for themselves."""
    own = [place for bound in bounds for at in bound.try_on for place in places(bound, at)]
    with in_processes([place.answered for place in own], jobs) as results:
        for _, result in zip(progress(own, "checking on their own instances") if own else (), results, strict=True):
            yield result()


def refutation(bound: Bound, *, sides: bool = False) -> Verdict | None:
    """The verdict on the instance where a false claim is seen to fail: VIOLATED there if any of its cells is."""
    return None if bound.refuted_by is None else try_instance(bound, bound.refuted_by, sides=sides).verdict

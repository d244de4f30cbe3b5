"""The library's theorems on the paths of a rule: which apply, whether they hold (certified), how tightly, and for which M.

A path's steps are the numbers that the rule chose in float64. The run with exactly these steps is enclosed in ball arithmetic,
and every claim about it is decided there. The rule itself is not asked again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from boundcheck.audit.path import Path
from boundcheck.audit.path_reading import ReadablePath
from boundcheck.audit.theorem_results import TheoremResult, collect
from boundcheck.check.precision_ladder import AUTO
from boundcheck.check.question import Question, questions
from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Once
from boundcheck.evaluate.columns import as_column
from boundcheck.language.definition import decided
from boundcheck.language.letters import f, i, x
from boundcheck.language.relations import links
from boundcheck.language.scalars import Gap, Term
from boundcheck.library.catalogue import bounds, runner
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule
from boundcheck.runs.trace import Experiment
from boundcheck.suite.grid import GridSetting, experiment_for
from boundcheck.suite.profiles import PROFILES

STEPS, PROBLEMS, LARGEST = 20, 8, 10
FEWEST, ENCLOSING = 5, 0.05  # steps, and seconds: runs are so short where enclosing the gap at one point takes longer
BLURRED = 2.0**-24  # where rounding alone moves a step by more, no formula is followed: runs are cut there
FOLLOWING = "ball:64"  # where a formula is assumed: there steps that are within 2^-32 of it follow it, float64's among them
BITS = 256
BELOW = 1 - 2.0**-40
NUDGED = "with steps smaller by 2^-40 of themselves: as they are, a hypothesis is a tie within rounding"


Spread = Callable[[Sequence[Callable[[], Any]]], Iterator[Any]]  # how tasks are done: here, or in several processes


def here(tasks: Sequence[Callable[[], Any]]) -> Iterator[Any]:
    """Return one after the other."""
    return (task() for task in tasks)


@dataclass(frozen=True)
class TheoremChecks:
    """What came of all claims; `skipped` says which problems were left out, and why."""

    theorems: tuple[TheoremResult, ...]
    verdicts: tuple[Verdict, ...]
    problems: tuple[str, ...]
    skipped: tuple[str, ...]


def check_theorems(
    rule: Rule,
    paths: Sequence[Path],
    *,
    seconds: float,
    parameters: Mapping[str, Any] | None = None,
    all_of_them: bool = False,
    spread: Spread = here,
) -> TheoremChecks:
    """Return every claim about the rule's method on the paths, small problems first, for at most so many seconds."""
    letters = {**rule.parameters, **(parameters or {})}
    claims = [bound for bound in bounds() if _is_asked(bound, rule)]
    chosen, skipped = _chosen(paths, all_of_them)
    found: list[Verdict] = []
    done: list[str] = []
    limit = Limit(seconds)
    tasks = [partial(_on_one, path, claims, letters, limit) for path in chosen]
    for path, result in zip(chosen, spread(tasks), strict=True):
        if isinstance(result, str):
            skipped.append(f"{path.problem.name}: {result}")
        else:
            found += result
            done.append(path.problem.name)
    reached = {verdict.cell.claim for verdict in found}
    missing = {bound.id: _why_never_asked(bound, chosen, letters) for bound in claims if bound.id not in reached}
    return TheoremChecks(collect(claims, found, missing), tuple(found), tuple(done), tuple(skipped))


class Limit:
    """So many seconds of work in each process: a busy machine makes an audit longer, not poorer."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.process, self.start = seconds, os.getpid(), process_time()

    @property
    def is_over(self) -> bool:
        return process_time() - (self.start if os.getpid() == self.process else 0.0) >= self.seconds


def _on_one(path: Path, claims: Sequence[Bound], parameters: Mapping[str, Any], limit: Limit) -> list[Verdict] | str:
    """Return all verdicts on one path, or why there are none: a run that cannot be enclosed does not stop the others."""
    if limit.is_over:
        return "the time for theorems was over"
    try:
        return list(_verdicts(path, claims, parameters))
    except (ValueError, ArithmeticError) as wrong:
        return " ".join(str(wrong).split())


def _why_never_asked(bound: Bound, paths: Sequence[Path], parameters: Mapping[str, Any]) -> str:
    """Return why a claim was asked nowhere: what its parameters, or all problems, lack."""
    for h in bound.hypotheses:
        if isinstance(h, Once) and decided(h.relation, parameters) is False:
            values = ", ".join(f"{name} = {parameters[name]}" for name in bound.parameters if name in parameters)
            return f"hypothesis {h} fails ({values})"
    reasons = []
    for path in paths:
        reasons += [q.out_of_place for q in questions([bound], runner().about(path.problem), exact=False, fixed=parameters)]
    return next((reason for reason in reasons if reason), "no path is long enough for it")


def _is_asked(bound: Bound, rule: Rule) -> bool:
    alone = len(bound.runs.roles) == 1 and not bound.runs.steps
    kind = bound.runs.kind in rule.methods and not bound.is_about_chords
    states_bounds = any(link.op not in ("==", "->") for link in links(bound.states))
    is_part = "." in bound.label.partition(":")[2]  # a line of a proof, or a remark
    recorded = bound.sequences <= {"eta", *rule.records, *(u.name for u in bound.runs.main.each)}
    return alone and kind and states_bounds and recorded and not is_part and not bound.is_refuted and not bound.untested


def _chosen(paths: Sequence[Path], all_of_them: bool) -> tuple[list[Path], list[str]]:
    """Return paths that say something, small problems first."""
    good = [path for path in paths if path.steps > 1]
    small = sorted((path for path in good if all_of_them or path.problem.dimension <= LARGEST), key=lambda p: p.problem.dimension)
    few = small if all_of_them else _spread(small, PROBLEMS)
    left = len(good) - len(few)
    return few, [f"{left} more problems: theorems are checked on {len(few)}"] if left else []


def _spread(paths: Sequence[Path], count: int) -> list[Path]:
    if len(paths) <= count:
        return list(paths)
    at = sorted({round(n * (len(paths) - 1) / (count - 1)) for n in range(count)})
    return [paths[n] for n in at]


def _verdicts(path: Path, claims: Sequence[Bound], parameters: Mapping[str, Any]) -> Iterator[Verdict]:
    steps = _sharp_steps(path)
    profile = replace(PROFILES["quick"], steps=steps, method_steps=min(steps, PROFILES["quick"].method_steps), bits=BITS)
    rule, below = (_frozen(path, parameters, factor) for factor in (1.0, BELOW))
    setting = GridSetting(path.problem, AUTO, profile, (rule,))
    for experiment, asked in setting.experiments(claims, rule):
        by_formula = [question for question in asked if question.form.rules]
        yield from replace(setting, arithmetic=FOLLOWING).answers(experiment, by_formula)
        free = [question for question in asked if not question.form.rules]
        again = []
        for question, verdict in zip(free, setting.answers(experiment, free), strict=True):
            if not verdict.exercised and _may_be_a_tie(question):
                again.append((question, verdict))
            else:
                yield verdict
        yield from _nudged(setting, below, again)


def _nudged(setting: GridSetting, below: Rule, again: Sequence[tuple[Question, Verdict]]) -> Iterator[Verdict]:
    """Yield the same with steps a hair smaller; where that changes nothing, the verdict on the steps as they are."""
    groups: dict[Any, tuple[Experiment, list[tuple[Question, Verdict]]]] = {}
    for question, verdict in again:
        experiment = experiment_for(question, below)
        groups.setdefault(experiment.key, (experiment, []))[1].append((question, verdict))
    for experiment, pairs in groups.values():
        made = setting.answers(experiment, [question for question, _ in pairs])
        for (_, before), verdict in zip(pairs, made, strict=True):
            yield replace(verdict, notes=(*verdict.notes, NUDGED)) if verdict.exercised else before


def _may_be_a_tie(question: Question) -> bool:
    """Return whether the claim assumes an inequality of the steps."""
    assumed = [r for h, r in question.hypotheses if isinstance(h, AtEachStep) and r.op != "=="]
    return any(isinstance(n, Term) and n.name == "eta" for r in assumed for n in r.walk())


def _sharp_steps(path: Path) -> int:
    """Return how many steps are well above rounding."""
    noise = ReadablePath(path).noise
    blurred: list[int] = np.flatnonzero(noise > BLURRED).tolist()
    return max(1, min([_affordable(path.problem), path.steps, *blurred[:1]]))


def _affordable(problem: Problem) -> int:
    """As many steps as can be enclosed in a short time: a problem with much data gets few.

    All or few, and nothing between: the battery's problems take a tenth of the limit, so that a busy machine changes nothing.
    """
    column = as_column(f(x[i]) if problem.minimiser is None else Gap(x[i]), True)[0]
    tiny = Rule(name="one step", step=lambda run: run.xp.scalar(2.0**-20))
    times = []
    for _ in range(2):  # what is loaded at the first call does not count
        began = process_time()
        runner().run(problem, tiny, steps=1, columns=[column], xp=f"ball:{BITS}")
        times.append(process_time() - began)
    return STEPS if min(times) <= ENCLOSING else FEWEST


def _frozen(path: Path, parameters: Mapping[str, Any], factor: float) -> Rule:
    """Return the steps that the path has, as a rule."""
    steps = [float(eta) * factor for eta in path.eta]
    return Rule(
        name=path.rule.name, step=lambda run: run.xp.scalar(steps[run.k]), parameters=dict(parameters), methods=path.rule.methods
    )

"""A race to a small gap: the iterations and oracle calls of the audited rule and of well-known rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.audit.path import ENOUGH, driven_by
from boundcheck.audit.supervised_run import KINDS, Look, ObservedRun, watch
from boundcheck.library import declarations
from boundcheck.library.user_rules import as_rule
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Rule

GOALS = (1e-2, 1e-4, 1e-8)  # of the gap at x_0
STEPS = 400
SECONDS = 10.0  # of computing, for one run that loops; others end by their steps, or by what they ask


@dataclass(frozen=True)
class GoalReached:
    """The first x_k with the gap asked for, and what it took to know it and its gradient."""

    k: int
    calls: Mapping[str, int]  # "f", "gradient", "Hessian" (times a vector), "chord"

    @property
    def total(self) -> int:
        return sum(self.calls.values())


@dataclass(frozen=True, kw_only=True)
class Lane:
    """One rule on one problem."""

    rule: str
    reached: Mapping[float, GoalReached | None]  # for each goal; None where it was not reached
    steps: int  # made
    smallest: float  # gap, over that at x_0; NaN where there is no run
    why: str  # it went no further, or ""


@dataclass(frozen=True, kw_only=True)
class Race:
    """All rules on one problem: the audited one first. Without lanes `why` says what the problem lacks."""

    problem: str
    lanes: tuple[Lane, ...]
    why: str = ""


def compare(
    rule: Rule,
    among: Sequence[Problem],
    *,
    rivals: Sequence[str] | None = None,
    goals: Sequence[float] = GOALS,
    steps: int = STEPS,
    seconds: float = SECONDS,
) -> list[Race]:
    """Return a race on each problem, to a share of the first gap: against the rivals that the methods declare, or those named."""
    names = declarations.rivals() if rivals is None else rivals
    others = [rival for name in names if (rival := as_rule(name)).name != rule.name]
    return [_race(rule, others, problem, tuple(goals), steps, seconds) for problem in among]


def _race(rule: Rule, others: Sequence[Rule], problem: Problem, goals: tuple[float, ...], steps: int, seconds: float) -> Race:
    if problem.infimum is None:
        return Race(problem=problem.name, lanes=(), why=f"inf f is not known on {problem.name}: there is no gap to reach")
    lanes = [_lane(one, problem, goals, steps, seconds, trusted=one is not rule) for one in (rule, *others)]
    return Race(problem=problem.name, lanes=tuple(lanes))


def _lane(rule: Rule, problem: Problem, goals: tuple[float, ...], steps: int, seconds: float, *, trusted: bool) -> Lane:
    goal = min(goals)
    look = _gap(problem)
    limits: dict[str, Any] = {"steps": steps, "seconds": seconds, "enough": ENOUGH, "until": goal}
    seen = watch(problem, rule, driven_by(rule), look=look, trusted=trusted, **limits)
    with np.errstate(all="ignore"):
        share = seen.looked / seen.looked[0] if len(seen.looked) else np.array([np.nan])
    reached = {share_asked: _reached(seen, share, share_asked) for share_asked in goals}
    why = "" if reached[goal] else seen.error or seen.ended or f"{seen.steps} steps were not enough"
    smallest = float(np.nanmin(share)) if np.isfinite(share).any() else float("nan")
    return Lane(rule=rule.name, reached=reached, steps=seen.steps, smallest=smallest, why=why)


def _gap(problem: Problem) -> Look:
    """f(x_k) - inf f."""

    def look(run: Any) -> float:
        with np.errstate(all="ignore"):
            if problem.gap is not None:
                return float(problem.gap(FLOAT64, run.x, run.grad))
            return float(problem.f(FLOAT64, run.x)) - float(problem.infimum or 0)

    return look


def _reached(seen: ObservedRun, share: NDArray[np.float64], goal: float) -> GoalReached | None:
    there = np.flatnonzero(share <= goal)
    return GoalReached(int(there[0]), dict(zip(KINDS, seen.calls[there[0]].tolist(), strict=True))) if len(there) else None

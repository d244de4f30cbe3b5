"""The ladder: each question goes up, from arithmetic to arithmetic, until it is decided and certified, or the budget ends.

float64 with error bounds decides what it can where balls would be slow; there what it leaves open goes up. Elsewhere balls begin
at once: on small problems they are as fast. Precision doubles while that decides more.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from boundcheck.arithmetic import NotInThisArithmetic, arithmetic
from boundcheck.arithmetic.computation_lock import in_turn
from boundcheck.check.answer import answer
from boundcheck.check.question import Question
from boundcheck.check.verdict import Cost, Outcome, Verdict
from boundcheck.check.verdict_builder import HOLDS, UNDECIDED, VACUOUS, VIOLATED
from boundcheck.model.rule import RuleError
from boundcheck.runs.trace import Trace

AUTO = "auto"
BALLS = ("ball:128", "ball:256", "ball:512")
LARGE = 100_000  # coordinates times steps: beyond it, what float64 decides is left at that

# questions, arithmetic, and whether steps are to be what their formula says, not frozen: None where there is no such run
MakeTrace = Callable[[Sequence[Question], str, bool], Trace | None]


def rungs(name: str, size: int, bits: int = 512) -> tuple[str, ...]:
    """The arithmetics to try, in order, for a run of this many coordinates times steps; `bits` is the budget.

    Only `auto` climbs: where one arithmetic is named, every verdict is that one's alone.
    """
    if name != AUTO:
        return (name,)
    balls = tuple(ball for ball in BALLS if int(ball.partition(":")[2]) <= bits)
    return balls if size <= LARGE else ("float64", *balls)


def certifies(name: str) -> bool:
    """Is what this arithmetic, or the ladder, decides a proof?"""
    return name == AUTO or arithmetic(name).certified


@in_turn
def climb(
    asked: Sequence[Question], trace: MakeTrace, order: Sequence[str], *, every_k: bool = True, sides: bool = False
) -> list[Verdict]:
    """The verdict of each question on a run, from the first arithmetic that leaves nothing open, or the last one tried.

    Unless it is about `every_k`, a certified verdict on some is enough. With `sides`, each keeps both sides at each k.
    """
    climbers = [_Climber(q, every_k) for q in asked]
    with _threads().limit(limits=1, user_api="blas"), _seldom_collecting():
        for name in order:
            for unfrozen in (False, True):
                _ask([c for c in climbers if c.wants(name, unfrozen)], name, unfrozen, trace, sides)
    return [c.verdict(order) for c in climbers]


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Balls and lists of them come and go by the hundred thousand, none in a cycle: looking for cycles took 4 % of a run."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], 50_000) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@cache
def _threads() -> Any:
    """Products here are small: threads would fight over them, and with other processes. One gives the same sums everywhere."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _ask(climbers: Sequence[_Climber], name: str, unfrozen: bool, trace: MakeTrace, sides: bool) -> None:
    """One run, for all that want it."""
    if not climbers:
        return
    started = perf_counter()
    asked = [c.question for c in climbers]
    try:
        made = trace(asked, name, unfrozen)
    except (RuleError, NotInThisArithmetic):
        if any(c.best is None for c in climbers):
            raise
        made = None  # the rule or the problem gives up in this arithmetic: what was known before stands
    if made is None:
        for climber in climbers:
            climber.has_formula = climber.has_formula and not unfrozen
        return
    found = answer(asked, made, sides=sides)
    share = (perf_counter() - started) / len(climbers)
    for climber, verdict in zip(climbers, found, strict=True):
        climber.take(name, verdict, share)


@dataclass
class _Climber:
    """One question on its way up: its best verdict so far, and what that cost."""

    question: Question
    every_k: bool
    best: Verdict | None = None
    tried: tuple[str, ...] = ()
    seconds: float = 0.0
    final: bool = False  # nothing is left open
    stuck: bool = False  # twice the bits made nothing narrower, or there is a tie
    was_near: bool = False  # frozen steps were only near to a formula that the claim assumes
    has_formula: bool = True  # which a run could enclose

    def wants(self, name: str, unfrozen: bool) -> bool:
        """Is there something that this run could decide?"""
        if self.best is None:
            return not unfrozen
        if self.final or not arithmetic(name).certified or self.stuck or self._settled_by_numbers:
            return False
        if not self.every_k and self.best.exercised and self.best.certified:
            return False
        if self.question.is_equation and any(arithmetic(t).certified for t in self.tried if t != name):
            return False
        if unfrozen:
            return self.was_near and self.has_formula
        if name in self.tried or (self.was_near and self.has_formula):
            return False
        return bool(_open(self.best)) or not self.best.near

    @property
    def _settled_by_numbers(self) -> bool:
        """Of a large run, float64's HOLDS and VACUOUS are kept; its VIOLATED is not."""
        return (
            self.best is not None
            and not arithmetic(self.tried[-1]).certified
            and not np.any((self.best.outcomes == UNDECIDED) | (self.best.outcomes == VIOLATED))
        )

    def take(self, name: str, verdict: Verdict, seconds: float) -> None:
        before = self.best
        self.seconds += seconds
        self.was_near |= verdict.near
        self.has_formula &= not verdict.strays  # a run by the formula would not be the rule's
        self.tried = self.tried if name in self.tried else (*self.tried, name)
        if before is not None and before.cell.arithmetic.startswith("ball") and name != before.cell.arithmetic:
            same = _open(verdict) == _open(before)
            self.stuck = same and np.isfinite(verdict.width) and verdict.width > before.width / 2
        self.stuck |= verdict.tied
        if before is None or _worth(verdict) >= _worth(before):
            self.best, self.final = verdict, verdict.is_final

    def verdict(self, order: Sequence[str]) -> Verdict:
        assert self.best is not None
        made = replace(self.best, cost=Cost(self.tried, self.seconds))
        if made.outcome is Outcome.VIOLATED and not made.certified and len(order) > 1:
            made = _not_certified(made)
        if made.is_final or made.outcome is not Outcome.UNDECIDED or len(order) == 1:
            return made
        return replace(made, reason=f"{made.reason}; {self._why_here(order)}")

    def _why_here(self, order: Sequence[str]) -> str:
        if self.question.is_equation:
            return "no precision proves an equation or a limit; exact rationals prove equations"
        if self.best is not None and self.best.tied:
            return "they agree to nearly all bits, so more would not help: exact rationals settle an equality"
        if self.stuck:
            return f"as wide in {' and '.join(self.tried[-2:])}, so more bits would not help"
        return f"{order[-1]} is the budget"


def _not_certified(verdict: Verdict) -> Verdict:
    """Numbers say that it fails, and no proof says so: undecided."""
    outcomes = np.where(verdict.outcomes == VIOLATED, UNDECIDED, verdict.outcomes)
    where = f" at {verdict.violation.place}" if verdict.violation is not None else ""
    fails = f"fails{where} in {verdict.cell.arithmetic}, which no ball arithmetic certified"
    return replace(verdict, outcomes=outcomes, violation=None, reason="; ".join(filter(None, [fails, verdict.reason])))


def _open(verdict: Verdict) -> tuple[int, ...]:
    """The k that are undecided."""
    return tuple((np.flatnonzero(verdict.outcomes == UNDECIDED) + verdict.first_k).tolist())


def _worth(verdict: Verdict) -> tuple[bool, bool, int]:
    """A certified violation beats all; then what is certified; then the verdict that decides more."""
    certified = verdict.exercised and verdict.certified
    decided = int(np.count_nonzero((verdict.outcomes == HOLDS) | (verdict.outcomes == VACUOUS)))
    return certified and verdict.outcome is Outcome.VIOLATED, certified, decided

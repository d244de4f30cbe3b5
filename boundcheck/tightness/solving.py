"""Solves programs, and says when an answer is one.

A solver may call a program solved, with two values that agree, and be far below the truth: where the worst case is only
approached, or the numbers differ much in size. How far depends on the unit of f, and the truth does not. So each program is
solved in two units, and in a third where these disagree; two that agree are an answer, and the larger counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite, nan, sqrt
from typing import Any

from boundcheck.gram.affine import Affine, Symbol
from boundcheck.gram.solver import Matrix, Solution, maximise
from boundcheck.tightness.result import TIGHT

GAP = 1e-3  # relative: how near a solver's two values, from below and from above, must be
UNITS = (1.0, 16.0, 1000.0)  # of f
NEAR_UNITS = (1.0, 0.5, 2.0, 0.25, 4.0)  # where there is more than f: with others Clarabel makes no progress
NOTHING = 1e-6  # a ratio below this is none
IN_WORDS = {"DualInfeasible": "unbounded", "AlmostDualInfeasible": "unbounded", "PrimalInfeasible": "infeasible"}


class Unsettled(ArithmeticError):
    """The solver does not settle the program: why, in one line. `right` is the right side of size 1, where that is known."""

    right: float = nan


@dataclass(frozen=True)
class Ratio:
    """left / right at worst over the class, by a solver: `low` is what it reached, `high` what it says nothing exceeds."""

    low: float
    high: float

    @property
    def root(self) -> Ratio:
        """The ratio of two numbers, of whose squares this is the ratio."""
        return Ratio(sqrt(max(self.low, 0.0)), sqrt(self.high))


@dataclass(frozen=True)
class Maximisation:
    """The largest of `objectives` over a semidefinite Gram matrix, where `below` is at most 0 and `equal` is 0."""

    objectives: tuple[tuple[Affine, tuple[Affine, ...]], ...]  # each with the bounds (<= 0) of its own variables
    below: tuple[Affine, ...]
    equal: tuple[Affine, ...]
    basis: int
    matrices: tuple[Matrix, ...] = ()  # semidefinite too


Scale = Callable[..., Affine]


def in_units(are_gradients: Sequence[bool], unit: float, of_variables: float = 1.0) -> Scale:
    """Return what rewrites affine numbers for f in this unit: `scale(a)` for a relation to 0, `scale(a, one)` for a / one."""

    def size(symbol: Symbol) -> float:
        if symbol[0] == "G":
            return (unit if are_gradients[symbol[1]] else 1.0) * (unit if are_gradients[symbol[2]] else 1.0)
        return unit if symbol[0] == "F" else of_variables

    def scale(a: Affine, one: float | None = None) -> Affine:
        terms = {symbol: float(c) * size(symbol) for symbol, c in a.terms.items()}
        by = one or max((abs(c) for c in (float(a.constant), *terms.values())), default=0.0) or 1.0
        return Affine(float(a.constant) / by, {symbol: c / by for symbol, c in terms.items()})

    return scale


def agreed(problem: Callable[[float], Any], units: Sequence[float] = UNITS) -> Ratio:
    """Return what two solutions, of the problem in two units of f, agree on."""
    found: list[Ratio] = []
    why = ""
    for times in units:
        try:
            new = settle(problem(times))
        except Unsettled as wrong:
            why = why or str(wrong)
            continue
        near = [old for old in found if abs(old.high - new.high) <= TIGHT * max(old.high, new.high)]
        if near:
            return max(new, near[0], key=lambda ratio: ratio.high)
        found.append(new)
    if not found:
        raise Unsettled(why)
    values = ", ".join(f"{ratio.high:.6g}" for ratio in found)
    raise Unsettled(f"no two solutions agree: {values}" + f"; {why}" * bool(why))


def settle(problem: Maximisation) -> Ratio:
    """Return both values of a solved program, if they agree; of several objectives, those of the largest."""
    found = [_settled(problem, goal, own) for goal, own in problem.objectives]
    best = Ratio(max(ratio.low for ratio in found), max(ratio.high for ratio in found))
    if best.high < NOTHING:
        raise Unsettled("the left side is always 0: no run that moves has these steps")
    return best


def _settled(problem: Maximisation, goal: Affine, own: Sequence[Affine]) -> Ratio:
    found = maximise(goal, [*problem.below, *own], problem.equal, problem.basis, problem.matrices)
    if not isinstance(found, Solution):
        raise Unsettled(f"the solver says {IN_WORDS.get(found.status, found.status)}")
    low, high = found.value, found.most
    if not (isfinite(low) and isfinite(high)) or abs(high - low) > GAP * max(abs(high), abs(low), NOTHING):
        raise Unsettled(f"the solver's two values, {low:.6g} and {high:.6g}, do not agree")
    return Ratio(low, high)

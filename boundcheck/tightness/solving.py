"""Solves a problem of PEPit, and says when the answer is one.

A solver may call a program solved, with two values that agree, and be far below the truth: where the worst case is only
approached, or the numbers differ much in size. How far depends on the unit of f, and the truth does not. So each program is
solved in two units, and in a third where these disagree; two that agree are an answer, and the larger counts.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite, nan
from typing import Any

from boundcheck.tightness.result import TIGHT
from boundcheck.tightness.stacked import stacked

SOLVER = "CLARABEL"
SETTLED = ("optimal", "optimal_inaccurate")
GAP = 1e-3  # relative: how near a solver's two values, from below and from above, must be
UNITS = (1.0, 16.0, 1000.0)  # of f
NOTHING = 1e-6  # a ratio below this is none


class Unsettled(ArithmeticError):
    """The solver does not settle the program: why, in one line. `right` is the right side of size 1, where that is known."""

    right: float = nan


@dataclass(frozen=True)
class Ratio:
    """left / right at worst over the class, by a solver: `low` is what it reached, `high` what it says nothing exceeds."""

    low: float
    high: float


def agreed(problem: Callable[[float], Any]) -> Ratio:
    """What two solutions, of the problem in two units of f, agree on."""
    found: list[Ratio] = []
    why = ""
    for times in UNITS:
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


def settle(problem: Any) -> Ratio:
    """Both values of a solved program, if they agree."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of cvxpy, which says that it is inaccurate: the two values say by how much
        try:
            high = problem.solve(wrapper=stacked(), solver=SOLVER, verbose=0)
        except BaseException as wrong:
            if not isinstance(wrong, Exception) and type(wrong).__name__ != "PanicException":  # Clarabel's own failure
                raise
            raise Unsettled(f"the solver fails: {wrong}") from None
    status, low = problem.wrapper.prob.status, problem.wrapper.objective.value
    if status not in SETTLED or high is None or low is None:
        raise Unsettled(f"the solver says {status}")
    low, high = float(low), float(high)
    if not (isfinite(low) and isfinite(high)) or abs(high - low) > GAP * max(abs(high), abs(low)):
        raise Unsettled(f"the solver's two values, {low:.6g} and {high:.6g}, do not agree")
    if high < NOTHING:
        raise Unsettled("the left side is always 0: no run that moves has these steps")
    return Ratio(low, high)

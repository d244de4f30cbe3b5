"""What a rule does on one problem: how its steps compare with D, A and H, whether f falls, and how the run ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.audit.compared import finite
from boundcheck.audit.course import Course, course
from boundcheck.audit.paths import Path

KINDS = ("D", "A", "H")


@dataclass(frozen=True, kw_only=True)
class Adapted:
    """Of eta_i M(x_i, x_{i+1}) along a path: the shares of at most 1 and below 2, the smallest and the largest."""

    steps: int
    at_most_1: float
    below_2: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.below_2:.0f} % in [{self.low:.3g}, {self.high:.3g}]"

    def to_json(self) -> dict[str, Any]:
        shares = {"steps": self.steps, "at_most_1": self.at_most_1, "below_2": self.below_2}
        return {**shares, "low": finite(self.low), "high": finite(self.high)}


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """One line of the audit for each problem."""

    problem: str
    group: str
    steps: int
    adapted: dict[str, Adapted | None]
    course: Course | None
    ended: str
    error: str

    @property
    def words(self) -> str:
        """What happened: the error, divergence with its step, a rise, or nothing."""
        if self.error:
            return self.error
        if self.course is None:
            return self.ended or "no step was made"
        if self.course.diverged is not None:
            return f"diverges: f(x_k) stays above f(x_0) from k = {self.course.diverged} on"
        if self.course.rises:
            return f"f rises at {len(self.course.rises)} steps, first at step {self.course.rises[0]}"
        return "f falls at every step"

    def to_json(self) -> dict[str, Any]:
        return {
            "problem": self.problem,
            "group": self.group,
            "steps": self.steps,
            "adapted": {kind: one.to_json() if one is not None else None for kind, one in self.adapted.items()},
            "monotone": self.course.is_monotone if self.course is not None else None,
            "first_rise": self.course.rises[0] if self.course is not None and self.course.rises else None,
            "rises": len(self.course.rises) if self.course is not None else None,
            "diverged_at": self.course.diverged if self.course is not None else None,
            "ended": self.ended or None,
            "error": self.error or None,
        }


def behaviour(path: Path, group: str = "") -> Behaviour:
    """The behaviour of a rule on the problem of a path."""
    return Behaviour(
        problem=path.problem.name,
        group=group,
        steps=path.steps,
        adapted={kind: _adapted(path, kind) for kind in KINDS},
        course=course(path) if path.steps else None,
        ended=path.ended,
        error=path.error,
    )


def _adapted(path: Path, kind: str) -> Adapted | None:
    with np.errstate(all="ignore"):
        products = np.asarray(path.smoothness[kind]) * path.eta + 0.0 if path.steps else np.zeros(0)
    products = products[np.isfinite(products)]
    if not len(products):
        return None
    shares = [float(np.mean(products <= 1 + 2.0**-20)), float(np.mean(products < 2))]  # 1/M itself is at most 1/M
    return Adapted(
        steps=len(products), at_most_1=shares[0], below_2=shares[1], low=float(products.min()), high=float(products.max())
    )

"""The behaviour of a rule: its steps against each M that papers declare, whether f falls, and whether steps are chosen again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.audit.number_names import apart
from boundcheck.audit.path import Path, driven_by
from boundcheck.audit.step_comparison import finite
from boundcheck.audit.supervised_run import ObservedRun, watch
from boundcheck.model.rule import Rule
from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.processes.time_limit import limited

FAR = 100.0  # times the gap at x_0, above f(x_0): a run that ends so high has diverged


@dataclass(frozen=True, kw_only=True)
class Course:
    """`rises`: the steps i with f(x_{i+1}) > f(x_i), rounding excluded. `diverged`: the first k after which f stays above f(x_0).

    A run diverges if it leaves the floating-point numbers, or ends higher above f(x_0) than FAR times the gap at x_0.
    """

    rises: tuple[int, ...]
    largest_rise: float  # over the gap at x_0
    diverged: int | None
    words: str

    @property
    def is_monotone(self) -> bool:
        return not self.rises


def course(path: Path) -> Course:
    """Return the course of f along a path."""
    rises = tuple(int(n) for n in np.flatnonzero(path.rises))
    values = path.f if path.gap is None else path.gap
    scale = _scale(path)
    with np.errstate(all="ignore"):
        grown = np.diff(values)[list(rises)] / scale
    largest = float(np.max(grown)) if rises else 0.0
    diverged = _diverged(values, scale, path.ended)
    return Course(rises=rises, largest_rise=largest, diverged=diverged, words=_words(path, rises, diverged))


def _scale(path: Path) -> float:
    """Return the gap at x_0; where inf f is not known, how far f fell, or its own size."""
    known = float(path.gap[0]) if path.gap is not None else max(float(path.f[0] - np.nanmin(path.f)), abs(float(path.f[0])))
    return known if known > 0 else 1.0


def _diverged(values: np.ndarray, scale: float, ended: str) -> int | None:
    above = ~(values <= values[0])  # what is no number is above
    if not above[-1]:
        return None
    left = "left the floating-point numbers" in ended
    with np.errstate(all="ignore"):
        if not left and values[-1] - values[0] <= FAR * scale:
            return None
    return int(len(above) - np.argmin(above[::-1]))


def _words(path: Path, rises: tuple[int, ...], diverged: int | None) -> str:
    where = f"on {path.problem.name}"
    if diverged is not None:
        return f"diverges {where}: f(x_k) stays above f(x_0) from k = {diverged} on"
    if not rises:
        return f"f falls at every step {where}"
    first, many = rises[0], len(rises)
    return f"f rises at {many} of {path.steps} steps {where}, first from x_{first} to x_{first + 1}"


@dataclass(frozen=True, kw_only=True)
class AdaptedSteps:
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
    adapted: dict[str, AdaptedSteps | None]
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
    """Return the behaviour of a rule on the problem of a path."""
    return Behaviour(
        problem=path.problem.name,
        group=group,
        steps=path.steps,
        adapted={kind: _adapted(path, kind) for kind in path.smoothness},
        course=course(path) if path.steps else None,
        ended=path.ended,
        error=path.error,
    )


def _adapted(path: Path, kind: str) -> AdaptedSteps | None:
    with np.errstate(all="ignore"):
        products = np.asarray(path.smoothness[kind]) * path.eta + 0.0 if path.steps else np.zeros(0)
    products = products[np.isfinite(products)]
    if not len(products):
        return None
    shares = [float(np.mean(products <= 1 + 2.0**-20)), float(np.mean(products < 2))]  # 1/M itself is at most 1/M
    return AdaptedSteps(
        steps=len(products), at_most_1=shares[0], below_2=shares[1], low=float(products.min()), high=float(products.max())
    )


STEPS, PROBLEMS, SECONDS = 30, 6, 10.0
SAME = 1e-9  # relative: a library may add in another order


def not_deterministic(rule: Rule, paths: Sequence[Path], *, horizon: int) -> str:
    """Return how the steps of two runs differ.

    "" if they are the same, or cannot be had. `horizon`: the steps that runs are to have.
    """
    chosen = _spread(sorted((path for path in paths if path.steps), key=lambda path: path.problem.dimension))
    for order in (chosen, chosen[::-1]):
        line = [*order, *order[:1]]
        try:
            found = limited(lambda line=line: [_again(rule, path, horizon) for path in line], SECONDS)  # type: ignore[misc]
        except (TimeUp, Died):
            continue
        for n, (path, again) in enumerate(zip(line, found, strict=True)):
            if said := _differs(path, again, line[:n]):
                return said
    return ""


def _spread(paths: Sequence[Path]) -> list[Path]:
    """Return a few of them, small problems and large ones."""
    if len(paths) <= PROBLEMS:
        return list(paths)
    return [paths[round(n * (len(paths) - 1) / (PROBLEMS - 1))] for n in range(PROBLEMS)]


def _again(rule: Rule, path: Path, horizon: int) -> ObservedRun:
    """Return what the rule answers at the points of its path."""
    most = min(STEPS, path.steps)
    seconds = SECONDS / (PROBLEMS + 1)
    more = {"seconds": seconds, "trusted": True, "most": most, "along": path.eta}
    return watch(path.problem, rule, driven_by(rule), steps=horizon, **more)  # type: ignore[arg-type]


def _differs(path: Path, again: ObservedRun, earlier: Sequence[Path]) -> str:
    after = f", the second after a run on {earlier[-1].problem.name}" if earlier else ""
    common = min(len(path.eta), len(again.eta))
    differs = ~np.isclose(path.eta[:common], again.eta[:common], rtol=SAME, atol=0.0)
    if differs.any():
        k = int(differs.argmax())
        one, other = apart(path.eta[k], again.eta[k])
        return f"two runs on {path.problem.name} have different steps, {one} and {other} at step {k}{after}"
    if again.error and common < min(STEPS, path.steps):
        return f"of two runs on {path.problem.name} one has no step {common}{after}: {again.error}"
    return ""

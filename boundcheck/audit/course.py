"""How f goes along a path: whether it falls at every step, and whether the run diverges, and since when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boundcheck.audit.paths import Path

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
    """The course of f along a path."""
    rises = tuple(int(n) for n in np.flatnonzero(path.rises))
    values = path.f if path.gap is None else path.gap
    scale = _scale(path)
    with np.errstate(all="ignore"):
        grown = np.diff(values)[list(rises)] / scale
    largest = float(np.max(grown)) if rises else 0.0
    diverged = _diverged(values, scale, path.ended)
    return Course(rises=rises, largest_rise=largest, diverged=diverged, words=_words(path, rises, diverged))


def _scale(path: Path) -> float:
    """The gap at x_0; where inf f is not known, how far f fell, or its own size."""
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

"""Comparison of steps with those that a formula, or another rule, asks for at the same points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boundcheck.audit.path_reading import Floats, ReadablePath

CLOSE = 2.0**-20  # as a hypothesis is followed: see boundcheck.check.hypotheses_on_run
BLURRED = 2.0**-7  # where rounding may have made this share of a number, it is not compared


@dataclass(frozen=True)
class StepDifference:
    """One step: what was found there, and what was asked for."""

    problem: str
    step: int
    found: float
    wanted: float

    def __str__(self) -> str:
        return f"step {self.step} on {self.problem}"

    def to_json(self) -> dict[str, object]:
        return {"problem": self.problem, "step": self.step, "found": finite(self.found), "wanted": finite(self.wanted)}


@dataclass(frozen=True, eq=False)
class PathComparison:
    """The steps of one path, `found`, and what was `wanted`; `noise` is the share of it that may be rounding."""

    reading: ReadablePath
    found: Floats
    wanted: Floats
    noise: Floats

    @property
    def problem(self) -> str:
        return self.reading.name

    @cached_property
    def tolerance(self) -> Floats:
        return CLOSE + 4 * self.noise + self.reading.noise

    @cached_property
    def usable(self) -> NDArray[np.bool_]:
        """The steps at which there is something to compare."""
        return np.asarray(np.isfinite(self.wanted) & np.isfinite(self.found) & (self.tolerance <= BLURRED))

    def near(self, wanted: Floats) -> NDArray[np.bool_]:
        """Return where the steps are these numbers, but for rounding."""
        with np.errstate(all="ignore"):
            apart = np.abs(self.found - wanted) <= self.tolerance * np.maximum(np.abs(self.found), np.abs(wanted))
        return np.asarray(apart & self.usable)

    @cached_property
    def same(self) -> NDArray[np.bool_]:
        return self.near(self.wanted)

    @cached_property
    def differs(self) -> NDArray[np.bool_]:
        return np.asarray(self.usable & ~self.same)

    @cached_property
    def ratio(self) -> Floats:
        with np.errstate(all="ignore"):
            return np.asarray(np.where(self.usable, self.found / self.wanted, np.nan))

    def place(self, step: int) -> StepDifference:
        return StepDifference(self.problem, step, float(self.found[step]), float(self.wanted[step]))


@dataclass(frozen=True, eq=False)
class Comparison:
    """All paths beside one formula or rule."""

    each: tuple[PathComparison, ...]

    @cached_property
    def used(self) -> tuple[PathComparison, ...]:
        return tuple(one for one in self.each if one.usable.any())

    @cached_property
    def count(self) -> int:
        return sum(int(one.usable.sum()) for one in self.each)

    @cached_property
    def equal(self) -> int:
        return sum(int(one.same.sum()) for one in self.each)

    @property
    def agrees(self) -> bool:
        return self.count > 0 and self.equal == self.count

    @cached_property
    def ratios(self) -> Floats:
        return np.concatenate([np.zeros(0), *(one.ratio[one.usable] for one in self.each)])

    @cached_property
    def distance(self) -> float:
        """The median relative difference; infinite where nothing is compared."""
        if not self.count:
            return float("inf")
        with np.errstate(all="ignore"):
            apart = np.abs(self.ratios - 1) / np.maximum(1, np.abs(self.ratios))
        return float(np.median(np.where(np.isfinite(apart), apart, np.inf)))

    @cached_property
    def first(self) -> StepDifference | None:
        """The earliest step that is not what was asked for."""
        places = [one.place(int(one.differs.argmax())) for one in self.each if one.differs.any()]
        return min(places, key=lambda place: place.step, default=None)

    @property
    def where(self) -> str:
        return f"{self.count} steps on {many(len(self.used), 'problem')}"


def beside(readings: Sequence[ReadablePath], wanted: Sequence[Floats | None]) -> Comparison:
    """Return the steps of each path beside these numbers; None where there are none."""
    return Comparison(
        tuple(
            PathComparison(reading, reading.eta, numbers, np.zeros(reading.steps))
            for reading, numbers in zip(readings, wanted, strict=True)
            if numbers is not None and reading.steps
        )
    )


def many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None

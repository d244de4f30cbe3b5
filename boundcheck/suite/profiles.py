"""The profiles of the suite: how large problems are, how long runs, how many chords."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Profile:
    """How much is tried: the size of problems, the length of runs, the number of chords."""

    name: str
    largest: int  # dimension
    steps: int  # in inexact arithmetic
    exact_steps: dict[int, int] = field(
        default_factory=dict
    )  # in rationals, by dimension: the numbers' size triples at each step
    chords: int = 200
    horizons: int = 10  # the longest run of a schedule that depends on the horizon: each K is a run
    method_steps: int = 25  # of methods other than gradient descent, in floating point
    bits: int = 512  # the budget of the ladder
    every_k: bool = True  # go up the ladder for each k; else until something is certified
    asked_steps: int | None = None  # the length of runs that someone asked for
    everyday: bool = False  # leave out what the problems mark as special, or as showing nothing new in floating point


PROFILES = {
    "quick": Profile(
        name="quick",
        largest=30,
        steps=150,
        exact_steps={1: 8, 2: 6},
        method_steps=12,
        bits=256,
        every_k=False,
        everyday=True,
    ),
    "full": Profile(name="full", largest=400, steps=300, exact_steps={1: 9, 2: 7}, chords=500),
}

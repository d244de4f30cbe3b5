"""The numbers that make a claim a semidefinite program: its steps, the values of M along the path, and its letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import exp, fsum, log

from boundcheck.support.errors import UserError

ANY, PATH_KINDS = "any", ("any", "D", "H")


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """`chords[i]` is M from the point where step i begins to the one where it ends.

    `path` says what that means: "any" is any M, whose quadratic bound holds there; "H" and "D" are equations.
    """

    steps: tuple[float, ...]
    chords: tuple[float, ...] = ()
    L: float | None = None
    mu: float = 0.0
    parameters: Mapping[str, float] = field(default_factory=dict)
    path: str = ANY

    def __post_init__(self) -> None:
        if self.path not in PATH_KINDS:
            raise UserError(f"path is one of {', '.join(PATH_KINDS)}; found {self.path!r}")
        if not all(step > 0 for step in self.steps) or not all(M > 0 for M in self.chords):
            raise UserError("steps and values of M are positive numbers")

    @property
    def middle(self) -> float:
        """The curvature in the middle of the steps' own, 1/eta_i, on a logarithmic scale."""
        return exp(-fsum(map(log, self.steps)) / len(self.steps))

    def in_units_of(self, curvature: float) -> Numbers:
        """The same for f divided by this curvature. Parameters have no dimension."""
        return replace(
            self,
            steps=tuple(step * curvature for step in self.steps),
            chords=tuple(M / curvature for M in self.chords),
            L=None if self.L is None else self.L / curvature,
            mu=self.mu / curvature,
        )

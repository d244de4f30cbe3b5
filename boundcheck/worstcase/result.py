"""A bound against the worst case over the class."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class WorstCase:
    """A bound against the exact worst case over the class, at one k; the class's number is a solver's, never certified."""

    claim: str  # id
    name: str  # of the row's family: "gd 1/L", "adapted steps, average", "adapted steps, last", ...
    k: int
    bound: float
    worst: float
    can_be_improved: bool | None  # None: within what the solver can tell
    note: str = ""

    @property
    def ratio(self) -> float:
        return self.worst / self.bound

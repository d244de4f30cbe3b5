"""A bound against the worst case over the class."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite, nan
from typing import Any

TIGHT = 0.003  # relative: a worst case this near the bound is as near as the solver can tell
BEYOND = 1e-4  # relative: a worst case above the bound by more than this breaks it
CERTAINTY = "by semidefinite program, not certified"

FAILS, TIGHT_WORDS = "the bound fails on this class", f"cannot be improved (within the solver's {100 * TIGHT:g} %)"
LOOSE_WORDS, UNKNOWN_WORDS = "can be improved", "unknown"


@dataclass(frozen=True, kw_only=True)
class WorstCase:
    """A bound against the worst case over the class, at one k; the class's number is a solver's, never certified.

    All is about the steps and the values of M that `given` names, and `note` says which class of functions it is exact for.
    """

    claim: str  # id
    name: str  # of the row's family: "GD 1/L", "adapted steps, average", "adapted steps, last", ...
    k: int  # the number of steps
    bound: float
    worst: float  # nan: unknown
    can_be_improved: bool | None  # None: unknown, or the bound fails; `verdict` says which
    note: str = ""
    given: str = ""  # the steps and the values of M
    is_upper_bound: bool = False  # the inequalities of the class are necessary only: the truth may be below `worst`
    at_most: float = nan  # where `worst` is only the largest that was found: no function of the class exceeds this

    @property
    def ratio(self) -> float:
        return self.worst / self.bound

    @property
    def fails(self) -> bool:
        return not self.is_upper_bound and self.ratio > 1 + BEYOND

    @property
    def verdict(self) -> str:
        """Never says certified: the number is a solver's."""
        if self.fails:
            return FAILS
        return {None: UNKNOWN_WORDS, False: TIGHT_WORDS, True: LOOSE_WORDS}[self.can_be_improved]

    def to_json(self) -> dict[str, Any]:
        numbers = {"bound": self.bound, "worst": self.worst, "at_most": self.at_most, "ratio": self.ratio}
        shown = {name: number if isfinite(number) else None for name, number in numbers.items()}
        return {**asdict(self), **shown, "verdict": self.verdict, "certified": False}


def improvable(low: float, high: float) -> bool | None:
    """From the worst ratio of left to right, reached and not exceeded: can the bound be improved? None: not told."""
    if low > 1 + BEYOND:
        return None
    return False if low >= 1 - TIGHT else True if high < 1 - TIGHT else None

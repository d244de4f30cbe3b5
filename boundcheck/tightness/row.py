"""One comparison: a claim at k steps with given steps and values of M, solved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan

from boundcheck.claims.bound import Bound
from boundcheck.gram.affine import NotModelled
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import worst
from boundcheck.tightness.result import CERTAINTY, WorstCase, improvable
from boundcheck.tightness.solving import Ratio, Unsettled

Tried = tuple[float, Ratio, str]  # the right side of size 1, left / right at worst, and the words for the numbers


@dataclass(frozen=True, kw_only=True)
class Row:
    """Of the numbers that are given, the worst counts. `less` is the number of steps less the claim's own k."""

    name: str
    claim: Bound
    k: int  # the number of steps
    given: tuple[tuple[str, Numbers], ...]
    note: str
    is_upper_bound: bool = False  # are the inequalities of the class necessary only?
    less: int = 0
    words: str = ""  # for all the numbers together, where they are several
    relaxation: Callable[[], float] | None = None  # what left / right does not exceed, if those given are but some of all steps
    about_relaxation: str = ""  # the words for what it is over

    def __str__(self) -> str:
        return f"{self.name}, k = {self.k}"

    def solved(self) -> WorstCase:
        """Return the worst case of the claim with these numbers."""
        tried: list[Tried] = []
        bound, missed = nan, []
        for words, numbers in self.given:
            try:
                tried.append((*worst(self.claim, self.k - self.less, numbers), words))
            except Unsettled as wrong:
                bound = wrong.right
                missed.append(f"{words}: {wrong}")
            except NotModelled as wrong:
                missed.append(f"{words}: {wrong}")
        if not tried:
            return self._case(bound, nan, None, *missed[:1])
        bound, ratio, words = max(tried, key=lambda one: one[1].low)
        note = [self.note, *([f"reached with {words}"] if self.words else []), *missed]
        if self.relaxation is None:
            reached = -inf if self.is_upper_bound else ratio.low
            return self._case(bound, bound * ratio.high, improvable(reached, inf if missed else ratio.high), *note)
        most, how = self._relaxed()
        return self._case(bound, bound * ratio.high, improvable(ratio.low, most), *note, how, at_most=bound * most)

    def _relaxed(self) -> tuple[float, str]:
        assert self.relaxation is not None
        try:
            return self.relaxation(), self.about_relaxation
        except (Unsettled, NotModelled) as wrong:
            return nan, f"no upper bound over all steps: {wrong}"

    def _case(self, bound: float, worst: float, improves: bool | None, *note: str, at_most: float = nan) -> WorstCase:
        return WorstCase(
            claim=self.claim.id,
            name=self.name,
            k=self.k,
            bound=bound,
            worst=worst,
            can_be_improved=improves,
            given=self.words or self.given[0][0],
            note="; ".join(filter(None, [CERTAINTY, *note])),
            is_upper_bound=self.is_upper_bound,
            at_most=at_most,
        )

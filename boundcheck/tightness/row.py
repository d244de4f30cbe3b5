"""One comparison: a claim at k steps with given steps and values of M, solved."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

from boundcheck.claims.bound import Bound
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.polyak import over_all_steps
from boundcheck.tightness.program import worst
from boundcheck.tightness.reading import NotModelled
from boundcheck.tightness.result import CERTAINTY, WorstCase, improvable
from boundcheck.tightness.sequences import Values
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
    less: int = 0
    words: str = ""  # for all the numbers together, where they are several
    path: Values = ()  # M on the path, where the steps are Polyak's: those given are but some, and a relaxation is over all

    def __str__(self) -> str:
        return f"{self.name}, k = {self.k}"

    def solved(self) -> WorstCase:
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
        if not self.path:
            return self._case(bound, bound * ratio.high, improvable(ratio.low, inf if missed else ratio.high), *note)
        most, how = self._over_all_steps()
        return self._case(bound, bound * ratio.high, improvable(ratio.low, most), *note, how, at_most=bound * most)

    def _over_all_steps(self) -> tuple[float, str]:
        gamma = self.given[0][1].parameters["gamma"]
        try:
            most = over_all_steps(self.claim, self.k, self.path, gamma)
        except (Unsettled, NotModelled) as wrong:
            return nan, f"no upper bound over all steps: {wrong}"
        return most, "no Polyak run with these M exceeds at_most, by a relaxation over all steps"

    def _case(self, bound: float, worst: float, improves: bool | None, *note: str, at_most: float = nan) -> WorstCase:
        return WorstCase(
            claim=self.claim.id,
            name=self.name,
            k=self.k,
            bound=bound,
            worst=worst,
            can_be_improved=improves,
            given=self.words or self.given[0][0],
            note="; ".join([CERTAINTY, *note]),
            at_most=at_most,
        )

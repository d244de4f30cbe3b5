"""The search of `falsify`: it goes on until something is found that can be certified, or the budget ends."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Runs
from boundcheck.falsify.search import CannotFail, SearchTask, refuse
from boundcheck.library.declarations import step_searches
from boundcheck.support.errors import UserError

if TYPE_CHECKING:
    from boundcheck.falsify.candidate import Candidate
    from boundcheck.falsify.search import Report, SearchResult

ANOTHER_SEED = 1_000_003  # from one search to the next, where what a search found is not certified


@dataclass(frozen=True)
class Refutation:
    """A candidate that refutes the claim, with its certificate and the lines that a person can follow."""

    candidate: Candidate
    certificate: dict[str, Any]
    lines: list[str]
    margin: float
    result: SearchResult

    @property
    def is_as_found(self) -> bool:
        """Whether this is the candidate that the search met, and no simpler one."""
        return self.result.found is not None and self.candidate == self.result.found.candidate


class SearchObserver:
    """What a hunt tells while it goes on. This one is silent; the command line shows a progress line."""

    def during_search(self, hunt: Hunt) -> AbstractContextManager[Report]:
        """Return a context for one search; it gives the function that is called after each task."""
        return nullcontext(lambda task, result: None)

    def during_shrinking(self) -> AbstractContextManager[object]:
        """Return a context for the time in which a counterexample is made simpler."""
        return nullcontext()

    def not_certified(self, why: str) -> None:
        """Something seemed to fail and cannot be certified, for the first time in this hunt."""


class Hunt:
    """A search for a counterexample to one claim, repeated from other seeds while what it finds cannot be certified."""

    def __init__(
        self, bound: Bound, budget: float, seed: int, jobs: int, shrinks: bool, observer: SearchObserver | None = None
    ) -> None:
        if bound.is_beyond_f:
            raise UserError(f"{bound.id} is about more than f and its gradient; the search has no such functions")
        self.bound, self.budget, self.seed, self.jobs, self.shrinks = bound, budget, seed, jobs, shrinks
        self.observer = SearchObserver() if observer is None else observer
        self.began = perf_counter()
        self.seconds, self.candidates, self.nearest, self.uncertified = 0.0, 0, float("-inf"), 0

    def run(self) -> Refutation | None:
        """Return the first refutation that can be certified; None where the budget ends before."""
        turn = 0
        while (left := self.budget - (perf_counter() - self.began)) > 0:
            result = self._searched(left, self.seed + turn * ANOTHER_SEED)
            if result.found is None:
                return None
            if (found := self._certified(result)) is not None:
                return found
            turn += 1
        return None

    def _searched(self, budget: float, seed: int) -> SearchResult:
        from boundcheck.falsify.search import search

        before = self.candidates
        with self.observer.during_search(self) as tell:

            def report(task: SearchTask, now: SearchResult) -> None:
                self.candidates, self.nearest = before + now.looked_at, max(self.nearest, now.ratio)
                tell(task, now)

            try:
                return search(self.bound, budget=budget, seed=seed, jobs=self.jobs, report=report)
            finally:
                self.seconds = perf_counter() - self.began

    def _certified(self, result: SearchResult) -> Refutation | None:
        """Return the simplest form of what was found that a certificate can be made of; None where there is no such form."""
        from boundcheck.certificates.walkthrough import steps
        from boundcheck.certificates.write import NotCertified
        from boundcheck.falsify.certificate_io import certificate_of
        from boundcheck.falsify.exact_check import look
        from boundcheck.falsify.shrinking.shrink import shrink

        assert result.found is not None
        why = ""
        first = result.found.candidate
        with self.observer.during_shrinking():
            simplest = shrink(self.bound, first) if self.shrinks else first
        for candidate in dict.fromkeys((simplest, first)):
            try:
                certificate = certificate_of(self.bound, candidate)
            except NotCertified as wrong:
                why = str(wrong)
                continue
            failure = look(self.bound, candidate) or result.found.failure
            return Refutation(candidate, certificate, steps(self.bound, certificate), failure.margin, result)
        self.uncertified += 1
        if self.uncertified == 1:
            self.observer.not_certified(why)
        return None

    def so_far(self) -> str:
        """12.3 s: 4,000 candidates, the nearest left/right = 0.98."""
        return progress_words(self.seconds, self.candidates, self.nearest)


def progress_words(seconds: float, candidates: int, nearest: float) -> str:
    """Return how long a search took, how many candidates it tried, and how near to equality the nearest came."""
    near = f"the nearest left/right = {nearest:.6g}" if nearest > float("-inf") else "none with a left/right to compare"
    return f"{seconds:.1f} s: {candidates:,} candidates, {near}"


def refuse_what_cannot_be_searched(bound: Bound) -> None:
    """Raise CannotFail for limits, existence claims, claims about runs of no method, or about constants that no function has."""
    refuse(bound)
    if not bound.is_about_chords and not any(isinstance(given, Runs) for given in bound.hypotheses):
        raise CannotFail(f"{bound.id} does not say which method it is about; write GradientDescent() in given")
    if not bound.is_about_chords and bound.runs.searched and bound.runs.steps not in step_searches():
        raise CannotFail(f"{bound.id} has the steps of '{bound.runs.steps}', a search that no installed method declares")

"""The search of `falsify` goes on until a counterexample can be certified or the budget ends, and returns what was found."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Runs
from boundcheck.falsify.search import CannotFail, SearchTask, refuse
from boundcheck.language.canonical import HORIZON
from boundcheck.library.declarations import step_searches
from boundcheck.support.errors import NotCertified

if TYPE_CHECKING:
    from boundcheck.falsify.candidate import Candidate
    from boundcheck.falsify.gram_certificates.search import GramCandidate
    from boundcheck.falsify.search import Report, SearchResult

LAST_SECONDS, LAST_PART = 15.0, 0.25  # of the budget for a claim about f, in which Gram matrices are tried after the rest
ANOTHER_SEED = 1_000_003  # from one search to the next, where what a search found is not certified


@dataclass(frozen=True)
class Refutation:
    """A candidate that refutes the claim, with its certificate and the lines that a person can follow."""

    candidate: Candidate | GramCandidate
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
        self.bound, self.budget, self.seed, self.jobs, self.shrinks = bound, budget, seed, jobs, shrinks
        self.observer = SearchObserver() if observer is None else observer
        self.began = perf_counter()
        self.seconds, self.candidates, self.nearest, self.uncertified = 0.0, 0, float("-inf"), 0

    def run(self) -> Refutation | None:
        """Return the first refutation that can be certified; None where the budget ends before."""
        from boundcheck.falsify.gram_certificates.search import is_gram_claim
        from boundcheck.gram.affine import NotModelled
        from boundcheck.gram.solver import NoSolver

        if self.bound.is_beyond_f:
            return self._by_gram_matrix(self.budget)
        last = min(LAST_SECONDS, self.budget * LAST_PART) if is_gram_claim(self.bound) else 0.0
        turn = 0
        while (left := self.budget - last - (perf_counter() - self.began)) > 0:
            result = self._searched(left, self.seed + turn * ANOTHER_SEED)
            if result.found is None:
                break
            if (found := self._certified(result)) is not None:
                return found
            turn += 1
        try:
            return self._by_gram_matrix(max(self.budget, perf_counter() - self.began + last)) if last else None
        except (NotModelled, NoSolver):
            return None

    def _by_gram_matrix(self, until: float) -> Refutation | None:
        """Return the first refutation by inner products and values, of a claim that is affine in them.

        `until` is in seconds of the hunt. Another strategy may have ended late: this has its time all the same.
        """
        from boundcheck.falsify.gram_certificates.search import attempts, result_of, task_of
        from boundcheck.falsify.gram_certificates.words import numbered

        with self.observer.during_search(self) as tell:
            for made in attempts(self.bound, self.seed, lambda: perf_counter() - self.began < until):
                self.seconds, self.candidates = perf_counter() - self.began, self.candidates + 1
                self.nearest = max(self.nearest, made.ratio)
                result = result_of(made, self.candidates, self.nearest, self.seconds)
                tell(task_of(self.candidates, self.seed), result)
                if (found := made.found) is not None:
                    lines = numbered(self.bound, found.certificate)
                    return Refutation(found.candidate, found.certificate, lines, found.margin, result)
                if made.not_certified:
                    self.uncertified += 1
                    if self.uncertified == 1:
                        self.observer.not_certified(made.not_certified)
        self.seconds = perf_counter() - self.began
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
    if bound.schedule_reads_horizon and not bound.has_fixed_horizon:
        raise CannotFail(f"{bound.id} has a schedule that reads K, the last step; state it for_all=K >= 1")
    updates = [update for _, method in bound.runs.roles for update in (*method.first, *method.each)]
    if bound.schedule_reads_horizon and any(HORIZON in update.formula.free for update in updates):
        raise CannotFail(f"{bound.id} has a method that reads K; write the schedule of its steps as a hypothesis, eta[i] == ...")


Side = Fraction | tuple[Fraction, Fraction]  # a number, or the ends of an enclosure


@dataclass(frozen=True, kw_only=True)
class Counterexample:
    """A function and a run on which a claim is false, with a certificate that the independent checker accepts.

    `k` is None for a claim about chords. `left` and `right` are the two sides there: each an exact number, or the two ends of
    an enclosure. `certificate` is the content of the file that `write(path)` makes.

    >>> from boundcheck import Bound, Convex, GradientDescent, falsify
    >>> from boundcheck.letters import delta, k
    >>> wrong = Bound(given=(Convex, GradientDescent()), states=delta[k + 1] <= delta[k])
    >>> found = falsify(wrong, budget=60, jobs=1)
    >>> found.left > found.right
    True
    >>> found.certificate["format"]
    'boundcheck certificate'
    """

    claim: str
    k: int | None
    left: Side
    right: Side
    certificate: dict[str, Any] = field(repr=False)
    dimension: int
    smoothness: str | None
    strategy: str
    candidates: int
    seconds: float
    seed: int
    lines: tuple[str, ...] = field(repr=False)

    def explain(self) -> list[str]:
        """Return the lines of a walk through the counterexample that a person can follow with pencil and paper."""
        return list(self.lines)

    def write(self, path: str | Path) -> Path:
        """Write the certificate to a file, whole or not at all, once the independent checker has accepted its text."""
        from boundcheck.support.atomic_files import AtomicFiles

        place = Path(path)
        text = checked_text(self.certificate, place)
        with AtomicFiles() as files:
            files.text(place, text)
        return place


@dataclass(frozen=True, kw_only=True)
class NoCounterexample:
    """A search that found no counterexample, and what it tried: this is not a proof. It is false in an `if`.

    `nearest` is the largest left/right that any candidate reached, None where there was none to compare: then perhaps no
    candidate satisfied every hypothesis. `uncertified` counts searches whose finding could not be certified.

    >>> from boundcheck import falsify
    >>> tried = falsify("classical/gd.descent", budget=0.5, seed=7, jobs=1)
    >>> bool(tried), tried.seed, tried.candidates > 0
    (False, 7, True)
    """

    claim: str
    candidates: int
    seconds: float
    seed: int
    nearest: float | None
    uncertified: int

    def __bool__(self) -> Literal[False]:
        return False

    def explain(self) -> list[str]:
        """Return what was tried, in lines."""
        near = float("-inf") if self.nearest is None else self.nearest
        lines = [f"{self.claim}: no counterexample in {progress_words(self.seconds, self.candidates, near)}"]
        if self.nearest is None:
            lines.append("perhaps no candidate satisfied every hypothesis: then nothing was tried")
        if self.uncertified:
            many = "1 search" if self.uncertified == 1 else f"{self.uncertified} searches"
            lines.append(f"what {many} took for one could not be certified")
        return [*lines, "This is not a proof."]


def checked_text(certificate: dict[str, Any], path: Path) -> str:
    """Return the text of a certificate's file; the independent checker has the last word on it, and NotCertified says why not."""
    import tempfile

    from boundcheck.certificates.write import as_text
    from boundcheck.verify import REFUTES, verify

    text = as_text(certificate)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy.json")
        copy.write_text(text, encoding="utf-8")
        code, why = verify(str(copy))
    if code != REFUTES:
        raise NotCertified(f"{path} is not written: the independent checker does not accept it: {why}")
    return text


def counterexample_of(hunt: Hunt, found: Refutation) -> Counterexample:
    """Return the public form of what a hunt found."""
    at = found.candidate
    return Counterexample(
        claim=hunt.bound.id,
        k=None if at.chord else at.k,
        left=_side(found.certificate["left"]),
        right=_side(found.certificate["right"]),
        certificate=found.certificate,
        dimension=at.dimension,
        smoothness=at.smoothness or None,
        strategy=found.result.strategy,
        candidates=hunt.candidates,
        seconds=hunt.seconds,
        seed=hunt.seed,
        lines=tuple(found.lines),
    )


def no_counterexample_of(hunt: Hunt) -> NoCounterexample:
    """Return what a hunt tried that found nothing."""
    return NoCounterexample(
        claim=hunt.bound.id,
        candidates=hunt.candidates,
        seconds=hunt.seconds,
        seed=hunt.seed,
        nearest=hunt.nearest if abs(hunt.nearest) < float("inf") else None,
        uncertified=hunt.uncertified,
    )


def _side(written: str | list[str]) -> Side:
    if isinstance(written, str):
        return Fraction(written)
    low, high = map(Fraction, written)
    return low, high

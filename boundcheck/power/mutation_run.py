"""A mutation run finds the fates of all mutants of many claims, in several processes, each of which stores what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from boundcheck.claims.bound import PROVED, Bound
from boundcheck.library.catalogue import NotFound
from boundcheck.power import fates as power
from boundcheck.power.fates import IMPLIED, KILLED, SURVIVED, TRUE, Fate, KnownFates, targets
from boundcheck.power.journal import FateJournal
from boundcheck.power.mutants.mutant import mutants, why_none
from boundcheck.power.score import Score
from boundcheck.support.processes.workers import Ended, Failed, stream


def choose(claims: Sequence[Bound]) -> tuple[list[Bound], dict[str, str]]:
    """Return the claims whose mutants are made, and why the others have none, by their ids."""
    chosen = targets(claims)
    ids = {bound.id for bound in chosen}
    left_out = {bound.id: _why_not(bound, claims) for bound in claims if bound.id not in ids}
    if not chosen:
        name, why = next(iter(left_out.items()))
        raise NotFound(f"there is nothing to change: {name}: {why}; name a claim that is not known to be false")
    return chosen, left_out


def _why_not(bound: Bound, claims: Sequence[Bound]) -> str:
    if why := why_none(bound):
        return why
    if bound.is_refuted:
        return "the claim is false, and a change of it need not be"
    if any(other.label == bound.label and other.reading == PROVED for other in claims):
        return "the reading that is proved stands for it"
    return "it is neither the printed nor the proved reading"


class MutationRun:
    """The work on some claims: which fates earlier runs stored, and which this one has found so far."""

    def __init__(self, bounds: list[Bound], left_out: dict[str, str], journal: FateJournal, seed: int) -> None:
        self.bounds, self.left_out, self.journal, self.seed = bounds, left_out, journal, seed
        self.before = journal.read()
        self.order: dict[int, list[str]] = {}  # of a claim begun: its mutants' hashes
        self.found: dict[tuple[int, str], Fate] = {}
        self.ended: set[int] = set()
        self.unfinished: dict[str, str] = {}
        self.began, self.stored = perf_counter(), 0

    def run(self, jobs: int, tick: Callable[[], None] | None = None) -> Score:
        """Find every fate that is missing. `tick` is called again and again meanwhile, to show how far the run is."""
        self.journal.open()
        tasks = [partial(self._task, bound) for bound in self.bounds]
        for event in stream(tasks, jobs):
            if event is not None:
                self._take(*event)
            if tick is not None:
                tick()
        return self._score()

    def _task(self, bound: Bound, attempt: int) -> Iterator[Any]:
        """Yield the hashes of a claim's mutants, then the fate of each. This runs in a process of its own."""
        if attempt:
            self.journal.open()
        known: KnownFates = (self.journal.read() if attempt else self.before).get((bound.id, bound.hash), {})
        yield [mutant.bound.hash for mutant in mutants(bound)]
        for fate in power.find_fates(bound, known, self.seed):
            if fate.key not in known:
                self.journal.add(fate)
            yield fate

    def _take(self, number: int, what: Any) -> None:
        if isinstance(what, Fate):
            self.found[number, what.hash] = what
            self.stored += what.key in self.before.get((what.claim, what.claim_hash), {})
        elif isinstance(what, Failed):
            self.unfinished[self.bounds[number].id] = what.why
            self.ended.add(number)
        elif isinstance(what, Ended):
            self.ended.add(number)
        else:
            self.order[number] = what

    def _score(self) -> Score:
        """Return the score, with fates in the order of the claims and of their mutants, whichever came first."""
        none = {self.bounds[n].id: "there is nothing in it to change" for n, order in sorted(self.order.items()) if not order}
        return Score(
            fates=tuple(self.found[n, name] for n in sorted(self.order) for name in self.order[n] if (n, name) in self.found),
            not_mutated={**self.left_out, **none},
            unfinished=self.unfinished,
            seed=self.seed,
        )

    # -- progress -------------------------------------------------------------------------------------------------------

    @property
    def expected(self) -> int:
        """The number of mutants; a claim that is not begun counts as many as the others have on average."""
        begun = sum(map(len, self.order.values()))
        return round(begun * len(self.bounds) / len(self.order)) if self.order else 0

    def so_far(self) -> str:
        """Return a line such as "12 of about 40 mutants: 7 killed, 4 explained, 1 survived"."""
        fates = [fate.fate for fate in self.found.values()]
        about = "" if len(self.order) == len(self.bounds) else "about "
        explained = sum(1 for fate in fates if fate in (IMPLIED, TRUE))
        counts = f"{fates.count(KILLED)} killed, {explained} explained, {fates.count(SURVIVED)} survived"
        return f"{len(fates)} of {about}{self.expected} mutants: {counts}"

    def seconds_left(self) -> float | None:
        """Return an estimate: each mutant that is left takes as long as those that this run did."""
        done = len(self.found) - self.stored
        return (perf_counter() - self.began) * (self.expected - len(self.found)) / done if done else None

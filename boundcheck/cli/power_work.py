"""The work of `boundcheck power`: claims in several processes, each fate stored by the one that found it; the progress line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from boundcheck.bound import PROVED, Bound
from boundcheck.cli.show import clock
from boundcheck.crew import Ended, Failed, stream
from boundcheck.falsify.mutation.journal import Entry, Journal, Known, entries
from boundcheck.falsify.mutation.mutants import mutants, why_none
from boundcheck.falsify.mutation.power import IMPLIED, KILLED, SURVIVED, TRUE, targets
from boundcheck.falsify.mutation.score import Score
from boundcheck.registry import NotFound

if TYPE_CHECKING:
    from rich.progress import Progress


def choose(claims: Sequence[Bound]) -> tuple[list[Bound], dict[str, str]]:
    """The claims whose mutants are made, and of the others why not."""
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


class Work:
    """Every mutant of some claims: what is known of it, or what is found."""

    def __init__(self, bounds: list[Bound], left_out: dict[str, str], journal: Journal, seed: int) -> None:
        self.bounds, self.left_out, self.journal, self.seed = bounds, left_out, journal, seed
        self.before = journal.read()
        self.order: dict[int, list[str]] = {}  # of a claim begun: its mutants' hashes
        self.found: dict[tuple[int, str], Entry] = {}
        self.ended: set[int] = set()
        self.unfinished: dict[str, str] = {}
        self.began, self.stored = perf_counter(), 0

    def run(self, jobs: int, *, loud: bool) -> Score:
        self.journal.open()
        tasks = [partial(self._task, bound) for bound in self.bounds]
        with ExitStack() as stack:
            line = _Line(self, stack) if loud else None
            for event in stream(tasks, jobs):
                if event is not None:
                    self._take(*event)
                if line is not None:
                    line.show()
        return self._score()

    def _task(self, bound: Bound, attempt: int) -> Iterator[Any]:
        """In a process of its own: the mutants, then what becomes of each, and whether that is news."""
        if attempt:
            self.journal.open()
        known: Known = (self.journal.read() if attempt else self.before).get((bound.id, bound.hash), {})
        made = mutants(bound)
        yield [mutant.bound.hash for mutant in made]
        for entry in entries(bound, made, known, self.seed):
            if entry.fate.key not in known:
                self.journal.add(entry)
            yield entry

    def _take(self, number: int, what: Any) -> None:
        if isinstance(what, Entry):
            self.found[number, what.fate.hash] = what
            self.stored += what.fate.key in self.before.get((what.fate.claim, what.of), {})
        elif isinstance(what, Failed):
            self.unfinished[self.bounds[number].id] = what.why
            self.ended.add(number)
        elif isinstance(what, Ended):
            self.ended.add(number)
        else:
            self.order[number] = what

    def _score(self) -> Score:
        """In the order of the claims and of their mutants, whoever came first."""
        none = {self.bounds[n].id: "there is nothing in it to change" for n, order in sorted(self.order.items()) if not order}
        return Score(
            entries=tuple(self.found[n, name] for n in sorted(self.order) for name in self.order[n] if (n, name) in self.found),
            not_mutated={**self.left_out, **none},
            unfinished=self.unfinished,
            seed=self.seed,
        )

    # -- how far it is ---------------------------------------------------------------------------------------------------

    @property
    def expected(self) -> int:
        """How many mutants there are; of claims not begun, as many each as the others have."""
        begun = sum(map(len, self.order.values()))
        return round(begun * len(self.bounds) / len(self.order)) if self.order else 0

    def so_far(self) -> str:
        """12 of about 40 mutants: 7 killed, 4 explained, 1 survived."""
        fates = [entry.fate.fate for entry in self.found.values()]
        about = "" if len(self.order) == len(self.bounds) else "about "
        explained = sum(1 for fate in fates if fate in (IMPLIED, TRUE))
        counts = f"{fates.count(KILLED)} killed, {explained} explained, {fates.count(SURVIVED)} survived"
        return f"{len(fates)} of {about}{self.expected} mutants: {counts}"

    def seconds_left(self) -> float | None:
        """As long for each as those that this run did took."""
        done = len(self.found) - self.stored
        return (perf_counter() - self.began) * (self.expected - len(self.found)) / done if done else None


class _Line:
    """The progress line on stderr. No thread draws it: processes are forked while it is there."""

    def __init__(self, work: Work, stack: ExitStack) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (BarColumn(20), TimeElapsedColumn(), TextColumn("{task.description}"))
        self.work = work
        self.bar: Progress = stack.enter_context(
            Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        )
        self.task = self.bar.add_task("starting", total=None)
        self.shown = 0.0
        self.bar.refresh()

    def show(self) -> None:
        now = perf_counter()
        if now - self.shown < 0.2:
            return
        self.shown, left = now, self.work.seconds_left()
        rest = f"; about {clock(left)} left" if left is not None else ""
        so_far = f"{self.work.so_far()}{rest}" if self.work.order else "starting"
        self.bar.update(self.task, total=self.work.expected or None, completed=len(self.work.found), description=so_far)
        self.bar.refresh()

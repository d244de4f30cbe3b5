"""One process's part in a sweep: it takes works on lease, has them done, and settles what comes back."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from math import ceil
from time import monotonic
from typing import Any

from boundcheck.store import Shared
from boundcheck.store.database import PLANNED
from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.processes.workers import ATTEMPTS, Ended, Failed, NotBegun, Wait
from boundcheck.sweep.plan import SweepPlan
from boundcheck.sweep.task import BROKEN, Done, Rest, Wanted, broken, too_long

AHEAD = 2  # chunks taken on lease at once, for each process
WORTH_IT = 0.4  # seconds of work in a chunk
LARGEST = 64  # works in a chunk; near the end they are smaller, so that nobody waits for one who has many
SHORT = 0.05  # seconds: of works that take less, a process has the next chunk before it needs it
PACE = 0.3  # how much the newest work says of how long one takes
BETWEEN = 0.5  # seconds between signs of life, and between looks for works of others
Chunk = list[Wanted]


class Dispatcher:
    """`hands` is how many processes do the works. How many were settled is told, with the name of the last."""

    def __init__(
        self, plan: SweepPlan, shared: Shared, hands: int, tell: Callable[[str, int], None], see: Callable[[int], None]
    ) -> None:
        self.plan, self.shared, self.hands, self.tell, self.see = plan, shared, hands, tell, see
        self.numbers = {work.key: number for number, work in enumerate(plan.planned)}
        self.again = shared.failed_cells()
        self.queue: deque[Chunk] = deque()
        self.held: set[int] = set()
        self.back: list[Done] = []  # that came as they are, and are not settled yet
        self.deaths: Counter[int] = Counter()
        self.open = shared.counts().get(PLANNED, 0)
        self.pace: float | None = None  # seconds of a work
        self.looked, self.others = monotonic(), self.open > 0

    @property
    def chunk(self) -> int:
        """How many works a process gets at a time."""
        worth = 1 if self.pace is None else ceil(WORTH_IT / max(self.pace, 1e-6))
        return max(1, min(LARGEST, worth, self.open // (4 * self.hands)))

    def ahead(self) -> int:
        """Chunks that a process has: the next one too where works are short, so that it does not wait for us."""
        return 2 if self.pace is not None and self.pace < SHORT else 1

    def asked(self, count: int | None = None) -> Chunk | Wait | None:
        """What to do next; None where nothing is left, for anybody."""
        if not self.queue:
            self._lease(self.chunk if count is None else min(count, max(1, self.open // (2 * self.hands))))
        if self.queue:
            return self.queue.popleft()
        return Wait() if self.others else None

    def _lease(self, count: int) -> None:
        if not self.others and monotonic() - self.looked < BETWEEN:
            return
        taken = [self.numbers[key] for key in self.shared.take(count * AHEAD * self.hands)]
        self.held.update(taken)
        wanted = [(number, self.again.get(self.plan.planned[number].key)) for number in taken]
        self.queue.extend(wanted[n : n + count] for n in range(0, len(wanted), count))
        if not taken:
            self._look()

    def _look(self) -> None:
        """How many works are open, and are there any that others have?"""
        self.open = self.shared.counts().get(PLANNED, 0)
        self.others, self.looked = self.open > len(self.held), monotonic()
        self.see(len(self.numbers) - self.open)

    def follow(self, events: Iterable[tuple[Chunk, Any] | None], beside: Callable[[], None]) -> None:
        """Until all is settled. `beside` is called now and then."""
        try:
            for event in events:
                if event is not None:
                    self._take(*event)
                    continue
                self._settle()
                if monotonic() - self.looked > BETWEEN:
                    self.shared.beat()
                    self._look()
                    beside()
        finally:
            self._settle()

    def _take(self, chunk: Chunk, what: Any) -> None:
        if isinstance(what, Done):
            self.back.append(what)
            return
        if isinstance(what, Ended):
            return
        self._settle()  # what its process had finished
        chunk = [wanted for wanted in chunk if wanted[0] in self.held]
        if isinstance(what, Rest):
            self._requeue(what.wanted, self.chunk)
        elif isinstance(what, NotBegun):
            self.queue.appendleft(chunk)
        elif isinstance(what, TimeUp) and chunk:
            self._fail(chunk[0], too_long(what.after))
            self._requeue(chunk[1:])
        elif isinstance(what, Died | Failed) and chunk:
            self._survive(chunk, what)

    def _survive(self, chunk: Chunk, what: Died | Failed) -> None:
        """Each of its works alone; one whose process died, and that was alone, is tried again a few times."""
        (wanted, *more) = chunk
        if more:
            self._requeue(chunk)
            return
        self.deaths[wanted[0]] += 1
        if isinstance(what, Died) and self.deaths[wanted[0]] < ATTEMPTS:
            self.queue.appendleft(list(chunk))
            return
        self._fail(
            wanted, what.why if isinstance(what, Failed) else f"its process died {ATTEMPTS} times, the last with {what.why}"
        )

    def _requeue(self, works: list[Wanted], count: int = 1) -> None:
        """They come next, so many at a time."""
        self.queue.extendleft(works[n : n + count] for n in reversed(range(0, len(works), count)))

    def _fail(self, wanted: Wanted, error: str) -> None:
        self.back.append(Done(wanted[0], failed={BROKEN: broken(self.plan.units[wanted[0]], error)}))

    def _settle(self) -> None:
        """What is in the journal, and what came back otherwise, each in one transaction."""
        results, new = self.shared.settle_news()
        if self.back:
            others = [done.settled(self.plan.planned[done.work].key) for done in self.back]
            self.back.clear()
            results, new = results + others, new + self.shared.settle(others)
        for one in results:
            self.held.discard(self.numbers[one.key])
            self.pace = one.seconds if self.pace is None else (1 - PACE) * self.pace + PACE * one.seconds
        self.open -= new
        if results:
            self.tell(self.plan.planned[self.numbers[results[-1].key]].name, new)

"""One process's part in a sweep: it takes works on lease, has them done, and settles each as it comes back."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from boundcheck.crew import ATTEMPTS, Died, Failed, Wait
from boundcheck.store import Shared
from boundcheck.store.database import PLANNED
from boundcheck.sweep.doing import BROKEN, Done, Wanted, broken
from boundcheck.sweep.plan import Plan

AHEAD = 2  # chunks taken on lease at once, for each process
LARGEST = 8  # works in a chunk; near the end they are smaller, so that nobody waits for one who has many
BETWEEN = 0.5  # seconds between signs of life, and between looks for works of others
Chunk = list[Wanted]


class Running:
    """`hands` is how many processes do the works. What came of each is told by its name, and how many are open in all."""

    def __init__(self, plan: Plan, shared: Shared, hands: int, tell: Callable[[str], None], see: Callable[[int], None]) -> None:
        self.plan, self.shared, self.hands, self.tell, self.see = plan, shared, hands, tell, see
        self.numbers = {work.key: number for number, work in enumerate(plan.planned)}
        self.again = shared.failed_cells()
        self.queue: deque[Chunk] = deque()
        self.held: set[int] = set()
        self.deaths: Counter[int] = Counter()
        self.open = shared.counts().get(PLANNED, 0)
        self.looked, self.others = monotonic(), self.open > 0

    @property
    def chunk(self) -> int:
        """How many works a process gets at a time."""
        return max(1, min(LARGEST, self.open // (4 * self.hands)))

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
        for event in events:
            if event is not None:
                self._take(*event)
            if monotonic() - self.looked > BETWEEN:
                self.shared.beat()
                self._look()
                beside()

    def _take(self, chunk: Chunk, what: Any) -> None:
        if isinstance(what, Done):
            chunk[:] = [wanted for wanted in chunk if wanted[0] != what.work]
            self._settle(what)
        elif isinstance(what, Died | Failed) and chunk:
            self._survive(chunk, what)

    def _survive(self, chunk: Chunk, what: Died | Failed) -> None:
        """Each of its works alone; one whose process died, and that was alone, is tried again a few times."""
        ((number, _), *more) = chunk
        if more:
            self.queue.extendleft([wanted] for wanted in reversed(chunk))
            return
        self.deaths[number] += 1
        if isinstance(what, Died) and self.deaths[number] < ATTEMPTS:
            self.queue.appendleft(list(chunk))
            return
        error = what.why if isinstance(what, Failed) else f"its process died {ATTEMPTS} times, the last with {what.why}"
        self._settle(Done(number, failed={BROKEN: broken(self.plan.units[number], error)}))

    def _settle(self, done: Done) -> None:
        work = self.plan.planned[done.work]
        self.held.discard(done.work)
        if self.shared.settle(work.key, done.found, done.failed, done.nothing):
            self.open -= 1
            self.tell(work.name)

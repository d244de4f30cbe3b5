"""The search: tasks in several processes, in order, until one finds a failure or the budget ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import chain, islice
from time import perf_counter

from boundcheck.arithmetic.turns import in_turn
from boundcheck.claims.bound import Bound
from boundcheck.falsify.schedule import Task, tasks
from boundcheck.falsify.strategies import Found, Outcome
from boundcheck.support.processes.orphans import end_with_parent

AHEAD = 4  # tasks in hand for each process


@dataclass(frozen=True)
class Result:
    """What a search came to. `ratio` is the nearest to equality that any candidate came, where none failed."""

    found: Found | None
    ratio: float
    looked_at: int
    tasks: int
    seconds: float
    strategy: str = ""


Report = Callable[[Task, Result], None]
Clock = Callable[[], float]


@in_turn
def search(
    bound: Bound,
    *,
    budget: float,
    seed: int = 0,
    jobs: int = 1,
    first_k: int | None = None,
    moved_in: int = 1,
    most_tasks: int | None = None,
    report: Report | None = None,
    clock: Clock = perf_counter,
) -> Result:
    """The first task that finds a failure decides, in the order of tasks: the same for any number of processes.

    The budget is of the clock: with that of the processor, in one process, nothing depends on what else a machine does.
    """
    started = clock()
    best = Result(None, float("-inf"), 0, 0, 0.0)
    todo = islice(tasks(bound, seed, first_k=first_k, moved_in=moved_in), most_tasks)
    for task, outcome in _performed(bound, todo, jobs, started + budget, clock):
        best = Result(
            outcome.found,
            max(best.ratio, outcome.ratio),
            best.looked_at + outcome.looked_at,
            best.tasks + 1,
            clock() - started,
            task.strategy if outcome.found else "",
        )
        if report is not None:
            report(task, best)
        if outcome.found is not None:
            break
    return best


def _performed(bound: Bound, todo: Iterator[Task], jobs: int, deadline: float, clock: Clock) -> Iterator[tuple[Task, Outcome]]:
    """Each task with what it came to, in order, until the deadline. A process that dies takes nothing with it."""
    if jobs == 1 or "fork" not in multiprocessing.get_all_start_methods():
        for task in todo:
            if clock() >= deadline:
                return
            yield task, task.perform(bound)
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _begin, (bound, os.getpid()))
    waiting: deque[Task] = deque()
    answers: dict[int, Future[Outcome]] = {}
    try:
        for task in todo:
            waiting.append(task)
            answers[task.number] = pool.submit(_perform, task)
            if len(waiting) >= AHEAD * jobs:
                yield waiting[0], answers.pop(waiting[0].number).result(max(0.01, deadline - clock()))
                waiting.popleft()
        while waiting:
            yield waiting[0], answers.pop(waiting[0].number).result(max(0.01, deadline - clock()))
            waiting.popleft()
    except TimeoutError:
        return
    except BrokenProcessPool:  # what it was doing is done again here
        yield from _performed(bound, chain(waiting, todo), 1, deadline, clock)
    finally:
        started = list(pool._processes.values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in started:
            process.terminate()


_BOUND: list[Bound] = []


def _begin(bound: Bound, parent: int) -> None:
    """In a new process: an interrupt is the parent's to handle, and its end is the end of this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
    _BOUND[:] = [bound]


def _perform(task: Task) -> Outcome:
    return task.perform(_BOUND[0])

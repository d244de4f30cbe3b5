"""Long tasks in forked processes. What a task yields arrives at once. A process that dies is replaced, its task done again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

Task = Callable[[int], Iterator[Any]]  # called with how often it was tried before
ATTEMPTS = 3
TICK = 0.5  # seconds; how long nothing is said at most
ITEM, END, WRONG = "item", "end", "wrong"


@dataclass(frozen=True)
class Failed:
    """A task that came to no end, and why."""

    why: str


@dataclass(frozen=True)
class Ended:
    """A task that is done."""


def stream(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, Any] | None]:
    """(number of a task, what it yields), then (number, Ended or Failed), in the order of events; None where time passes.

    A file that cannot be written ends everything: its OSError is raised here.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        for number, task in enumerate(tasks):
            for kind, value in _messages(task, 0):
                yield number, _event(kind, value)
        return
    crew = _Crew(tasks)
    try:
        yield from crew.work(jobs)
    finally:
        crew.dismiss()


def _messages(task: Task, attempt: int) -> Iterator[tuple[str, Any]]:
    """What a task yields, then how it ended. Only an error of a file goes on as it is."""
    try:
        for item in task(attempt):
            yield ITEM, item
    except OSError as wrong:
        yield WRONG, wrong
    except Exception as wrong:
        yield END, Failed(" ".join(f"{type(wrong).__name__}: {wrong}".split()))
    else:
        yield END, Ended()


def _event(kind: str, value: Any) -> Any:
    if kind == WRONG:
        raise value
    return value


class _Worker:
    """A process that does one task after another, until its parent is gone."""

    def __init__(self, tasks: Sequence[Task], lifeline: tuple[int, int]) -> None:
        fork = multiprocessing.get_context("fork")
        self.pipe, theirs = fork.Pipe()
        self.process = fork.Process(target=_serve, args=(tasks, theirs, lifeline), daemon=True)
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # in the new process for good: an interrupt is ours
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        theirs.close()  # so that its end is seen here
        self.task: tuple[int, int] | None = None

    def give(self, number: int, attempt: int) -> None:
        self.task = number, attempt
        with suppress(OSError):  # it died: seen when its answer is waited for
            self.pipe.send((number, attempt))

    def dismiss(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Crew:
    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        self.workers: list[_Worker] = []
        self.todo = deque((number, 0) for number in range(len(tasks)))
        self.lifeline = os.pipe()

    def work(self, jobs: int) -> Iterator[tuple[int, Any] | None]:
        while len(self.workers) < min(jobs, len(self.tasks)):
            self.workers.append(_Worker(self.tasks, self.lifeline))
        while True:
            for worker in self.workers:
                if worker.task is None and self.todo:
                    worker.give(*self.todo.popleft())
            busy = {worker.pipe: worker for worker in self.workers if worker.task is not None}
            if not busy:
                return
            ready = wait(list(busy), TICK)
            if not ready:
                yield None
            for pipe in ready:
                assert isinstance(pipe, Connection)
                yield from self._answer(busy[pipe])

    def _answer(self, worker: _Worker) -> Iterator[tuple[int, Any]]:
        assert worker.task is not None
        number, attempt = worker.task
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, OSError):
            yield from self._replace(worker, number, attempt)
            return
        if kind == END:
            worker.task = None
        yield number, _event(kind, value)

    def _replace(self, worker: _Worker, number: int, attempt: int) -> Iterator[tuple[int, Any]]:
        worker.dismiss()
        self.workers[self.workers.index(worker)] = _Worker(self.tasks, self.lifeline)
        if attempt + 1 < ATTEMPTS:
            self.todo.appendleft((number, attempt + 1))
        else:
            yield (
                number,
                Failed(f"its process died {ATTEMPTS} times, the last with exit code {worker.process.exitcode}"),
            )

    def dismiss(self) -> None:
        for worker in self.workers:
            worker.dismiss()
        for end in self.lifeline:
            os.close(end)


# -- in the new process ------------------------------------------------------------------------------------------------------


def _serve(tasks: Sequence[Task], pipe: Connection, lifeline: tuple[int, int]) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ours, parents = lifeline
    os.close(parents)
    threading.Thread(target=_end_with_the_parent, args=(ours,), daemon=True).start()
    while True:
        number, attempt = pipe.recv()
        for message in _messages(tasks[number], attempt):
            pipe.send(message)


def _end_with_the_parent(ours: int) -> None:
    """Nobody else holds the other end: reading ends when the parent does, however that happened."""
    os.read(ours, 1)
    os._exit(1)

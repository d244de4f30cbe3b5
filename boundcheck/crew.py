"""Long tasks in forked processes. What a task yields arrives at once. A process that dies is replaced, its task done again."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from selectors import EVENT_READ, DefaultSelector
from typing import Any

Task = Callable[[int], Iterator[Any]]  # called with how often it was tried before
Do = Callable[[Any], Iterator[Any]]  # called, in a process of the crew, with what is to be done
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


@dataclass(frozen=True)
class Died:
    """The process of a task is gone, and with it what it had not yet said."""

    why: str


@dataclass(frozen=True)
class Wait:
    """There is nothing to do now, but there may be soon."""


def stream(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[int, Any] | None]:
    """(number of a task, what it yields), then (number, Ended or Failed), in the order of events; None where time passes.

    A file that cannot be written ends everything: its OSError is raised here.
    """
    todo = deque((number, 0) for number in range(len(tasks)))
    events = serve(lambda asked: tasks[asked[0]](asked[1]), min(jobs, len(tasks)), lambda: todo.popleft() if todo else None)
    for event in events:
        if event is None:
            yield None
            continue
        (number, attempt), what = event
        if not isinstance(what, Died):
            yield number, what
        elif attempt + 1 < ATTEMPTS:
            todo.appendleft((number, attempt + 1))
        else:
            yield number, Failed(f"its process died {ATTEMPTS} times, the last with {what.why}")


def serve(do: Do, jobs: int, asked: Callable[[], Any]) -> Iterator[tuple[Any, Any] | None]:
    """(what was asked for, what `do` yields for it), then (that, Ended, Failed or Died); None where time passes.

    `asked()` is called when a process has nothing to do: it returns what to do next, Wait(), or None where that was all.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        yield from _here(do, asked)
        return
    crew = _Crew(do, jobs)
    try:
        yield from crew.work(asked)
    finally:
        crew.dismiss()


def _here(do: Do, asked: Callable[[], Any]) -> Iterator[tuple[Any, Any] | None]:
    """The same in this process, where there is no other."""
    while (wanted := asked()) is not None:
        if isinstance(wanted, Wait):
            time.sleep(TICK)
            yield None
            continue
        for kind, value in _messages(do, wanted):
            yield wanted, _event(kind, value)


def _messages(do: Do, wanted: Any) -> Iterator[tuple[str, Any]]:
    """What a task yields, then how it ended. Only an error of a file goes on as it is."""
    try:
        for item in do(wanted):
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

    def __init__(self, do: Do, lifeline: tuple[int, int]) -> None:
        fork = multiprocessing.get_context("fork")
        self.pipe, theirs = fork.Pipe()
        self.process = fork.Process(target=_serve, args=(do, theirs, lifeline), daemon=True)
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # in the new process for good: an interrupt is ours
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        theirs.close()  # so that its end is seen here
        self.task: Any = None

    def give(self, wanted: Any) -> None:
        self.task = wanted
        with suppress(OSError):  # it died: seen when its answer is waited for
            self.pipe.send(wanted)

    def dismiss(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Crew:
    """Processes are made when there is something for them to do."""

    def __init__(self, do: Do, jobs: int) -> None:
        self.do, self.jobs = do, jobs
        self.workers: list[_Worker] = []
        self.pipes = DefaultSelector()
        self.lifeline = os.pipe()

    def work(self, asked: Callable[[], Any]) -> Iterator[tuple[Any, Any] | None]:
        while True:
            waits = self._give(asked)
            if not waits and all(worker.task is None for worker in self.workers):
                return
            ready = self.pipes.select(TICK)
            if not ready:
                yield None
            for key, _ in ready:
                event = self._answer(key.data)
                if event is not None:
                    yield event

    def _give(self, asked: Callable[[], Any]) -> bool:
        """Something to each that has nothing; True where there may be more soon."""
        while True:
            idle = next((worker for worker in self.workers if worker.task is None), None)
            if idle is None and len(self.workers) >= self.jobs:
                return False
            wanted = asked()
            if wanted is None or isinstance(wanted, Wait):
                return wanted is not None
            if idle is None:
                idle = _Worker(self.do, self.lifeline)
                self.workers.append(idle)
                self.pipes.register(idle.pipe, EVENT_READ, idle)
            idle.give(wanted)

    def _answer(self, worker: _Worker) -> tuple[Any, Any] | None:
        """What it said; None where it died and had nothing to do."""
        wanted = worker.task
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, OSError):
            self.pipes.unregister(worker.pipe)
            worker.dismiss()
            self.workers.remove(worker)
            return None if wanted is None else (wanted, Died(f"exit code {worker.process.exitcode}"))
        if kind == END:
            worker.task = None
        return wanted, _event(kind, value)

    def dismiss(self) -> None:
        self.pipes.close()
        for worker in self.workers:
            worker.dismiss()
        for end in self.lifeline:
            os.close(end)


# -- in the new process ------------------------------------------------------------------------------------------------------


def _serve(do: Do, pipe: Connection, lifeline: tuple[int, int]) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # what was there before is not looked through for garbage: that would copy every page of it
    ours, parents = lifeline
    os.close(parents)
    threading.Thread(target=_end_with_the_parent, args=(ours,), daemon=True).start()
    while True:
        for message in _messages(do, pipe.recv()):
            pipe.send(message)


def _end_with_the_parent(ours: int) -> None:
    """Nobody else holds the other end: reading ends when the parent does, however that happened."""
    os.read(ours, 1)
    os._exit(1)

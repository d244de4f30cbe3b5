"""Long tasks in forked processes. What a task yields arrives at once. A process that dies is replaced, its task done again."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from mmap import mmap
from multiprocessing.connection import Connection
from selectors import EVENT_READ, DefaultSelector
from time import monotonic
from typing import Any

from boundcheck.support.errors import users_place
from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.processes.pool import end_with_parent
from boundcheck.support.terminal import print_to_stderr

Task = Callable[[int], Iterator[Any]]  # called with how often it was tried before
Do = Callable[[Any], Iterator[Any]]  # called, in a process of the crew, with what is to be done
ATTEMPTS = 3
TICK = 0.5  # seconds; how long nothing is said at most
WORD = 8  # bytes
ITEM, END, WRONG = "item", "end", "wrong"


@dataclass(frozen=True)
class Failed:
    """A task that came to no end, and why."""

    why: str


@dataclass(frozen=True)
class Ended:
    """A task that is done."""


@dataclass(frozen=True)
class NotBegun:
    """The process is gone that would have done this task next."""


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


@dataclass(frozen=True)
class Manner:
    """How many tasks a process has at a time, the one that it does and the next; and for how long it may yield nothing."""

    ahead: Callable[[], int] = lambda: 1
    silence: float = inf  # seconds


def serve(do: Do, jobs: int, asked: Callable[[], Any], manner: Manner | None = None) -> Iterator[tuple[Any, Any] | None]:
    """(what was asked for, what `do` yields for it), then (that, Ended, Failed, Died, TimeUp or NotBegun); None: time passes.

    Where `do` yields None, that is a sign of life, and not told. `asked()` is called when a process has nothing to do: it returns
    what to do next, Wait(), or None where that was all.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        yield from _here(do, asked)
        return
    crew = _Crew(do, jobs, manner or Manner())
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
            yield None


def _messages(do: Do, wanted: Any) -> Iterator[tuple[str, Any]]:
    """What a task yields, then how it ended. Only an error of a file goes on as it is."""
    try:
        for item in do(wanted):
            yield ITEM, item
    except OSError as wrong:
        yield WRONG, wrong
    except Exception as wrong:
        at = users_place(wrong)
        yield END, Failed(" ".join(f"{type(wrong).__name__}: {wrong}{f' ({at})' if at else ''}".split()))
    else:
        yield END, Ended()


def _event(kind: str, value: Any) -> Any:
    if kind == WRONG:
        raise value
    return value


class _Worker:
    """A process that does one task after another, until its parent is gone."""

    def __init__(self, do: Do) -> None:
        fork = multiprocessing.get_context("fork")
        self.signs = mmap(-1, WORD)  # shared: how often the process gave a sign of life
        theirs, self.tasks_pipe = fork.Pipe(duplex=False)
        self.answers, their_answers = fork.Pipe(duplex=False)
        self.process = fork.Process(target=_serve, args=(do, theirs, their_answers, self.signs, os.getpid()), daemon=True)
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # in the new process for good: an interrupt is ours
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        theirs.close()
        their_answers.close()  # so that its end is seen here
        self.tasks: deque[Any] = deque()
        self.silent, self.heard = 0.0, 0

    def give(self, wanted: Any) -> None:
        self.tasks.append(wanted)
        with suppress(OSError):  # it died: seen when its answer is waited for
            self.tasks_pipe.send(wanted)

    def dismiss(self) -> None:
        self.process.kill()
        self.process.join()
        self.tasks_pipe.close()
        self.answers.close()


class _Crew:
    """Processes are made when there is something for them to do."""

    def __init__(self, do: Do, jobs: int, manner: Manner) -> None:
        self.do, self.jobs, self.manner = do, jobs, manner
        self.workers: list[_Worker] = []
        self.pipes = DefaultSelector()
        self.looked = monotonic()

    def work(self, asked: Callable[[], Any]) -> Iterator[tuple[Any, Any] | None]:
        while True:
            waits = self._give(asked, self.manner.ahead())
            if not waits and not any(worker.tasks for worker in self.workers):
                return
            for key, _ in self.pipes.select(TICK):
                yield from self._answer(key.data)
            yield from self._silenced()
            yield None

    def _give(self, asked: Callable[[], Any], most: int) -> bool:
        """Give a task to each worker that has less than `most`; return whether there may be more soon."""
        while True:
            idle = min(self.workers, key=lambda worker: len(worker.tasks), default=None)
            if len(self.workers) < self.jobs and (idle is None or idle.tasks):
                idle = None
            elif idle is None or len(idle.tasks) >= most:
                return False
            wanted = asked()
            if wanted is None or isinstance(wanted, Wait):
                return wanted is not None
            if idle is None:
                idle = _Worker(self.do)
                self.workers.append(idle)
                self.pipes.register(idle.answers, EVENT_READ, idle)
            idle.give(wanted)

    def _answer(self, worker: _Worker) -> Iterator[tuple[Any, Any]]:
        """Receive what a worker said, or that it died."""
        try:
            kind, value = worker.answers.recv()
        except (EOFError, OSError):
            yield from self._bury(worker, lambda: Died(f"exit code {worker.process.exitcode}"))
            return
        wanted = worker.tasks[0]
        if kind == END:
            worker.tasks.popleft()
        yield wanted, _event(kind, value)

    def _silenced(self) -> Iterator[tuple[Any, Any]]:
        """End each worker that has given no sign for too long. While this process is stopped, no time passes for them."""
        now = monotonic()
        passed, self.looked = min(now - self.looked, 2 * TICK), now
        for worker in [worker for worker in self.workers if worker.tasks]:
            heard = int.from_bytes(worker.signs[:], sys.byteorder)
            worker.silent = worker.silent + passed if heard == worker.heard else 0.0
            worker.heard = heard
            if worker.silent > self.manner.silence:
                yield from self._bury(worker, lambda: TimeUp(self.manner.silence))

    def _bury(self, worker: _Worker, how: Callable[[], Any]) -> Iterator[tuple[Any, Any]]:
        """Dismiss a worker that is gone: its task ended like that, and the next one was not begun."""
        self.pipes.unregister(worker.answers)
        self.workers.remove(worker)
        worker.dismiss()
        yield from ((wanted, NotBegun() if n else how()) for n, wanted in enumerate(worker.tasks))

    def dismiss(self) -> None:
        self.pipes.close()
        for worker in self.workers:
            worker.dismiss()


# -- in the new process ------------------------------------------------------------------------------------------------------


def _serve(do: Do, tasks: Connection, answers: Connection, signs: mmap, parent: int) -> None:
    end_with_parent(parent)
    print_to_stderr()
    gc.freeze()  # what was there before is not looked through for garbage: that would copy every page of it
    given = 0
    while True:
        for kind, value in _messages(do, tasks.recv()):
            given += 1
            signs[:] = given.to_bytes(WORD, sys.byteorder)
            if value is not None:
                answers.send((kind, value))

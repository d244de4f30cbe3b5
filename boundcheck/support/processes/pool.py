"""Work in several processes: forked, so that a user's functions need not be pickled. Results come in the order of the tasks.

A process ends when its parent does, however that happened.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, TypeVar

from boundcheck.support.errors import mark_place

PR_SET_PDEATHSIG = 1
LOOK = 1.0  # seconds


def end_with_parent(parent: int) -> None:
    """From now on, in a process that this parent forked. SIGTERM ends it at once too: the parent's handlers are not its own."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if sys.platform == "linux":  # at once, also while it computes; elsewhere, and for a parent's thread that ended, the watch
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was gone before that
        os._exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


T = TypeVar("T")
R = TypeVar("R")
WORTH_IT = 4  # tasks; fewer are done here
AHEAD = 4  # tasks in hand for each process

_tasks: Sequence[Callable[[], Any]] = ()  # what forked processes find


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods()


@contextmanager
def in_processes(tasks: Sequence[Callable[[], T]], jobs: int) -> Iterator[list[Callable[[], T]]]:
    """For each task a function that waits for its result. A process that dies takes no result with it: it is done again here."""
    global _tasks
    if jobs <= 1 or len(tasks) < WORTH_IT or not can_fork():
        yield list(tasks)
        return
    before, _tasks = _tasks, tasks
    pool = _forked(min(jobs, len(tasks)))
    try:
        waiting = [pool.submit(_do, n) for n in range(len(tasks))]
        yield [_Result(future, task) for future, task in zip(waiting, tasks, strict=True)]
    finally:
        for process in list(pool._processes.values()):
            process.terminate()  # after an interrupt nobody waits for what is half done
        pool.shutdown(cancel_futures=True)  # waits: a pool that still winds up at exit writes to a pipe that is closed
        _tasks = before


def in_order(tasks: Iterator[T], perform: Callable[[T], R], jobs: int, left: Callable[[], float]) -> Iterator[tuple[T, R]]:
    """Each task with its result, in the order of the tasks, as long as `left` says that seconds are left.

    A process that dies takes nothing with it: what it was doing is done again here.
    """
    if jobs == 1 or not can_fork():
        for task in tasks:
            if left() <= 0:
                return
            yield task, perform(task)
        return
    pool = _forked(jobs, perform)
    waiting: deque[tuple[T, Future[R]]] = deque()
    try:
        for task in tasks:
            waiting.append((task, pool.submit(_perform, task)))
            if len(waiting) >= AHEAD * jobs:
                yield waiting[0][0], waiting[0][1].result(max(0.01, left()))
                waiting.popleft()
        while waiting:
            yield waiting[0][0], waiting[0][1].result(max(0.01, left()))
            waiting.popleft()
    except TimeoutError:
        return
    except BrokenProcessPool:
        yield from in_order(chain((task for task, _ in waiting), tasks), perform, 1, left)
    finally:
        started = list(pool._processes.values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in started:
            process.terminate()


_performing: list[Callable[[Any], Any]] = []  # in a process of such a pool: what it does


def _perform(task: Any) -> Any:
    return _performing[0](task)


def _forked(jobs: int, perform: Callable[[Any], Any] | None = None) -> ProcessPoolExecutor:
    """A pool of forked processes, each of which ends with this one."""
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), _begin, (os.getpid(), perform))


def _begin(parent: int, perform: Callable[[Any], Any] | None) -> None:
    """In a new process: an interrupt is the parent's to handle, and its end is the end of this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
    _performing[:] = [] if perform is None else [perform]


def _do(number: int) -> Any:
    try:
        return _tasks[number]()
    except Exception as wrong:
        raise mark_place(wrong) from wrong.__cause__


class _Result:
    def __init__(self, future: Future[Any], task: Callable[[], Any]) -> None:
        self.future, self.task = future, task

    def __call__(self) -> Any:
        try:
            return self.future.result()
        except BrokenProcessPool:
            return self.task()

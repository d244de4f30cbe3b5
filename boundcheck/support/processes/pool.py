"""Work in several processes: forked, so that a user's functions need not be pickled. Results come in the order of the tasks."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from boundcheck.support.processes.orphans import end_with_parent
from boundcheck.support.tracebacks import marked

T = TypeVar("T")
WORTH_IT = 4  # tasks; fewer are done here

_tasks: Sequence[Callable[[], Any]] = ()  # what forked processes find


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def in_processes(tasks: Sequence[Callable[[], T]], jobs: int) -> Iterator[list[Callable[[], T]]]:
    """For each task a function that waits for its result. A process that dies takes no result with it: it is done again here."""
    global _tasks
    if jobs <= 1 or len(tasks) < WORTH_IT or "fork" not in multiprocessing.get_all_start_methods():
        yield list(tasks)
        return
    before, _tasks = _tasks, tasks
    fork = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), fork, _begin, (os.getpid(),))
    try:
        waiting = [pool.submit(_do, n) for n in range(len(tasks))]
        yield [_Result(future, task) for future, task in zip(waiting, tasks, strict=True)]
    finally:
        for process in list(pool._processes.values()):
            process.terminate()  # after an interrupt nobody waits for what is half done
        pool.shutdown(cancel_futures=True)  # waits: a pool that still winds up at exit writes to a pipe that is closed
        _tasks = before


def _begin(parent: int) -> None:
    """In a new process: an interrupt is the parent's to handle, and its end is the end of this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)


def _do(number: int) -> Any:
    try:
        return _tasks[number]()
    except Exception as wrong:
        raise marked(wrong) from wrong.__cause__


class _Result:
    def __init__(self, future: Future[Any], task: Callable[[], Any]) -> None:
        self.future, self.task = future, task

    def __call__(self) -> Any:
        try:
            return self.future.result()
        except BrokenProcessPool:
            return self.task()

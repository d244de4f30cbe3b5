"""Time limits: a task in a process of its own ends even where it loops for ever, or where it ends the program.

A worker of a cluster works in a thread, which no signal reaches: there the thread is interrupted, and its process goes on.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import pickle
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import isinf
from threading import Lock, Timer, get_ident
from typing import Any, NoReturn

from boundcheck.support.processes import Died, TimeUp
from boundcheck.support.terminal import print_to_stderr

PATIENCE = 4.0  # times as long on the clock as of computing: other programs may keep the processor busy
ORPHANED = 5.0  # seconds after which a task ends by itself, should nobody be left to end it


def may_limit() -> bool:
    """Return whether this system can fork. Elsewhere tasks are done here, without a limit."""
    return hasattr(os, "fork")


def limited(task: Callable[[], Any], seconds: float) -> Any:
    """What the task returns, computed in a forked process; TimeUp, or Died. What it raises it must handle itself.

    The seconds are of computing; a task that only waits has somewhat longer. What it prints goes to stderr.
    """
    if not may_limit():
        return task()
    sys.stdout.flush()
    sys.stderr.flush()
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads that may hold a lock: the time limit ends that too
        process = os.fork()
    if process == 0:
        os.close(ours)
        _work(task, theirs, seconds)
    os.close(theirs)
    status = None
    try:
        answer = _answer(ours, time.monotonic() + PATIENCE * seconds)
        if answer is None:
            raise TimeUp(seconds)
        status = os.waitpid(process, 0)[1]
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
            raise TimeUp(seconds)
        if not answer:
            raise Died(_how(status))
        return pickle.loads(answer)
    finally:
        os.close(ours)
        if status is None:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _answer(pipe: int, until: float) -> bytes | None:
    """All that is written until the other end closes; None where the time is over."""
    parts: list[bytes] = []
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            return None
        part = os.read(pipe, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def _how(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"by signal {signal.Signals(os.WTERMSIG(status)).name}"
    return f"with exit code {os.waitstatus_to_exitcode(status)}"


# -- in the new process ------------------------------------------------------------------------------------------------------


def _work(task: Callable[[], Any], pipe: int, seconds: float) -> NoReturn:
    try:
        faulthandler.disable()  # a crash is told in one line
        print_to_stderr()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's, which ends this process
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds + ORPHANED)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        answer = pickle.dumps(task())
        sys.stderr.flush()
        with os.fdopen(pipe, "wb") as out:
            out.write(answer)
    finally:
        os._exit(0)


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """TimeUp is raised in this thread after so many seconds, when it next comes to a line of Python. Not after the end."""
    if isinf(seconds):
        yield
        return
    thread, over, changing = get_ident(), False, Lock()

    def interrupt() -> None:
        with changing:
            if not over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeUp))

    timer = Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with changing:
            over = True
        timer.cancel()

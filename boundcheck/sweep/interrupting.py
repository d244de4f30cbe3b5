"""An end to what a thread does: a worker of a cluster works in one, which no signal reaches, and must not end its process."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from math import isinf
from threading import Lock, Timer, get_ident


class TimeIsUp(BaseException):
    """Not an Exception, so that code which catches all errors does not catch this one."""


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """TimeIsUp is raised in this thread after so many seconds, when it next comes to a line of Python. Not after the end."""
    if isinf(seconds):
        yield
        return
    thread, over, changing = get_ident(), False, Lock()

    def interrupt() -> None:
        with changing:
            if not over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeIsUp))

    timer = Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with changing:
            over = True
        timer.cancel()

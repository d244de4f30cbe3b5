"""One computation at a time in a process: python-flint's precision is global, and arithmetics and problems keep what they made.

Threads take turns: public functions hold one re-entrant lock from beginning to end, and so does whoever sets the precision.
What a problem keeps of a run (values of f at its points) ends with the run, so no result depends on an earlier one.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

LOCK = threading.RLock()
AMBIENT = 53  # bits: what python-flint begins with. Whoever changed it does not change what is computed here
_Function = TypeVar("_Function", bound=Callable[..., Any])
_depth = 0  # how many public functions are open, of the thread that holds the lock
_runs = 0

if hasattr(os, "register_at_fork"):  # a process that is forked never inherits a lock of a thread that it does not have
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)


@contextmanager
def one_turn() -> Iterator[None]:
    """As long as it lasts, no other thread computes. The precision begins the same for all, and is restored."""
    global _depth
    with LOCK:
        before = _precision(AMBIENT) if _depth == 0 else None
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            if before is not None:
                _precision(before)


def in_turn(function: _Function) -> _Function:
    """The same function, for one thread at a time."""

    @functools.wraps(function)
    def alone(*args: Any, **options: Any) -> Any:
        with one_turn():
            return function(*args, **options)

    return alone  # type: ignore[return-value]


def _precision(bits: int) -> int | None:
    """Set python-flint's precision and return what it was; None where nobody has loaded it."""
    flint = sys.modules.get("flint")
    if flint is None or not hasattr(flint, "ctx"):
        return None
    before: int = flint.ctx.prec
    flint.ctx.prec = bits
    return before


def begin_run() -> None:
    """What was kept for the run before serves no more."""
    global _runs
    _runs += 1


def current_run() -> int:
    """A number that is another for each run."""
    return _runs

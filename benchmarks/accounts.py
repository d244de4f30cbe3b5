"""Seconds of the processor, of this process and of those it started; and how many of them a sweep spends on its cells' own work.

What a cell costs beside its own work is a fiftieth of it: between two runs the work itself varies by more. So both are counted in
the same run: all that was computed, and of that what was spent inside the calls that a plain loop makes too.
"""

from __future__ import annotations

import resource
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from mmap import mmap
from typing import Any

from boundcheck.suite.grid import GridSetting
from boundcheck.sweep.plan import SweepPlan

OWN = ((SweepPlan, "work"), (GridSetting, "experiments"), (GridSetting, "answers"))  # what a plain loop calls
NUMBER = struct.Struct("d")


def computed() -> float:
    """By this process, and by those that it started and that have ended."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Own:
    """A sum that forked processes add to. One at a time: it is for a sweep on one worker."""

    def __init__(self) -> None:
        self.shared = mmap(-1, NUMBER.size)

    @property
    def seconds(self) -> float:
        return float(NUMBER.unpack_from(self.shared)[0])

    def counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return call(*given, **named)
            finally:
                NUMBER.pack_into(self.shared, 0, self.seconds + time.process_time() - began)

        return timed


@contextmanager
def own_work() -> Iterator[Own]:
    """While it lasts, what the calls of OWN take is summed."""
    own = Own()
    before = [getattr(home, name) for home, name in OWN]
    for (home, name), call in zip(OWN, before, strict=True):
        setattr(home, name, own.counted(call))
    try:
        yield own
    finally:
        for (home, name), call in zip(OWN, before, strict=True):
            setattr(home, name, call)


def beside_own(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of computing that were not the cells' own work; and those that were."""
    with own_work() as own:
        began = computed()
        work()
        return computed() - began - own.seconds, own.seconds

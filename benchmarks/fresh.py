"""A command in a process of its own: how long it took, and the most memory that it, or a process of its own, held at once.

The kernel counts what the parent held at the moment of the start, so a script that measures memory imports little itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import environment

MB = 2**20
UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
BOUNDCHECK = str(Path(sys.executable).with_name("boundcheck"))


class Failed(RuntimeError):
    """A command that did not end well, with the last line that it wrote."""


@dataclass(frozen=True)
class Fresh:
    seconds: float
    processor: float  # seconds of it, also of its own processes that have ended: what others do on the machine is not in it
    peak: float  # MB
    out: str


def fresh(command: Sequence[str], *, well: Sequence[int] = (0,)) -> Fresh:
    """Run it to its end, with one BLAS thread; an exit code that is not in `well` is an error."""
    start = time.perf_counter()
    process = subprocess.Popen(list(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(), text=True)
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in well:
        last = (out.strip().splitlines() or ["it wrote nothing"])[-1]
        raise Failed(f"{Path(command[0]).name} {' '.join(command[1:3])} ended with {process.returncode}: {last}")
    return Fresh(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * UNIT / MB, out)

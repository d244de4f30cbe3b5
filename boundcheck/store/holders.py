"""Who works on a store: a process, known by its host, its number and when it began; and whether it still does."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

EXPIRES = 60.0  # seconds after its last sign of life, a process is taken for dead


@dataclass(frozen=True)
class Holder:
    """A process. Numbers of processes come again; beside the time of its birth one is unique."""

    host: str
    pid: int
    born: str

    def is_gone(self, beat: float) -> bool:
        """Is it dead, or has it said nothing for so long that it may as well be?"""
        return time.time() - beat > EXPIRES or self.is_dead

    @property
    def is_dead(self) -> bool:
        """For certain: it was on this machine, and is not here any more."""
        return self.host == _host() and not self._is_here()

    def _is_here(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        return self.born == _born(self.pid)


def me() -> Holder:
    return Holder(_host(), os.getpid(), _born(os.getpid()))


def _host() -> str:
    """The machine, and the space in which its processes are numbered: containers have their own."""
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")
    return f"{socket.gethostname()} {space}".strip()


def _born(pid: int) -> str:
    """When a process began, in ticks since the machine did; "" where the system does not tell."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return "" if fields[0] == "Z" else fields[19]
    return ""

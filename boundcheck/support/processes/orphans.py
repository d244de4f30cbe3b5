"""A worker ends when its parent does, however that happened: nobody is left to ask it for anything."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from contextlib import suppress

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

"""What a command shows on a terminal."""

from __future__ import annotations

import os


def all_of(ours: int) -> bytes:
    """Everything that is written at the other end of a pseudo-terminal, until it is closed."""
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return shown

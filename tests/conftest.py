"""What tests of several folders need."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest


@pytest.fixture
def all_of() -> Callable[[int], bytes]:
    """A function that reads all that is written at the other end of a pseudo-terminal, until it is closed."""
    return _all_of


def _all_of(ours: int) -> bytes:
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return shown

"""Standard output is for what a command says: what somebody's code prints on the way goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress


@contextmanager
def aside() -> Iterator[None]:
    """As long as it lasts, what is printed in this process."""
    with redirect_stdout(sys.stderr):
        yield


def print_to_stderr() -> None:
    """From now on, in a process made for somebody's code: also what is written below Python, and by programs that it starts."""
    sys.stdout = sys.stderr
    with suppress(OSError):
        os.dup2(2, 1)

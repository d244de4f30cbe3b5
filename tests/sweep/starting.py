"""`boundcheck sweep` in a process group of its own, so that it can be killed whole."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from click.testing import CliRunner

from boundcheck.cli import cli

PATIENCE = 120  # seconds


def _sweep(words: tuple[str, ...]) -> None:
    os.setsid()
    os._exit(CliRunner().invoke(cli, ["sweep", *words], prog_name="boundcheck").exit_code)


def begun(*words: object) -> multiprocessing.process.BaseProcess:
    """Forked: nothing is imported anew."""
    process = multiprocessing.get_context("fork").Process(target=_sweep, args=(tuple(map(str, words)),))
    process.start()
    return process


def ended(process: multiprocessing.process.BaseProcess) -> int:
    process.join(PATIENCE)
    assert process.exitcode is not None, "the sweep did not end"
    return process.exitcode


def kill(process: multiprocessing.process.BaseProcess) -> None:
    """kill -9, the whole group."""
    assert process.pid is not None
    os.killpg(process.pid, signal.SIGKILL)
    process.join()


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.005)


def settled(path: Path) -> list[str]:
    """The names of the works that are done."""
    with suppress(sqlite3.OperationalError):  # it is being made
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
        try:
            return [name for (name,) in database.execute("SELECT name FROM works WHERE status != 'planned'")]
        finally:
            database.close()
    return []

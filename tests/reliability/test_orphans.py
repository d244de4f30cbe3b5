"""A command that is ended, however, leaves no process and no temporary folder behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

RULE = """
import time

def slow(run):
    time.sleep(0.05)
    return 0.1
"""
CHECK = ("check", "prop:convex-any-stepsize", "--method", "rule.py:slow", "--problem", "huber", "--problem", "parabola",
         "--problem", "quartic", "--problem", "smooth-abs", "--problem", "valley", "--steps", "2000", "--jobs", "2")  # fmt: skip
FALSIFY = ("falsify", "gd.descent", "--budget", "120", "--jobs", "2")

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to look at processes")


def _family(group: int) -> list[int]:
    """The processes of a group that are alive."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, of, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
            except (OSError, ValueError):
                continue
            if int(of) == group and state != "Z":
                found.append(int(entry.name))
    return found


def _until(condition, seconds: float) -> bool:  # type: ignore[no-untyped-def]
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("words", [CHECK, FALSIFY], ids=["check", "falsify"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["TERM", "KILL"])
def test_no_worker_is_left_behind(tmp_path: Path, words: tuple[str, ...], number: signal.Signals) -> None:
    (tmp_path / "rule.py").write_text(RULE, encoding="utf-8")
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "boundcheck", *words],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        begun = _until(lambda: len(_family(process.pid)) >= 3 or process.poll() is not None, 60)
        assert begun and process.poll() is None, process.stderr.read() if process.stderr else b""
        time.sleep(0.5)
        process.send_signal(number)
        process.wait(timeout=20)
        assert _until(lambda: not _family(process.pid), 8), f"{len(_family(process.pid))} processes are left"
        if number == signal.SIGTERM:
            assert process.returncode in (143, 130, -signal.SIGTERM)
            assert not list((tmp_path / "tmp").iterdir())
    finally:
        if process.stderr is not None:
            process.stderr.close()
        for left in _family(process.pid):
            os.kill(left, signal.SIGKILL)
        process.poll()

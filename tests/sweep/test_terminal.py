"""On a terminal there is a bar, with how many works are done of how many and about how much time is left."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

from .looking import edited


def test_a_sweep_shows_how_far_it_is_and_how_long_it_will_take(folder, all_of):
    edited(folder / "small.toml", methods='["rules.py:slow"]', seeds="{ from = 0, count = 20 }")
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "boundcheck", "sweep", "small.toml", "--jobs", "1"]
    wide = {**os.environ, "COLUMNS": "160", "TERM": "xterm"}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, env=wide)
    os.close(theirs)
    shown = all_of(ours)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0 and b"80 cells of 40 works" in out
    assert b"sweeping" in shown and b"/40" in shown and b"about 0:00:" in shown and b" left" in shown

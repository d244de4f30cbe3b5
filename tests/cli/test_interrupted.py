"""Ctrl-C, once and twice: one line on stderr, exit 130."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

# A command that is interrupted while a thread of its own has long to go: Python waits for it at exit.
PROGRAM = """
import sys, threading, time
from boundcheck.cli import cli, main

@cli.command()
def slow():
    threading.Thread(target=time.sleep, args=(60,)).start()
    raise KeyboardInterrupt

sys.argv = ["boundcheck", "slow"]
main()
"""


def test_a_second_interrupt_ends_at_once_and_says_nothing_more() -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None and process.stderr.readline() == "boundcheck: interrupted\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130 and process.stderr.read() == ""
    process.stderr.close()

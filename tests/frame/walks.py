"""List the files of ours in which a command calls something, in order: `python -m tests.frame.walks check ...`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]


def files_met(command: list[str]) -> list[str]:
    """The files that a command meets in a new process, whose caches are empty."""
    told = subprocess.run([sys.executable, "-m", "tests.frame.walks", *command], capture_output=True, text=True, cwd=ROOT)
    assert told.returncode == 0, told.stderr
    return told.stdout.split()


def _importing(frame: FrameType | None) -> bool:
    """Whether a call was made while a module was loaded: such a file is read, not met."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"] != "__main__":
            return True
        frame = frame.f_back
    return False


def _trace(command: list[str]) -> list[str]:
    from click.testing import CliRunner

    from boundcheck.cli import cli

    met: dict[str, None] = {}

    def called(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(ROOT)) and file not in met and not _importing(frame):
            met[file] = None

    sys.setprofile(called)
    try:
        done = CliRunner().invoke(cli, command)
    finally:
        sys.setprofile(None)
    assert done.exit_code in (0, 1), done.output
    ours = {os.path.relpath(os.path.realpath(file), ROOT): None for file in met if ".venv" not in file}
    return [file for file in ours if not file.startswith("tests")]


if __name__ == "__main__":
    print("\n".join(_trace(sys.argv[1:])))

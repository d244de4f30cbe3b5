"""A user's project with a folder of theorem files."""

from __future__ import annotations

from pathlib import Path

import pytest

from .users import LETTERS, Done, Run, run_pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of a user: its own pytest.ini, so that nothing of ours is read, and a folder of theorem files."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    (tmp_path / "theorems").mkdir()
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Run:
    """run(claims, *options): the claims in theorems/mine.py, tried on huber unless the options name another problem."""

    def go(claims: str, *options: str, file: str = "theorems/mine.py", on: str | None = "huber") -> Done:
        (folder / file).write_text(LETTERS + claims)
        chosen = ["--bc-problem", on] if on is not None else []
        return run_pytest(folder, *(options if any(o.endswith(".py") for o in options) else (*options, "theorems")), *chosen)

    return go

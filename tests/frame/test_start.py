"""What happens when boundcheck starts: little is imported, and a user's own files are left alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("scipy", "mpmath", "torch", "matplotlib", "pandas")
SCRIPT = Path(sys.executable).with_name("boundcheck")


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture
def users_folder(tmp_path: Path) -> Path:
    """A folder with a user's own problems.py, runners.py and theorems.py, which nobody but the user may import."""
    for name in ("problems", "runners", "theorems"):
        (tmp_path / f"{name}.py").write_text(f"raise AssertionError('boundcheck imported the {name}.py of its user')\n")
    return tmp_path


def test_import_boundcheck_imports_nothing_heavy(tmp_path):
    code = f"import sys, boundcheck; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    assert run(sys.executable, "-c", code, cwd=tmp_path).split() == []


@pytest.mark.parametrize("name", ["problems", "runners", "theorems"])
def test_a_folder_is_imported_by_its_full_name_from_anywhere(name, users_folder):
    code = f"import boundcheck.{name} as it; print(it.__name__)"
    root = Path(__file__).resolve().parents[2]
    for folder in (users_folder, root, root / name):
        assert run(sys.executable, "-c", code, cwd=folder).strip() == f"boundcheck.{name}"


@pytest.mark.parametrize("start", [(sys.executable, "-m", "boundcheck"), (SCRIPT,)], ids=["python -m boundcheck", "boundcheck"])
def test_the_command_line_works_beside_a_users_own_problems_file(start, users_folder):
    claims = json.loads(run(*start, "list", "--json", cwd=users_folder))
    assert claims, "list --json printed an empty list"
    assert all({"id", "label", "reading", "title", "status", "certified"} <= claim.keys() for claim in claims)

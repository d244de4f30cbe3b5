"""A user's file is checked by mypy and by pyright: mistakes are found at their lines, a right file is clean."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import boundcheck

ROOT = Path(__file__).resolve().parents[2]

RIGHT = """\
from boundcheck import Bound, Convex, GradientDescent, Outcome, Smooth, Trace, check, run
from boundcheck.letters import Delta, L, delta, eta, i, k

claim = Bound(given=(Convex, Smooth, GradientDescent(), eta[i] == 1 / L), states=delta[k] <= L * Delta[0] / (2 * k))
trace: Trace = run("huber", "1/L", steps=10)
verdicts = check(claim, trace, smoothness="L")
worst: Outcome = verdicts.outcome
words: str = verdicts[0].explain()
"""

WRONG = """\
from boundcheck import check, run
from boundcheck import chekc  # line 2: no such name

trace = run("huber", "1/L", steps="ten")  # line 4: steps is a whole number
again = run("huber", "1/L", stepps=10)  # line 5: no such keyword
verdicts = check("eq:10", "trace")  # line 6: no trace
number: int = verdicts.outcome.name  # line 7: a name is text
verdicts.holds  # line 8: no such attribute
"""
MISTAKES = [2, 4, 5, 6, 7, 8]


def mypy(file: Path) -> list[int]:
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        "",
        "--ignore-missing-imports",
        "--follow-imports=silent",
    ]
    command += ["--cache-dir", str(file.parent / "cache"), str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return sorted({int(n) for n in re.findall(rf"{file.name}:(\d+): error", done.stdout)})


def pyright(file: Path) -> list[int]:
    if importlib.util.find_spec("basedpyright") is None:
        pytest.skip("basedpyright is not installed: pip install 'boundcheck[test]'")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], "include": [file.name]}
    (file.parent / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(file.parent)]
    done = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = json.loads(done.stdout)["generalDiagnostics"]
    return sorted({one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"})


@pytest.mark.parametrize("tool", [mypy, pyright])
def test_a_right_file_is_clean(tool, tmp_path):
    file = tmp_path / "right_file.py"
    file.write_text(RIGHT)
    assert tool(file) == []


@pytest.mark.parametrize("tool", [mypy, pyright])
def test_each_planted_mistake_is_found_at_its_line(tool, tmp_path):
    file = tmp_path / "wrong_file.py"
    file.write_text(WRONG)
    assert tool(file) == MISTAKES


def test_what_static_tools_read_is_what_is_loaded():
    tree = ast.parse((ROOT / "boundcheck" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (n for n in tree.body if isinstance(n, ast.If) and isinstance(n.test, ast.Name) and n.test.id == "TYPE_CHECKING")
    read = {alias.asname: line.module for line in block.body if isinstance(line, ast.ImportFrom) for alias in line.names}
    assert read == boundcheck._HOME


def test_every_public_name_is_loaded_and_documented():
    for name in boundcheck.__all__:
        assert getattr(boundcheck, name).__doc__, f"{name} has no docstring"

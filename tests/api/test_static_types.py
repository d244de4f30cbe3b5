"""A user's file is checked by mypy and by pyright: mistakes are found at their lines, a right file is clean."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterable
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


Mistakes = dict[str, list[int]]  # the lines of each file


def mypy(folder: Path) -> Mistakes:
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
    files = [str(file) for file in sorted(folder.glob("*.py"))]
    command += ["--cache-dir", str(folder / "cache"), *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return by_file((name, int(n)) for name, n in re.findall(r"(\w+\.py):(\d+): error", done.stdout))


def pyright(folder: Path) -> Mistakes:
    if importlib.util.find_spec("basedpyright") is None:
        pytest.skip("basedpyright is not installed: pip install 'boundcheck[test]'")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], "include": ["*.py"]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]
    return by_file((Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in found)


def by_file(found: Iterable[tuple[str, int]]) -> Mistakes:
    lines: Mistakes = {}
    for name, line in sorted(set(found)):
        lines.setdefault(name, []).append(line)
    return lines


@pytest.mark.parametrize("tool", [mypy, pyright])
def test_a_right_file_is_clean_and_each_planted_mistake_is_found_at_its_line(tool, tmp_path):
    """Both files at once: most of the time goes into reading the library."""
    (tmp_path / "right_file.py").write_text(RIGHT)
    (tmp_path / "wrong_file.py").write_text(WRONG)
    assert tool(tmp_path) == {"wrong_file.py": MISTAKES}


def test_what_static_tools_read_is_what_is_loaded():
    tree = ast.parse((ROOT / "boundcheck" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (n for n in tree.body if isinstance(n, ast.If) and isinstance(n.test, ast.Name) and n.test.id == "TYPE_CHECKING")
    read = {alias.asname: line.module for line in block.body if isinstance(line, ast.ImportFrom) for alias in line.names}
    assert read == boundcheck._HOME


def test_every_public_name_is_loaded_and_documented():
    for name in boundcheck.__all__:
        assert getattr(boundcheck, name).__doc__, f"{name} has no docstring"

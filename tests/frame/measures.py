"""Measure the house at one or more commits: `python -m tests.frame.measures COMMIT... [--walks]` prints a Markdown table.

A commit may be `.`, the working tree. `--walks` also runs `check` and `falsify` in each tree and counts the files in which they
call something, as docs/architecture.md lists them.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from tests.frame.unchanged import OUTER, ROOT, unpack

COUNTED = ("boundcheck", "runners", "problems")
CHECK = ("check", "thm:polyak", "--problem", "huber", "--method", "polyak(3/2)", "--arithmetic", "rational", "--jobs", "1")
FALSIFY = ("falsify", "eq:10@printed", "--jobs", "1")


def files(tree: Path, folder: str) -> list[Path]:
    """The Python files of a folder, without what links lead to."""
    linked = [tree / "boundcheck" / name for name in OUTER] if folder == "boundcheck" else []
    return sorted(p for p in (tree / folder).rglob("*.py") if not any(p.is_relative_to(link) for link in linked))


def levels(tree: Path) -> int:
    """How many levels ROOMS has."""
    for node in ast.parse((tree / "tests" / "frame" / "test_imports.py").read_text()).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and target.id == "ROOMS":
            value = node.value  # type: ignore[attr-defined]
            return len(value.elts) if isinstance(value, ast.Tuple | ast.List) else len(ast.literal_eval(value))
    raise SystemExit(f"{tree}: ROOMS is not in tests/frame/test_imports.py")


def names_of_classes(tree: Path) -> Mapping[str, list[Path]]:
    """Where each name of a class is defined, at the top of a module."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in (p for folder in COUNTED for p in files(tree, folder)):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path.relative_to(tree))
    return found


def files_met(tree: Path, command: tuple[str, ...]) -> int:
    """How many files of ours a command calls something in."""
    with tempfile.TemporaryDirectory() as scratch:
        added = ["--out", f"{scratch}/found.json"] if command[0] == "falsify" else []
        environment = {**os.environ, "PYTHONPATH": f"{tree}", "PYTHONDONTWRITEBYTECODE": "1"}
        script = WALK.replace("ROOT", repr(str(tree)))
        done = subprocess.run(
            [sys.executable, "-c", script, *command, *added], cwd=tree, env=environment, capture_output=True, text=True
        )
    if done.returncode:
        raise SystemExit(f"{tree}: boundcheck {' '.join(command)}: {done.stderr[-500:]}")
    return int(done.stdout.splitlines()[-1])


WALK = r"""
import os, sys
met = {}
def importing(frame):
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"] != "__main__": return True
        frame = frame.f_back
    return False
def called(frame, event, _):
    file = frame.f_code.co_filename
    if event == "call" and file.startswith(ROOT) and file not in met and not importing(frame): met[file] = None
from click.testing import CliRunner
from boundcheck.cli import cli
sys.setprofile(called)
done = CliRunner().invoke(cli, sys.argv[1:])
sys.setprofile(None)
assert done.exit_code in (0, 1), done.output
print(len({os.path.realpath(file) for file in met}))
"""


def measures(tree: Path, walks: bool) -> dict[str, str]:
    """What is counted in one tree, by name."""
    lines = {p: len(p.read_text(encoding="utf-8").splitlines()) for folder in COUNTED for p in files(tree, folder)}
    own = {p: n for p, n in lines.items() if p.is_relative_to(tree / "boundcheck")}
    twice = {name: places for name, places in names_of_classes(tree).items() if len(places) > 1}
    largest = sorted(lines, key=lambda p: -lines[p])[:5]
    loose = [p for p in own if p.parent == tree / "boundcheck"]
    made = {
        "files in boundcheck/": f"{len(own):,}",
        "lines in boundcheck/": f"{sum(own.values()):,}",
        "lines in runners/, problems/": f"{sum(lines.values()) - sum(own.values()):,}",
        "loose files in boundcheck/": f"{len(loose)}",
        "levels of rooms": f"{levels(tree)}",
        "classes defined twice or more under one name": f"{len(twice)}",
        "files over 300 lines": f"{sum(n > 300 for n in lines.values())}",
        "largest files": ", ".join(f"{re.sub('^boundcheck/', '', str(p.relative_to(tree)))} {lines[p]:,}" for p in largest),
    }
    if walks:
        made["files that `check` meets"] = str(files_met(tree, CHECK))
        made["files that `falsify` meets"] = str(files_met(tree, FALSIFY))
    return made


def main(arguments: list[str]) -> int:
    """Print the table."""
    commits, walks = [one for one in arguments if one != "--walks"], "--walks" in arguments
    if not commits:
        raise SystemExit("usage: python -m tests.frame.measures COMMIT... [--walks]; `.` is the working tree")
    found = {}
    for commit in commits:
        with tempfile.TemporaryDirectory() as scratch:
            tree = ROOT if commit == "." else Path(scratch).resolve()
            if commit != ".":
                unpack(commit, tree)
            found[commit] = measures(tree, walks)
    print("| | " + " | ".join("now" if commit == "." else commit[:7] for commit in commits) + " |")
    print("|---" * (len(commits) + 1) + "|")
    for name in found[commits[0]]:
        print(f"| {name} | " + " | ".join(found[commit][name] for commit in commits) + " |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

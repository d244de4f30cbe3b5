"""Write the generated parts of docs/architecture.md: `python -m tests.frame.architecture`.

The table of rooms is ROOMS of tests/frame/test_imports.py with the first sentence of each room's docstring. A walk is a command
that is run here, and the files in which it calls something, in the order in which it first does.
"""

from __future__ import annotations

import ast
import re
import tempfile
from pathlib import Path

from tests.frame.test_imports import ROOMS, ROOT
from tests.frame.walks import files_met

PAGE = ROOT / "docs" / "architecture.md"
WALKS = {
    "check": ["check", "thm:polyak", "--problem", "huber", "--method", "polyak(3/2)", "--arithmetic", "rational", "--jobs", "1"],
    "falsify": ["falsify", "eq:10@printed"],
}
PART = "<!-- {0}: written by python -m tests.frame.architecture -->\n{1}<!-- end of {0} -->"


def idea(path: Path) -> str:
    """The first sentence of a module's docstring, on one line."""
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    first = re.split(r"(?<=[.?!])\s+(?=[A-Z`])", told.split("\n\n")[0].replace("\n", " "))[0]
    return first.strip().replace("|", "\\|")


def home(room: str) -> Path:
    """The file that says what a room is for."""
    folder = ROOT / "boundcheck" / room
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def rooms() -> str:
    """The rooms, lowest first, as a table."""
    lines = ["| level | room | what it is for |", "|---|---|---|"]
    for level, beside in enumerate(ROOMS, 1):
        for room in beside:
            name = f"{room}/" if (ROOT / "boundcheck" / room).is_dir() else f"{room}.py"
            lines.append(f"| {level} | `{name}` | {idea(home(room))} |")
    return "\n".join(lines) + "\n"


def walk(name: str) -> str:
    """The files that a command meets, in order, each with what it is for."""
    with tempfile.TemporaryDirectory() as scratch:
        added = ["--out", f"{scratch}/found.json", "--jobs", "1"] if name == "falsify" else []
        met = files_met([*WALKS[name], *added])
    command = " ".join(f"'{word}'" if re.search(r"[()]", word) else word for word in WALKS[name])
    lines = [f"`boundcheck {command}` meets {len(met)} files:", "", "| file | what it is for |", "|---|---|"]
    lines += [f"| `{file}` | {idea(ROOT / file)} |" for file in met]
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with its generated parts as the code is now."""
    parts = {"rooms": rooms(), **{name: walk(name) for name in WALKS}}
    for name, made in parts.items():
        pattern = re.escape(PART).replace(r"\{0\}", name).replace(r"\{1\}", ".*?")
        text, count = re.subn(pattern, lambda _, name=name, made=made: PART.format(name, made), text, flags=re.DOTALL)
        assert count == 1, f"docs/architecture.md has {count} parts '{name}'"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

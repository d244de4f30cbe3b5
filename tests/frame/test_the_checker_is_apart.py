"""The independent checker is apart: it imports nothing of ours, and of it others import what its `__init__` offers."""

from __future__ import annotations

import ast
import re
from importlib import import_module

import pytest

from .test_imports import OUTER, ROOT, imports_of, inside, module_name, sources

CHECKER = "boundcheck.verify"
PUBLIC = frozenset(import_module(CHECKER).__all__)
OTHERS = [
    path
    for folder in ("boundcheck", *OUTER, "benchmarks", "examples")
    for path in sources(folder)
    if not inside(module_name(path), CHECKER)
]


def private(names: list[str]) -> list[str]:
    """The imported names that are of the checker, and not public."""
    of_it = [name.removeprefix(f"{CHECKER}.") for name in names if inside(name, CHECKER) and name != CHECKER]
    return [name for name in of_it if name not in PUBLIC]


@pytest.mark.parametrize("path", OTHERS, ids=module_name)
def test_others_import_public_names_of_the_checker_only(path):
    assert private([name for _, name in imports_of(path)]) == []
    strings = (node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant))
    named = [text for text in strings if isinstance(text, str) and re.fullmatch(r"boundcheck\.verify\.\w+", text)]
    assert named == [], "a module of the checker is imported by its name in a string"


def test_an_import_of_its_insides_is_found():
    names = ["boundcheck.verify.Replay", "boundcheck.verify.Certificate", "boundcheck.verify.runs.Runs", "boundcheck.verify.*"]
    assert private(names) == ["Certificate", "runs.Runs", "*"]


def test_what_is_public_is_there_and_little():
    module = import_module(CHECKER)
    assert all(hasattr(module, name) for name in PUBLIC) and len(PUBLIC) <= 16
    files = {path.stem for path in (ROOT / "boundcheck" / "verify").glob("*.py")}
    assert not files & PUBLIC, "a function and a file of one name would hide each other"


def test_the_order_of_reading_names_every_file():
    told = re.findall(r"^    (\w+)  ", import_module(CHECKER).__doc__ or "", re.MULTILINE)
    files = {path.stem for path in (ROOT / "boundcheck" / "verify").glob("*.py")} - {"__init__", "__main__"}
    assert len(told) == len(set(told)) and set(told) == files


def test_each_file_imports_only_files_that_are_read_before_it():
    told = re.findall(r"^    (\w+)  ", import_module(CHECKER).__doc__ or "", re.MULTILINE)
    for n, name in enumerate(told):
        tree = ast.parse((ROOT / "boundcheck" / "verify" / f"{name}.py").read_text(encoding="utf-8"))
        used = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 1}
        assert used <= set(told[:n]), name

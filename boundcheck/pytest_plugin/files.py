"""Which files are theorem files, and under which name the library imports them. Imports nothing of the library."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest

FOLDER = "theorems"
NOT_CLAIMS = ("test_", "_", "conftest")
TESTS = re.compile(r"^\s*(?:async\s+)?(?:def test|class Test)", re.MULTILINE)


def is_theorem_file(path: Path, parent: pytest.Collector) -> bool:
    """A .py file in a folder called `theorems` that mentions boundcheck; or one that the user names so, by option or ini."""
    if path.suffix != ".py" or path.name.startswith(NOT_CLAIMS) or path.name == "setup.py":
        return False
    config = parent.config
    if config.option.bc_theorems and parent.session.isinitpath(path):
        return True
    patterns = config.getini("bc_theorems")
    if patterns and any(_relative(path, config).match(pattern) for pattern in patterns):
        return True
    return in_theorem_folder(path.parent, config) and "boundcheck" in _text(path)


def in_theorem_folder(folder: Path, config: pytest.Config) -> bool:
    """Inside a folder called `theorems` of the project, but not among its tests."""
    parts = (config.rootpath.name, *_relative(folder, config).parts)
    return FOLDER in parts and not {"tests", "test"} & set(parts)


def has_tests(path: Path) -> bool:
    return TESTS.search(_text(path)) is not None


def library_name(path: Path) -> str | None:
    """The import name of a file (or folder) of an installed library of claims: the file must not become a second module."""
    path = path.resolve()
    for root, name in _libraries():
        if path == root or root in path.parents:
            inner = path.relative_to(root).parts
            return ".".join((name, *inner)).removesuffix(".py")
    return None


@cache
def _libraries() -> list[tuple[Path, str]]:
    found = []
    for entry in entry_points(group="boundcheck.theorems"):
        name = entry.value.partition(":")[0]
        try:
            spec = importlib.util.find_spec(name)
        except ImportError:
            continue
        if spec is not None and spec.origin is not None and spec.submodule_search_locations:
            found.append((Path(spec.origin).resolve().parent, name))
    return found


def _relative(path: Path, config: pytest.Config) -> Path:
    return path.relative_to(config.rootpath) if path.is_relative_to(config.rootpath) else path


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

"""Theorem files import from `boundcheck` and `boundcheck.letters` only: what anyone's theorem file may rest on."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.frame.test_imports import ROOT

PUBLIC = ("boundcheck", "boundcheck.letters")
# What a paper brings beside its claims: its worst-case families and figures are code of the framework's kind.
TOOLS = ("worst_cases.py", "polyak_relaxation.py", "figures")


def theorem_files() -> list[Path]:
    files = sorted((ROOT / "theorems").rglob("*.py"))
    return [path for path in files if not any(part in TOOLS for part in path.parts)]


def private_imports(path: Path) -> list[str]:
    imports = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.ImportFrom) and n.module]
    ours = [(n.lineno, n.module) for n in imports if n.module and n.module.split(".")[0] == "boundcheck"]
    return [f"line {line}: {name}" for line, name in ours if name not in PUBLIC and not name.startswith("boundcheck.theorems.")]


@pytest.mark.parametrize("path", theorem_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_theorem_file_imports_public_names_only(path: Path) -> None:
    assert private_imports(path) == []


def test_a_private_import_is_seen(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from boundcheck import Bound\nfrom boundcheck.claims.bound import LEMMA\n")
    assert private_imports(tmp_path / "mine.py") == ["line 2: boundcheck.claims.bound"]

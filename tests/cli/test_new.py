"""`boundcheck new`: each file that it writes runs as it is, and does what it says."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from boundcheck.cli.new import identifier
from boundcheck.library.catalogue import load_file
from boundcheck.testing import check_problem, check_rule

Run = Callable[..., Result]


def test_a_new_theorem_is_well_formed_holds_and_is_not_broken(run: Run) -> None:
    said = run("new", "theorem", "rate")
    assert said.exit_code == 0
    assert said.stdout.splitlines() == [
        "wrote rate.py; next:",
        "  boundcheck lint rate.py:rate",
        "  boundcheck check rate.py:rate",
        "  boundcheck falsify rate.py:rate",
    ]
    assert run("lint", "rate.py:rate").stdout.startswith("user/rate@printed: well formed")
    checked = run("check", "rate.py:rate", "--problem", "huber", "--problem", "quadratic-2d", "--jobs", "1")
    assert checked.exit_code == 0 and checked.stdout.startswith("HOLDS")
    assert run("falsify", "rate.py:rate", "--budget", "1").exit_code == 3


def test_a_new_problem_keeps_its_word_and_theorems_are_checked_on_it(run: Run) -> None:
    assert run("new", "problem", "hollow").exit_code == 0
    checked = run("check", "prop:convex-any-stepsize", "--problem", "hollow.py:hollow", "--method", "polyak(1)", "--jobs", "1")
    assert checked.exit_code == 0 and checked.stdout.startswith("HOLDS")
    assert check_problem(load_file(Path("hollow.py")).hollow) == []


def test_a_new_rule_keeps_its_word_and_theorems_are_checked_along_it(run: Run) -> None:
    assert run("new", "rule", "careful").exit_code == 0
    words = ("--method", "careful.py:careful", "--problem", "quadratic-2d", "--jobs", "1")
    checked = run("check", "prop:convex-any-stepsize", *words)
    assert checked.exit_code == 0 and checked.stdout.startswith("HOLDS")
    assert check_rule(load_file(Path("careful.py")).careful) == []


@pytest.mark.parametrize("kind", ["theorem", "problem", "rule"])
@pytest.mark.parametrize("name", ["a", "a_name_that_is_long_enough_to_push_every_column"])
def test_what_the_commands_are_for_stands_in_one_column(run: Run, kind: str, name: str) -> None:
    run("new", kind, name)
    text = Path(f"{name}.py").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith(("    python ", "    boundcheck "))]
    assert len(lines) >= 2 and "\t" not in text
    assert len({line.rindex("    ") for line in lines}) == 1


def test_another_file_can_be_named(run: Run, folder: Path) -> None:
    (folder / "my rules").mkdir()
    said = run("new", "rule", "careful", "--out", "my rules/mine.py")
    assert said.exit_code == 0 and "boundcheck audit 'my rules/mine.py':careful" in said.stdout
    assert "def careful(run):" in (folder / "my rules" / "mine.py").read_text(encoding="utf-8")


def test_nothing_is_overwritten(run: Run, folder: Path) -> None:
    before = (folder / "runners.py").read_text(encoding="utf-8")
    said = run("new", "rule", "runners")
    assert said.exit_code == 2 and "runners.py is there already, and is left as it is" in said.stderr
    assert (folder / "runners.py").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("kind", "name", "better"),
    [
        ("theorem", "my-rate", "my_rate"),
        ("rule", "1/L", "rule_1_L"),
        ("problem", "lambda", "lambda_problem"),
        ("problem", "grad", "grad_problem"),
        ("rule", "--", "my_rule"),
    ],
)
def test_a_bad_name_is_refused_with_one_that_would_do(run: Run, kind: str, name: str, better: str) -> None:
    said = run("new", kind, "--", name)
    assert said.exit_code == 2 and said.stdout == ""
    (line,) = said.stderr.splitlines()
    assert f"'{name}'" in line and f"'{better}' would do" in line
    assert identifier(better, kind) == better


def test_a_file_that_is_not_python_is_refused_and_folders_are_made(run: Run) -> None:
    said = run("new", "rule", "careful", "--out", "rule.txt")
    assert said.exit_code == 2 and len(said.stderr.splitlines()) == 1
    assert run("new", "rule", "careful", "--out", "nowhere/rule.py").exit_code == 0
    assert Path("nowhere/rule.py").is_file()


def test_every_name_that_a_template_uses_is_taken(run: Run) -> None:
    """A claim called `eta` would hide the letter."""
    for kind in ("theorem", "problem", "rule"):
        run("new", kind, f"a_{kind}")
        tree = ast.parse(Path(f"a_{kind}.py").read_text(encoding="utf-8"))
        used = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        used |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} - {f"a_{kind}"}
        assert all(identifier(name, kind) != name for name in used)

"""docs/your-own-paper.md: every file that it writes and every command that it types, in an empty folder and in its order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.library.catalogue import problems, rules

PAGE = Path(__file__).parents[2] / "docs" / "your-own-paper.md"
STEP = re.compile(r"(?:^`(?P<file>[\w.]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"\d+(?:[./]\d+)*")
FEW = ("parabola", "quadratic-2d", "rank-deficient-6d", "huber")
# what the commands end with, in their order
EXITS = {"check": [1], "paper": [1, 0], "verify": [0], "quote": [0]}


def steps() -> list[tuple[str, str]]:
    """(name of a file, its text), or ("", the lines of a command and of what it says), in the order of the page."""
    return [(found["file"] or "", found["text"]) for found in STEP.finditer(PAGE.read_text(encoding="utf-8"))]


def alike(line: str) -> str:
    """A line of output without its numbers, which depend on how much is tried."""
    return NUMBER.sub("N", line)


@pytest.fixture
def few(monkeypatch, tmp_path):
    """An empty folder, and a few problems and rules to try, which show the same."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boundcheck.report.content.ENOUGH_PROBLEMS", 2)
    monkeypatch.setattr("boundcheck.suite.grid.problems", lambda: {name: problems()[name] for name in FEW})
    monkeypatch.setattr("boundcheck.suite.grid.rules", lambda: {name: rules()[name] for name in ("1/L", "1/(2L)")})
    return tmp_path


def test_the_page_has_files_and_commands():
    files = [name for name, _ in steps() if name]
    assert files == ["note.tex", "claims.py", "claims.py", "findings.toml", "inventory.toml"]
    commands = [text.split()[2] for name, text in steps() if not name]
    assert {name: commands.count(name) for name in EXITS} == {name: len(codes) for name, codes in EXITS.items()}


def test_its_commands_say_what_it_shows_and_end_as_it_says(few):
    left = {name: list(codes) for name, codes in EXITS.items()}
    for name, text in steps():
        if name:
            (few / name).write_text(text, encoding="utf-8")
            continue
        command, *shown = text.splitlines()
        words = command.removeprefix("$ boundcheck ").split()
        done = CliRunner().invoke(cli, words, prog_name="boundcheck")
        assert done.exit_code == left[words[0]].pop(0), f"{command}: {done.stdout}{done.stderr}"
        there = [alike(line) for line in done.stdout.splitlines()]
        for line in shown:
            assert line == "..." or alike(line) in there, f"{command} does not say '{line}': {done.stdout}"
    assert "a factor $1/2$ is lost" in (few / "report/errata.md").read_text(encoding="utf-8")


def test_a_misquote_of_the_note_is_found(few):
    for name, text in steps():
        if name:
            (few / name).write_text(text, encoding="utf-8")
    run = CliRunner()
    assert run.invoke(cli, ["quote", "note.tex", "--paper", "claims.py", "--write"]).exit_code == 0
    note = (few / "note.tex").read_text(encoding="utf-8")
    (few / "note.tex").write_text(note.replace(r"\frac{1}{L}", r"\frac{1}{2L}"), encoding="utf-8")
    done = run.invoke(cli, ["paper", "claims.py", "--source", "note.tex", "--out", "out"])
    assert done.exit_code == 1 and "misquote: note/eq:gain@printed" in done.stdout

"""docs/chord-quantities.md: its file and its commands, in an empty folder and in its order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.library.catalogue import rules

PAGE = Path(__file__).parents[2] / "docs" / "chord-quantities.md"
STEP = re.compile(r"(?:^`(?P<file>[\w.]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"\d+(?:[./]\d+)*")
EXITS = {"lint": 0, "explain": 0, "check": 1, "falsify": 1, "verify": 0}


def test_its_commands_say_what_it_shows_and_end_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boundcheck.suite.grid.rules", lambda: {name: rules()[name] for name in ("1/L", "1/(2L)")})
    asked = []
    for name, _, text in STEP.findall(PAGE.read_text(encoding="utf-8")):
        if name:
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        command, *shown = text.splitlines()
        words = command.removeprefix("$ boundcheck ").split()
        done = CliRunner().invoke(cli, words, prog_name="boundcheck")
        assert done.exit_code == EXITS[words[0]], f"{command}: {done.stdout}{done.stderr}"
        there = {NUMBER.sub("N", line) for line in done.stdout.splitlines()}
        assert {NUMBER.sub("N", line) for line in shown} <= there, f"{command}: {done.stdout}"
        asked.append(words[0])
    assert asked == list(EXITS)


def test_steps_and_check_take_it_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (text,) = (text for name, _, text in STEP.findall(PAGE.read_text(encoding="utf-8")) if name)
    (tmp_path / "turning.py").write_text(text, encoding="utf-8")

    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(cli, words, prog_name="boundcheck")
        return done.exit_code, done.stdout + done.stderr

    where = ("--problem", "parabola", "--method", "1/L")
    code, told = run("steps", *where, "--smoothness", "turning.py:T", "--steps", "2", "--arithmetic", "rational")
    assert code == 0 and "eta_k*T" in told and "adapted, eta*T < 2 (certified, 1 step)" in told
    code, told = run("check", "turning.py:descent", *where, "--smoothness", "W")
    assert code == 0 and "(M=W)" in told
    code, told = run("check", "turning.py:descent", *where, "--smoothness", "T")
    assert (code, told) == (2, "boundcheck: M is bound to D, A, H, L or W; found 'T'\n")

"""`boundcheck audit`: exit codes, JSON, the report, and what README and docs/audit.md show."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boundcheck.cli import cli

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "examples" / "rules"
KEYS = {"rule", "about", "verdict", "word", "steps", "diagnosis", "theorems", "theorems_on", "behaviour", "comparison"}


def audited(*words: object) -> Result:
    return CliRunner().invoke(cli, ["audit", *(str(word) for word in words), "--jobs", "1"], prog_name="boundcheck")


def test_a_wrong_rule_ends_with_1_and_its_line_is_the_first() -> None:
    done = audited(f"{RULES}/polyak.py:polyak", "--problem", "smooth-abs", "--steps", "12")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[0].startswith("WRONG: capped at 1: first at ")
    for title in ("Theorems, on 1 problem", "Behaviour: share of adapted steps", "Iterations (and oracle calls)"):
        assert title in done.stdout


def test_json_has_the_documented_keys_and_nothing_else_is_on_stdout() -> None:
    done = audited("polyak(1)", "--problem", "quadratic-2d", "--steps", "10", "--json")
    said = json.loads(done.stdout)
    assert done.exit_code == said["exit_code"] == 0 and said["word"] == "CLEAN"
    assert set(said) == KEYS | {"not_deterministic", "skipped", "seconds", "exit_code", "checksum"}
    documented = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    parts = (said, said["diagnosis"], said["theorems"][0], said["behaviour"][0], said["comparison"][0])
    assert [key for part in parts for key in part if f"`{key}`" not in documented] == []


def test_follows_may_be_said_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_text("def half(run):\n    return 0.5 / float(run.L)\n", encoding="utf-8")
    done = audited(
        f"{tmp_path}/half.py:half", "--problem", "quadratic-2d", "--problem", "huber", "--steps", "6", "--follows", "1/L"
    )
    assert done.exit_code == 1 and done.stdout.startswith("WRONG: every step is 0.5 (1/2) times what 1/L asks for")


@pytest.mark.parametrize("suffix", ["md", "json"])
def test_a_report_is_written(tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"audit.{suffix}"
    done = audited("1/L", "--problem", "huber", "--steps", "4", "--out", out)
    text = out.read_text(encoding="utf-8")
    first = done.stdout.splitlines()[0]
    assert first.startswith("CLEAN") and (first in text if suffix == "json" else text.startswith("# Audit of `1/L`"))


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_a_rule_prints_is_not_in_the_answer(tmp_path: Path, form: tuple[str, ...]) -> None:
    code = "import os\nprint('loaded')\n\ndef loud(run):\n    print('noise')\n    os.write(1, b'noise')\n    return 0.1\n"
    (tmp_path / "loud.py").write_text(code, encoding="utf-8")
    words = ["audit", f"{tmp_path}/loud.py:loud", "--problem", "huber", "--steps", "3", "--jobs", "1", *form]
    done = subprocess.run([sys.executable, "-m", "boundcheck", *words], capture_output=True, text=True, check=True)
    assert "noise" in done.stderr and "loaded" in done.stderr
    assert "noise" not in done.stdout and "loaded" not in done.stdout
    assert json.loads(done.stdout)["word"] == "CLEAN" if form else done.stdout.startswith("CLEAN: ")


def test_a_rule_that_diverges_ends_with_1(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text("def long(run):\n    return 2.5 / float(run.L)\n", encoding="utf-8")
    done = audited(f"{tmp_path}/long.py:long", "--problem", "quadratic-2d", "--steps", "12")
    assert done.exit_code == 1 and done.stdout.startswith("DIVERGES: on 1 of 1 problem: quadratic-2d from k = 3 on; ")


BAD = (
    ("nosuch.py:rule",),
    ("polyac(1)",),
    ("1/L", "--problem", "hubert"),
    ("1/L", "--follows", "chords"),
    ("1/L", "--out", "/dev/null/audit.md"),
    ("1/L", "--seconds", "0"),
)


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_bad_input_ends_with_2_and_one_line(words: tuple[str, ...]) -> None:
    done = audited(*words)
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.startswith("boundcheck: ") and len(done.stderr.splitlines()) == 1


def test_nothing_exercised_ends_with_3() -> None:
    assert audited("polyak(1)", "--problem", "slope", "--steps", "3").exit_code == 3


def examples(page: Path) -> list[tuple[str, str]]:
    """The commands of a page and the first line that it shows for each."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^\$ boundcheck audit (\S+)[^\n]*\n([^\n]+)$", text, re.MULTILINE)


def test_the_pages_show_commands() -> None:
    assert len(examples(ROOT / "docs" / "audit.md")) >= 7 and len(examples(ROOT / "README.md")) == 1


@pytest.mark.slow
@pytest.mark.parametrize("page", ["docs/audit.md", "README.md"])
def test_what_the_pages_show_is_what_the_audit_says(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for rule, line in examples(ROOT / page):
        said = audited(rule).stdout.splitlines()[0]
        assert said.startswith(line.removesuffix("...")), (rule, said)


@pytest.mark.parametrize("rule, line", examples(ROOT / "README.md"))
def test_the_rule_of_the_readme_is_caught_on_two_problems(rule: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = audited(rule, "--problem", "quadratic-3d", "--problem", "smooth-abs", "--steps", "20")
    assert done.exit_code == 1 and done.stdout.startswith(line.removesuffix("..."))

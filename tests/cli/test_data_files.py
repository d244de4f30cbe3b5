"""Logistic regression on a data file that the user names."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boundcheck.cli import cli

ROWS = "\n".join(f"{n % 7},{(n * n) % 5},{'yes' if (n * 3) % 4 < 2 else 'no'}" for n in range(40))


def check(*words: str) -> Result:
    only = ["--method", "1/L", "--arithmetic", "float64", "--steps", "5", "--smoothness", "L"]
    return CliRunner().invoke(cli, ["check", "eq:local-descent-lemma", *words, *only])


def test_a_csv_file_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    path.write_text(f"a,b,label\n{ROWS}\n")
    done = check("--problem", str(path))
    assert done.exit_code == 0, done.output
    assert "on samples.csv by 1/L" in done.output


def test_a_file_with_options_is_one_too(tmp_path: Path) -> None:
    path = tmp_path / "samples.txt"
    path.write_text("\n".join(f"{'+1' if (n * 3) % 4 < 2 else '-1'} 1:{n % 7} 2:{(n * n) % 5}" for n in range(40)))
    done = check("--problem", f"data({path}, seed=3, split=no)")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("a,b,label\n1,2,yes\n1,no\n", "line 3 has 2 cells"),
        ("a,b,label\n1,2,yes\n1,2,yes\n", "two"),
        ("a,b,label\n1,x,yes\n1,2,no\n", "number"),
    ],
)
def test_a_file_that_is_no_data_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "samples.csv"
    path.write_text(text)
    done = check("--problem", str(path))
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1 and said in done.stderr, done.stderr


def test_a_file_that_is_not_there_is_one_line() -> None:
    done = check("--problem", "nowhere.csv")
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1 and "nowhere.csv" in done.stderr

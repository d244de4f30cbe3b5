"""Whose fault it is: a user's code is named by file and line, bad input gets one line and 2, a bug of ours a traceback and 70."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from boundcheck.cli import cli
from boundcheck.cli.group import BUG, OneLine
from boundcheck.support.errors import (
    BoundcheckError,
    NotCertified,
    NotFound,
    NotInstalled,
    NotInThisArithmetic,
    RuleError,
    RunEnds,
    UserError,
    WrongType,
)

PROBLEM = """
from boundcheck import Convex, Differentiable, Minimiser, Problem, Smooth

def f(xp, x):
    return {f}

def grad(xp, x):
    return {grad}

mine = Problem(
    name="mine", dimension=1, f=f, grad=grad, facts=frozenset({{Convex(), Differentiable(), Smooth(2)}}),
    start=[3], minimiser=Minimiser(point=[0], value=0),
)
"""
CHECK = ("check", "prop:convex-any-stepsize", "gd.descent", "thm:polyak", "--method", "1/L", "--steps", "3")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(cli, list(words), prog_name="boundcheck")


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("f", "grad", "said"),
    [
        ("1 / 0", "2 * x", "mine.py:5: ZeroDivisionError"),
        ("xp.normsq(x)", "[][0]", "mine.py:8: IndexError"),
        ("xp.normsq(x)", "int('x')", "mine.py:8: ValueError"),
        ("xp.no_such(x)", "x + x", "mine.py:5: AttributeError"),
    ],
)
def test_an_error_in_f_or_grad_names_file_and_line(
    run: Callable[..., Result], tmp_path: Path, f: str, grad: str, said: str, jobs: str
) -> None:
    (tmp_path / "mine.py").write_text(PROBLEM.format(f=f, grad=grad), encoding="utf-8")
    more = ("--problem", "parabola", "--problem", "huber") if jobs == "2" else ()
    done = run(*CHECK, "--problem", "mine.py:mine", *more, "--jobs", jobs)
    assert done.exit_code == 2, done.output
    (line,) = done.stderr.splitlines()
    assert line.startswith("boundcheck: ") and said.partition(":")[0] in line and said in line.replace(" (", ": "), line


def test_an_error_in_a_rule_or_a_claim_names_file_and_line(run: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "rule.py").write_text("def mine(run):\n    return 1 / 0\n", encoding="utf-8")
    done = run("check", "gd.descent", "--problem", "parabola", "--method", "rule.py:mine", "--steps", "3", "--jobs", "1")
    assert done.exit_code == 2 and "(rule.py:2)" in done.stderr and done.stderr.count("\n") == 1
    (tmp_path / "claim.py").write_text("from boundcheck.language.letters import *\n\nbad = f([k]) <= 0\n", encoding="utf-8")
    done = run("lint", "claim.py:bad")
    assert done.exit_code == 2 and "claim.py:3" in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_a_bug_of_ours_is_a_traceback_and_a_line_that_asks_to_report_it() -> None:
    @click.group(cls=OneLine)
    def tool() -> None: ...

    @tool.command()
    def breaks() -> None:
        raise KeyError("lost")

    done = CliRunner().invoke(tool, ["breaks"])
    assert done.exit_code == BUG == 70
    assert "Traceback" in done.stderr and "this is a bug of boundcheck, not of your input (KeyError: 'lost')" in done.stderr


def _shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    line = line.replace("boundcheck", f"{sys.executable} -m boundcheck", 1)
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, timeout=100, check=False, env={**os.environ, **more}
    )


def test_a_closed_output_is_told_in_one_line() -> None:
    done = _shell("boundcheck list >&-")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "standard output is closed" in done.stderr


def test_a_reader_that_has_enough_ends_steps_with_141() -> None:
    done = _shell("boundcheck steps --problem logistic-40x5 | head -c1; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (141, "")


def test_letters_that_a_terminal_lacks_are_no_error() -> None:
    done = _shell("boundcheck steps --problem parabola --steps 2", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kind", [ValueError, TypeError, LookupError])
def test_an_error_inside_our_own_code_is_a_bug_and_not_bad_input(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def broken(*given: object, **more: object) -> None:
        raise kind("operands could not be broadcast together")

    monkeypatch.setattr(import_module("boundcheck.check.precision_ladder"), "_ask", broken)
    done = run("check", "gd.descent", "--problem", "parabola", "--method", "1/L", "--steps", "3", "--jobs", "1")
    assert done.exit_code == BUG, done.output
    assert "Traceback" in done.stderr and "broadcast together); please report it" in done.stderr


def test_only_a_user_error_becomes_one_line() -> None:
    @click.group(cls=OneLine)
    def tool() -> None: ...

    @tool.command()
    def refuses() -> None:
        raise UserError("found 0; needs 1")

    done = CliRunner().invoke(tool, ["refuses"])
    assert (done.exit_code, done.stderr) == (2, "boundcheck: found 0; needs 1\n")


def test_a_user_error_is_caught_by_its_old_base_and_survives_a_pipe() -> None:
    for kind in (NotFound, NotInstalled, NotCertified, NotInThisArithmetic, RuleError, WrongType):
        assert issubclass(kind, UserError) and issubclass(kind, BoundcheckError) and issubclass(kind, ValueError)
        again = pickle.loads(pickle.dumps(kind("found 0; needs 1")))
        assert type(again) is kind and str(again) == "found 0; needs 1"
    assert issubclass(NotInstalled, ImportError) and issubclass(WrongType, TypeError)
    assert not issubclass(RunEnds, UserError) and issubclass(RunEnds, BoundcheckError)


def test_a_user_error_met_in_a_users_file_names_the_line(run: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from boundcheck.problems import power\n\nmine = power.power(1)\n", encoding="utf-8")
    done = run("check", "gd.descent", "--problem", "mine.py:mine", "--method", "1/L", "--steps", "3", "--jobs", "1")
    assert done.exit_code == 2 and "mine.py:3: power: found p = 1" in done.stderr and done.stderr.count("\n") == 1, done.stderr

"""A folder with a sweep and the files that it names, and the command line run inside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boundcheck.cli import cli

CLAIMS = """
from boundcheck import Bound, Convex, Differentiable, GradientDescent
from boundcheck.language.letters import M_, eta, f, grad, k, normsq, x

descent = Bound(
    given=(Convex, Differentiable, GradientDescent()),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k])),
)
greedy = Bound(given=(Convex, Differentiable, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])))
"""
HELP = """
def tenth():
    return 0.1
"""
RULES = """
import math
import os
import signal
import time
from pathlib import Path

from helping import tenth

def slow(run):
    if run.k == 0 and "BEGUN" in os.environ:
        with open(os.environ["BEGUN"], "a") as log:
            log.write(f"{float(run.x[0])!r}\\n")
    time.sleep(0.002)
    return tenth()

def nan(run):
    return math.nan

def picky(run):
    if run.problem.name == "huber" and run.x[0] > 3.5:
        raise ZeroDivisionError("not from there")
    return tenth()

def moody(run):
    if Path("broken").exists():
        raise RuntimeError("not today")
    return tenth()

def hanging(run):
    if run.problem.name == "huber" and run.x[0] > 3.5:
        while True:
            time.sleep(0.01)
    return tenth()

def chatty(run):
    print("a step")
    os.system("echo from a program")
    return tenth()

def deadly(run):
    if run.x[0] > 3.5:
        os.kill(os.getpid(), signal.SIGKILL)
    return tenth()
"""
SPEC = """
claims = ["claims.py:descent"]
problems = ["parabola", "huber"]
methods = ["rules.py:slow", "1/L"]
smoothness = ["D", "H"]
seeds = { from = 0, count = 6 }
arithmetic = ["float64"]
steps = 4
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("claims.py", CLAIMS), ("rules.py", RULES), ("helping.py", HELP), ("small.toml", SPEC)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Callable[..., Result]:
    return lambda *words: CliRunner().invoke(cli, ["sweep", *map(str, words)], prog_name="boundcheck")

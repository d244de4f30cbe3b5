"""A user's folder, and the command line run inside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boundcheck.cli import cli

CLAIMS = """
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.language.letters import M_, eta, f, grad, k, normsq, x
from boundcheck.model.problem import Convex, Differentiable

descent = Bound(
    title="one step makes progress",
    given=(Convex, Differentiable, GradientDescent()),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k])),
)
greedy = Bound(given=(Convex, Differentiable, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])))
untried = Bound(states=f(x[k + 1]) <= f(x[k]), untested="nobody has two runs yet")
"""

PROBLEMS = """
from dataclasses import replace
from boundcheck.model.problem import Convex, Differentiable, Minimiser, Problem, Smooth

half = Problem(
    name="half",
    dimension=1,
    f=lambda xp, x: xp.normsq(x) / xp.scalar(2),
    grad=lambda xp, x: x,
    facts=frozenset({Convex(), Differentiable(), Smooth(1)}),
    start=[3],
    minimiser=Minimiser(point=[0]),
    rational=True,
)
still = replace(half, name="still", start=[0])

def made():
    return half

def empty():
    return replace(half, dimension=0, start=[], minimiser=None)

def number():
    return 3
"""

RULES = """
import math
import numpy as np

def tenth(run): return 0.1
def nan(run): return math.nan
def infinite(run): return math.inf
def negative(run): return -1.0
def raises(run): return 1 / 0
def nothing(run): return None
def text(run): return "fast"
def shape(run): return np.ones(3)
def two(a, b): return 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of a user, called like our own folders, so that a confusion would show."""
    for name, text in (("theorems", CLAIMS), ("problems", PROBLEMS), ("runners", RULES)):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Callable[..., Result]:
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], prog_name="boundcheck")

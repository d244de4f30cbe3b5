"""Profiles by room: each function counts in one room, and nothing is lost."""

from __future__ import annotations

import cProfile
import pstats
import subprocess
import sys
import time

import numpy as np
import pytest
from profiles import KINDS, ROOMS, by_room, profiled, room_of

from boundcheck import check, run

from .conftest import BENCHMARKS


@pytest.mark.parametrize(
    ("file", "name", "room"),
    [
        ("/x/boundcheck/arithmetic/ball_numbers.py", "exp", "arithmetic: balls, with flint"),
        ("/x/boundcheck/arithmetic/float64.py", "exp", "arithmetic: the rest, with numpy"),
        ("/x/boundcheck/evaluate/series.py", "values", "evaluate"),
        ("/x/boundcheck/check/answer.py", "answer", "check"),
        ("/x/runners/engine.py", "run", "runners"),
        ("/x/problems/logistic.py", "grad", "problems"),
        ("/x/boundcheck/cli/check.py", "check", "rest of boundcheck"),
        ("/x/site-packages/numpy/linalg/_linalg.py", "norm", "numpy, called by name"),
        ("~", "<method 'reduce' of 'numpy.ufunc' objects>", "numpy, called by name"),
        ("<frozen importlib._bootstrap>", "_load", "imports"),
        ("~", "<built-in method builtins.len>", "rest of Python"),
        ("/x/lib/python3.11/functools.py", "__get__", "rest of Python"),
    ],
)
def test_a_function_counts_in_its_room(file, name, room):
    assert room_of(file, name) == room


def test_the_rooms_together_are_the_whole():
    profile = cProfile.Profile()
    profile.runcall(lambda: check("eq:local-descent-lemma", run("quadratic-3d", "1/L", steps=30), smoothness="D"))
    spent = by_room(profile)
    assert list(spent) == list(ROOMS)
    assert sum(spent.values()) == pytest.approx(pstats.Stats(profile).total_tt)
    assert spent["evaluate"] > 0
    assert spent["runners"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_profile_has_the_work_in_it(kind):
    assert by_room(profiled(kind, seconds=0.05))["evaluate"] > 0


def test_no_work_begins_after_the_time_is_over(monkeypatch):
    done = []

    def spin(n):
        done.append(n)
        until = time.process_time() + 0.06
        while time.process_time() < until:
            pass

    monkeypatch.setitem(KINDS, "made up", lambda seed: iter([lambda n=n: spin(n) for n in range(9)]))
    profiled("made up", seconds=0.1)
    assert done == [0, 1]


def test_every_kind_of_profile_is_named_in_the_help():
    done = subprocess.run(
        [sys.executable, BENCHMARKS / "profiles.py", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert all(f"profiles.py {kind}" in done for kind in KINDS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bench_start", "bench_definition", "bench_hardware", "bench_growth", "bench_profile"])
def test_a_quick_run_tells_something_finite(name):
    import table

    done = table.run(BENCHMARKS / f"{name}.py", quick=True)
    assert not done.failed
    assert done.measured
    assert all(np.isfinite([m.value, m.low, m.high]).all() and m.low <= m.value <= m.high for m in done.measured)

"""The paper's figures show true numbers, the same bytes every time, and lines that can be told apart without colour."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic.plain import FLOAT64
from boundcheck.figures import figures, make
from boundcheck.figures.figure import FigureNumbers
from boundcheck.figures.runs import run_once
from boundcheck.library.names import draw_from_family, problem_named
from boundcheck.theorems.directional_smoothness.figures import rate_comparison
from boundcheck.theorems.directional_smoothness.figures.lines import LINES, PRINTED
from boundcheck.theorems.directional_smoothness.figures.quadratic_bound import CURVES as PARABOLAS
from boundcheck.theorems.directional_smoothness.figures.quadratic_bound import level_set_smoothness, smoothness
from boundcheck.theorems.directional_smoothness.figures.quadratics import METHODS
from boundcheck.theorems.directional_smoothness.figures.rate_comparison import CURVES
from boundcheck.theorems.directional_smoothness.figures.thinning import even, gaps, growing

LOGISTIC = "logistic-40x5"


def computed(name: str, **options: Any) -> FigureNumbers:
    figure = figures()[name]
    return figure.compute({**figure.options, **options}, lambda done, what: None)


# -- quadratics ---------------------------------------------------------------------------------------------------------------


def test_the_means_over_random_quadratics_are_those_of_the_ordinary_runner() -> None:
    numbers = computed("quadratics", steps=6, problems=3, dimension=7, seed=5)
    problems = [draw_from_family("power-law", L=1000.0, alpha=3.0, dimension=7, seed=seed) for seed in (5, 6, 7)]
    for method in METHODS:
        runs = [run_once(problem, method, steps=6, chords=("D",)) for problem in problems]
        for panel, series in (
            ("gap", [r.gap for r in runs]),
            ("D", [r.chords["D"] for r in runs]),
            ("eta", [r.eta for r in runs]),
        ):
            rows = numbers.where(panel=panel, method=method)
            assert rows["k"].tolist() == rows["last_k"].tolist() == list(range(len(series[0])))
            assert np.allclose(rows["mean"], np.mean(series, axis=0), rtol=1e-8)
            assert np.allclose(rows["deviation"], np.std(series, axis=0), rtol=1e-6, atol=1e-9 * rows["mean"].max())
            assert np.allclose(rows["high"], np.quantile(series, 0.9, axis=0), rtol=1e-8)


def test_the_caption_says_what_the_printed_equation_changes() -> None:
    numbers = computed("quadratics", steps=300, problems=2, dimension=20)
    facts, said = numbers.facts, figures()["quadratics"].caption(numbers)
    assert facts["eta_D"][PRINTED] == pytest.approx(2 * np.sqrt(2)) and facts["eta_D"]["1/D"] == pytest.approx(1)
    assert facts["first_step"][PRINTED] / facts["first_step"]["1/D"] == pytest.approx(2 * np.sqrt(2))
    assert "eta_k D_k = 2.83 at every step" in said and f"D_k settles at {facts['late_D'][PRINTED]:.3g} L" in said
    assert facts["late_D"]["1/D"] < 0.6 and facts["late_D"][PRINTED] > 1.3


def test_runs_that_arrive_leave_the_mean_to_the_others() -> None:
    numbers = computed("quadratics", steps=700, problems=2, dimension=2)
    assert numbers.facts["arrived"] > 0 and np.isfinite(numbers.columns["mean"][numbers.columns["panel"] == "gap"]).all()
    assert f"{numbers.facts['arrived']} of the runs arrive at the minimiser" in figures()["quadratics"].caption(numbers)
    assert "arrive" not in figures()["quadratics"].caption(computed("quadratics", steps=5, problems=2, dimension=4))


@pytest.mark.parametrize("count", [1, 2, 5, 7, 40, 20_001])
def test_groups_of_steps_cover_every_step_once(count: int) -> None:
    for ends in (growing(count, 30), even(count, 30)):
        assert ends[0] == 0 and ends[-1] == count and (np.diff(ends) > 0).all() and len(ends) <= 40


def test_gaps_in_groups_are_the_best_so_far() -> None:
    values = np.array([5.0, 3, 4, 2, 6, 1, 7, 0.5, 9, 8, 3])
    drawn = gaps(values, 4)
    assert drawn["value"].tolist() == [np.minimum.accumulate(values)[k] for k in drawn["k"]] and drawn["high"].max() == 9
    assert np.isnan(gaps(np.array([3.0, 2, 1]), 4)["low"])


# -- quadratic-bound ------------------------------------------------------------------------------------------------------------


def test_every_bound_of_the_right_panel_is_above_the_function() -> None:
    numbers = computed("quadratic-bound")
    f = numbers.where(panel="moving", curve="f")["value"]
    for curve in ("L", "D", "A"):
        assert (numbers.where(panel="moving", curve=curve)["value"] >= f - 1e-12).all(), curve
    y, slope = numbers.where(panel="moving", curve="f")["y"], 4.0
    half = 4 + slope * (y - 2) + smoothness(problem_named("figure-objective"), y)["D"] / 4 * (y - 2) ** 2
    assert (half < f - 0.1).any()  # half of D is no directional smoothness


def test_L_is_the_curvature_of_the_level_set_and_the_step_minimises_its_bound() -> None:
    problem, numbers = problem_named("figure-objective"), computed("quadratic-bound")
    y = np.linspace(-2, 2, 4001)
    slopes = np.diff(problem.grad(FLOAT64, y[:, None])[:, 0]) / np.diff(y)
    L = level_set_smoothness(problem)
    assert slopes.max() <= L <= slopes.max() * 1.001 and problem.f(FLOAT64, y[:, None]).max() <= 4
    drawn = numbers.where(panel="fixed", curve="L")
    after = numbers.facts["after"][0]
    assert abs(drawn["y"][drawn["value"].argmin()] - after) <= np.diff(drawn["y"])[0]
    assert numbers.facts["M"]["H"] == pytest.approx(2) and numbers.facts["M"]["D"] == pytest.approx(4)
    assert numbers.facts["bounds"]["H"] == pytest.approx(numbers.facts["after"][1])
    assert numbers.facts["adapted"]["1/D"][:2] == pytest.approx([0.25, 1.0])
    assert numbers.facts["adapted"][PRINTED][3] == pytest.approx(2 * np.sqrt(2))


# -- the two with logistic regressions ------------------------------------------------------------------------------------------


def test_drawn_bounds_are_above_the_drawn_gaps_and_the_directional_one_is_tighter() -> None:
    numbers = computed("rate-comparison", steps=25, data=(LOGISTIC,))
    for method in ("1/D", "polyak(3/2)"):
        best = numbers.where(method=method, curve="gap")
        for curve in [name for name in numbers.values("curve") if name.startswith("bound")]:
            rows = numbers.where(method=method, curve=curve)
            gap = np.interp(rows["k"], best["k"], best["value"])
            assert (rows["value"] >= gap).all(), (method, curve)
    facts = numbers.facts["of"][LOGISTIC]
    assert facts["tighter"]["1/D"] > 1 and facts["printed_eta_D"] == pytest.approx(2 * np.sqrt(2))
    assert facts["printed_bound"] > facts["directional"]["1/D"]
    assert facts["tighter"]["1/D"] / facts["over_best"] == pytest.approx(8 + 4 / 25)  # 2 L Delta_0 / k over L Delta_0 / (4k + 2)
    assert f"gives {facts['printed_bound']:.3g} in place of {facts['directional']['1/D']:.3g}" in rate_comparison.caption(numbers)


def test_methods_on_a_logistic_regression_start_together_and_are_their_runs() -> None:
    numbers = computed("logistic-comparison", steps=10, data=(LOGISTIC,))
    for method in ("1/L", "1/D", "polyak(1)", "adgd(1/1000)", PRINTED):
        rows, run = numbers.where(method=method), run_once(problem_named(LOGISTIC), method, steps=10)
        assert rows["value"].tolist() == [np.minimum.accumulate(run.gap)[k] for k in rows["k"]]
    assert len({float(numbers.where(method=method)["value"][0]) for method in numbers.values("method")}) == 1
    assert numbers.facts["of"][LOGISTIC]["eta_D"] == pytest.approx(2 * np.sqrt(2))


# -- all ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [LINES, CURVES, PARABOLAS], ids=["methods", "bounds", "parabolas"])
def test_lines_differ_in_colour_in_dash_and_in_mark(lines: Any) -> None:
    for what in ("colour", "dash", "mark", "label"):
        assert len({getattr(line, what) for line in lines.values()}) == len(lines), what


SCRIPT = """
import hashlib, json, sys
from boundcheck.figures import make
made = [make(name, sys.argv[1], formats=formats, **options) for name, formats, options in json.loads(sys.argv[2])]
print(json.dumps({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for one in made for path in one.paths}))
"""
SMALL: dict[str, dict[str, Any]] = {
    "quadratics": {"steps": 40, "problems": 2, "dimension": 6},
    "quadratic-bound": {},
    "rate-comparison": {"steps": 6, "data": [LOGISTIC]},
    "logistic-comparison": {"steps": 6, "data": [LOGISTIC]},
}


def in_a_fresh_process(folder: Path, number: int, asked: list[Any]) -> dict[str, str]:
    """The digests of the files that a new process writes, with hashes, a cache and a time zone of its own."""
    own = {"PYTHONHASHSEED": str(number), "BOUNDCHECK_CACHE": str(folder / f"cache{number}"), "TZ": f"UTC+{number}"}
    words = [sys.executable, "-c", SCRIPT, str(folder / f"out{number}"), json.dumps(asked)]
    done = subprocess.run(words, env={**os.environ, **own}, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_two_fresh_processes_write_the_same_bytes(tmp_path: Path) -> None:
    asked = [("quadratics", ["svg", "png"], SMALL["quadratics"]), ("logistic-comparison", ["svg"], SMALL["logistic-comparison"])]
    first, second = (in_a_fresh_process(tmp_path, number, asked) for number in range(2))
    assert first == second and len(first) == 7


@pytest.mark.slow
def test_two_fresh_processes_write_the_same_bytes_of_every_figure_and_kind(tmp_path: Path) -> None:
    asked = [(name, ["svg", "png", "pdf"], options) for name, options in SMALL.items()]
    first, second = (in_a_fresh_process(tmp_path, number, asked) for number in range(2))
    assert first == second and len(first) == 20
    other = [("quadratics", ["svg"], {**SMALL["quadratics"], "seed": 1})]
    assert in_a_fresh_process(tmp_path, 2, other)["quadratics.svg"] != first["quadratics.svg"]


@pytest.mark.slow
def test_the_quadratics_in_full_size_take_less_than_20_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOUNDCHECK_CACHE", str(tmp_path / "cache"))
    started = time.perf_counter()
    made = make("quadratics", tmp_path, fresh=True)
    assert time.perf_counter() - started < 20 and not made.cached
    assert "20,000 steps on 20 random quadratics in 300 dimensions" in made.caption

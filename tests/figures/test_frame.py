"""What holds of every figure: tables, files that are whole, numbers that are kept and found again."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boundcheck.figures import Figure, FigureNumbers, MadeFigure, figure_files, make, table
from boundcheck.figures import figure_files as kept
from boundcheck.figures.figure import NoFigure


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """A figure 'dots' whose numbers are drawn once; the list counts how often."""
    calls: list[int] = []

    def compute(options: Any, tell: Callable[[float, str], None]) -> FigureNumbers:
        calls.append(options["steps"])
        k = np.arange(options["steps"])
        return table([{"k": k, "value": k / 7, "name": "a, b"}], steps=options["steps"])

    def draw(canvas: Any, numbers: FigureNumbers) -> None:
        canvas.subplots().plot(numbers.columns["k"], numbers.columns["value"])

    dots = Figure(
        name="dots",
        title="Dots",
        compute=compute,
        draw=draw,
        caption=lambda n: f"{n.facts['steps']} dots",
        options={"steps": 4, "data": ()},
    )
    monkeypatch.setattr(figure_files, "figures", lambda: {"dots": dots})
    monkeypatch.setenv("BOUNDCHECK_CACHE", str(tmp_path / "cache"))
    return calls


def test_four_files_are_written_and_the_table_reads_back_exactly(counted: list[int], tmp_path: Path) -> None:
    done = make("dots", tmp_path / "out")
    assert [path.name for path in done.paths] == ["dots.svg", "dots.png", "dots.csv", "dots.txt"]
    assert done.path("txt").read_text() == "Dots\n\n4 dots\n" and done.caption == "4 dots"
    with done.path("csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["value"]) for row in rows] == [0.0, 1 / 7, 2 / 7, 3 / 7] and rows[0]["name"] == "a, b"
    assert done.path("png").read_bytes().startswith(b"\x89PNG") and b"</svg>" in done.path("svg").read_bytes()
    assert not [path for path in (tmp_path / "out").iterdir() if path.name.startswith(".")]


def made(folder: Path, **options: Any) -> MadeFigure:
    """The dots as SVG only: what is drawn is not what is asked here."""
    return make("dots", folder, formats=["svg"], **options)


def test_numbers_are_computed_once_for_each_choice_of_options(counted: list[int], tmp_path: Path) -> None:
    first, second = made(tmp_path), made(tmp_path)
    assert (first.cached, second.cached, counted) == (False, True, [4])
    made(tmp_path, steps=5)
    made(tmp_path, fresh=True)
    assert counted == [4, 5, 4]


def test_the_same_numbers_are_the_same_bytes_and_others_are_not(counted: list[int], tmp_path: Path) -> None:
    pictures = [made(tmp_path, steps=steps, fresh=True).path("svg").read_bytes() for steps in (4, 4, 5)]
    assert pictures[0] == pictures[1] != pictures[2]


def test_a_data_file_that_changes_is_computed_again(counted: list[int], tmp_path: Path) -> None:
    data = tmp_path / "samples, new.csv"
    data.write_text("1")
    for text in ("1", "2", "2"):
        data.write_text(text)
        made(tmp_path, data=[f"data({data}, label=3)"])
    assert len(counted) == 2


def test_code_that_changes_is_computed_again(counted: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path)
    monkeypatch.setattr(kept, "_code", lambda: "another digest")
    made(tmp_path)
    assert len(counted) == 2


def _one_bit_of_the_numbers(content: bytes) -> bytes:
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.parametrize("damage", [lambda b: b[: len(b) // 2], lambda b: b"", _one_bit_of_the_numbers])
def test_damaged_numbers_are_computed_again_and_one_line_says_so(
    counted: list[int], tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    lines: list[str] = []
    made(tmp_path, steps=300)
    (file,) = (tmp_path / "cache").rglob("*.npz")
    file.write_bytes(damage(file.read_bytes()))
    again = made(tmp_path, steps=300, say=lines.append)
    assert not again.cached and len(counted) == 2
    assert len(lines) == 1 and "the kept numbers of 'dots' cannot be read" in lines[0] and "computed again" in lines[0]
    assert made(tmp_path, steps=300, say=lines.append).cached and len(lines) == 1


def test_a_cache_that_cannot_be_written_costs_a_line_and_no_figure(
    counted: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BOUNDCHECK_CACHE", str(tmp_path / "file"))
    lines: list[str] = []
    assert made(tmp_path, say=lines.append).paths[0].is_file()
    assert len(lines) == 1 and "BOUNDCHECK_CACHE" in lines[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_killed_leaves_nothing_behind(tmp_path: Path, number: int) -> None:
    words = [
        sys.executable,
        "-m",
        "boundcheck",
        "figure",
        "quadratics",
        "--steps",
        "2000000",
        "--problems",
        "1",
        "--dimension",
        "4",
    ]
    environment = {**os.environ, "BOUNDCHECK_CACHE": str(tmp_path / "cache")}
    running = subprocess.Popen([*words, "--out", str(tmp_path / "out")], env=environment, stdout=subprocess.DEVNULL)
    while not (tmp_path / "out").is_dir():
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(number)
    assert running.wait() != 0
    assert list((tmp_path / "out").iterdir()) == [] and not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"steps": -3}, "steps is a whole number, 1 or more; found -3"),
        ({"steps": True}, "steps is a whole number"),
        ({"step": 3}, "figure 'dots' has no option 'step'; did you mean 'steps'?; it takes steps, data"),
        ({"formats": ["gif"]}, "figures are written as svg, png, pdf; found 'gif'"),
    ],
)
def test_bad_options_are_one_line(counted: list[int], tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(NoFigure) as wrong:
        make("dots", tmp_path, **options)
    assert said in str(wrong.value) and "\n" not in str(wrong.value) and counted == []


def test_a_table_needs_columns_of_one_length() -> None:
    with pytest.raises(NoFigure, match="one length"):
        FigureNumbers({"a": np.zeros(2), "b": np.zeros(3)})
    with pytest.raises(NoFigure, match="same columns"):
        table([{"a": 1}, {"b": 2}])
    whole = table([{"k": np.arange(3), "name": "x"}, {"k": np.arange(2), "name": "longer"}], seed=1)
    assert whole.where(name="longer")["k"].tolist() == [0, 1] and whole.values("name") == ["x", "longer"]
    assert replace(whole).facts == {"seed": 1}

"""`boundcheck figure`: what it lists, what it writes, and one line for whatever is wrong."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boundcheck.cli import cli
from boundcheck.figures import figure_files, figures
from boundcheck.library.entry_points import Offer, offers

SMALL = ("quadratics", "--steps", "30", "--problems", "2", "--dimension", "5", "--format", "svg")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOUNDCHECK_CACHE", str(tmp_path / "cache"))


def figure(*words: str) -> Result:
    return CliRunner().invoke(cli, ["figure", *words])


def test_without_a_name_the_figures_of_the_paper_are_listed_in_its_order() -> None:
    listed = json.loads(figure("--json").stdout)
    assert [one["figure"] for one in listed] == ["rate-comparison", "quadratic-bound", "quadratics", "logistic-comparison"]
    shown = figure()
    assert shown.exit_code == 0 and "--steps 20000 --problems 20 --dimension 300 --seed 0" in shown.stdout


def test_a_figure_is_written_with_its_caption_and_found_again(tmp_path: Path) -> None:
    first = figure(*SMALL, "--out", str(tmp_path / "new" / "folder"), "--json")
    assert first.exit_code == 0, first.output
    said = json.loads(first.stdout)
    assert not said["cached"] and all(Path(path).is_file() for path in said["paths"])
    assert "30 steps on 2 random quadratics in 5 dimensions" in said["caption"]
    again = figure(*SMALL, "--out", str(tmp_path))
    assert again.exit_code == 0 and said["caption"] in again.stdout
    assert (tmp_path / "quadratics.svg").is_file() and not (tmp_path / "quadratics.png").exists()
    assert json.loads(figure(*SMALL, "--out", str(tmp_path), "--json", "--fresh").stdout)["cached"] is False


def test_a_data_file_of_the_user_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "samples.csv"
    path.write_text("a,b,label\n" + "\n".join(f"{n % 7},{(n * n) % 5},{'yes' if (n * 3) % 4 < 2 else 'no'}" for n in range(40)))
    done = figure("logistic-comparison", "--data", str(path), "--steps", "12", "--out", str(tmp_path), "--format", "svg")
    assert done.exit_code == 0, done.output
    assert "samples.csv: steps until the gap is a thousandth" in done.stdout
    assert "samples.csv" in (tmp_path / "logistic-comparison.csv").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("quadratic",), "no figure 'quadratic'; did you mean 'quadratics'?"),
        (("zebra",), "no figure 'zebra'; there are rate-comparison, quadratic-bound"),
        (("quadratics", "--steps", "-3"), "steps is a whole number, 1 or more; found -3"),
        (("quadratics", "--problems", "0"), "problems is a whole number, 1 or more; found 0"),
        (("quadratics", "--dimension", "1"), "dimension is a whole number, 2 or more"),
        (("quadratics", "--steps", "many"), "'many' is not a valid integer"),
        (
            ("quadratics", "--data", "a.csv"),
            "figure 'quadratics' has no option 'data'; it takes steps, problems, dimension, seed",
        ),
        (("quadratic-bound", "--steps", "3"), "figure 'quadratic-bound' has no option 'steps'; it takes none"),
        (("logistic-comparison", "--data", "nowhere.csv"), "no file nowhere.csv"),
        (("logistic-comparison", "--data", "zebra"), "no problem 'zebra'"),
        (("rate-comparison", "--data", "logistic-separable"), "logistic-separable"),
        (("quadratics", "--format", "gif"), "figures are written as svg, png, pdf; found 'gif'"),
        (("--steps", "3"), "options need the NAME of a figure"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = figure(*words, "--out", str(tmp_path / "out"))
    assert done.exit_code == 2, done.output
    assert len(done.stderr.splitlines()) == 1 and said in done.stderr, done.stderr
    assert not list((tmp_path / "out").glob("*")) and done.stdout == ""


def test_an_empty_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("")
    done = figure("logistic-comparison", "--data", str(tmp_path / "empty.csv"), "--out", str(tmp_path))
    assert done.exit_code == 2 and len(done.stderr.splitlines()) == 1 and "empty.csv is empty" in done.stderr


def test_a_file_in_place_of_a_folder_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    done = figure(*SMALL, "--out", str(tmp_path / "out"))
    assert done.exit_code == 2 and "is a file; give a folder to write into" in done.stderr


def test_without_matplotlib_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"] or ["matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    done = figure(*SMALL, "--out", str(tmp_path))
    assert done.exit_code == 2
    assert done.stderr == "boundcheck: a figure needs matplotlib, which is not installed: pip install 'boundcheck[report]'\n"
    assert figure().exit_code == 0


def test_the_figure_of_the_documentation_works() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "figures.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(page.split("```python\n")[1].split("```")[0], names)
    numbers = names["mine"].compute({"steps": 2}, lambda done, what: None)
    assert numbers.columns["gap"].tolist() == [2.5, 1.5, 0.5]


def test_the_documentation_shows_every_figure_and_its_command() -> None:
    folder = Path(__file__).resolve().parents[2] / "docs"
    page = (folder / "figures.md").read_text(encoding="utf-8")
    for name in figures():
        assert f"`boundcheck figure {name}`" in page and f"(figures/{name}.svg)" in page
        assert (folder / "figures" / f"{name}.svg").stat().st_size < 200_000


def test_another_package_adds_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("theirs")
    vars(module).update(mine=replace(figures()["quadratic-bound"], name="mine"), other=3)
    monkeypatch.setattr(figure_files, "offers", lambda group: (*offers(group), Offer("theirs", module)))
    assert list(figure_files.figures.__wrapped__()) == [*figures(), "mine"]

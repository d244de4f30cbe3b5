"""`boundcheck quote`: places ready to paste, and the missing places of a paper."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boundcheck.claims.source import Paper, read_places
from boundcheck.cli import cli

TEXT = r"""\documentclass{article}
\begin{document}
\section{One}\label{sec:one}
Here is a sentence.
\begin{equation}
  \label{eq:a} a \leq b % a comment
\end{equation}
\end{document}
"""
CLAIMS = """
from boundcheck.claims.bound import Bound
from boundcheck.language.letters import f, k, x
from boundcheck.claims.source import Paper, read_places

PAPER = Paper(name="{name}", places=read_places(__package__))
a = Bound(states=f(x[k + 1]) <= f(x[k]), source=PAPER.at("eq:a"))
part = Bound(states=f(x[k + 1]) <= f(x[k]), source=PAPER.at("sec:one.part"))
ours = Bound(states=f(x[k + 1]) <= f(x[k]), source=PAPER.at("eq:ours"), reading="lemma")
"""
INVENTORY = '[[claim]]\nline = 4\nlabel = "sec:one.part"\nwhere = "Section 1"\nmeaning = "m"\ncovered_by = ["sec:one.part"]\n'


@pytest.fixture
def quote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "paper.tex").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Result:
        return CliRunner().invoke(cli, ["quote", "paper.tex", *words])

    return run


def test_lines_are_printed_as_toml_and_the_words_are_shown_on_stderr(quote):
    done = quote("5-7")
    assert done.exit_code == 0
    found = tomllib.loads(done.stdout)["eq:a"]
    assert found["lines"] == [5, 7] and found["number"] == "Equation (1)" and "-" in found["fingerprint"]
    assert r"a \leq b" in done.stderr and "comment" not in done.stderr and r"\leq" not in done.stdout


def test_a_line_without_a_label_is_what_it_stands_in(quote):
    assert tomllib.loads(quote("4").stdout)["LABEL"]["number"] == "Section 1"
    assert "sec:one.part" in tomllib.loads(quote("4", "--label", "sec:one.part").stdout)


def test_numbers_lists_the_labels(quote):
    assert quote("--numbers").stdout.splitlines() == ["3\tsec:one\tSection 1", "6\teq:a\tEquation (1)"]


def test_json_has_the_same(quote):
    (found,) = json.loads(quote("5-7", "--json").stdout)
    assert found == {"label": "eq:a", **tomllib.loads(quote("5-7").stdout)["eq:a"]}
    assert json.loads(quote("--numbers", "--json").stdout)[1] == {"label": "eq:a", "line": 6, "number": "Equation (1)"}


@pytest.mark.parametrize(
    "words", [("99",), ("7-5",), ("0",), ("x-y",), (), ("4", "--numbers"), ("4", "--write"), ("--paper", "nobody")]
)
def test_bad_input_is_one_line(quote, words):
    done = quote(*words)
    assert done.exit_code == 2 and len(done.stderr.splitlines()) == 1 and done.stdout == ""


def test_a_missing_file_is_one_line(quote):
    done = CliRunner().invoke(cli, ["quote", "none.tex", "1"])
    assert done.exit_code == 2 and "there is no file none.tex" in done.stderr


def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> Path:
    """A package of claims about the made-up paper, which counts among the papers."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text(CLAIMS.replace("{name}", name), encoding="utf-8")
    (folder / "inventory.toml").write_text(INVENTORY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = __import__(name)
    monkeypatch.setattr("boundcheck.library.catalogue.papers", lambda: (module,))
    return folder


def test_missing_places_are_added_and_those_there_stay(quote, tmp_path, monkeypatch):
    folder = package(tmp_path, monkeypatch, "made_up_paper_1")
    done = quote("--paper", "made_up_paper_1", "--write")
    assert done.exit_code == 0, done.output
    made = read_places("made_up_paper_1")
    assert {label: (place.lines, place.number) for label, place in made.items()} == {
        "sec:one.part": ((4, 4), "Section 1"),
        "eq:a": ((5, 7), "Equation (1)"),
    }
    by_hand = tomllib.loads(quote("6", "--label", "eq:a").stdout)["eq:a"]
    text = (folder / "places.toml").read_text(encoding="utf-8")
    text = text.replace("lines = [5, 7]", "lines = [6, 6]").replace(made["eq:a"].fingerprint, by_hand["fingerprint"])
    (folder / "places.toml").write_text(text, encoding="utf-8")
    assert quote("--paper", "made_up_paper_1", "--write").exit_code == 0
    assert read_places("made_up_paper_1")["eq:a"].lines == (6, 6)


def test_places_of_what_the_paper_does_not_say_are_taken_away(quote, tmp_path, monkeypatch):
    folder = package(tmp_path, monkeypatch, "made_up_paper_2")
    stray = quote("4", "--label", "eq:ours").stdout
    (folder / "places.toml").write_text(stray, encoding="utf-8")
    done = quote("--paper", "made_up_paper_2", "--write")
    assert done.exit_code == 0 and "no claim of this label is the paper's" in done.stderr
    assert "eq:ours" not in read_places("made_up_paper_2")


def test_a_fingerprint_that_the_source_lacks_is_told(quote, tmp_path, monkeypatch):
    folder = package(tmp_path, monkeypatch, "made_up_paper_3")
    (folder / "places.toml").write_text(quote("5-7").stdout, encoding="utf-8")
    (tmp_path / "paper.tex").write_text(TEXT.replace(r"\leq", r"\geq"), encoding="utf-8")
    done = quote("--paper", "made_up_paper_3")
    assert done.exit_code == 1 and "eq:a: its fingerprint is not in paper.tex" in done.stderr


def test_a_paper_without_places_has_none() -> None:
    assert Paper(name="p").at("eq:1").printed is None

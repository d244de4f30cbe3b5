"""`--source PAPER.tex`: the paper's words beside each printed claim, and misquotes. The paper here is made up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boundcheck.claims.latex_source.numbering import numbered
from boundcheck.claims.latex_source.statement_places import place_of_lines
from boundcheck.claims.latex_source.tex_source import TexSource
from boundcheck.cli import cli

from .small import library, store_at

TEXT = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\begin{document}
\begin{lemma}\label{lemma:local-descent-lemma}
  Each short step makes progress in this made-up sentence.
\end{lemma}
Hence, in other made-up words,
\begin{equation}\label{eq:10} \delta_k \geq g_k. \end{equation}
\end{document}
"""
LINES = {"lemma:local-descent-lemma": (4, 6), "eq:10": (7, 8)}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`boundcheck report` on a small library whose claims stand in the made-up paper."""
    source = TexSource("paper.tex", tuple(TEXT.split("\n")))
    numbers = numbered(source)
    claims = [
        replace(b, source=replace(b.source, printed=place_of_lines(source, numbers, *LINES[b.label], b.label))) for b in library()
    ]
    monkeypatch.setattr("boundcheck.library.references.bounds", lambda: claims)
    monkeypatch.setattr("boundcheck.report.content.ENOUGH_PROBLEMS", 1)
    monkeypatch.chdir(tmp_path)
    store_at(tmp_path / "results.sqlite").close()

    def report(text: str | None, *words: str) -> Result:
        if text is not None:
            (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
        return CliRunner().invoke(cli, ["report", ".", "--source", "paper.tex", *words])

    return report


def test_a_source_that_says_what_is_quoted_is_all_right(run, tmp_path):
    done = run(TEXT)
    assert done.exit_code == 0, done.output
    assert "2 of 2 quotations found in paper.tex" in done.stdout.splitlines()
    found = json.loads((tmp_path / "verdicts.json").read_text(encoding="utf-8"))
    assert [(row["number"], row["found"]) for row in found["quotations"]] == [("Lemma 1", [4, 6]), ("Equation (1)", [7, 8])]


def test_a_planted_misquote_is_told_in_a_line_and_is_an_error(run, tmp_path):
    done = run(TEXT.replace(r"\geq g_k", r"\leq g_k"))
    assert done.exit_code == 1
    assert "1 of 2 quotations found in paper.tex" in done.stdout.splitlines()
    (line,) = [line for line in done.stdout.splitlines() if "misquote:" in line]
    assert "eq:10@printed" in line and "expected at lines 7-8 (Equation (1))" in line and r"\leq g_k" in line
    for name in ("summary.md", "verdicts.json", "index.html"):
        assert "misquote" in (tmp_path / name).read_text(encoding="utf-8"), name


def test_what_moved_is_found_and_no_misquote(run):
    done = run("% a new first line\n\n" + TEXT)
    assert done.exit_code == 0
    assert "2 of 2 quotations found in paper.tex, 2 moved" in done.stdout


def test_json_says_where_each_was_found(run):
    found = json.loads(run(TEXT.replace("progress", "haste"), "--json").stdout)
    assert found["exit_code"] == 1
    assert [row["found"] for row in found["quotations"]] == [None, [7, 8]]


@pytest.mark.parametrize(
    ("text", "said"), [(None, "there is no file paper.tex"), ("", "paper.tex is empty"), ("a\0", "not a text")]
)
def test_a_source_that_cannot_be_read_is_refused_before_the_work(run, tmp_path, text, said):
    done = run(text)
    assert done.exit_code == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "index.html").exists()


def test_paper_refuses_it_before_the_work_too(run, tmp_path):
    done = CliRunner().invoke(cli, ["paper", "--source", "none.tex", "--out", "new"])
    assert done.exit_code == 2 and "there is no file none.tex" in done.stderr
    assert not (tmp_path / "new").exists()


def test_claims_without_places_are_told(run, monkeypatch):
    claims = [replace(b, source=replace(b.source, printed=None)) for b in library()]
    monkeypatch.setattr("boundcheck.library.references.bounds", lambda: claims)
    done = run(TEXT)
    assert done.exit_code == 0 and "no printed claim says where it stands in paper.tex" in done.stdout


def test_without_a_source_nothing_is_quoted(run, tmp_path):
    done = CliRunner().invoke(cli, ["report", "."])
    assert done.exit_code == 0 and "quotations" not in done.stdout
    assert "quotations" not in json.loads((tmp_path / "verdicts.json").read_text(encoding="utf-8"))

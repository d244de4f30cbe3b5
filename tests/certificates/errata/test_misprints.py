"""Misprints that make nothing false."""

from __future__ import annotations

from pathlib import Path

import pytest

from boundcheck.certificates.errata import ErrataContent, errata_page, findings_about, misprints_about
from boundcheck.certificates.errata.findings import Misprint, misprints, read_misprints
from boundcheck.library.catalogue import bounds_of, papers

from .made_up import CLAIMS

SOURCE = Path(__file__).resolve().parents[4] / "shared/paper/directional_smoothness.tex"
(PAPER,) = [paper for paper in papers() if paper.__name__.endswith("directional_smoothness")]
GOOD = "[[misprint]]\nline = 3\nwhere = 'Theorem 1'\nprinted = '$x$'\nmeant = '$y$'\n"


def test_the_misprints_of_a_paper_are_in_its_order():
    found = misprints(PAPER)
    assert found and [one.line for one in found] == sorted(one.line for one in found)
    assert misprints_about(bounds_of(PAPER)[:1]) == found
    assert misprints_about(CLAIMS) == ()


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        (913, r"\nabla f(x)^{\top}"),
        (968, r"\nabla^2 f(x)"),
        (991, r"\frac{k \sum"),
        (1162, r"1/\sqrt{i}"),
        (1588, r"\gamma_{k_1}"),
    ],
)
def test_misprints_are_printed_where_they_are_said_to_be(line, printed):
    if not SOURCE.is_file():
        pytest.skip(f"the paper's source is not at {SOURCE}")
    assert printed in SOURCE.read_text().splitlines()[line - 1]
    assert line in [one.line for one in misprints(PAPER)]


def test_errata_list_misprints_after_what_is_false():
    page = errata_page(ErrataContent(bounds=CLAIMS, errata=(), misprints=read_misprints(GOOD)))
    assert "## Misprints that make nothing false (1)" in page
    assert "- Theorem 1, line 3: printed is $x$; meant is $y$." in page
    assert "Misprints" not in errata_page(ErrataContent(bounds=CLAIMS, errata=(), findings=findings_about(CLAIMS)))


def test_a_misprint_is_told_in_one_line():
    one = Misprint(line=3, where="Theorem 1", printed="$x$", meant="$y$")
    assert read_misprints(GOOD) == [one]


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("line = 3", "line = '3'", "a misprint has a line, a number, and where, printed and meant, texts"),
        ("meant = '$y$'", "", "a misprint has a line"),
        ("meant = '$y$'", "meant = '$y'", r"line 3: found meant = '\$y'; it needs words, with mathematics between two \$"),
        ("meant = '$y$'", "meant = ' '", "line 3: found meant = ' '; it needs words"),
        ("[[misprint]]", "[[misprints]]", r"found 'misprints'; it holds tables \[\[misprint\]\] and nothing else"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(written, instead, said):
    with pytest.raises(ValueError, match=said):
        read_misprints(GOOD.replace(written, instead))

"""The lines with which a report begins."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from boundcheck.certificates.errata import Severity, findings_about, summary
from boundcheck.claims.bound import Paper
from boundcheck.library.catalogue import bounds_of, papers
from boundcheck.library.inventory import inventory

from .made_up import CLAIMS, STANDS, claim, finding, rows

FOUND = [
    finding("The lemma is false", Severity.THEOREM, "falls"),
    finding("A line lacks a factor", Severity.SLIP, "thm:whole.line"),
]


def test_a_small_paper_is_told_in_eight_lines():
    assert summary(CLAIMS, rows(), FOUND) == [
        "A. Author, B. Author: On Steps, 2020.",
        "7 printed statements were checked, lines of proofs and remarks included: 3 hold, 3 are refuted, 1 is not decided.",
        "2 of the 5 theorems, propositions, lemmas and corollaries stand as printed: Theorem 1.1 (thm:stands), "
        "Theorem 1.5 (thm:whole).",
        "1 is false as printed and stands corrected: Theorem 1.2 (thm:corrected).",
        "1 falls with nothing to replace it: Lemma 1.3 (falls).",
        "1 is not decided: Corollary 1.4 (thm:undecided).",
        "The 3 refuted statements have 3 causes: 1 breaks a theorem or another stated result; 1 is a slip of an index, a "
        "constant or an order; 1 is not rated yet.",
        "What breaks a stated result: The lemma is false.",
        "What holds has held on everything that was tried, which is not a proof; what is refuted has a counterexample, or a "
        "short argument.",
    ]


def test_a_paper_in_which_nothing_is_wrong_has_no_causes():
    lines = summary([STANDS], rows(), FOUND)
    assert lines[1].endswith("1 holds, 0 are refuted.")
    assert not any("cause" in line for line in lines)
    assert "None falls with nothing to replace it." in lines


def test_nothing_holds_before_anything_was_tried():
    lines = summary(CLAIMS, {}, FOUND)
    assert "0 hold, 3 are refuted, 4 are not decided" in lines[1]
    assert lines[2].startswith("None of the 5 theorems, propositions, lemmas and corollaries stands as printed")


def test_claims_of_nobody_have_no_title_and_no_theorems():
    mine = claim("my-claim", paper=Paper(name="user"))
    assert summary([mine], {mine.id: {"status": "holds"}}, ())[0].startswith("1 printed statement was checked")


def test_no_printed_claim_has_no_summary():
    assert summary([], {}, FOUND) == []


def test_several_papers_are_all_named():
    other = claim("thm:stands", paper=Paper(name="other", title="On Others", authors="C. Author", year=1999))
    held = rows() | {other.id: {"status": "holds"}}
    lines = summary([STANDS, other], held, ())
    assert lines[0] == "2 papers: A. Author, B. Author: On Steps, 2020. C. Author: On Others, 1999."
    assert any("made-up: Theorem 1.1 (thm:stands), other: thm:stands" in line for line in lines)


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.__name__)
def test_each_paper_of_the_library_is_told_in_about_ten_lines(paper):
    kept = json.loads((Path(paper.__path__[0]) / "verdicts.json").read_text())
    library = bounds_of(paper)
    lines = summary(library, kept, findings_about(library), [asdict(entry) for entry in inventory(paper)])
    assert 3 <= len(lines) <= 12
    assert all(line.endswith(".") and "\n" not in line for line in lines)
    assert all(line.count("$") % 2 == 0 for line in lines)

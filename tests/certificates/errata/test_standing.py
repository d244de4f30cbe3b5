"""Which results stand as printed, which stand corrected, which fall, and which nobody has decided."""

from __future__ import annotations

import pytest

from boundcheck.certificates.errata import Standing, results
from boundcheck.certificates.errata.results import HOLDS, REFUTED, standing_of, whole
from boundcheck.claims.bound import Paper
from boundcheck.claims.source import Place
from boundcheck.suite import tally

from .made_up import CLAIMS, FALLS, FALSE, PROVED, STANDS, UNDECIDED, claim, rows


def standings(found):
    return {result.label: result.standing for result in found}


def test_each_result_of_a_paper_is_told_in_its_order():
    found = results(CLAIMS, rows())
    assert [(r.name, r.standing) for r in found] == [
        ("Theorem 1.1 (thm:stands)", Standing.STANDS),
        ("Theorem 1.2 (thm:corrected)", Standing.CORRECTED),
        ("Lemma 1.3 (falls)", Standing.FALLS),
        ("Corollary 1.4 (thm:undecided)", Standing.UNDECIDED),
        ("Theorem 1.5 (thm:whole)", Standing.STANDS),
    ]


def test_statuses_are_those_of_a_report():
    assert (HOLDS, REFUTED) == (tally.HOLDS, tally.REFUTED)


@pytest.mark.parametrize("status", ["untested", "undecided", ""])
def test_what_was_not_decided_never_stands(status):
    assert standing_of(STANDS, CLAIMS, {STANDS.id: {"status": status}}) is Standing.UNDECIDED
    assert standing_of(STANDS, CLAIMS, {}) is Standing.UNDECIDED


def test_what_a_run_refutes_falls_though_nobody_called_it_false():
    assert standing_of(STANDS, CLAIMS, {STANDS.id: {"status": REFUTED}}) is Standing.FALLS


def test_a_false_claim_that_a_run_finds_to_hold_is_not_decided():
    assert standing_of(FALSE, CLAIMS, rows() | {FALSE.id: {"status": HOLDS}}) is Standing.UNDECIDED


@pytest.mark.parametrize(
    ("status", "expected"),
    [(HOLDS, Standing.CORRECTED), (REFUTED, Standing.FALLS), ("untested", Standing.UNDECIDED), ("undecided", Standing.UNDECIDED)],
)
def test_a_correction_counts_only_where_it_holds(status, expected):
    assert standing_of(FALSE, CLAIMS, rows() | {PROVED.id: {"status": status}}) is expected


def test_a_correction_of_another_label_corrects_nothing():
    assert standing_of(FALLS, CLAIMS, rows()) is Standing.FALLS


def test_one_statement_that_falls_makes_its_theorem_fall():
    places = [{"label": "thm:all", "where": "Section 1", "line": 5, "covered_by": ["thm:stands", "thm:corrected", "falls"]}]
    assert standings(results(CLAIMS, rows(), places))["thm:all"] is Standing.FALLS


def test_one_statement_that_is_not_decided_leaves_its_theorem_undecided():
    places = [{"label": "thm:all", "where": "Section 1", "line": 5, "covered_by": ["thm:stands", "thm:undecided"]}]
    assert standings(results(CLAIMS, rows(), places))["thm:all"] is Standing.UNDECIDED


def test_a_theorem_whose_statements_have_their_own_labels_is_found_in_the_inventory():
    paper = Paper(name="plain")
    parts = (claim("eq:first", paper=paper), claim("eq:second", paper=paper, false=True))
    places = [{"label": "thm:both", "where": "Theorem 7", "line": 3, "covered_by": ["eq:first", "eq:second"]}]
    (found,) = results(parts, {parts[0].id: {"status": HOLDS}}, places)
    assert found.name == "Theorem 7 (thm:both)" and found.claims == parts and found.standing is Standing.FALLS


def test_a_line_of_a_proof_and_an_equation_are_no_results():
    known = {claim.label for result in results(CLAIMS, rows()) for claim in result.claims}
    assert "thm:whole.line" not in known and "thm:whole.first-case" in known
    assert "thm:line" not in known, "its number says that it is an equation"


def test_without_numbers_a_label_says_what_is_a_theorem():
    paper = Paper(name="plain")
    named = [
        claim(label, paper=paper) for label in ("thm:a", "lemma:b", "prop:c", "cor:d", "eq:e", "def:f", "theory", "thm:a.part")
    ]
    assert [r.name for r in results(named, {})] == ["thm:a", "lemma:b", "prop:c", "cor:d"]


def test_a_theorem_without_a_place_of_its_own_has_the_number_that_its_proof_says():
    places = {
        "thm:a.line": Place(lines=(3, 4), number="Proof of Theorem 2.7"),
        "eq:a": Place(lines=(1, 1), number="Equation (1)"),
    }
    paper = Paper(name="plain", places=places)
    claims = [claim("eq:a", paper=paper), claim("thm:a.line", paper=paper)]
    (found,) = results(claims, {}, [{"label": "thm:a", "where": "Section 2", "line": 1, "covered_by": ["eq:a"]}])
    assert found.name == "Theorem 2.7 (thm:a)" and found.claims == (claims[0],)


def test_papers_with_the_same_labels_are_kept_apart():
    one, other = Paper(name="one"), Paper(name="other")
    claims = [claim("thm:a", paper=one, false=True), claim("thm:a", paper=other, reading="proved"), claim("thm:a", paper=other)]
    held = {b.id: {"status": HOLDS} for b in claims if not b.is_refuted}
    found = {r.paper.name: r.standing for r in results(claims, held)}
    assert found == {"one": Standing.FALLS, "other": Standing.STANDS}


def test_a_number_in_a_label_is_no_part():
    assert whole("thm:2.1") == "thm:2.1"
    assert whole("thm:2.1.first-case") == "thm:2.1"
    assert whole("thm:polyak.M-at-most-L") == "thm:polyak"


def test_a_result_that_is_undecided_stays_so_when_the_others_are_known():
    assert standings(results(CLAIMS, rows()))[UNDECIDED.label] is Standing.UNDECIDED
    assert standings(results(CLAIMS, rows(**{"thm:undecided": HOLDS})))[UNDECIDED.label] is Standing.STANDS

"""Entries of the errata by cause."""

from __future__ import annotations

from boundcheck.certificates.errata import Severity, errata, false_readings, grouped

from .made_up import CLAIMS, FALLS, FALSE, LINE, PAPER, claim, finding

ENTRIES = errata(CLAIMS, {})
SLIP = finding("A slip", Severity.SLIP, "thm:corrected")
GRAVE = finding("Two statements with one cause", Severity.THEOREM, "thm:whole.line", "falls")


def labels(shown):
    return [entry.bound.label for entry in shown.entries]


def test_one_cause_is_one_finding_with_its_entries_in_the_order_that_it_names():
    first, second = grouped(ENTRIES, [GRAVE, SLIP])
    assert first.finding is GRAVE and labels(first) == ["thm:whole.line", "falls"]
    assert first.first.bound is LINE and [e.bound for e in first.others] == [FALLS]
    assert second.finding is SLIP and labels(second) == ["thm:corrected"]


def test_the_severest_finding_comes_first_whatever_the_order_given():
    assert [one.finding.title for one in grouped(ENTRIES, [SLIP, GRAVE])] == [GRAVE.title, SLIP.title]


def test_a_false_statement_in_no_finding_is_one_of_its_own_and_comes_last():
    *_, last = grouped(ENTRIES, [GRAVE])
    assert last.finding.severity is Severity.UNRATED
    assert last.finding.title == "False as printed: what thm:corrected says"
    assert last.finding.what == "a factor of two is missing"
    assert labels(last) == ["thm:corrected"]


def test_a_finding_about_claims_that_were_not_checked_is_left_out():
    assert [one.finding for one in grouped(errata([FALSE], {}), [GRAVE, SLIP])] == [SLIP]


def test_a_finding_of_another_paper_with_the_same_label_is_left_out():
    other = finding("Another paper's", Severity.THEOREM, "falls", papers=("another",))
    assert all(one.finding is not other for one in grouped(ENTRIES, [other]))


def test_each_false_printed_statement_is_shown_once():
    shown = [entry.bound.id for one in grouped(ENTRIES, [GRAVE, SLIP]) for entry in one.entries]
    assert sorted(shown) == sorted(b.id for b in CLAIMS if b.reading == "printed" and b.is_refuted)
    assert len({one.anchor for one in grouped(ENTRIES, [SLIP])}) == 3


def test_a_false_reading_stays_apart():
    reading = claim("thm:stands", paper=PAPER, reading="literally", false=True)
    entries = errata([*CLAIMS, reading], {})
    assert [e.bound for e in false_readings(entries)] == [reading]
    assert all(e.bound is not reading for one in grouped(entries, [SLIP, GRAVE]) for e in one.entries)

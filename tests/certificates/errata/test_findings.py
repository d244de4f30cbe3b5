"""The findings of a paper: each false printed claim is in exactly one of them, and a bad file is refused in one line."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter

import pytest

from boundcheck.certificates.errata import Severity, findings_about
from boundcheck.certificates.errata.findings import findings, in_order, read_findings, unfounded
from boundcheck.claims.bound import PRINTED
from boundcheck.library.catalogue import NotFound, bounds_of, papers

from .made_up import FALSE, PROVED, claim, finding

GOOD = """
[[finding]]
title = "A factor is missing"
severity = "slip"
claims = ["eq:1", "eq:2"]
what = '''
The factor $2$ is
missing.'''
survives = "The rest."
"""
WITH_FINDINGS = [paper for paper in papers() if findings(paper)]


def test_a_paper_of_the_library_has_findings():
    assert WITH_FINDINGS


@pytest.mark.parametrize("paper", WITH_FINDINGS, ids=lambda paper: paper.__name__)
def test_every_false_printed_claim_is_in_one_finding_and_every_label_in_them_is_one(paper):
    assert unfounded(paper) == []
    named = Counter(label for one in findings(paper) for label in one.claims)
    false = {b.label for b in bounds_of(paper) if b.reading == PRINTED and b.is_refuted}
    assert named == Counter(false)


@pytest.mark.parametrize("paper", WITH_FINDINGS, ids=lambda paper: paper.__name__)
def test_findings_are_sorted_by_severity_and_have_titles_of_their_own(paper):
    found = findings(paper)
    ranks = [list(Severity).index(one.severity) for one in found]
    assert ranks == sorted(ranks)
    assert len({one.title for one in found}) == len(found)


@pytest.mark.parametrize("paper", WITH_FINDINGS, ids=lambda paper: paper.__name__)
def test_what_a_finding_says_is_short_and_has_no_code_in_it(paper):
    """Outside mathematics there is no formula, no underscore and no name of a class."""
    for one in findings(paper):
        assert len(one.title) <= 120 and not one.title.endswith("."), one.title
        for text in (one.title, one.what, one.survives):
            words = re.sub(r"\$[^$]*\$", "", text)
            assert not re.search(r"[_^\\`<>=]|[a-z][A-Z]", words), words
            assert len(words) <= 420, words


def test_findings_about_claims_are_those_of_their_paper():
    (paper,) = [p for p in papers() if p.__name__.endswith("directional_smoothness")]
    some = bounds_of(paper)[:3]
    assert findings_about(some) == findings(paper)
    assert findings_about([claim("thm:any")]) == ()


def test_texts_may_go_over_several_lines():
    (one,) = read_findings(GOOD, ["a-paper"])
    assert one.what == "The factor $2$ is missing."
    assert one.claims == ("eq:1", "eq:2") and one.papers == ("a-paper",) and one.severity is Severity.SLIP


def test_a_finding_is_about_the_printed_claims_of_its_paper_only():
    one = finding("It", Severity.SLIP, FALSE.label, papers=("made-up",))
    assert one.is_about(FALSE)
    assert not one.is_about(PROVED)
    assert not finding("It", Severity.SLIP, FALSE.label, papers=("another",)).is_about(FALSE)
    assert not finding("It", Severity.SLIP, "thm:stands", papers=("made-up",)).is_about(FALSE)


def test_the_severest_comes_first():
    given = [finding(s.name, s, "eq:1") for s in reversed(Severity)]
    assert [one.severity for one in in_order(given)] == list(Severity)


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ('severity = "slip"', 'severity = "grave"', "found severity = 'grave'; it is one of theorem, step, slip, typesetting"),
        (
            'severity = "slip"',
            'severity = "unrated"',
            "found severity = 'unrated'; it is one of theorem, step, slip, typesetting",
        ),
        ('severity = "slip"', "severity = 3", "found severity = 3; it needs a text that says something"),
        (
            'survives = "The rest."',
            "",
            "found title, severity, claims, what; a finding has title, severity, claims, what, survives",
        ),
        ('survives = "The rest."', 'survives = " "', "found survives = ' '; it needs a text that says something"),
        ('survives = "The rest."', 'survives = "The rest."\npage = 3', "what, survives, page; a finding has title"),
        ('survives = "The rest."', 'survives = "$x is left."', "survives has a $ without its partner"),
        ('claims = ["eq:1", "eq:2"]', "claims = []", "found claims = []; it needs a list of labels, at least one"),
        ('claims = ["eq:1", "eq:2"]', 'claims = "eq:1"', "found claims = 'eq:1'; it needs a list of labels, at least one"),
        ('claims = ["eq:1", "eq:2"]', "claims = [1]", "found claims = [1]; they are labels, as texts"),
        ('claims = ["eq:1", "eq:2"]', 'claims = ["eq:1", "eq:1"]', "the claim 'eq:1' is named twice"),
        ("[[finding]]", "[[findings]]", "found 'findings'; it holds tables [[finding]] and nothing else"),
        ("[[finding]]", "[finding]", "it holds tables [[finding]] and nothing else"),
        ("[[finding]]", "[[finding]", "at line 2"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(paper_with, written, instead, said):
    assert written in GOOD
    with pytest.raises(NotFound) as refused:
        findings(paper_with(GOOD.replace(written, instead)))
    line = str(refused.value)
    assert said in line and "findings.toml" in line and "\n" not in line, line


def test_a_claim_in_two_findings_is_refused():
    with pytest.raises(ValueError, match="the claim 'eq:1' is named twice; it has one cause"):
        read_findings(GOOD + GOOD.replace('["eq:1", "eq:2"]', '["eq:3", "eq:1"]'))


def test_a_paper_without_a_file_has_no_findings(paper_with):
    assert findings(paper_with("")) == ()


def test_what_findings_leave_out_and_what_they_invent_is_said(paper_with):
    written = GOOD.replace('["eq:1", "eq:2"]', '["thm:stands", "thm:correctet"]')
    module = paper_with(written, claim("thm:stands"), FALSE, PROVED)
    assert unfounded(module) == [
        "'A factor is missing' names thm:stands, which is not refuted",
        "'A factor is missing' names thm:correctet, which is no printed claim; did you mean 'thm:corrected'?",
        "thm:corrected is false as printed, and in no finding",
    ]


@pytest.fixture
def paper_with(tmp_path, monkeypatch):
    """A function that makes a user's package with this findings.toml, and claims."""
    folder = tmp_path / "a_paper_of_a_user"
    folder.mkdir()
    monkeypatch.syspath_prepend(tmp_path)

    def made(text, *claims):
        (folder / "__init__.py").touch()
        if text:
            (folder / "findings.toml").write_text(text)
        monkeypatch.delitem(sys.modules, folder.name, raising=False)
        module = importlib.import_module(folder.name)
        for n, one in enumerate(claims):
            setattr(module, f"claim_{n}", one)
        return module

    yield made
    sys.modules.pop(folder.name, None)

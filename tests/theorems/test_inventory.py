"""The inventory: every label and claim of the paper, in order, is covered by claims of the library or says why it cannot be."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from boundcheck.library.catalogue import NotFound, bounds_of, papers
from boundcheck.library.inventory import Entry, inventory, uncovered

PAPERS = [paper for paper in papers() if inventory(paper)]


@pytest.fixture(params=PAPERS, ids=lambda paper: paper.__name__.rpartition(".")[2])
def paper(request: pytest.FixtureRequest) -> ModuleType:
    return request.param  # type: ignore[no-any-return]


def test_the_paper_under_test_has_an_inventory() -> None:
    (paper,) = PAPERS
    assert len(inventory(paper)) >= 200
    assert sum(not entry.nothing_testable for entry in inventory(paper)) >= 150


def test_every_entry_is_covered_and_every_claim_is_in_an_entry(paper: ModuleType) -> None:
    assert uncovered(paper) == []


def test_the_order_is_the_papers(paper: ModuleType) -> None:
    for before, after in pairwise(inventory(paper)):
        assert before.line <= after.line, f"{after.label} (line {after.line}) comes after {before.label} (line {before.line})"


def test_labels_are_unique_and_every_entry_says_what_it_means(paper: ModuleType) -> None:
    counts = Counter(entry.label for entry in inventory(paper))
    assert [label for label, n in counts.items() if n > 1] == []
    assert all(entry.meaning.strip() and entry.where.strip() for entry in inventory(paper))


def test_a_claim_of_its_own_covers_the_entry_with_its_label(paper: ModuleType) -> None:
    labels = {bound.label for bound in bounds_of(paper)}
    for entry in inventory(paper):
        if entry.label in labels:
            assert entry.label in entry.covered_by, f"{entry.label} has a claim, and its entry does not name it"


def test_an_entry_gives_every_reading_of_its_claims(paper: ModuleType) -> None:
    (entry,) = [e for e in inventory(paper) if e.label == "thm:polyak-alternate"]
    assert {bound.reading for bound in entry.claims(bounds_of(paper))} >= {"printed", "proved"}


# -- inventories that must be refused ------------------------------------------------------------------------------------

GOOD = 'line = 1\nlabel = "eq:a"\nwhere = "Section 1"\nmeaning = "a claim"\n'


def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str) -> tuple[Entry, ...]:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text("SECTIONS = ()\n", encoding="utf-8")
    (folder / "inventory.toml").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return inventory(__import__(name))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"[[claim]]\n{GOOD}", "either covered_by"),
        (f'[[claim]]\n{GOOD}covered_by = ["eq:a"]\nnothing_testable = "why"\n', "either covered_by"),
        (f'[[claim]]\n{GOOD}nothing_testable = ""\n', "either covered_by"),
        (f'[[claim]]\n{GOOD}covered_by = ["eq:a"]\ncertified = true\n', "no field 'certified'"),
        ('[[claim]]\nlabel = "eq:a"\ncovered_by = ["eq:a"]\n', "needs a int"),
        ("[[claim]\n", "not an inventory"),
    ],
)
def test_a_malformed_inventory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, text: str, said: str
) -> None:
    with pytest.raises(NotFound, match=said):
        made(tmp_path, monkeypatch, text, f"papers_{abs(hash(request.node.name))}")


def test_an_entry_covered_by_no_claim_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, monkeypatch, f'[[claim]]\n{GOOD}covered_by = ["eq:a"]\n', "paper_without_claims")
    assert uncovered(__import__("paper_without_claims")) == ["eq:a is covered by 'eq:a', which is no claim"]

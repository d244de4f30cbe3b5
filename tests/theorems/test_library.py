"""The library as a whole: its claims are frozen data, and the false ones are still refuted where they say."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from boundcheck.certificates.write import path_of, why_not_refuted
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import LEMMA, PRINTED, Bound
from boundcheck.library.catalogue import bounds, find_bounds, problems
from boundcheck.suite.grid import settings
from boundcheck.suite.profiles import PROFILES

from .asking import on_instance

LIBRARY = bounds()
PAPER = [bound for bound in LIBRARY if bound.source.paper.name == "directional-smoothness"]


def test_the_library_is_there() -> None:
    assert len(PAPER) >= 50


def test_every_claim_has_an_id_of_its_own() -> None:
    ids = [bound.id for bound in LIBRARY]
    assert len(set(ids)) == len(ids)
    for bound in LIBRARY:
        assert bound.id == f"{bound.source.paper.name}/{bound.label}@{bound.reading}"


def test_a_bare_label_means_one_statement_of_one_paper() -> None:
    papers: dict[str, set[str]] = {}
    for bound in LIBRARY:
        papers.setdefault(bound.label, set()).add(bound.source.paper.name)
    assert {label: names for label, names in papers.items() if len(names) > 1} == {}
    assert {"classical", "directional-smoothness"} <= set().union(*papers.values())


@pytest.mark.parametrize("bound", LIBRARY, ids=lambda b: b.id)
def test_every_claim_is_frozen_and_says_what_it_is(bound: Bound) -> None:
    with pytest.raises(FrozenInstanceError):
        bound.title = "another"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        bound.states.left = bound.states  # type: ignore[union-attr]
    assert bound.title
    assert bound.source.section


def test_every_other_reading_stands_beside_a_printed_one_and_says_why() -> None:
    printed = {bound.label for bound in LIBRARY if bound.reading == PRINTED}
    for bound in LIBRARY:
        if bound.reading in (PRINTED, LEMMA):
            continue
        assert bound.label in printed
        (original,) = [b for b in find_bounds(bound.label) if b.reading == PRINTED]
        assert bound.hash != original.hash or bound.smoothness != original.smoothness, bound.id
        if bound.reading == "proved":
            assert bound.because
            assert bound.because_of


REFUTED = [bound for bound in LIBRARY if bound.refuted_by is not None]


@pytest.mark.parametrize("bound", REFUTED, ids=lambda b: b.id)
def test_a_refuted_claim_is_violated_on_its_instance_and_that_is_certified(bound: Bound) -> None:
    """In exact rationals; or, where a side has a root or a logarithm, by the balls of the independent checker."""
    verdict = on_instance(bound)
    assert verdict.outcome is Outcome.VIOLATED, verdict.explain()
    assert verdict.violation is not None
    if not verdict.certified:
        assert bound.refuted_by is not None and bound.refuted_by.arithmetic != "rational"
        path = path_of(bound)
        assert path is not None and why_not_refuted(bound, path) == ""


def test_the_known_mistakes_of_the_paper_are_among_the_refuted() -> None:
    labels = {bound.id.split("/")[1] for bound in REFUTED}
    assert {
        "prop:sc-split-analysis@printed",
        "prop:sc-iterates-analysis@printed",
        "thm:polyak-alternate@printed",
        "eq:10@printed",
        "path-smoothness.at-most-D@printed",
    } <= labels


@pytest.mark.parametrize("bound", [b for b in REFUTED if len(find_bounds(b.label)) > 1], ids=lambda b: b.id)
def test_the_proved_reading_is_not_violated_on_that_instance(bound: Bound) -> None:
    for other in find_bounds(bound.label):
        if other.reading == "proved":
            assert bound.refuted_by is not None
            kind, given = bound.refuted_by.smoothness, bound.refuted_by.parameters
            known = {name: value for name, value in given.items() if name in other.parameters}
            at = replace(bound.refuted_by, smoothness=kind if kind in other.smoothness else "", parameters=known)
            verdict = on_instance(other, at)
            assert verdict.counts[Outcome.VIOLATED] == 0, verdict.explain()


def test_a_chord_counterexample_names_its_two_points() -> None:
    """A <= D fails on Huber between -3/2 and 4: A = 4/5 is the secant slope at the knot 1, D = 2 * 2 / (11/2) = 8/11."""
    (bound,) = find_bounds("path-smoothness.at-most-D@printed")
    (setting,) = settings(PROFILES["quick"], only_problems=[problems()["huber"]()], in_arithmetic="rational")
    (verdict,) = setting.verdicts([bound])
    assert verdict.violation is not None
    assert str(verdict.violation) == "x = -3/2, y = 4: left 4/5, right 8/11"


def test_the_numbers_in_the_readme_are_those_of_the_library() -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    false = [bound for bound in PAPER if bound.is_refuted and bound.reading == PRINTED]
    through = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}[sum(bound.refuted_by is None for bound in false)]
    assert f"It is one of {len(false)} statements of that paper" in readme
    assert f"All but {through} carry a certificate" in readme

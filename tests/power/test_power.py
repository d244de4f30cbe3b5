"""The mutation score: what counts as killed, what the store keeps, and that a contradiction is seen."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from boundcheck import Bound, Convex, GradientDescent, Smooth
from boundcheck.falsify.search import search
from boundcheck.language.letters import Delta, L, delta, eta, i, k, tends
from boundcheck.library.catalogue import NotFound, find_bounds
from boundcheck.power import fates as power
from boundcheck.power.fates import IMPLIED, KILLED, SURVIVED, TRUE, Fate
from boundcheck.power.mutant import Mutant, mutants
from boundcheck.power.mutation_run import BEGINS, FateJournal
from boundcheck.power.page import Score
from boundcheck.support.atomic_files import CHECKSUM, sealed

GD = (Convex, Smooth, GradientDescent())
CHORDS = "lemma:directional-smoothness.convexity@printed"


def fate(number: int, word: str, how: str = "", **more) -> Fate:
    made = {
        "claim": "p/a@printed",
        "claim_hash": "claim",
        "mutant": f"p/a@printed~{number}-sign",
        "kind": "sign",
        "change": "+ became -",
        **more,
    }
    return Fate(hash=f"h{number}", fate=word, how=how, **made)


def score(*fates: Fate, contradicts: str = "", unfinished: dict[str, str] | None = None) -> Score:
    found = tuple(replace(one, contradicts=contradicts) for one in fates)
    return Score(fates=found, not_mutated={}, unfinished=unfinished or {}, seed=0)


def of_each(killed: int, implied: int, true: int, survived: int) -> list[Fate]:
    words = [KILLED] * killed + [IMPLIED] * implied + [TRUE] * true + [SURVIVED] * survived
    return [fate(number, word) for number, word in enumerate(words)]


# -- the arithmetic of the score ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "value", "enough"),
    [
        ((9, 0, 0, 1), 0.9, True),
        ((9, 50, 50, 1), 0.9, True),  # what is explained counts on neither side
        ((899, 0, 0, 101), 0.899, False),
        ((89, 10, 10, 10), 89 / 99, False),
        ((0, 0, 0, 3), 0.0, False),
        ((3, 0, 0, 0), 1.0, True),
        ((0, 3, 3, 0), None, False),  # nothing was asked: that is no pass
        ((0, 0, 0, 0), None, False),
    ],
)
def test_the_score_is_killed_over_killed_and_unexplained(counts, value, enough):
    found = score(*of_each(*counts))
    assert found.value == value and found.is_enough is enough
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["score"] == value


def test_a_contradiction_or_a_claim_that_was_not_finished_is_never_enough():
    assert score(fate(0, KILLED)).is_enough
    assert not score(fate(0, KILLED), contradicts="it says the same").is_enough
    assert not score(fate(0, KILLED), unfinished={"p/b@printed": "MemoryError"}).is_enough


def test_counts_by_kind_and_by_how_add_up():
    fates = [
        fate(0, KILLED, "lint", kind="sign"),
        fate(1, KILLED, "corpus: huber by 1/L", kind="sign", k=1, seconds=0.25),
        fate(2, KILLED, "corpus: parabola by 1/D", kind="mean", k=2, seconds=0.5),
        fate(3, KILLED, "small rationals", kind="mean", k=1),
        fate(4, IMPLIED, "it says the same", kind="mean"),
        fate(5, SURVIVED, "not broken", kind="swap", claim="p/b@proved"),
    ]
    found = score(*fates)
    said = found.to_json()
    assert said["by_how"] == {"corpus": 2, "lint": 1, "small rationals": 1}
    assert said["by_kind"]["mean"] == {KILLED: 2, IMPLIED: 1, TRUE: 0, SURVIVED: 0}
    assert {fate: sum(kind[fate] for kind in said["by_kind"].values()) for fate in (KILLED, IMPLIED, TRUE, SURVIVED)} == {
        fate: said["counts"][fate] for fate in (KILLED, IMPLIED, TRUE, SURVIVED)
    }
    assert (said["counts"]["claims"], said["counts"]["mutants"], said["seconds"]) == (2, 6, 0.75)
    assert [one["hash"] for one in said["survivors"]] == ["h4", "h5"]


# -- what counts as killed ---------------------------------------------------------------------------------------------------


def test_a_mutant_that_fails_at_k_0_alone_is_not_killed(monkeypatch):
    start = Bound(given=(*GD, eta[i] <= 1 / L), states=delta[0] <= (Fraction(1, 2) + k) * L * Delta[0])
    made = [m for m in mutants(start) if m.change.startswith("the constant 1/2 became 1/4")]
    assert len(made) == 1
    broken = search(made[0].bound, budget=20, first_k=0, most_tasks=4)
    assert broken.found is not None and broken.found.candidate.k == 0  # delta_0 <= L Delta_0/4 is false
    monkeypatch.setattr(power, "mutants", lambda bound: made)
    monkeypatch.setattr(power, "TASKS", 4)
    (found,) = power.find_fates(start, {}, 0)
    assert found.fate in (SURVIVED, TRUE) and found.k is None


def test_a_mutant_that_fails_later_is_killed_there(monkeypatch):
    start = Bound(given=(*GD, eta[i] <= 1 / L), states=delta[0] <= (Fraction(1, 2) + k) * L * Delta[0])
    worse = replace(start, states=delta[0] <= L * Delta[0] / (2 + k), reading="mutant")
    monkeypatch.setattr(power, "mutants", lambda bound: [Mutant(worse, "index", "k went below", False)])
    (found,) = power.find_fates(start, {}, 0)
    assert found.fate == KILLED and found.k is not None and found.k >= 1


def test_where_less_is_assumed_of_an_entry_the_letters_that_it_begins_with_are_freed():
    (bound,) = find_bounds("lemma:agd-equivalence.gamma@proved")
    free = [m.bound for m in mutants(bound) if m.change == "dropped: gamma_0 > 0"]
    assert len(free) == 1 and 0 in power.with_wider_letters(bound, free[0]).try_with["alpha0"]
    other = [m.bound for m in mutants(bound) if m.change == "dropped: f is convex"]
    assert len(other) == 1 and power.with_wider_letters(bound, other[0]) is other[0]


def test_targets_are_true_readings_that_some_run_could_break():
    printed, refuted = find_bounds("thm:polyak@printed")[0], find_bounds("thm:polyak-alternate@printed")[0]
    proved = find_bounds("thm:polyak-alternate@proved")[0]
    limit = Bound(given=GD, states=tends(delta[k], 0))
    assert power.targets([printed, refuted, proved, limit]) == [printed, proved]
    assert power.targets([replace(printed, reading="proved"), printed])[0].reading == "proved"
    assert len(power.targets([replace(printed, reading="proved"), printed])) == 1


# -- contradictions ------------------------------------------------------------------------------------------------------------


def test_what_is_broken_though_it_follows_is_a_contradiction(monkeypatch):
    (bound,) = find_bounds(CHORDS)
    honest = list(power.find_fates(bound, {}, 0))
    assert any(one.fate == KILLED for one in honest) and not any(one.contradicts for one in honest)
    monkeypatch.setattr(power, "explain_mutant", lambda original, mutant, library: "because I say so")
    found = list(power.find_fates(bound, {}, 0))
    broken = [one for one in found if one.fate == KILLED and one.how != "lint"]
    assert broken and all(one.contradicts == "because I say so" for one in broken)
    assert not any(one.contradicts for one in found if one not in broken)
    made = Score(fates=tuple(found), not_mutated={}, unfinished={}, seed=0)
    assert made.value == 1.0 and not made.is_enough and made.counts["contradictions"] == len(broken)


# -- the store -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> FateJournal:
    return FateJournal(tmp_path / "deep" / "power.jsonl")


def noted(number: int, **more) -> Fate:
    return fate(number, KILLED, "corpus: |x|^3/² by 1/L", k=3, seconds=0.125, **more)


def test_what_is_added_is_read_again(journal):
    assert journal.read() == {}
    journal.open()
    for entry in (noted(1), noted(2), noted(1, seed=5)):
        journal.add(entry)
    known = journal.read()["p/a@printed", "claim"]
    assert known == {("h1", 0): noted(1), ("h2", 0): noted(2), ("h1", 5): noted(1, seed=5)}
    assert all(line.startswith(BEGINS) for line in journal.path.read_text().splitlines())


def test_the_same_mutant_of_two_claims_is_kept_for_each(journal):
    journal.open()
    journal.add(noted(1))
    journal.add(noted(1, claim="p/b@printed"))
    journal.add(replace(noted(1), claim_hash="claim as it was"))
    assert [*journal.read()] == [("p/a@printed", "claim"), ("p/b@printed", "claim"), ("p/a@printed", "claim as it was")]


@pytest.mark.parametrize("kept", range(0, 120, 7))
def test_a_line_that_was_cut_anywhere_is_left_out_and_later_lines_are_not_harmed(journal, kept):
    journal.open()
    journal.add(noted(1))
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole + whole[:kept])
    assert [*journal.read()["p/a@printed", "claim"]] == [("h1", 0)]
    journal.open()
    journal.add(noted(2))
    assert [*journal.read()["p/a@printed", "claim"]] == [("h1", 0), ("h2", 0)]


LINE = json.dumps(sealed({"power": 2, **noted(1).to_json()}))


def with_another(old: str, new: str) -> bytes:
    """A line with something replaced, and the checksum made right."""
    said = json.loads(LINE.replace(old, new))
    return json.dumps(sealed({key: value for key, value in said.items() if key != CHECKSUM})).encode() + b"\n"


FOREIGN = {
    "prose": b"Dear diary\n",
    "prose without an end": b"Dear diary",
    "other JSON": b'{"claim": "p/a@printed"}\n',
    "other numbers": b"1\n2\n",
    "bytes": b"\x89PNG\r\n\x1a\n\xff",
    "a later format": with_another('"power": 2', '"power": 12'),
    "a field too few": with_another('"how": ', '"whence": '),
    "a fate that there is not": with_another(f'"{KILLED}"', '"maimed"'),
    "a field of another type": with_another('"k": 3', '"k": "three"'),
    "one strange line after good ones": LINE.encode() + b"\n" + LINE.encode() + b"\nDear diary\n",
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_a_file_of_anything_else_is_refused(journal, content):
    journal.open()
    journal.path.write_bytes(content)
    with pytest.raises(NotFound, match="is no store of `boundcheck power`"):
        journal.read()
    assert journal.path.read_bytes() == content


def test_what_is_known_is_not_done_again_and_the_rest_is(monkeypatch):
    (bound,) = find_bounds(CHORDS)
    first = list(power.find_fates(bound, {}, 0))
    assert [one.hash for one in first] == [mutant.bound.hash for mutant in mutants(bound)]
    half = {one.key: one for one in first[::2]}
    again = list(power.find_fates(bound, half, 0))
    assert all(any(one is known for one in again) for known in half.values())
    assert {one.hash: replace(one, seconds=0.0) for one in again} == {one.hash: replace(one, seconds=0.0) for one in first}
    monkeypatch.setattr(power, "kills", None)
    assert list(power.find_fates(bound, {one.key: one for one in first}, 0)) == first

"""The comparison with an earlier commit sees what is gone, new or different."""

from __future__ import annotations

from tests.frame.test_imports import ROOT
from tests.frame.unchanged import claims, differences, judgements, verdicts


def test_equal_answers_have_no_differences() -> None:
    assert not list(differences({"a": 1, "b": [2]}, {"b": [2], "a": 1}, "the verdict on"))


def test_each_difference_is_a_line() -> None:
    told = list(differences({"a": 1, "b": 2, "c": 3}, {"b": 2, "c": 4, "d": 5}, "the verdict on"))
    assert told == ["the verdict on a: is gone", "the verdict on d: is new", "the verdict on c: was 3, is 4"]


def test_this_tree_answers_with_hashes_verdicts_and_judgements() -> None:
    known = claims(ROOT)
    of_claims, of_cells = verdicts(ROOT, ["thm:polyak", "--problem", "parabola", "--jobs", "1"])
    assert of_claims and all(told["hash"] == known[claim] for claim, told in of_claims.items())
    assert {told["outcome"] for told in of_claims.values()} == {"HOLDS", "VIOLATED"}
    assert sum(map(len, of_cells.values())) == sum(told["cells"] for told in of_claims.values())
    wrong = sorted((ROOT / "tests" / "certificates" / "wrong").glob("*.json"))
    assert wrong and all(told["exit_code"] in (1, 2) for told in judgements(ROOT, wrong).values())

"""The search of all proved readings: a broken one is told, and what was done is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import unbroken

from boundcheck.claims.bound import CLAIMED, PRINTED, UNREFUTED
from boundcheck.claims.hypotheses import Once, hypothesis_json
from boundcheck.language.canonical import digest
from boundcheck.library.catalogue import bounds, find_bounds
from boundcheck.power.fates import targets

from .conftest import BENCHMARKS

SHORT = ["--seconds", "0.5", "--jobs", "1"]
TRUE = next(b for b in bounds() if b.label == "gd.rate" and not b.is_refuted)
FALSE = replace(next(b for b in bounds() if b.label == "eq:10" and b.reading == PRINTED), **UNREFUTED)


def test_what_was_searched_is_kept_and_not_searched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "rows.jsonl"
    words = [*SHORT, "--store", str(store)]
    monkeypatch.setattr(unbroken, "targets", lambda claims: [TRUE])
    assert unbroken.main(words) == 0
    assert "1 proved readings, 0.5 s each" in capsys.readouterr().out
    (row,) = (json.loads(line) for line in store.read_text().splitlines() if line)
    assert row["claim"] == TRUE.id and row["looked at"] > 100 and not row["broken"]
    with store.open("a") as more:
        more.write('\n{"claim": "cut')
    monkeypatch.setattr(unbroken, "search", lambda *given, **more: pytest.fail("searched again"))
    assert unbroken.main(words) == 0
    assert "1 of 1 stand in" in capsys.readouterr().out


def test_a_claim_that_is_broken_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(unbroken, "targets", lambda claims: [TRUE, FALSE])
    assert unbroken.main(["--seconds", "20", "--jobs", "1", "--store", str(tmp_path / "rows"), "eq:10"]) == 1
    assert f"BROKEN {FALSE.id}" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--store", "{file}"], ["eq:nosuch"]])
def test_bad_input_is_one_line(tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("a letter\nof mine\n")
    with pytest.raises(SystemExit) as ended:
        unbroken.main([word.format(file=tmp_path / "mine.txt") for word in words])
    assert ended.value.code == 2 and "error: " in capsys.readouterr().err.splitlines()[-1]
    assert (tmp_path / "mine.txt").read_text() == "a letter\nof mine\n"


def test_a_row_stands_for_a_claim_with_more_hypotheses_about_its_letters_and_for_no_other() -> None:
    bound = next(b for b in bounds() if b.label == "thm:polyak" and b.reading == PRINTED)
    letters = [h for h in bound.hypotheses if isinstance(h, Once)]
    fewer = bound.to_json() | {"given": [hypothesis_json(h) for h in bound.hypotheses if h is not letters[0]]}
    weaker = digest(json.dumps({name: fewer[name] for name in CLAIMED}, sort_keys=True))
    another = find_bounds("thm:polyak@left-to-right")[0]
    assert unbroken.row_that_covers(bound, {bound.id: [{"hash": weaker}]}) is not None
    assert unbroken.row_that_covers(bound, {bound.id: [{"hash": another.hash}]}) is None
    assert unbroken.own_row(bound, {bound.id: [{"hash": weaker}]}) is None


def test_every_proved_reading_was_searched_for_a_minute_and_docs_say_what_it_came_to() -> None:
    """A claim that was changed, or is new, is searched when somebody runs `python benchmarks/unbroken.py` again."""
    rows, proved = unbroken.kept(unbroken.KEPT, 60.0, 0), targets(bounds())
    missing = [b.id for b in proved if unbroken.row_that_covers(b, rows) is None]
    assert not missing, f"{len(missing)} proved readings have no row, {missing[0]} the first: run python benchmarks/unbroken.py"
    mine = [row for b in proved if (row := unbroken.row_that_covers(b, rows)) is not None]
    assert not [row["claim"] for row in mine if row["broken"]]
    said = f"{len(mine)} proved readings, {sum(row.get('looked at', 0) for row in mine):,d} candidates, none broken"
    assert said in (BENCHMARKS.parent / "docs" / "falsify.md").read_text(encoding="utf-8")

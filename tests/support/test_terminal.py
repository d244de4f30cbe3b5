"""Progress where there is no terminal: a line now and then, and none for what is quick."""

from __future__ import annotations

import pytest

from boundcheck.support import terminal as show


def test_quick_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(show.progress("abc", "checking")) == ["a", "b", "c"]
    with show.Bar("checking", 2) as bar:
        bar.advance("one")
    assert capsys.readouterr().err == ""


def test_long_work_says_how_far_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "BETWEEN_LINES", -1.0)
    list(show.progress("ab", "ranking"))
    with show.Bar("checking", 9, done=4) as bar:
        bar.advance("one")
    said = ["ranking: 0 of 2 done", "ranking: 1 of 2 done", "checking: 5 of 9 done, about 0:00:00 left"]
    assert capsys.readouterr().err.splitlines() == [f"boundcheck: {line}" for line in said]

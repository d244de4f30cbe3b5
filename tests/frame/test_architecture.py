"""docs/architecture.md shows the rooms and the walks as they are."""

from __future__ import annotations

from tests.frame.architecture import PAGE, home, idea, page, rooms
from tests.frame.test_imports import ROOMS


def test_the_page_is_as_the_code() -> None:
    told = PAGE.read_text(encoding="utf-8")
    assert page(told) == told, "docs/architecture.md is out of date; write it anew: python -m tests.frame.architecture"


def test_every_room_says_what_it_is_for() -> None:
    assert all(idea(home(room)) for beside in ROOMS for room in beside)


def test_another_order_of_rooms_is_another_page(monkeypatch) -> None:
    before = rooms()
    monkeypatch.setattr("tests.frame.architecture.ROOMS", (*ROOMS[1:], ROOMS[0]))
    assert rooms() != before

"""The folders of tests mirror the code: one for each room and for each folder beside the framework; others are named here."""

from __future__ import annotations

import re

from tests.frame.test_imports import OUTER, ROOMS, ROOT

TESTS = ROOT / "tests"
PURPOSES = {"frame", "fuzz", "soundness", "reliability", "certified"}  # what concerns every room
DOORS = {"letters", "__init__", "__main__"}  # files with nothing of their own to test: names of other rooms
# Rooms whose tests stand in a folder of another name.
ELSEWHERE = {"verify": "certificates", "gram": "falsify"}


def rooms() -> set[str]:
    return {room for level in ROOMS for room in level} - DOORS


def folders() -> set[str]:
    return {path.name for path in TESTS.iterdir() if path.is_dir() and any(path.rglob("*.py"))}


def test_each_room_has_a_folder_of_tests() -> None:
    found = {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py")}
    lacking = {room for room in rooms() if not {room, ELSEWHERE.get(room)} & found}
    assert not lacking, f"add tests/<room>/ with a test of {sorted(lacking)}"


def test_each_folder_of_tests_is_of_a_room_or_of_a_purpose_that_is_named_here() -> None:
    known = rooms() | set(ELSEWHERE.values()) | set(OUTER) | {"benchmarks"} | PURPOSES
    assert not folders() - known, "a folder of tests is called after the room that it tests"


def test_the_readme_says_what_each_folder_asks() -> None:
    said = set(re.findall(r"`(\w+)/", (TESTS / "README.md").read_text(encoding="utf-8")))
    assert not folders() - said, "add these folders to tests/README.md"

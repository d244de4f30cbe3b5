"""Files are there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from boundcheck.support.atomic_files import AtomicFiles, write_whole


def test_what_is_written_takes_its_place_at_the_end(tmp_path: Path) -> None:
    with AtomicFiles() as files:
        files.text(tmp_path / "deep" / "a.txt", "a")
        files.bytes(tmp_path / "b", b"b")
        assert not (tmp_path / "b").exists()
    assert (tmp_path / "deep" / "a.txt").read_text() == "a" and (tmp_path / "b").read_bytes() == b"b"


@pytest.mark.parametrize("wrong", [ValueError, KeyboardInterrupt])
def test_nothing_is_left_of_what_went_wrong(tmp_path: Path, wrong: type[BaseException]) -> None:
    (tmp_path / "old").write_text("old")
    with pytest.raises(wrong), AtomicFiles() as files:
        files.text(tmp_path / "old", "new")
        files.text(tmp_path / "more", "new")
        raise wrong
    assert [path.name for path in tmp_path.iterdir()] == ["old"] and (tmp_path / "old").read_text() == "old"


def test_half_of_a_pair_is_written_as_its_escape(tmp_path: Path) -> None:
    write_whole(tmp_path / "page.html", "caf\xe9 \ud83d")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "caf\xe9 \\ud83d"

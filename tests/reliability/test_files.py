"""Every file is written whole or not at all; a full disk and a read-only folder are told with the path, in one line."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.support.atomic_files import AtomicFiles, write_whole

RULE = "def mine(run):\n    return 0.1\n"
AUDIT = ("audit", "rule.py:mine", "--problem", "parabola", "--steps", "3", "--seconds", "1", "--jobs", "1")


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From then on, the disk is full for whoever asks whether a file has arrived."""

    def no_room(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return lambda: monkeypatch.setattr(os, "fsync", no_room)


def _run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, list(words), prog_name="boundcheck")
    return done.exit_code, done.stderr


def test_an_old_file_stays_and_nothing_lies_beside_it_when_the_disk_is_full(tmp_path: Path, full: Callable[[], None]) -> None:
    path = tmp_path / "old.txt"
    path.write_text("old", encoding="utf-8")
    full()
    with pytest.raises(OSError, match="No space left") as told:
        write_whole(path, "new")
    assert told.value.filename == str(path)
    assert path.read_text(encoding="utf-8") == "old" and list(tmp_path.iterdir()) == [path]


def test_what_a_library_says_of_the_file_beside_is_told_of_the_file_itself(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as told, AtomicFiles() as files:
        place = files.place(tmp_path / "table.parquet")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(place))
    assert told.value.filename == str(tmp_path / "table.parquet") and not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["audit.json", "audit.md"])
def test_an_audit_on_a_full_disk_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: Callable[[], None], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rule.py").write_text(RULE, encoding="utf-8")
    Path(name).write_text("old", encoding="utf-8")
    full()
    assert _run(*AUDIT, "--out", name) == (2, f"boundcheck: {name}: No space left on device\n")
    assert Path(name).read_text(encoding="utf-8") == "old"


def test_an_audit_makes_the_folders_of_its_report_as_falsify_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rule.py").write_text(RULE, encoding="utf-8")
    assert _run(*AUDIT, "--out", "a/b/audit.json")[0] in (0, 1, 3)
    assert Path("a/b/audit.json").is_file()
    code, said = _run(*AUDIT, "--out", "rule.py/audit.json")
    assert code == 2 and "rule.py is no folder" in said


def test_a_new_file_is_not_left_empty_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: Callable[[], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    full()
    assert _run("new", "rule", "mine") == (2, "boundcheck: mine.py: No space left on device\n")
    assert not list(tmp_path.iterdir())


def test_a_new_file_never_hides_a_module_of_python_or_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("numpy", "random"):
        code, said = _run("new", "rule", name)
        assert code == 2 and f"{name}.py would hide Python's {name}" in said
    assert not list(tmp_path.iterdir())
    assert _run("new", "rule", "numpy", "--out", "my_numpy.py")[0] == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB that has no room left."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("mounting a small file system needs root")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], capture_output=True, check=False)


def test_commands_on_a_disk_that_is_really_full_name_the_path(small_disk: Path) -> None:
    (small_disk / "rule.py").write_text(RULE, encoding="utf-8")
    (small_disk / "audit.json").write_text("old", encoding="utf-8")
    with pytest.raises(OSError, match="No space"):
        (small_disk / "filling").write_bytes(b"x" * 200_000)
    for words, file in ((("new", "rule", "mine"), "mine.py"), ((*AUDIT, "--out", "audit.json"), "audit.json")):
        command = [sys.executable, "-m", "boundcheck", *words]
        done = subprocess.run(command, cwd=small_disk, capture_output=True, text=True, check=False, timeout=100)
        assert done.returncode == 2 and done.stderr.splitlines()[-1] == f"boundcheck: {file}: No space left on device"
    assert not (small_disk / "mine.py").exists() and (small_disk / "audit.json").read_text(encoding="utf-8") == "old"

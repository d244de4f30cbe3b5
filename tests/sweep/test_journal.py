"""A sweep on a full disk, and one that is killed among many works: what is finished is in the journal, and is not begun again."""

from __future__ import annotations

from importlib import import_module

from boundcheck.store import Store

from .starting import begun, ended, kill, until


def counted(store: Store) -> dict[str, int]:
    return {work.key: work.tries for work in store.works() if work.status != "planned"}


def files(store: Store) -> list[str]:
    return sorted(path.name for path in store.path.parent.glob("*-journal-*"))


def test_on_a_full_disk_nothing_that_is_finished_is_lost(folder, run, monkeypatch):
    """The store may not grow: SQLite then says what it says of a full disk."""
    spec = (folder / "small.toml").read_text(encoding="utf-8").replace('"rules.py:slow", "1/L"', '"1/L"')
    (folder / "small.toml").write_text(spec.replace("count = 6", "count = 60"), encoding="utf-8")
    opened = Store._open

    def open_a_small_one(store):
        made = opened(store)
        made.execute("PRAGMA max_page_count = 45")
        return made

    with monkeypatch.context() as small:
        small.setattr(Store, "_open", open_a_small_one)
        full = run("small.toml", "--jobs", 2)
    assert full.exit_code == 2 and full.stderr.count("\n") == 1
    assert "(database or disk is full); what is finished is kept: make room, and the same command goes on" in full.stderr
    again = run("small.toml", "--jobs", 2)
    assert again.exit_code == 0 and " of 120 works are taken from small.sqlite" in again.stderr
    with Store(folder / "small.sqlite") as store:
        assert set(counted(store).values()) == {1} and len(counted(store)) == 120 and files(store) == []


def test_a_work_is_in_the_journal_when_the_next_one_begins(folder, run, monkeypatch):
    """Killed while it does a work, with many in its chunk: those before it are finished, and not begun again."""
    monkeypatch.setenv("BEGUN", str(folder / "begun"))
    spec = (folder / "small.toml").read_text(encoding="utf-8").replace('"rules.py:slow", "1/L"', '"rules.py:slow"')
    (folder / "small.toml").write_text(spec.replace("count = 6", "count = 40").replace(', "huber"', ""), encoding="utf-8")
    monkeypatch.setattr(import_module("boundcheck.sweep.dispatcher").Dispatcher, "chunk", 64)
    monkeypatch.setattr("boundcheck.support.processes.workers.TICK", 60.0)
    process = begun("small.toml", "--jobs", 1)
    until(lambda: (folder / "begun").exists() and len((folder / "begun").read_text(encoding="utf-8").split()) >= 20)
    kill(process)
    before = (folder / "begun").read_text(encoding="utf-8").split()
    with Store(folder / "small.sqlite") as store:
        assert counted(store) == {}, "this test is about works that are not in the store yet"
    assert ended(begun("small.toml", "--jobs", 1)) == 0
    after = (folder / "begun").read_text(encoding="utf-8").split()[len(before) :]
    assert set(before) & set(after) <= {before[-1]} and len(set(before) | set(after)) == 40

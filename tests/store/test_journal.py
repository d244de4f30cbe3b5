"""The journal: what is finished is in a file beside the store before the next work begins, and gets from there into the store."""

from __future__ import annotations

import errno
import os

import pytest

from boundcheck.store import Failure, Journal, Packed, PlannedWork, Settled, Shared, Store

WORKS = [PlannedWork(f"key {n}", "sweep", f"work {n}") for n in range(10)]
CELL = Packed("claim", 0, '{"said": "<= \u2264\\n"}', bytes(range(256)))
RESULT = Settled("key 0", {0: CELL, 3: CELL}, {1: Failure("{}", "it broke")}, "", 0.25)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite", write=True) as made:
        made.begin({"code": "x"}, {"plan": "plan"}, WORKS, retry=False)
        yield made


def gone(shared: Shared) -> None:
    """As if its process had been killed."""
    with shared.store.transaction() as database:
        database.execute("UPDATE holders SET born = 'long ago' WHERE id = ?", (shared.id,))


def counted(store: Store) -> dict[str, int]:
    return {work.key: work.tries for work in store.works() if work.status != "planned"}


def files(store: Store) -> list[str]:
    return sorted(path.name for path in store.path.parent.glob("*-journal-*"))


def test_a_result_comes_back_as_it_was(tmp_path):
    journal = Journal(tmp_path / "j")
    journal.add(RESULT)
    journal.add(Settled("key 1", nothing="no claim applies"))
    results, end = journal.news()
    assert results == [RESULT, Settled("key 1", nothing="no claim applies")] and end == (tmp_path / "j").stat().st_size
    journal.read = end
    assert journal.news() == ([], end)


@pytest.mark.parametrize("cut", range(1, 120, 7))
def test_a_line_that_was_cut_off_is_none_and_spoils_no_other(tmp_path, cut):
    journal = Journal(tmp_path / "j")
    journal.add(RESULT)
    whole = (tmp_path / "j").read_bytes()
    with open(tmp_path / "j", "ab") as file:
        file.write(whole[:cut])
    assert journal.news()[0] == [RESULT]
    journal.add(RESULT)
    assert journal.news()[0] == [RESULT, RESULT]


def test_a_full_disk_is_said(tmp_path, monkeypatch):
    journal = Journal(tmp_path / "j")
    monkeypatch.setattr(os, "write", lambda file, line: 3)
    with pytest.raises(OSError, match="No space left") as wrong:
        journal.add(RESULT)
    assert wrong.value.errno == errno.ENOSPC and wrong.value.filename == str(tmp_path / "j")


def test_what_a_dead_process_had_finished_is_taken_over_once(store):
    first = Shared(store, "plan")
    first.take(4)
    first.journal.add(RESULT)
    assert first.settle_news() == ([RESULT], 1)
    first.journal.add(Settled("key 1", {0: CELL}))
    assert counted(store) == {"key 0": 1}
    gone(first)
    second = Shared(store, "plan")
    assert counted(store) == {"key 0": 1, "key 1": 1}
    assert second.take(10) == [f"key {n}" for n in range(2, 10)]
    Shared(store, "plan")
    assert counted(store) == {"key 0": 1, "key 1": 1} and len(files(store)) == 2


def test_one_that_dies_while_others_work_is_taken_over_by_these(store):
    first, second = Shared(store, "plan"), Shared(store, "plan")
    first.take(4)
    first.journal.add(Settled("key 1", {0: CELL}))
    gone(first)
    second.beat()
    assert counted(store) == {"key 1": 1} and second.take(10)[:2] == ["key 0", "key 2"]


def test_a_fresh_start_drops_what_was_not_taken_over(store):
    first = Shared(store, "plan")
    first.journal.add(RESULT)
    gone(first)
    store.begin({"code": "x"}, {"plan": "plan"}, WORKS, fresh=True)
    Shared(store, "plan", fresh=True)
    assert counted(store) == {} and len(files(store)) == 1


def test_a_failure_that_was_settled_does_not_come_again_from_the_journal(store):
    first = Shared(store, "plan")
    first.journal.add(RESULT)
    first.settle_news()
    gone(first)
    store.begin({"code": "x"}, {"plan": "plan"}, WORKS, retry=True)
    assert Shared(store, "plan").failed_cells() == {"key 0": frozenset({1})}


def test_at_its_end_a_process_leaves_no_journal(store):
    shared = Shared(store, "plan")
    assert len(files(store)) == 1
    shared.release()
    assert files(store) == []


def test_what_is_not_in_the_store_yet_gets_there_at_the_end(store):
    shared = Shared(store, "plan")
    shared.journal.add(RESULT)
    shared.release()
    assert counted(store) == {"key 0": 1} and files(store) == []

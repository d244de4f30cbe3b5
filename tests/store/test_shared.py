"""A store with several at work: leases, who is gone, and cells that failed."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from boundcheck.store import Failure, NotAStore, Packed, PlannedWork, Settled, Shared, Store
from boundcheck.store.leases import EXPIRES, me

WORKS = [PlannedWork(f"key {n}", "sweep", f"work {n}") for n in range(10)]
CELL = Packed("claim", 0, "{}", b"")
BROKEN = Failure('{"claim": "claim"}', "it broke")


@pytest.fixture
def stores(tmp_path):
    """One file, opened as often as asked; each is another process as far as the store can see."""
    opened = []

    def open_one(plan="plan"):
        store = Store(tmp_path / "s.sqlite", write=True)
        opened.append(store)
        store.begin({"code": "x"}, {"plan": plan}, WORKS, retry=False)
        return Shared(store, plan)

    yield open_one
    for store in opened:
        store.close()


def test_a_work_is_taken_by_one(stores):
    one, other = stores(), stores()
    assert one.take(4) == [f"key {n}" for n in range(4)]
    assert other.take(20) == [f"key {n}" for n in range(4, 10)]
    assert one.take(20) == [] == other.take(20)


def test_what_is_settled_is_not_taken_and_not_kept_twice_but_counted(stores):
    one, other = stores(), stores()
    one.take(1)
    assert one.settle([Settled("key 0", {0: CELL, 1: CELL})])
    assert not other.settle([Settled("key 0", {0: CELL, 1: CELL, 2: CELL})])
    assert len(list(one.cells(0, 10))) == 2 and one.store.works()[0].tries == 2
    assert "key 0" not in other.take(20)


def test_what_is_released_is_taken_by_another(stores):
    one, other = stores(), stores()
    one.take(10)
    one.release()
    assert len(other.take(20)) == 10


@pytest.mark.parametrize("gone", ["dead", "another process of that number", "silent"])
def test_the_lease_of_one_who_is_gone_ends(stores, gone):
    one, other = stores(), stores()
    one.take(10)
    change = {
        "dead": "pid = 2147483647",
        "another process of that number": "born = 'long ago'",
        "silent": f"beat = beat - {EXPIRES + 5}",
    }
    with one.store.transaction() as database:
        database.execute(f"UPDATE holders SET {change[gone]} WHERE id = ?", (one.id,))
    assert len(other.take(20)) == 10
    assert one.settle([Settled("key 3", {0: CELL})]) and not other.settle(
        [Settled("key 3", {0: CELL})]
    )  # it was only asleep: no harm done


def test_one_on_another_host_is_believed_as_long_as_it_speaks(stores):
    one, other = stores(), stores()
    one.take(10)
    with one.store.transaction() as database:
        database.execute("UPDATE holders SET host = 'elsewhere', pid = 2147483647 WHERE id = ?", (one.id,))
    assert other.take(20) == []


def test_this_process_is_here_and_a_stranger_of_its_number_is_not():
    assert not me().is_gone(time.time())
    assert replace(me(), born="0").is_gone(time.time())


def test_cells_that_failed_are_told_and_only_they_are_open_again(stores, tmp_path):
    one = stores()
    one.take(10)
    one.settle([Settled("key 2", {0: CELL, 2: CELL}, {1: BROKEN})])
    one.settle([Settled("key 5", nothing="no claim applies")])
    assert one.counts() == {"planned": 8, "failed": 1, "gave up": 1}
    assert [(kept.place, kept.number, kept.error) for kept in one.cells(0, 10)] == [(2, 0, ""), (2, 1, "it broke"), (2, 2, "")]
    assert one.failed_cells() == {}
    one.store.begin({"code": "x"}, {"plan": "plan"}, WORKS, retry=True)
    assert one.failed_cells() == {"key 2": frozenset({1})}
    assert one.settle([Settled("key 2", {1: CELL})])
    assert [(kept.place, kept.number, kept.error) for kept in one.cells(0, 10)] == [(2, 0, ""), (2, 1, ""), (2, 2, "")]


def test_blocks_are_open_until_each_work_in_them_is_settled(stores):
    one = stores()
    for n in (0, 1, 3, 9):
        one.settle([Settled(f"key {n}", {0: CELL})])
    assert one.open_blocks(2) == {1, 2, 3, 4} and one.open_blocks(5) == {0, 1}


def test_a_store_that_another_began_anew_is_left_alone(stores):
    one = stores()
    stores("another plan")
    with pytest.raises(NotAStore, match="begun anew by another process, with another plan"):
        one.take(1)

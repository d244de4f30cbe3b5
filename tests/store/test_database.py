"""The store: verdicts come back to the last bit, works are there whole or not at all, and nothing else is taken for a store."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import time
from dataclasses import fields, replace
from functools import cache

import numpy as np
import pytest

from boundcheck.check.verdict import Cell, Cost, Moment, Outcome, Verdict, vacuous
from boundcheck.library.catalogue import bounds, problems, rules
from boundcheck.store import NotAStore, PlannedWork, Store, pack, unpack
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES

CELL = Cell(claim="p/thm:a@printed", problem="huber", method="1/L", arithmetic="ball:128", parameters=(("gamma", "3/2"),), run=2)
STRANGE = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324])
VERDICT = Verdict(
    cell=CELL,
    first_k=1,
    outcomes=np.array([0, 1, 2, 3, 0], dtype=np.int8),
    certified=True,
    reason="η ≤ 1/M fails, or is it 'equal'?\n",
    violation=Moment(k=2, left="1/3", right="[0.3 +/- 1e-20]", ratio=float("inf"), link="a <= b", chord="x = 0"),
    tightest=Moment(k=1, left="1", right="1", ratio=0.1 + 0.2),
    notes=("one", "two"),
    left=STRANGE,
    right=STRANGE[::-1],
    links=np.arange(20.0).reshape(2, 2, 5) / 3,
    residual=STRANGE * 2,
    every_k_counts=True,
    tied=True,
    width=float("nan"),
    near=True,
    strays=True,
    cost=Cost(("float64", "ball:128"), 1 / 3),
)
WORKS = [PlannedWork(f"key {n}", "everywhere", f"work {n}") for n in range(30)]
SAME = {"code": "abc", "claims": {"p/thm:a@printed": "hash"}}


def same(a, b):
    """To the last bit: NaN is itself, and -0.0 is not 0.0."""
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and (a.dtype, a.shape) == (b.dtype, b.shape) and a.tobytes() == b.tobytes()
    return type(a) is type(b) and (a == b or repr(a) == repr(b))


def assert_same(a, b):
    for field in fields(Verdict):
        assert same(getattr(a, field.name), getattr(b, field.name)), field.name


@cache
def real():
    """Verdicts of every kind of claim on a small problem, with sides."""
    chosen = [b for b in bounds() if b.label in ("lemma:local-descent-lemma", "thm:polyak", "eq:10", "prop:gd-linear")]
    setting = GridSetting(problems()["huber"](), "rational", PROFILES["quick"], (rules()["1/L"], rules()["polyak(1)"]))
    return tuple(setting.verdicts(chosen, sides=True))


def begun(path, works=WORKS, same=SAME, **options):
    store = Store(path, write=True)
    store.begin(same, {"started": "now"}, works, **options)
    return store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


@pytest.mark.parametrize(
    "verdict",
    [
        VERDICT,
        replace(VERDICT, left=None, right=None, links=None, residual=None, cost=None, violation=None, tightest=None),
        replace(
            VERDICT, outcomes=np.zeros(0, dtype=np.int8), left=np.zeros(0), right=np.zeros(0), residual=np.zeros(0), links=None
        ),
        vacuous(CELL, "no such column"),
    ],
    ids=["strange numbers", "no sides", "no k", "vacuous"],
)
def test_a_verdict_comes_back_to_the_last_bit(verdict):
    packed = pack(verdict)
    assert_same(unpack(packed.said, packed.numbers), verdict)
    assert (packed.claim, packed.outcome) == (verdict.cell.claim, verdict.outcome)


def test_a_difference_in_one_bit_is_seen():
    with pytest.raises(AssertionError, match="left"):
        assert_same(replace(VERDICT, left=np.where(STRANGE == 0, 0.0, STRANGE)), VERDICT)


def test_real_verdicts_come_back_through_the_file(path):
    with begun(path) as store:
        assert store.finish("key 3", map(pack, real()))
    with Store(path) as store:
        found = list(store.verdicts())
    assert len(found) == len(real()) > 4
    for (kind, verdict), wanted in zip(found, real(), strict=True):
        assert kind == "everywhere"
        assert_same(verdict, wanted)


def test_verdicts_come_in_the_order_of_the_plan_whoever_was_first(path):
    with begun(path) as store:
        for n in (7, 2, 5):
            store.finish(f"key {n}", [pack(replace(VERDICT, first_k=10 * n + m)) for m in range(3)])
        assert [verdict.first_k for _, verdict in store.verdicts()] == [20, 21, 22, 50, 51, 52, 70, 71, 72]


def test_a_work_is_kept_whole_or_not_at_all(path):
    with begun(path) as store:
        good = pack(VERDICT)
        with pytest.raises(ValueError):
            store.finish("key 0", [good, replace(good, said=None)])
        assert store.finished == 0 and list(store.verdicts()) == []
        assert store.finish("key 0", [good])


def test_who_finishes_first_has_done_it_and_an_unknown_work_is_not_kept(path):
    with begun(path) as store:
        assert store.finish("key 0", [pack(VERDICT)])
        assert not store.finish("key 0", [pack(VERDICT), pack(VERDICT)])
        assert not store.fail("key 0", "too late")
        assert not store.finish("nobody's", [pack(VERDICT)])
        assert len(list(store.verdicts())) == 1


def test_the_same_run_goes_on_and_what_failed_is_planned_again(path):
    with begun(path) as store:
        store.finish("key 0", [pack(VERDICT)])
        store.give_up("key 1", "no step")
        store.fail("key 2", "ZeroDivisionError")
        store.keep("audits", [1])
    with Store(path, write=True) as store:
        assert store.begin(SAME, {"started": "later"}, WORKS) == ""
        assert store.finished == 2 and store.about["started"] == "now" and store.kept("audits") == [1]
        states = {work.key: (work.status, work.tries) for work in store.works()}
        assert [states[f"key {n}"] for n in range(4)] == [("done", 1), ("gave up", 1), ("planned", 1), ("planned", 0)]


@pytest.mark.parametrize(("change", "options", "told"), [({"code": "xyz"}, {}, "code"), ({}, {"fresh": True}, "")])
def test_another_run_or_a_fresh_one_takes_nothing(path, change, options, told):
    with begun(path) as store:
        store.finish("key 0", [pack(VERDICT)])
        store.keep("audits", [1])
        assert store.begin({**SAME, **change}, {}, WORKS, **options) == told
        assert store.finished == 0 and list(store.verdicts()) == [] and store.kept("audits") is None


def test_works_that_are_no_longer_planned_are_dropped_with_their_verdicts(path):
    with begun(path) as store:
        store.finish("key 0", [pack(VERDICT)])
        store.finish("key 1", [pack(VERDICT)])
        assert store.begin(SAME, {}, WORKS[1:3]) == ""
        assert [work.key for work in store.works()] == ["key 1", "key 2"] and len(list(store.verdicts())) == 1


# -- processes -----------------------------------------------------------------------------------------------------------


def write_all(path, claim):
    """What a writer does, in a process of its own."""
    mine = pack(replace(VERDICT, cell=replace(CELL, claim=claim)))
    with Store(path, write=True) as store:
        store.begin(SAME, {}, WORKS)
        for work in WORKS:
            store.finish(work.key, [mine] * 5)
            time.sleep(0.001)


def started(*arguments):
    process = multiprocessing.get_context("fork").Process(target=write_all, args=arguments, daemon=True)
    process.start()
    return process


def is_sound(path):
    with sqlite3.connect(path) as database:
        (answer,) = database.execute("PRAGMA integrity_check").fetchone()
    database.close()
    return answer == "ok"


def test_two_writers_make_one_store(path):
    writers = [started(path, claim) for claim in ("p/a", "p/b")]
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    with Store(path) as store:
        found = [verdict.cell.claim for _, verdict in store.verdicts()]
        assert store.finished == len(WORKS) and len(found) == 5 * len(WORKS)
    assert all(len(set(found[n : n + 5])) == 1 for n in range(0, len(found), 5))  # no work is half one's, half the other's
    assert is_sound(path)


def test_a_killed_writer_leaves_whole_works(path):
    writer, until = started(path, "p/a"), time.monotonic() + 60
    while time.monotonic() < until and not (path.exists() and count(path) >= 3):
        time.sleep(0.002)
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    with Store(path) as store:
        done = store.finished
        assert done >= 3 and len(list(store.verdicts())) == 5 * done
    assert is_sound(path)


def count(path):
    try:
        with Store(path) as store:
            return store.finished
    except NotAStore:  # the writer is just making it
        return 0


# -- other files ---------------------------------------------------------------------------------------------------------


def test_other_files_are_refused_in_one_line(path):
    with pytest.raises(NotAStore, match=r"there is no .*results\.sqlite"):
        Store(path)
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(NotAStore, match=r"results\.sqlite cannot be used .*not a database.*; delete it"):
        Store(path, write=True)
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE mine (a)")
    database.close()
    with pytest.raises(NotAStore, match="another program's database"):
        Store(path, write=True)


def test_a_store_of_another_layout_or_with_a_damaged_page_is_refused(path):
    with begun(path) as store:
        store.finish("key 0", [pack(VERDICT)] * 200)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 4096 * 3 + whole[4096 * 4 :])
    with pytest.raises(NotAStore, match="damaged"), Store(path) as store:
        store.works()
    path.write_bytes(whole)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 7")
    database.close()
    with pytest.raises(NotAStore, match="layout 7"):
        Store(path)


def test_reading_changes_nothing_even_where_nothing_can_be_written(path):
    with begun(path) as store:
        store.finish("key 0", [pack(VERDICT)])
    before = path.read_bytes()
    path.chmod(0o444)
    with Store(path) as store:
        assert len(list(store.verdicts())) == 1
    assert path.read_bytes() == before


def test_outcomes_have_the_numbers_that_the_file_says():
    assert [int(outcome) for outcome in Outcome] == [0, 1, 2, 3, 4] and Outcome(1) is Outcome.VIOLATED

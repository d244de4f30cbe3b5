"""A sweep that is killed, and one that several processes work on: every cell once, and the same table to the last byte."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
from functools import partial
from importlib import import_module

import pytest

from boundcheck.library.catalogue import problems
from boundcheck.library.names import from_another_start
from boundcheck.sweep.dispatcher import Dispatcher
from boundcheck.sweep.task import Rest

from .looking import edited, once_each, rows, works
from .starting import begun, ended, kill, settled, until

SEEDS = 60
CALM: list[bytes] = []  # the table when nothing goes wrong, made once


@pytest.fixture
def many(folder, run, monkeypatch):
    """A sweep of some hundred cells, whose rule notes in a file that it begins."""
    monkeypatch.setenv("BEGUN", str(folder / "begun"))
    edited(folder / "small.toml", problems='["parabola"]', seeds=f"{{ from = 0, count = {SEEDS} }}")
    if not CALM:
        assert run("small.toml", "--store", "calm.sqlite", "--out", "calm.parquet", "--jobs", 2).exit_code == 0
        CALM.append((folder / "calm.parquet").read_bytes())
        (folder / "begun").unlink()
    return CALM[0]


def starts_of(names):
    """Where the runs of these works by `slow` begin."""
    found = set()
    for name in names:
        problem, _, seed, _, method = name.split()
        if method == "rules.py:slow":
            found.add(float(from_another_start(problems()[problem](), int(seed)).start[0]))
    return found


def has_settled(store, count):
    return len(settled(store)) >= count


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def test_three_kills_lose_no_finished_cell_and_do_none_again(folder, many):
    store, log, moments = folder / "small.sqlite", folder / "begun", random.Random(7)
    before: set[str] = set()
    for _ in range(3):
        seen, target = len(lines_of(log)), len(before) + moments.randint(5, 25)
        process = begun("small.toml", "--jobs", 2)
        until(partial(has_settled, store, target))
        kill(process)
        assert not starts_of(before) & {float(line) for line in lines_of(log)[seen:]}, "a finished work was begun again"
        now = set(settled(store))
        assert before <= now and len(now) < 2 * SEEDS, "killed too late"
        before = now
    assert ended(begun("small.toml", "--jobs", 2)) == 0
    assert (folder / "small.parquet").read_bytes() == many
    assert len(rows("small.parquet")) == 4 * SEEDS and once_each("small.parquet")
    assert {(work.status, work.tries) for work in works("small.sqlite")} == {("done", 1)}
    database = sqlite3.connect(store)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_two_processes_share_a_sweep_and_do_nothing_twice(folder, many):
    both = [begun("small.toml", "--jobs", 1, "--out", f"{n}.parquet") for n in range(2)]
    assert [ended(process) for process in both] == [0, 0]
    assert (folder / "0.parquet").read_bytes() == (folder / "1.parquet").read_bytes() == many
    assert {(work.status, work.tries) for work in works("small.sqlite")} == {("done", 1)}
    assert len(lines_of(folder / "begun")) == len(starts_of(settled(folder / "small.sqlite"))) == SEEDS


def test_what_a_killed_process_had_on_lease_is_taken_over_by_the_other(folder, many):
    store = folder / "small.sqlite"
    first = begun("small.toml", "--jobs", 1, "--out", "a.parquet")
    until(lambda: len(settled(store)) >= 3)
    second = begun("small.toml", "--jobs", 1)
    until(lambda: len(settled(store)) >= 12)
    kill(first)
    assert ended(second) == 0
    assert (folder / "small.parquet").read_bytes() == many and not (folder / "a.parquet").exists()
    assert {work.tries for work in works("small.sqlite")} == {1}


def test_after_an_interrupt_the_same_command_goes_on(folder, many, run):
    process = begun("small.toml", "--jobs", 2)
    until(lambda: len(settled(folder / "small.sqlite")) >= 1)
    os.kill(process.pid, signal.SIGINT)
    assert ended(process) == 130
    done = len(settled(folder / "small.sqlite"))
    again = run("small.toml")
    assert again.stderr.startswith(f"{done} of {2 * SEEDS} works are taken from small.sqlite; --fresh does them again")
    assert again.exit_code == 0 and (folder / "small.parquet").read_bytes() == many


def test_an_interrupt_says_how_far_it_came(run, folder, monkeypatch):
    take, left = Dispatcher._take, iter(range(3))

    def take_or_stop(running, *words):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return take(running, *words)

    monkeypatch.setattr(Dispatcher, "_take", take_or_stop)
    monkeypatch.setattr(Dispatcher, "chunk", 1)
    done = run("small.toml", "--jobs", 1)
    assert done.exit_code == 130 and done.stdout == ""
    kept = len(settled(folder / "small.sqlite"))
    assert 3 <= kept < 24
    assert done.stderr == f"boundcheck: interrupted: {kept} of 24 works are kept in small.sqlite; the same command goes on\n"
    assert not (folder / "small.parquet").exists()


def test_works_that_take_longer_than_thought_are_given_back(folder, many, run, monkeypatch):
    seen: list[object] = []
    monkeypatch.setattr(import_module("boundcheck.sweep.task"), "ENOUGH", 0.0)
    monkeypatch.setattr(import_module("boundcheck.sweep.dispatcher").Dispatcher, "chunk", 20)
    take = Dispatcher._take
    monkeypatch.setattr(Dispatcher, "_take", lambda self, chunk, what: (seen.append(what), take(self, chunk, what))[1])
    assert run("small.toml", "--jobs", 2).exit_code == 0
    assert (folder / "small.parquet").read_bytes() == many
    assert sum(isinstance(what, Rest) and len(what.wanted) == 19 for what in seen) >= 2
    assert {work.tries for work in works("small.sqlite")} == {1} and len(lines_of(folder / "begun")) == SEEDS


def test_where_no_process_can_be_forked_all_is_done_in_this_one(folder, many, run, monkeypatch):
    monkeypatch.setattr("multiprocessing.get_all_start_methods", lambda: ["spawn"])
    assert run("small.toml").exit_code == 0
    assert (folder / "small.parquet").read_bytes() == many


def test_the_table_of_one_process_is_that_of_two(folder, many, run):
    assert run("small.toml", "--jobs", 1).exit_code == 0
    assert (folder / "small.parquet").read_bytes() == many

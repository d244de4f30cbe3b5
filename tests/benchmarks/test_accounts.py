"""What a sweep computes beside its cells' own work: what is added is seen, and the cells' own work is not counted as such."""

from __future__ import annotations

import time

from accounts import OWN, beside_own, own_work
from bench_sweep import bare, sweep_of, swept

from boundcheck.sweep import task


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_plain_loop_is_nearly_all_own_work():
    plan = sweep_of(5, steps=20)
    bare(plan)()
    turns = [beside_own(bare(plan)) for _ in range(3)]  # a machine that does other things may count some of them here
    assert all(beside >= 0 for beside, _ in turns) and min(beside / own for beside, own in turns) < 0.2


def test_what_each_cell_costs_more_is_seen_also_in_another_process(monkeypatch):
    plan, do = sweep_of(10, steps=2), task.do

    def slower(*words):
        burn(0.05)
        return do(*words)

    swept(plan, 1)()  # imports
    before, _ = beside_own(swept(plan, 1))
    monkeypatch.setattr(task, "do", slower)
    after, own = beside_own(swept(plan, 1))
    assert own > 0 and 0.4 < after - before < 0.9


def test_afterwards_nothing_is_counted():
    before = [getattr(home, name) for home, name in OWN]
    with own_work():
        assert [getattr(home, name) for home, name in OWN] != before
    assert [getattr(home, name) for home, name in OWN] == before

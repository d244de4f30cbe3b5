"""A sweep on a Dask cluster of processes: workers die and join, and the table is that of one process, to the last byte."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from boundcheck.sweep.cluster import Brief, Refused, work

from .looking import edited, rows, works
from .starting import PATIENCE, settled, until

pytestmark = pytest.mark.xdist_group("dask")
CALM: list[bytes] = []  # the table when nothing goes wrong, made once


@pytest.fixture(scope="module")
def cluster():
    """A worker with one thread; others join later."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as made:
        yield made


@pytest.fixture
def here(folder, run):
    """The table of a sweep that one process made, with rules and claims of the user and a rule that fails."""
    edited(folder / "small.toml", methods='["rules.py:slow", "rules.py:picky", "1/L"]', seeds="{ from = 0, count = 12 }")
    if not CALM:
        assert run("small.toml", "--store", "calm.sqlite", "--out", "calm.parquet", "--jobs", 1).exit_code == 1
        CALM.append((folder / "calm.parquet").read_bytes())
    return CALM[0]


def sweep_on(cluster):
    """A process that imports everything anew: this one has threads, and should not be forked."""
    words = ["-m", "boundcheck", "sweep", "small.toml", "--cluster", cluster.scheduler_address]
    return subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)


def pids(cluster):
    return [worker.process.pid for worker in cluster.workers.values() if worker.process is not None]


def test_workers_die_and_join_drivers_die_and_go_on_and_the_results_are_the_same(cluster, folder, here, run):
    store = folder / "small.sqlite"
    edited(folder / "small.toml", seeds="{ from = 0, count = 3 }")
    run("small.toml", "--jobs", 1)
    assert len(settled(store)) == 18
    edited(folder / "small.toml", seeds="{ from = 0, count = 12 }")
    killed = sweep_on(cluster)
    cluster.scale(2)
    until(lambda: len(settled(store)) >= 30)
    killed.kill()
    killed.wait()
    process = sweep_on(cluster)
    until(lambda: len(settled(store)) >= 45)
    assert len(settled(store)) < 72, "nothing is left for the others to do"
    os.kill(pids(cluster)[0], signal.SIGKILL)
    assert process.wait(PATIENCE) == 1
    assert (folder / "small.parquet").read_bytes() == here
    assert any("not from there (rules.py:22)" in row["error"] for row in rows("small.parquet"))
    assert {work.tries for work in works("small.sqlite")} == {1}


def test_nobody_there_is_one_line_within_seconds_and_nothing_is_written(folder, run):
    began = time.monotonic()
    done = run("small.toml", "--cluster", "tcp://127.0.0.1:9")
    assert done.exit_code == 2 and time.monotonic() - began < 30
    assert done.stderr.startswith("boundcheck: no Dask scheduler answers at tcp://127.0.0.1:9 ") and done.stderr.count("\n") == 1
    assert not (folder / "small.sqlite").exists()


def test_without_the_extra_it_says_what_to_install(folder, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = run("small.toml", "--cluster", "tcp://127.0.0.1:9")
    assert done.exit_code == 2
    assert done.stderr == "boundcheck: --cluster needs distributed, which is not installed: pip install 'boundcheck[sweep]'\n"


def test_a_worker_of_other_code_or_libraries_refuses():
    told = work(Brief((), (), "other", ()), [])
    assert told == Refused("it has other source files of boundcheck, or of what it finds")
    told = work(Brief((), (), "other", (("numpy", "1.0"),)), [])
    assert isinstance(told, Refused) and told.why.startswith("it has numpy ") and told.why.endswith("and this sweep 1.0")

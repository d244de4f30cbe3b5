"""10,000 cells through three kill -9 and the death of a Dask worker: the same bytes, and no finished work done again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

from harness import Measured, told

KILLS = 3
SPEC = """
claims = ["prop:convex-any-stepsize", "lemma:local-descent-lemma"]
problems = ["huber", "random-quadratic(dimension=3)"]
methods = ["1/L", "1/(2L)", "polyak(1)"]
seeds = {{ from = 0, count = {seeds} }}
arithmetic = ["float64"]
steps = 8
"""
A_SEED = 48  # cells


def survive(cells: int) -> None:
    """An undisturbed run, one that is killed three times, and one on a cluster whose worker dies: the same bytes."""
    from distributed import LocalCluster

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "s.toml").write_text(SPEC.format(seeds=-(-cells // A_SEED)), encoding="utf-8")
        began = time.perf_counter()
        assert started(folder, "calm").wait() in (0, 1, 3)
        calm = time.perf_counter() - began
        works = settled(folder / "calm.sqlite")
        began = time.perf_counter()
        for n in range(1, KILLS + 1):
            process = started(folder, "killed")
            wait_for(folder / "killed.sqlite", n * works // (KILLS + 1))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            print(f"killed with {settled(folder / 'killed.sqlite')} of {works} works done", flush=True)
        started(folder, "killed").wait()
        killed = time.perf_counter() - began
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster:
            began = time.perf_counter()
            process = started(folder, "dask", "--cluster", cluster.scheduler_address)
            wait_for(folder / "dask.sqlite", works // 3)
            os.kill(next(worker.process.pid for worker in cluster.workers.values()), signal.SIGKILL)
            print(f"a worker died with {settled(folder / 'dask.sqlite')} of {works} works done", flush=True)
            process.wait()
            dask = time.perf_counter() - began
        tables = [(folder / f"{name}.parquet").read_bytes() for name in ("calm", "killed", "dask")]
        rows = counted(folder / "calm.sqlite", "SELECT count(*) FROM verdicts")
        again = [counted(folder / f"{name}.sqlite", "SELECT count(*) FROM works WHERE tries != 1") for name in ("killed", "dask")]
        print(f"{rows} cells in {works} works: {calm:.0f} s calm, {killed:.0f} s with {KILLS} kills, {dask:.0f} s on Dask")
        same = tables[0] == tables[1] == tables[2]
        print(f"the three tables are {'the same bytes' if same else 'NOT THE SAME'}; finished works done again: {again}")
        told(Measured("tables after kills, of 2, that are those of a calm sweep", 2.0 * same, 0, 2, "", 2, at_least=True))
        assert same and again == [0, 0]


def started(folder: Path, name: str, *more: str) -> subprocess.Popen[bytes]:
    words = ["sweep", "s.toml", "--store", f"{name}.sqlite", "--out", f"{name}.parquet", *more]
    command = [sys.executable, "-m", "boundcheck", *words]
    return subprocess.Popen(command, cwd=folder, start_new_session=True, stdout=subprocess.DEVNULL)


def wait_for(path: Path, works: int) -> None:
    while settled(path) < works:
        time.sleep(0.01)


def settled(path: Path) -> int:
    return counted(path, "SELECT count(*) FROM works WHERE status != 'planned'")


def counted(path: Path, query: str) -> int:
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as database:
        return int(database.execute(query).fetchone()[0])
    return 0  # it is being made

"""Sweeps: two processes against one, what a cell costs beside its own work, how time grows; and with --survive, 10,000 cells
through three kill -9 and the death of a Dask worker.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_sweep.py [--quick] [--cells 200] [--repeat 3] [--survive]

The baseline is a plain loop that makes the same calls and keeps nothing: no store, no other process, no table.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from harness import Measured, compare, spread_of, told

from boundcheck.store import pack, unpack
from boundcheck.sweep import Sweep, doing
from boundcheck.sweep.doing import Done, Wanted, do
from boundcheck.sweep.going import Job, Silent, go
from boundcheck.sweep.places import Places
from boundcheck.sweep.plan import Plan

COUNTS = (1, 2, 4)
KILLS = 3


def sweep_of(cells: int, steps: int = 60) -> Plan:
    """One cell a work: a bound on certified runs of random quadratics. 60 steps take 15 to 40 ms, as busy as the machine is."""
    spec = Sweep(
        claims=("prop:convex-any-stepsize",),
        problems=("random-quadratic(dimension=8)",),
        methods=("1/L",),
        smoothness=("D",),
        seeds=range(cells),  # type: ignore[arg-type]
        arithmetic=("auto",),
        steps=steps,
    )
    return Plan(spec, Path())


def bare(plan: Plan) -> Callable[[], object]:
    """The same calls in a loop."""

    def loop() -> None:
        for unit in plan.units:
            setting = plan.setting(unit)
            assert list(setting.verdicts(plan.bounds, plan.spec.smoothness))

    return loop


def swept(plan: Plan, jobs: int) -> Callable[[], object]:
    """The sweep as the command does it, into a new store."""

    def sweep() -> None:
        with tempfile.TemporaryDirectory() as folder:
            where = Places(Path(folder, "s.sqlite"), Path(folder, "s.parquet"))
            found = go(Job(plan=plan, called="bench.toml", where=where, jobs=jobs), Silent())
            assert found.cells == len(plan.units)

    return sweep


def processor(work: Callable[[], object]) -> float:
    """Seconds of computing, in this process and in those that it started: a busy machine does not change them."""
    before = computed()
    work()
    return computed() - before


def computed() -> float:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def speed(cells: int, repeat: int) -> None:
    plan = sweep_of(cells)
    do(plan, 0)
    serial, double = swept(plan, 1), swept(plan, 2)
    (ratio,) = compare(("one process", serial), ("two processes", double), repeat=repeat)
    told(replace(ratio.faster(goal=1.75), goal="10"))


def overhead(cells: int, repeat: int) -> None:
    """What is more than the plain loop, a cell. Short cells, so that the difference is not lost in how they vary."""
    plan = sweep_of(cells, steps=2)
    serial, loop = swept(plan, 1), bare(plan)
    serial(), loop()
    walls, middle, began = [], 0.0, 0.0
    for _ in range(repeat):
        began = time.perf_counter()
        loop()
        middle = time.perf_counter()
        serial()
        walls.append(((time.perf_counter() - middle) - (middle - began)) / cells * 1e3)
    told(spread_of("a cell of a sweep by one process beside a plain loop", walls, "ms", goal="10", limit=0.3))
    print(f"of these short cells one takes {(middle - began) / cells * 1e3:.2f} ms in the plain loop")


@contextmanager
def known(plan: Plan, wait: float = 0.0) -> Iterator[None]:
    """While it lasts, verdicts are there already: a work only packs one, and waits."""
    (packed,) = do(plan, 0).found.values()
    verdict = unpack(packed.said, packed.numbers)

    def each(plan: Plan, wanted: list[Wanted]) -> Iterator[Done]:
        for number, _ in wanted:
            time.sleep(wait)
            yield Done(number, {0: pack(verdict)})

    before, doing.each = doing.each, each  # type: ignore[assignment]
    try:
        yield
    finally:
        doing.each = before


def machinery(cells: int, repeat: int) -> None:
    """Packing, the pipe, the store and the table alone: their computing, and how well two processes share what only waits."""
    many, few = sweep_of(10 * cells, steps=2), sweep_of(cells, steps=2)
    with known(many):
        serial = swept(many, 1)
        serial()
        each_cell = [processor(serial) / (10 * cells) * 1e3 for _ in range(repeat)]
    told(spread_of("a cell whose verdict is there already, seconds of computing in all processes", each_cell, "ms"))
    with known(few, 0.02):
        contenders = ("cells that wait 20 ms by one process", swept(few, 1)), ("by two", swept(few, 2))
        (ratio,) = compare(*contenders, repeat=repeat)
    told(ratio.faster())


def growth(cells: int, repeat: int) -> None:
    """Against the number of cells, and of processes."""
    few, many = sweep_of(cells), sweep_of(4 * cells)
    (ratio,) = compare((f"{cells} cells", swept(few, 2)), (f"{4 * cells} cells", swept(many, 2)), repeat=repeat)
    told(ratio.slower())
    contenders = [(f"{jobs} processes", swept(few, jobs)) for jobs in COUNTS[1:]]
    for ratio in compare(("1 process", swept(few, 1)), *contenders, repeat=repeat):
        told(ratio.faster())


# -- survival ------------------------------------------------------------------------------------------------------------

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="some seconds: fewer cells, once")
    parser.add_argument("--cells", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--survive", nargs="?", type=int, const=10_000, help="only this, with so many cells or more")
    given = parser.parse_args()
    if given.survive:
        survive(given.survive)
        return
    cells, repeat = (40, 1) if given.quick else (given.cells, given.repeat)
    speed(cells, repeat)
    overhead(5 * cells, repeat)
    machinery(cells, repeat)
    growth(cells // 4, repeat)


if __name__ == "__main__":
    main()

"""Sweeps: two processes against one, what a cell costs beside its own work, how time grows; and with --survive, 10,000 cells
through three kill -9 and the death of a Dask worker.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_sweep.py [--quick] [--cells 400] [--repeat 3] [--survive]

The baseline is a plain loop that makes the same calls and keeps nothing: no store, no other process, no table. Cells take 10 to
50 ms. What a cell costs is counted in seconds of the processor, of all processes, within one run (accounts.py), as the slope
between two numbers of cells: what is paid once, at the start and the end, is told apart.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from accounts import beside_own, computed
from harness import compare, in_turn, ratio_of, spread_of, told
from surviving import survive

from boundcheck.store import pack, unpack
from boundcheck.sweep import Sweep, task
from boundcheck.sweep.driver import Job, Places, Silent, go
from boundcheck.sweep.plan import SweepPlan, Unit
from boundcheck.sweep.task import Done, Wanted, do

COUNTS = (1, 2, 4)
WAIT = 0.02  # seconds: of a cell that only waits


def sweep_of(cells: int, steps: int = 60) -> SweepPlan:
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
    plan = SweepPlan(spec, Path())
    assert plan.planned and plan.same  # known from now on
    return plan


def bare(plan: SweepPlan) -> Callable[[], object]:
    """The same calls in a loop."""

    def loop() -> None:
        for unit in plan.units:
            ask(plan, unit)

    return loop


def ask(plan: SweepPlan, unit: Unit) -> None:
    assert list(plan.work(unit).verdicts(plan.spec.smoothness))


def shared(plan: SweepPlan, hands: int) -> Callable[[], object]:
    """The plain loop again, every other cell in each of two new processes that know nothing of each other."""

    def loops() -> None:
        for process in [forked(plan, first, hands) for first in range(hands)]:
            os.waitpid(process, 0)

    return loops


def forked(plan: SweepPlan, first: int, step: int) -> int:
    process = os.fork()
    if process == 0:
        try:
            for unit in plan.units[first::step]:
                ask(plan, unit)
        finally:
            os._exit(0)
    return process


def swept(plan: SweepPlan, jobs: int) -> Callable[[], object]:
    """The sweep as the command does it, into a new store."""

    def sweep() -> None:
        with tempfile.TemporaryDirectory() as folder:
            where = Places(Path(folder, "s.sqlite"), Path(folder, "s.parquet"))
            found = go(Job(plan=plan, called="bench.toml", where=where, jobs=jobs), Silent())
            assert found.cells == len(plan.units)

    return sweep


def speed(cells: int, repeat: int) -> None:
    """Beside it, what the machine gives at most: two plain loops at a time, with half the cells each."""
    plan = sweep_of(cells)
    do(plan, 0)
    serial, double, loop, loops = "one process", "two processes", "a plain loop", "two at a time with half the cells each"
    contenders = ((serial, swept(plan, 1)), (double, swept(plan, 2)), (loop, shared(plan, 1)), (loops, shared(plan, 2)))
    times = in_turn(contenders, repeat)
    told(replace(ratio_of(double, serial, times[double], times[serial]).faster(goal=1.75), goal="10"))
    told(ratio_of(loops, loop, times[loops], times[loop]).faster())


def overhead(cells: int, repeat: int) -> None:
    """What a sweep on one worker computes beside its cells' own work; of a plain loop, that is taken off."""
    few, many = sweep_of(cells // 4), sweep_of(cells)
    more = len(many.units) - len(few.units)
    beside_own(swept(few, 1)), beside_own(bare(few))
    each_cell, at_ends, own = [], [], 0.0
    for _ in range(repeat):
        (little, _), (much, own), (loop, _) = (beside_own(one) for one in (swept(few, 1), swept(many, 1), bare(few)))
        slope = (much - little) / more
        each_cell.append((slope - loop / len(few.units)) * 1e3)
        at_ends.append((much - slope * len(many.units)) * 1e3)
    what = "seconds of computing in all processes"
    told(spread_of(f"a cell of a sweep beside its own work, {what}", each_cell, "ms", goal="10", limit=0.3))
    told(spread_of(f"a sweep's start and end, whatever its size, {what}", at_ends, "ms"))
    print(f"the own work of these cells is {own / len(many.units) * 1e3:.0f} ms each")


@contextmanager
def known(plan: SweepPlan, wait: float = 0.0) -> Iterator[None]:
    """While it lasts, verdicts are there already: a work only packs one, and waits."""
    (packed,) = do(plan, 0).found.values()
    verdict = unpack(packed.said, packed.numbers)

    def each(plan: SweepPlan, wanted: list[Wanted]) -> Iterator[Done]:
        for number, _ in wanted:
            time.sleep(wait)
            yield Done(number, {0: pack(verdict)}, seconds=wait)

    before, task.each = task.each, each  # type: ignore[assignment]
    try:
        yield
    finally:
        task.each = before


def machinery(cells: int, repeat: int) -> None:
    """Packing, the journal, the store and the table alone: their computing, and by the clock with cells that only wait."""
    many, some, few = sweep_of(10 * cells, steps=2), sweep_of(cells, steps=2), sweep_of(cells // 4, steps=2)
    with known(many):
        serial = swept(many, 1)
        serial()
        each_cell = [processor(serial) / (10 * cells) * 1e3 for _ in range(repeat)]
    told(spread_of("a cell whose verdict is there already, seconds of computing in all processes", each_cell, "ms"))
    more = cells - cells // 4
    waits = ("waits", lambda: [time.sleep(WAIT) for _ in range(more)])
    with known(some, WAIT):
        times = in_turn((waits, ("few", swept(few, 1)), ("one", swept(some, 1)), ("two", swept(some, 2))), repeat)
    each_turn = zip(times["waits"], times["few"], times["one"], strict=True)
    later = [(one - few - alone) / more * 1e3 for alone, few, one in each_turn]
    told(spread_of(f"a cell that waits {WAIT * 1e3:g} ms, beside a loop of such waits, by the clock", later, "ms"))
    told(ratio_of("cells that wait by two processes", "by one", times["two"], times["one"]).faster())


def processor(work: Callable[[], object]) -> float:
    """Seconds of computing, in this process and in those that it started: a busy machine does not change them."""
    before = computed()
    work()
    return computed() - before


def growth(cells: int, repeat: int) -> None:
    """Against the number of cells, and of processes."""
    few, many = sweep_of(cells), sweep_of(4 * cells)
    (ratio,) = compare((f"{cells} cells", swept(few, 2)), (f"{4 * cells} cells", swept(many, 2)), repeat=repeat)
    told(ratio.slower())
    contenders = [(f"{jobs} processes", swept(few, jobs)) for jobs in COUNTS[1:]]
    for ratio in compare(("1 process", swept(few, 1)), *contenders, repeat=repeat):
        told(ratio.faster())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="some seconds: fewer cells, once")
    parser.add_argument("--cells", type=int, default=400)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--survive", nargs="?", type=int, const=10_000, help="only this, with so many cells or more")
    given = parser.parse_args()
    if given.survive:
        survive(given.survive)
        return
    cells, repeat = (40, 1) if given.quick else (given.cells, given.repeat)
    speed(cells, repeat)
    overhead(cells, repeat)
    machinery(cells // 2, repeat)
    growth(cells // 8, repeat)


if __name__ == "__main__":
    main()

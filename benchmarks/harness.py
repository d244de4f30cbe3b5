"""Times several contenders in turn, so that a slow minute of the machine hits all of them, and reports ratios.

A script prints what it measured with `told`. Run by `table.py`, the same calls leave a line of JSON each in the file that
$BOUNDCHECK_BENCH_ROWS names; the table in docs/performance.md is made from those.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

ROWS = "BOUNDCHECK_BENCH_ROWS"


@dataclass(frozen=True)
class Ratio:
    """How many times as long as the baseline, over the interleaved repetitions."""

    name: str
    baseline: str
    median: float
    low: float
    high: float
    seconds: float
    limit: float | None = None

    def __str__(self) -> str:
        verdict = "" if self.limit is None else f"   limit {self.limit:g}: {'met' if self.median <= self.limit else 'MISSED'}"
        spread = f"[{self.low:.2f}, {self.high:.2f}]"
        return f"{self.name:<40} {self.median:6.2f} x {self.baseline:<18} {spread:<16} {self.seconds:8.3f} s{verdict}"

    def faster(self, goal: float | None = None) -> Measured:
        """The same the other way round: how many times as fast as the baseline."""
        return Measured(
            f"{self.name}, times as fast as {self.baseline}",
            1 / self.median,
            1 / self.high,
            1 / self.low,
            "x",
            goal,
            at_least=True,
        )

    def slower(self) -> Measured:
        return Measured(f"{self.name} / {self.baseline}", self.median, self.low, self.high, "x", self.limit)


@dataclass(frozen=True)
class Measured:
    """A number with its spread and what was asked of it: at most `limit`, or at least."""

    what: str
    value: float
    low: float
    high: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    goal: str = ""  # its number in the table of goals; "" for what is only told
    curve: str = ""  # the growth curve of which it is a point,
    at: float | None = None  # and where on it

    @property
    def met(self) -> bool | None:
        if self.limit is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self) -> str:
        asked = (
            ""
            if self.limit is None
            else f"   at {'least' if self.at_least else 'most'} {self.limit:g}: {'met' if self.met else 'MISSED'}"
        )
        where = "" if self.at is None else f", {self.curve} = {self.at:g}"
        return f"{self.what + where:<70} {self.value:10.4g} {self.unit:<4} [{self.low:.4g}, {self.high:.4g}]{asked}"


def told(measured: Measured) -> Measured:
    """Print it; leave it as a row where rows are gathered."""
    print(measured, flush=True)
    if path := os.environ.get(ROWS):
        with open(path, "a", encoding="utf-8") as rows:
            rows.write(json.dumps({**asdict(measured), "met": measured.met}) + "\n")
    return measured


def spread_of(
    what: str, values: list[float], unit: str, *, goal: str = "", limit: float | None = None, at_least: bool = False
) -> Measured:
    """Repetitions of one measurement: their median and range."""
    return Measured(what, statistics.median(values), min(values), max(values), unit, limit, at_least, goal)


def in_turn(
    contenders: Sequence[tuple[str, Callable[[], object]]], repeat: int = 5, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """The seconds of each, by name; each repetition runs every contender once, after one run that is not measured.

    With `time.process_time` as the clock they are those of the processor: for work in one thread, on a busy machine.
    """
    times: dict[str, list[float]] = {name: [] for name, _ in contenders}
    if len(times) < len(contenders):
        raise ValueError(f"contenders need names of their own; found {', '.join(name for name, _ in contenders)}")
    for _, work in contenders:  # once unmeasured: caches, imports, lifted matrices
        work()
    for _ in range(repeat):
        for name, work in contenders:
            start = clock()
            work()
            times[name].append(clock() - start)
    return times


def ratio_of(name: str, baseline: str, times: Sequence[float], base: Sequence[float], limit: float | None = None) -> Ratio:
    """Ratios are taken within a repetition, so that what slows both down leaves them alone."""
    each = [t / b for t, b in zip(times, base, strict=True)]
    return Ratio(name, baseline, statistics.median(each), min(each), max(each), statistics.median(times), limit)


def compare(
    baseline: tuple[str, Callable[[], object]],
    *contenders: tuple[str, Callable[[], object]],
    repeat: int = 5,
    limits: dict[str, float] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Ratio]:
    """Each repetition runs the baseline and then every contender; ratios are taken within the repetition."""
    times = in_turn((baseline, *contenders), repeat, clock)
    limit = (limits or {}).get
    return [ratio_of(name, baseline[0], times[name], times[baseline[0]], limit(name)) for name, _ in contenders]


def environment() -> dict[str, str]:
    """Of a process that is measured: one BLAS thread, and compiled modules kept as an installed package has them."""
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | one_thread


def arguments(doc: str | None) -> argparse.ArgumentParser:
    """What every script takes."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a short run of some seconds: shows that it works, not how fast")
    return parser

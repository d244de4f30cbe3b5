"""Times several contenders in turn, so that a slow minute of the machine hits all of them, and reports ratios.

A script prints what it measured with `told`. Run by `table.py`, the same calls leave a line of JSON each in the file that
$BOUNDCHECK_BENCH_ROWS names; the table in docs/performance.md is made from those.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
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
        return f"{self.what:<70} {self.value:10.4g} {self.unit:<4} [{self.low:.4g}, {self.high:.4g}]{asked}"


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


def compare(
    baseline: tuple[str, Callable[[], object]],
    *contenders: tuple[str, Callable[[], object]],
    repeat: int = 5,
    limits: dict[str, float] | None = None,
) -> list[Ratio]:
    """Each repetition runs the baseline and then every contender; ratios are taken within the repetition."""
    times: dict[str, list[float]] = {name: [] for name, _ in (baseline, *contenders)}
    for _, work in (baseline, *contenders):  # once unmeasured: caches, imports, lifted matrices
        work()
    for _ in range(repeat):
        for name, work in (baseline, *contenders):
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
    base = times[baseline[0]]
    ratios = []
    for name, _ in contenders:
        each = [t / b for t, b in zip(times[name], base, strict=True)]
        seconds, limit = statistics.median(times[name]), (limits or {}).get(name)
        ratios.append(Ratio(name, baseline[0], statistics.median(each), min(each), max(each), seconds, limit))
    return ratios

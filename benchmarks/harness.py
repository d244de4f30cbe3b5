"""Times several contenders in turn, so that a slow minute of the machine hits all of them, and reports ratios."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


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

"""The table of worst cases, k = 1..K: how long it takes on all cores, and on one; and what a program costs as k grows.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_worstcase.py [--k 10] [--alone]

The limit is two minutes for k = 1..10 on two cores.
"""

from __future__ import annotations

import argparse
import os
import sys
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from boundcheck.processes import cores
from boundcheck.worstcase.families import families
from boundcheck.worstcase.program import worst_ratio
from boundcheck.worstcase.stacked import stacked
from boundcheck.worstcase.table import rows, solved

LIMIT = 120.0


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--k", type=int, default=10)
    given.add_argument("--alone", action="store_true", help="on one core too")
    chosen = given.parse_args()
    started = perf_counter()
    stacked()
    print(f"{perf_counter() - started:8.1f} s to load PEPit")
    for name in ("adapted steps, average", "AGD, convex"):
        for k in (1, 5, 10, 15):
            row = next(iter(families()[name](k)))
            started = perf_counter()
            worst_ratio(row.claim, k - row.less, row.given[0][1])
            print(f"{perf_counter() - started:8.2f} s  {row}")
    asked, slowest = rows(range(1, chosen.k + 1)), 0.0
    for jobs in (cores(), 1) if chosen.alone else (cores(),):
        started = perf_counter()
        found = list(solved(asked, jobs))
        slowest = max(slowest, perf_counter() - started) if jobs > 1 else slowest
        print(f"{perf_counter() - started:8.1f} s  {len(found)} rows, k = 1..{chosen.k}, {jobs} processes")
    print(f"limit {LIMIT:g} s: {'met' if slowest <= LIMIT else 'MISSED'}")
    return 0 if slowest <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())

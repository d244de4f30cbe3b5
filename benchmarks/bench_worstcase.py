"""The table of worst cases, k = 1..K: how long it takes on all cores, and on one; and what a program costs as k grows.

    OPENBLAS_NUM_THREADS=1 python benchmarks/bench_worstcase.py [--quick] [--k 10] [--alone]

The limit is two minutes for k = 1..10 on two cores.
"""

from __future__ import annotations

import os
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from harness import arguments, spread_of, told

from boundcheck.gram.solver import clarabel
from boundcheck.support.processes.pool import cores
from boundcheck.tightness.families import families
from boundcheck.tightness.program import worst_ratio
from boundcheck.tightness.table import rows, solved

LIMIT, LAST = 120.0, 10


def main() -> None:
    given = arguments(__doc__)
    given.add_argument("--k", type=int, help="[default: 10, quick 2]")
    given.add_argument("--alone", action="store_true", help="on one core too")
    chosen = given.parse_args()
    last = chosen.k or (2 if chosen.quick else LAST)
    started = perf_counter()
    clarabel()
    told(spread_of("to load the solver", [perf_counter() - started], "s"))
    for name in ("adapted steps, average", "AGD, convex"):
        for k in (1, 2) if chosen.quick else (1, 5, 10, 15):
            row = next(iter(families()[name](k)))
            started = perf_counter()
            worst_ratio(row.claim, k - row.less, row.given[0][1])
            told(spread_of(f"one program: {name}, k = {k}", [perf_counter() - started], "s"))
    asked = rows(range(1, last + 1))
    for jobs in (cores(), 1) if chosen.alone else (cores(),):
        started = perf_counter()
        found = list(solved(asked, jobs))
        what = f"{len(found)} worst cases, k = 1..{last}, {jobs} processes"
        limit = LIMIT if jobs > 1 and last == LAST else None
        told(spread_of(what, [perf_counter() - started], "s", limit=limit))


if __name__ == "__main__":
    main()

"""The falsifier on every printed inequality of the library that is false: how long, and how simple the counterexample is.

The claims are stripped of the counterexamples that the library knows. Each is searched, shrunk and certified in turn.

    python benchmarks/bench_falsify.py [--quick] [--budget 120] [--seed 0] [--jobs 2] [LABEL...]
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from harness import Measured, arguments, spread_of, told

from boundcheck.certificates.write import NotCertified
from boundcheck.claims.bound import PRINTED, UNREFUTED, Bound
from boundcheck.falsify.certificate_io import certificate_of
from boundcheck.falsify.search import search
from boundcheck.falsify.shrinking.complexity import complexity
from boundcheck.falsify.shrinking.shrink import shrink
from boundcheck.language.relations import links
from boundcheck.library.catalogue import bounds

QUICK = 2  # claims of a quick run


def false_inequalities() -> list[Bound]:
    """Printed statements with an instance that refutes them, without it. Statements of existence have none."""
    false = [b for b in bounds() if b.reading == PRINTED and b.refuted_by is not None]
    inequalities = [b for b in false if any(link.op not in ("==", "->") for link in links(b.states))]
    return [replace(b, **UNREFUTED) for b in inequalities]


def main() -> int:
    given = arguments(__doc__)
    given.add_argument("labels", nargs="*")
    given.add_argument("--budget", type=float, default=120.0)
    given.add_argument("--seed", type=int, default=0)
    given.add_argument("--jobs", type=int, default=2)
    chosen = given.parse_args()
    seconds_each: list[float] = []
    missed = 0
    print(f"{'seconds':>8} {'looked at':>10} {'k':>3} {'d':>2} {'pieces':>6} {'M':>2}  found by, claim")
    claims = [b for b in false_inequalities() if not chosen.labels or b.label in chosen.labels]
    claims = claims[:QUICK] if chosen.quick else claims
    for bound in claims:
        started = perf_counter()
        result = search(bound, budget=chosen.budget, seed=chosen.seed, jobs=chosen.jobs)
        if result.found is None:
            missed += 1
            print(f"{result.seconds:8.1f} {result.looked_at:10d}  not found  {bound.label}", flush=True)
            continue
        best = shrink(bound, result.found.candidate)
        try:
            certificate_of(bound, best)
        except NotCertified as wrong:
            missed += 1
            print(f"{'':8} not certified: {wrong}", flush=True)
            continue
        seconds = perf_counter() - started
        seconds_each.append(seconds)
        dimension, k, _, pieces, *_ = complexity(best)
        how = f"{result.strategy}, {bound.label}"
        print(
            f"{seconds:8.1f} {result.looked_at:10d} {k:3d} {dimension:2d} {pieces:6d} {best.smoothness or '-':>2}  {how}",
            flush=True,
        )
    found = float(len(claims) - missed)
    told(
        Measured(f"false claims found, shrunk and certified, of {len(claims)}", found, found, found, "", float(len(claims)), True)
    )
    if seconds_each:
        told(spread_of("seconds to find, shrink and certify one: median, least, most", seconds_each, "s"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Growth curves: time and peak memory of a checked run against K, d and the claims; of a sweep against cells and workers.

    python benchmarks/bench_growth.py [--quick] [--repeat 3]

Each point is a fresh process (one_run.py), in turn; seconds are of the processor, without imports and the making of the
problem. Memory is the most that the process held. The exponent is that of the power of x to which the time is proportional, by
least squares through the logarithms of the upper half of the curve, in each repetition; that of memory is about what comes on
top of the imports.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path

from fresh import BOUNDCHECK, Failed, Fresh, fresh
from harness import Measured, arguments, spread_of, told

ONE_RUN = str(Path(__file__).with_name("one_run.py"))
TOO_LITTLE = 1.0  # MB: growth below it is the allocator's, not the run's
CLAIMS = (1, 4, 16, 64, 0)  # 0: all
Point = tuple[float, float, float]  # x, seconds, MB


def one_run(**options: int) -> tuple[dict[str, float], Fresh]:
    """A checked run in a fresh process: what it says, and what it took."""
    bare = ["--bare"] if options.pop("bare", 0) else []
    given = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    done = fresh((sys.executable, ONE_RUN, *given, *bare))
    said: dict[str, float] = json.loads(done.out.strip().splitlines()[-1])
    return said, done


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Of the power of x to which y is proportional, through the upper half of the points."""
    upper = sorted(points)[len(points) // 2 :] if len(points) > 3 else sorted(points)
    slope, _ = statistics.linear_regression([log(x) for x, _ in upper], [log(y) for _, y in upper])
    return slope


def curve(name: str, what: str, turns: Sequence[Sequence[Point]], *, empty: float) -> None:
    """Tell every point of a curve, and its exponents. `empty` is the memory of a process that has only imported."""
    for n, (x, *_) in enumerate(turns[0]):
        for unit, which in (("s", 1), ("MB", 2)):
            values = [turn[n][which] for turn in turns]
            told(Measured(what, statistics.median(values), min(values), max(values), unit, curve=name, at=x))
    told(spread_of(f"exponent of the time in {name}: {what}", [exponent([(x, s) for x, s, _ in turn]) for turn in turns], ""))
    grown = [[(x, mb - empty) for x, _, mb in turn] for turn in turns]
    if min(y for turn in grown for _, y in turn) > TOO_LITTLE:
        told(spread_of(f"exponent of the memory beyond imports in {name}: {what}", [exponent(turn) for turn in grown], ""))


def in_turns(
    repeat: int, places: Sequence[int], measure: Callable[[int], tuple[dict[str, float], Fresh]], x: str = ""
) -> list[list[Point]]:
    """The whole curve again and again: a slow minute hits one repetition, not one point. `x`: where a point is, from its run."""
    turns = []
    for _ in range(repeat):
        turn = []
        for place in places:
            said, done = measure(place)
            turn.append((said[x] if x else float(place), said["seconds"], done.peak))
        turns.append(turn)
    return turns


# -- sweeps -------------------------------------------------------------------------------------------------------------------


def spec(cells: int, steps: int) -> str:
    """So many cells of one claim: a problem drawn from as many seeds."""
    return (
        'claims = ["prop:convex-any-stepsize"]\n'
        'problems = ["random-quadratic(dimension=30)"]\n'
        'methods = ["1/L"]\n'
        'smoothness = ["D"]\n'
        f"seeds = {{ from = 0, count = {cells} }}\n"
        'arithmetic = ["float64"]\n'
        f"steps = {steps}\n"
    )


def has_sweep() -> bool:
    try:
        fresh((BOUNDCHECK, "sweep", "--help"))
    except (Failed, OSError):
        return False
    return True


def sweep(cells: int, jobs: int, steps: int) -> tuple[dict[str, float], Fresh]:
    """A sweep from an empty store, by the clock: workers share the processor."""
    with tempfile.TemporaryDirectory() as scratch:
        written = Path(scratch) / "spec.toml"
        written.write_text(spec(cells, steps), encoding="utf-8")
        places = ("--store", str(Path(scratch) / "store.sqlite"), "--out", str(Path(scratch) / "table.parquet"))
        done = fresh((BOUNDCHECK, "sweep", str(written), *places, "--jobs", str(jobs)), well=(0, 3))
    return {"seconds": done.seconds}, done


def sweeps(cells: Sequence[int], workers: Sequence[int], repeat: int, steps: int) -> None:
    empty = fresh((BOUNDCHECK, "sweep", "--help")).peak
    turns = in_turns(repeat, cells, lambda n: sweep(n, 1, steps))
    curve("number of cells", "a sweep on one worker, by the clock", turns, empty=empty)
    turns = in_turns(repeat, workers, lambda n: sweep(cells[-1], n, steps))
    curve("number of workers", f"a sweep of {cells[-1]} cells, by the clock", turns, empty=empty)


# -- all of it ----------------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--repeat", type=int, help="times each curve is measured [default: 3, quick 1]")
    given = parser.parse_args()
    repeat = given.repeat or (1 if given.quick else 3)
    steps = (200, 400) if given.quick else (1_000, 3_000, 10_000, 30_000, 100_000)
    dimensions = (5, 10) if given.quick else (10, 30, 100, 300, 1_000)
    claims = (1, 4) if given.quick else CLAIMS
    length = 200 if given.quick else 1_000
    empty = one_run(steps=1, dimension=2, claims=1)[1].peak
    told(spread_of("memory of a process that has imported and made one step", [empty], "MB"))

    name = "number of steps K"
    curve(name, "all claims, d = 10", in_turns(repeat, steps, lambda n: one_run(steps=n)), empty=empty)
    curve(name, "the bare loop, d = 10", in_turns(repeat, steps, lambda n: one_run(steps=n, bare=1)), empty=empty)
    if not given.quick:
        large = in_turns(repeat, steps, lambda n: one_run(steps=n, dimension=300))
        curve(name, "all claims, d = 300", large, empty=empty)
    name = "dimension d"
    at_d = in_turns(repeat, dimensions, lambda n: one_run(dimension=n, steps=length))
    curve(name, f"all claims, K = {length:,}", at_d, empty=empty)
    at_d = in_turns(repeat, dimensions, lambda n: one_run(dimension=n, steps=length, bare=1))
    curve(name, f"the bare loop, K = {length:,}", at_d, empty=empty)
    many = in_turns(repeat, claims, lambda n: one_run(claims=n, steps=10 * length), x="claims")
    curve("number of claims", f"d = 10, K = {10 * length:,}", many, empty=empty)
    if has_sweep():
        sweeps((4, 8) if given.quick else (16, 64, 256, 1024), (1, 2), repeat, 50 if given.quick else 300)
    else:
        print("cells and workers: not measured, this boundcheck has no command `sweep`", flush=True)


if __name__ == "__main__":
    main()

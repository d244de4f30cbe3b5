"""Where the time goes, as shares: each profile of profiles.py by room, and the works of `boundcheck paper` by kind.

    python benchmarks/bench_profile.py [--quick]

Shares are of the time that the profiler sees, over repetitions with other seeds. The works of the paper are a sample, timed
without a profiler by the seconds of the processor: the mean of its kind, times how many works of that kind there are.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections import defaultdict

from harness import arguments, spread_of, told
from profiles import KINDS, ROOMS, by_room, profiled

SAID = {
    "check": "`boundcheck check` of one claim on a small problem",
    "verdicts": "verdict work of `pytest theorems/`",
    "balls": "logistic 280 x 34, all claims about 1/L, in balls",
    "float64": "quadratic d = 10, all claims about 1/L, in float64",
}
LEAST = 2.0  # per cent: rooms below it are left out


def rooms(kind: str, repeat: int, seconds: float) -> None:
    shares: dict[str, list[float]] = {room: [] for room in ROOMS}
    for seed in range(repeat):
        spent = by_room(profiled(kind, seconds=seconds, seed=seed))
        for room, own in spent.items():
            shares[room].append(100 * own / sum(spent.values()))
    for room, those in sorted(shares.items(), key=lambda item: -max(item[1])):
        if max(those) >= LEAST:
            told(spread_of(f"{SAID[kind]}: {room}", those, "%"))


def paper(repeat: int, one_in: int, seconds: float) -> None:
    """The share of each kind of work, and of each arithmetic, in what `boundcheck paper` computes."""
    from boundcheck.library.catalogue import bounds
    from boundcheck.model.rule import RuleError
    from boundcheck.report.paper_run import tasks
    from boundcheck.suite.grid import chosen_settings

    everything = tasks(chosen_settings("quick", (), (), None, None), bounds())
    by_kind = defaultdict(list)
    for task in everything:
        by_kind[task.kind].append(task)
    totals: dict[str, list[float]] = {kind: [] for kind in by_kind}
    for seed in range(repeat):
        for kind, those in by_kind.items():
            sample = random.Random(seed).sample(those, min(len(those), max(3, len(those) // one_in)))
            started, done = time.process_time(), 0
            for task in sample:
                with contextlib.suppress(RuleError):
                    list(task.verdicts())
                done += 1
                if time.process_time() - started > seconds:
                    break
            totals[kind].append((time.process_time() - started) / done * len(those))
    for kind, those in totals.items():
        told(spread_of(f"`boundcheck paper`, {len(by_kind[kind]):,} works of the kind '{kind}', by a sample", those, "s"))


def main() -> None:
    given = arguments(__doc__).parse_args()
    for kind in KINDS:
        rooms(kind, repeat=1 if given.quick or kind == "check" else 3, seconds=1.0 if given.quick else 20.0)
    paper(repeat=1 if given.quick else 3, one_in=200 if given.quick else 20, seconds=1.0 if given.quick else 30.0)


if __name__ == "__main__":
    main()

"""`python -m tests.fuzz --outcomes 200000 --seed 1`: fuzz, with a table as it goes; failures are shrunk and printed."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from .compare import Failure, Tally
from .fuzz import fuzz
from .shrink import shrink, snippet

OUTCOMES = ("HOLDS", "VIOLATED", "UNDECIDED", "VACUOUS")


def table(tally: Tally, seconds: float) -> str:
    names = sorted({name for name, _ in tally.counts})
    lines = [f"{'evaluator':<20}" + "".join(f"{o:>12}" for o in OUTCOMES)]
    lines += [f"{name:<20}" + "".join(f"{tally.counts[name, o]:>12,}" for o in OUTCOMES) for name in names]
    asked = sum(tally.asked.values())
    refused = ", ".join(f"{n:,} {what}" for what, n in sorted(tally.refused.items()))
    rate = tally.compared / max(seconds, 1e-9)
    lines.append(f"{tally.compared:,} outcomes of {asked:,} questions in {seconds:.0f} s ({rate:.0f} a second)")
    lines.append(
        f"refused or never asked: {refused or 'none'}; past the end: {tally.past_the_end:,}; wrong: {len(tally.failures)}"
    )
    return "\n".join(lines)


def chosen_ones(failures: list[Failure], count: int) -> list[Failure]:
    """Of each sort the shortest first, and one of each sort before a second of any."""
    seen: Counter[str] = Counter()
    ranked = []
    for failure in sorted(failures, key=lambda f: len(str(f.case.claim.states)) + sum(len(str(g)) for g in f.case.claim.given)):
        seen[failure.sort] += 1
        ranked.append((seen[failure.sort], len(ranked), failure))
    return [failure for _, _, failure in sorted(ranked)[:count]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--outcomes", type=int, default=5000, help="how many outcomes are compared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], help="an evaluator, such as 'ball:128'; may be given again")
    parser.add_argument("--show", type=int, default=10, help="how many failures are shrunk and shown, each of another sort first")
    parser.add_argument("--every", type=float, default=20, help="seconds between tables")
    chosen = parser.parse_args()
    began = last = time.monotonic()

    def told(tally: Tally, number: int) -> None:
        nonlocal last
        if time.monotonic() - last > chosen.every:
            last = time.monotonic()
            print(f"seed {chosen.seed}, round {number}\n{table(tally, last - began)}\n", flush=True)

    tally = fuzz(chosen.seed, chosen.outcomes, told=told, only=chosen.only)
    print(f"seed {chosen.seed}\n{table(tally, time.monotonic() - began)}")
    sorts = Counter(failure.why[:100] for failure in tally.failures)
    for sort, count in sorts.most_common():
        print(f"{count:>7} {sort}")
    for failure in chosen_ones(tally.failures, chosen.show):
        small = shrink(failure)
        print(f"\n# seed {chosen.seed}, {small.case.evaluator}, window {small.case.window or 'as it is'}")
        print(f"{snippet(small)}\n{small.detail[-600:]}", flush=True)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())

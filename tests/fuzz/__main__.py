"""`python -m tests.fuzz --outcomes 200000 --seed 1`: fuzz, with a table as it goes; failures are shrunk and printed."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from .compare import Tally
from .fuzz import fuzz
from .shrink import shrink, snippet

OUTCOMES = ("HOLDS", "VIOLATED", "UNDECIDED", "VACUOUS")


def table(tally: Tally, seconds: float) -> str:
    names = sorted({name for name, _ in tally.counts})
    lines = [f"{'evaluator':<20}" + "".join(f"{o:>12}" for o in OUTCOMES)]
    lines += [f"{name:<20}" + "".join(f"{tally.counts[name, o]:>12,}" for o in OUTCOMES) for name in names]
    asked = sum(tally.asked.values())
    refused = ", ".join(f"{n:,} {what}" for what, n in sorted(tally.refused.items()))
    lines.append(
        f"{tally.compared:,} outcomes of {asked:,} questions in {seconds:.0f} s ({tally.compared / max(seconds, 1e-9):.0f} a second)"
    )
    lines.append(f"refused or never asked: {refused or 'none'}; wrong: {len(tally.failures)}")
    return "\n".join(lines)


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
    seen: Counter[str] = Counter()
    ordered = sorted(tally.failures, key=lambda f: (seen.update([f.why[:100]]), seen[f.why[:100]])[1])
    for failure in ordered[: chosen.show]:
        small = shrink(failure)
        print(f"\n# seed {chosen.seed}, {small.case.evaluator}, window {small.case.window or 'as it is'}")
        print(f"{snippet(small)}\n{small.detail[-600:]}")
        )
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())

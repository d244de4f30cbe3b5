"""No true claim is refuted: the falsifier on every proved reading, a minute of the processor each.

Hours in all, so each row is kept as soon as it is there, and a second start goes on after it. A claim whose text has changed is
searched again. Exit 1 if one was broken.

    python benchmarks/unbroken.py [--seconds 60] [--seed 0] [--jobs 2] [--store FILE] [LABEL...]

Rows that were measured stand in results/unbroken.jsonl, which is where it goes on. They know nothing of changes in the search:
to begin again, name another store.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from boundcheck.claims.bound import CLAIMED, Bound
from boundcheck.falsify.search import CannotFail, search
from boundcheck.language.canonical import digest
from boundcheck.library.catalogue import bounds
from boundcheck.power.fates import targets

KEPT = Path(__file__).parent / "results" / "unbroken.jsonl"
Row = dict[str, Any]


def searched(bound: Bound, seconds: float, seed: int) -> Row:
    """What a search of so many seconds of this process came to."""
    row: Row = {"claim": bound.id, "hash": bound.hash, "budget": seconds, "seed": seed}
    started = process_time()
    try:
        result = search(bound, budget=seconds, seed=seed, clock=process_time)
    except CannotFail as why:
        return row | {"broken": False, "cannot fail": str(why)}
    row |= {"broken": result.found is not None, "nearest": f"{result.ratio:.12g}", "looked at": result.looked_at}
    return row | {"tasks": result.tasks, "seconds": round(process_time() - started, 1)}


def kept(store: Path, seconds: float, seed: int) -> dict[str, list[Row]]:
    """Rows of earlier starts by their claims, the newest first. A line that was cut off by a kill is no row."""
    lines = store.read_text(encoding="utf-8").splitlines() if store.exists() else []
    if strange := [line for line in lines if line and not line.startswith("{")]:
        raise ValueError(f"it has the line {strange[0][:40]!r}")
    rows = [json.loads(line) for line in lines if line.endswith("}")]
    found: dict[str, list[Row]] = {}
    for row in reversed(rows):
        if row["budget"] >= seconds and row["seed"] == seed:
            found.setdefault(row["claim"], []).append(row)
    return found


def own_row(bound: Bound, rows: dict[str, list[Row]]) -> Row | None:
    """The row of a claim as it is."""
    return next((row for row in rows.get(bound.id, []) if row["hash"] == bound.hash), None)


def row_that_covers(bound: Bound, rows: dict[str, list[Row]]) -> Row | None:
    """Its own row, or one of the claim under fewer hypotheses about its letters: what breaks the claim breaks that one too."""
    said = bound.to_json()
    ranges = [n for n, hypothesis in enumerate(said["given"]) if "once" in hypothesis]
    weaker = set()
    for dropped in (some for count in range(1, len(ranges) + 1) for some in combinations(ranges, count)):
        given = [hypothesis for n, hypothesis in enumerate(said["given"]) if n not in dropped]
        weaker.add(digest(json.dumps({**{name: said[name] for name in CLAIMED}, "given": given}, sort_keys=True)))
    return own_row(bound, rows) or next((row for row in rows.get(bound.id, []) if row["hash"] in weaker), None)


def told(row: Row, done: int, of: int) -> None:
    what = "BROKEN" if row["broken"] else row.get("cannot fail") or f"nearest left/right {row['nearest']}"
    print(f"{done:4d}/{of}  {row.get('looked at', 0):>9,d} looked at  {row['claim']}: {what}", flush=True)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", nargs="*")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--store", type=Path, default=KEPT)
    given = parser.parse_args(words)
    proved = targets(bounds())
    if unknown := sorted(set(given.labels) - {b.label for b in proved}):
        parser.error(f"no proved reading is called {unknown[0]}; boundcheck list has the names")
    claims = [b for b in proved if not given.labels or b.label in given.labels]
    try:
        known = kept(given.store, given.seconds, given.seed)
    except (ValueError, KeyError, OSError) as why:
        parser.error(f"{given.store} is no store of this script ({why}): name another with --store")
    rows = {b.id: row for b in claims if (row := own_row(b, known)) is not None}
    if rows:
        print(f"{len(rows)} of {len(claims)} stand in {given.store} already", flush=True)
    todo = [b for b in claims if b.id not in rows]
    with ProcessPoolExecutor(given.jobs) as pool, given.store.open("a") as store:
        for future in as_completed([pool.submit(searched, b, given.seconds, given.seed) for b in todo]):
            row = future.result()
            rows[row["claim"]] = row
            store.write("\n" + json.dumps(row))  # after a line that was cut off, a new one begins all the same
            store.flush()
            told(row, len(rows), len(claims))
    broken = [row["claim"] for row in rows.values() if row["broken"]]
    looked_at = sum(row.get("looked at", 0) for row in rows.values())
    print(f"{len(rows)} proved readings, {given.seconds:g} s each, {looked_at:,d} candidates: {len(broken)} broken")
    for claim in broken:
        print(f"  BROKEN {claim}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

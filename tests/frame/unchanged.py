"""Compare claims, verdicts and certificates with those of an earlier commit: `python -m tests.frame.unchanged COMMIT`.

Both trees answer the same three commands: `list --json` (every claim with its hash), `check --json` (the verdict of every cell)
and `verify --json` (the judgement on every certificate of the earlier commit, the wrong ones of the tests included). Exit 0: all
answers agree. 1: something differs, and each difference is a line. Options after `--` go to `check`, such as `--problem huber`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OUTER = ("problems", "runners", "theorems")
COMPARED = ("outcome", "hash", "status", "certified", "cells", "holds", "violated", "undecided", "vacuous", "certified_cells")
CELL = ("outcome", "certified", "grade", "counts")

Answers = Mapping[str, Any]


def differences(before: Answers, after: Answers, what: str) -> Iterator[str]:
    """Each answer that is missing, new or different, as a line."""
    for name in before.keys() - after.keys():
        yield f"{what} {name}: is gone"
    for name in after.keys() - before.keys():
        yield f"{what} {name}: is new"
    for name in sorted(before.keys() & after.keys()):
        if before[name] != after[name]:
            yield f"{what} {name}: was {_short(before[name])}, is {_short(after[name])}"


def _short(answer: Any) -> str:
    text = json.dumps(answer)
    return text if len(text) <= 300 else text[:300] + " ..."


def unpack(commit: str, folder: Path) -> None:
    """Write the tree of a commit into a folder, in which all four folders can be imported under one name."""
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="tar")
    for name in OUTER:
        link = folder / "boundcheck" / name
        if not link.exists():
            link.symlink_to(Path("..") / name)


def answer(tree: Path, arguments: Sequence[str]) -> Any:
    """What the program of a tree prints for a command, read as JSON."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "boundcheck", *arguments]
    done = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        raise SystemExit(f"{tree}: boundcheck {' '.join(arguments)[:200]} printed nothing (exit {done.returncode})")
    return json.loads(done.stdout)


def claims(tree: Path) -> Answers:
    """The hash of every claim."""
    return {claim["id"]: claim["hash"] for claim in answer(tree, ["list", "--json"])}


def verdicts(tree: Path, options: Sequence[str]) -> tuple[Answers, Answers]:
    """The verdict of every claim, and of every cell."""
    told = answer(tree, ["check", "--json", *options])
    of_claims = {claim["id"]: {key: claim[key] for key in COMPARED} for claim in told["claims"]}
    of_cells: dict[str, list[Any]] = {}
    for cell in told["cells"]:
        where = ", ".join(str(cell.get(key)) for key in ("claim", "problem", "method", "smoothness", "parameters", "run"))
        of_cells.setdefault(where, []).append({key: cell[key] for key in CELL})
    return of_claims, of_cells


def judgements(tree: Path, certificates: Sequence[Path]) -> Answers:
    """What the checker of a tree says of each certificate."""
    told = answer(tree, ["verify", "--json", *map(str, certificates)])
    return {Path(one.pop("file", str(n))).name: one for n, one in enumerate(told)}


def main(arguments: list[str]) -> int:
    """Compare this tree with a commit."""
    if not arguments:
        raise SystemExit("usage: python -m tests.frame.unchanged COMMIT [-- OPTIONS OF check]")
    commit, options = arguments[0], [one for one in arguments[1:] if one != "--"]
    found: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        earlier = Path(scratch) / "before"
        earlier.mkdir()
        unpack(commit, earlier)
        old, new = claims(earlier), claims(ROOT)
        found += differences(old, new, "the hash of")
        print(f"{len(old)} claims before, {len(new)} now", flush=True)
        certificates = sorted(path for path in earlier.rglob("*.json") if "certificates" in path.parts)
        found += differences(judgements(earlier, certificates), judgements(ROOT, certificates), "the judgement on")
        print(f"{len(certificates)} certificates judged by both", flush=True)
        before, after = verdicts(earlier, options), verdicts(ROOT, options)
        found += differences(before[0], after[0], "the verdict on")
        found += differences(before[1], after[1], "the cell")
        print(f"{len(before[0])} claims checked by both, {sum(map(len, before[1].values()))} cells", flush=True)
    for line in found:
        print(line)
    print("nothing differs" if not found else f"{len(found)} differences")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

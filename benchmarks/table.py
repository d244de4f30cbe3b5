"""Runs every benchmark and writes what they measured into docs/performance.md: the one command behind `make bench`.

    python benchmarks/table.py                        # all scripts, one after another; the better part of an hour
    python benchmarks/table.py --quick                # some seconds each: prints the tables, keeps nothing
    python benchmarks/table.py --only bench_start     # this script again; the rows of the others stay
    python benchmarks/table.py --from benchmarks/results/rows.jsonl   # the page from kept rows, running nothing

Rows are kept in benchmarks/results/rows.jsonl. A script that fails is in the table as failed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from curves import draw
from generated import PAGE, PARTS, page
from harness import ROWS, environment
from rows import KEPT, Malformed, Run, here, measured_from, read, replaced, written

FOLDER = Path(__file__).parent
LIMIT = 3600.0  # seconds a script


def scripts() -> list[Path]:
    return sorted(FOLDER.glob("bench_*.py"))


def run(script: Path, *, quick: bool, limit: float = LIMIT) -> Run:
    """Run a script with one BLAS thread, its output passed on, and take the rows that it left."""
    takes_quick = quick and '"--quick"' in _said(script)
    command = [sys.executable, str(script), *(["--quick"] if takes_quick else [])]
    began, start = here(), time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        left = Path(scratch) / "rows.jsonl"
        left.touch()
        failed = _end_of(subprocess.Popen(command, env=environment() | {ROWS: str(left)}, start_new_session=True), limit)
        measured = measured_from(left.read_text(encoding="utf-8"))
    return Run(
        script=script.stem,
        **began,
        seconds=time.perf_counter() - start,
        quick=takes_quick,
        failed=failed,
        measured=measured,
    )


def _end_of(process: subprocess.Popen[bytes], limit: float) -> str:
    """Wait for it; "" if it ended well. After the limit, or an interrupt, it is stopped with all the processes that it began."""
    try:
        code = process.wait(timeout=limit)
        return f"it ended with {code}" if code else ""
    except subprocess.TimeoutExpired:
        return f"it took longer than {limit:g} s"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _said(script: Path) -> str:
    """The script's own text, or that of `harness.arguments`, which gives it --quick."""
    text = script.read_text(encoding="utf-8")
    return text + ('"--quick"' if "arguments(__doc__" in text else "")


def _chosen(names: Sequence[str]) -> list[Path]:
    found = {path.stem: path for path in scripts()}
    wanted = [Path(name).stem if Path(name).stem.startswith("bench_") else f"bench_{name}" for name in names]
    for name in wanted:
        if name not in found:
            raise Malformed(f"no script '{name}'; there are {', '.join(found)}")
    return [found[name] for name in wanted] if wanted else list(found.values())


def _run_all(chosen: Sequence[Path], quick: bool, limit: float) -> list[Run]:
    done = []
    for n, script in enumerate(chosen, start=1):
        print(f"\n== {n} of {len(chosen)}: {script.name}", flush=True)
        done.append(run(script, quick=quick, limit=limit))
        print(f"== {script.name}: {done[-1].failed or 'done'} in {done[-1].seconds:.0f} s", flush=True)
    return done


def publish(kept: Sequence[Run], page_path: Path = PAGE) -> None:
    """The page and its figures, from kept rows."""
    draw(kept, page_path.parent / "figures")
    page_path.write_text(page(page_path.read_text(encoding="utf-8"), kept), encoding="utf-8")


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short runs; the tables are printed, nothing is kept")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these scripts, such as bench_start or start")
    parser.add_argument("--from", dest="kept", type=Path, metavar="ROWS", help="make the page from these rows, running nothing")
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"seconds that a script may take [default: {LIMIT:g}]")
    chosen = parser.parse_args(given)
    try:
        if chosen.kept is not None:
            if not chosen.kept.is_file():
                raise Malformed(f"no file '{chosen.kept}'; `python benchmarks/table.py` writes {KEPT.relative_to(FOLDER.parent)}")
            kept = read(chosen.kept)
            publish(kept)
            return 0
        new = _run_all(_chosen(chosen.only), chosen.quick, chosen.limit)
        if chosen.quick:
            print("\n" + PARTS["runs"](new) + "\n" + PARTS["goals"](new) + PARTS["rest"](new))
        else:
            kept = replaced(read(KEPT) if KEPT.exists() else [], new)
            KEPT.parent.mkdir(exist_ok=True)
            KEPT.write_text(written(kept), encoding="utf-8")
            publish(read(KEPT))  # rounded as they are kept, so that the page is what the rows give
            print(f"\nrows: {KEPT.relative_to(FOLDER.parent)}; tables: {PAGE.relative_to(FOLDER.parent)}")
    except (Malformed, OSError) as wrong:
        print(f"table: {wrong}", file=sys.stderr)
        return 2
    failed = [r.script for r in new if r.failed]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

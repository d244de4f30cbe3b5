"""The rows of a sweep as Parquet, while it runs and at the end, and what it found in one pass over its cells."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from boundcheck.check.verdict import EACH, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.report.iterate_table import CELL, ParquetIterates, batches
from boundcheck.report.tables import cell_row
from boundcheck.store import Kept, Shared, unpack
from boundcheck.suite.tally import Tally, link_lemmas
from boundcheck.support.atomic_files import AtomicFiles
from boundcheck.support.errors import extra
from boundcheck.sweep.plan import KIND, SweepPlan, Unit

BLOCK = 256  # works whose cells are in the memory at a time: a part, and a row group of the whole
BETWEEN = 5.0  # seconds between looks for parts that can be written
FAILED = "FAILED"
WHERE = (*CELL[:-1], "arithmetic", "precision")
COUNTS = tuple(outcome.name.lower() for outcome in EACH)
TIGHT = ("tightest_ratio", "tightest_at", "violated_at", "violated_left", "violated_right", "hypothesis_residual")
COLUMNS = (*WHERE, "verdict", "certified", "grade", *COUNTS, *TIGHT, "reason", "notes", "error")


def blocks(plan: SweepPlan) -> Iterator[tuple[int, int]]:
    """The plan in blocks of works."""
    for low in range(0, len(plan.units), BLOCK):
        yield low, min(low + BLOCK, len(plan.units))


def row(unit: Unit, kept: Kept, verdict: Verdict | None) -> dict[str, Any]:
    """A cell as a row: its verdict, or FAILED with the error."""
    asked = {"seed": unit.seed, "arithmetic": unit.arithmetic}
    if verdict is not None:
        return {**cell_row(KIND, verdict), **asked, "error": ""}
    cell = json.loads(kept.said)
    return {
        **dict.fromkeys(COLUMNS, ""),
        **{name: cell[name] for name in ("claim", "problem", "method")},
        "reading": cell["claim"].rpartition("@")[2],
        "M": cell["smoothness"],
        "parameters": ", ".join(f"{name}={value}" for name, value in cell["parameters"].items()),
        "run": 0,
        "tried": KIND,
        **asked,
        "verdict": FAILED,
        "certified": False,
        **dict.fromkeys(COUNTS, 0),
        "tightest_ratio": None,
        "hypothesis_residual": None,
        "error": kept.error,
    }


class Tables:
    """Where a sweep's rows go: OUT.parquet, OUT.iterates.parquet if both sides are kept, and OUT.parts/ while it runs."""

    def __init__(self, plan: SweepPlan, shared: Shared, out: Path) -> None:
        self.arrow = extra("pyarrow", what="a sweep's table", extra="sweep")
        self.parquet = extra("pyarrow.parquet", what="a sweep's table", extra="sweep")
        self.plan, self.shared, self.out = plan, shared, out
        self.parts = out.with_name(f"{out.name}.parts")
        self.written: set[int] = set()
        self.looked = monotonic()
        self._clear()  # those of an earlier try may be of other cells

    def advance(self) -> None:
        """Now and then, write the parts in which every work is settled."""
        if monotonic() - self.looked < BETWEEN:
            return
        open_ones = self.shared.open_blocks(BLOCK)
        for number, (low, high) in enumerate(blocks(self.plan)):
            if number not in open_ones and number not in self.written:
                with AtomicFiles() as files:
                    self._write(files.place(self.parts / f"part-{number:06}.parquet"), [(low, high)])
                self.written.add(number)
        self.looked = monotonic()

    def finish(self, seen: Callable[[Unit, Kept, Verdict | None], None]) -> list[Path]:
        """The whole table in the order of the plan, a block at a time; each cell is shown to `seen`. Returns what was written."""
        paths = [self.out]
        with AtomicFiles() as files:
            self._write(files.place(self.out), list(blocks(self.plan)), seen)
            if self.plan.spec.iterates:
                paths.append(self.out.with_name(f"{self.out.stem}.iterates.parquet"))
                self._write_iterates(files.place(paths[-1]))
        self._clear()
        return paths

    def _clear(self) -> None:
        """Away with the parts; what else may be there stays."""
        for part in self.parts.glob("part-*.parquet"):
            part.unlink(missing_ok=True)
        with suppress(OSError):
            self.parts.rmdir()

    def _cells(self, low: int, high: int) -> Iterator[tuple[Unit, Kept, Verdict | None]]:
        for kept in self.shared.cells(low, high):
            verdict = None if kept.numbers is None else unpack(kept.said, kept.numbers)
            yield self.plan.units[kept.place], kept, verdict

    def _write(self, path: Path, among: list[tuple[int, int]], seen: Any = None) -> None:
        schema = self._schema()
        with self.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
            for low, high in among:
                columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
                for cell in self._cells(low, high):
                    for name, value in row(*cell).items():
                        columns[name].append(value)
                    if seen is not None:
                        seen(*cell)
                if columns["claim"]:
                    writer.write_table(self.arrow.table(columns, schema=schema))

    def _schema(self) -> Any:
        arrow = self.arrow
        kinds = {name: arrow.int64() for name in ("run", "seed", *COUNTS)} | {"certified": arrow.bool_()}
        kinds |= {name: arrow.float64() for name in ("tightest_ratio", "hypothesis_residual")}
        return arrow.schema([(name, kinds.get(name, arrow.string())) for name in COLUMNS])

    def _write_iterates(self, path: Path) -> None:
        """A row for each k, with the seed and the arithmetic that was asked for."""

        def verdicts(low: int, high: int) -> Iterator[tuple[str, Verdict, dict[str, Any]]]:
            for unit, _, verdict in self._cells(low, high):
                if verdict is not None:
                    yield KIND, verdict, {"seed": unit.seed, "arithmetic": unit.arithmetic}

        with ParquetIterates(path, WHERE) as writer:
            for low, high in blocks(self.plan):
                for batch in batches(verdicts(low, high)):
                    writer.add(batch)


def read_seen(shared: Shared, plan: SweepPlan, seen: Callable[[Unit, Kept, Verdict | None], None]) -> None:
    """Show every cell to `seen`, in the order of the plan, where no table is written."""
    for low, high in blocks(plan):
        for kept in shared.cells(low, high):
            seen(plan.units[kept.place], kept, None if kept.numbers is None else unpack(kept.said, kept.numbers))


SHOWN = 20  # failures that are told one by one


@dataclass
class SweepResults:
    """The sum of a sweep."""

    tallies: dict[str, Tally]
    violated_at: dict[str, Unit] = field(default_factory=dict)  # where the violation of a tally was seen
    failures: list[str] = field(default_factory=list)
    failed: int = 0
    nothing: Counter[str] = field(default_factory=Counter)  # why works had no cell
    tables: list[Path] = field(default_factory=list)

    def see(self, unit: Unit, kept: Kept, verdict: Verdict | None) -> None:
        if verdict is None:
            self.failed += 1
            if len(self.failures) < SHOWN:
                cell = json.loads(kept.said)
                M = f" (M={cell['smoothness']})" if cell["smoothness"] else ""
                self.failures.append(f"{cell['claim'] or 'every claim'} on {unit}{M}: {kept.error}")
            return
        tally = self.tallies[verdict.cell.claim]
        tally.add(verdict)
        if tally.violation is verdict:
            self.violated_at[tally.bound.id] = unit

    @property
    def cells(self) -> int:
        return sum(tally.cells for tally in self.tallies.values()) + self.failed


def gather(plan: SweepPlan, shared: Shared, tables: Tables | None) -> SweepResults:
    """Every cell once, in the order of the plan; the table is written on the way."""
    bounds: tuple[Bound, ...] = plan.bounds
    found = SweepResults({bound.id: Tally(bound) for bound in bounds})
    if tables is None:
        read_seen(shared, plan, found.see)
    else:
        found.tables = tables.finish(found.see)
    link_lemmas(found.tallies)
    found.nothing.update(shared.nothing())
    return found

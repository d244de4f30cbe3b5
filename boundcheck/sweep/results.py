"""What a sweep found, in one pass over its cells: a tally for each claim, what failed, and what had nothing to ask."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound
from boundcheck.store import Kept, Shared
from boundcheck.suite.tally import Tally, link_lemmas
from boundcheck.sweep.plan import SweepPlan, Unit
from boundcheck.sweep.table import Tables, read_seen

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

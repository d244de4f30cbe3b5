"""What `boundcheck sweep` shows while it works and when it ends, and where it puts its files.

The command loads this file when it runs: it needs the report and the engine, which `boundcheck list` and `--help` do without.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from boundcheck.claims.bound import Bound
from boundcheck.cli.check import exit_code
from boundcheck.report.tables import can_write_parquet
from boundcheck.suite.objections import why_not_asked
from boundcheck.support import terminal as show
from boundcheck.support.errors import NotInstalled
from boundcheck.support.terminal import Bar, aside
from boundcheck.sweep.driver import Places, Silent, places
from boundcheck.sweep.plan import SweepPlan
from boundcheck.sweep.table import SweepResults

NO_TABLE = "no table: Parquet needs pyarrow, which is not installed: pip install 'boundcheck[sweep]'"


class Shown(Silent):
    """Notes and a bar on stderr."""

    bar: Bar | None = None

    def note(self, text: str) -> None:
        click.echo(text, err=True)

    def begin(self, total: int, done: int) -> None:
        self.bar = Bar("sweeping", total, done).__enter__()

    def advance(self, what: str, count: int) -> None:
        if self.bar is not None:
            self.bar.advance(what, count)

    def see(self, done: int) -> None:
        if self.bar is not None:
            self.bar.see(done)

    def end(self) -> None:
        if self.bar is not None:
            self.bar.__exit__()
        self.bar = None


def placed(spec: Path, store: Path | None, out: Path | None) -> Places:
    """As given, or called like the sweep."""
    if not can_write_parquet():
        if out is not None:
            raise NotInstalled(f"--out: {NO_TABLE}")
        click.echo(f"boundcheck: {NO_TABLE}", err=True)
    table = (out or Path(f"{spec.stem}.parquet")) if can_write_parquet() else None
    return places(spec, store or Path(f"{spec.stem}.sqlite"), table)


REASONS = 5  # why works had no cell


def publish(plan: SweepPlan, where: Places, found: SweepResults, *, as_json: bool) -> int:
    """Say it; the exit code."""
    tallies = list(found.tallies.values())
    with aside():
        for tally in tallies:
            if not tally.cells and tally.outcome is not None:
                tally.unexercised_because[_why_no_cell(plan, tally.bound)] += 1
    code = 1 if found.failed else exit_code(tallies, by_name=True)
    if as_json:
        show.say_json(_json(plan, where, found, code))
        return code
    for tally in tallies:
        show.say(f"{show.word(tally.word, 9)} {tally.bound.id}: {tally.line()}")
    for tally in tallies:
        if tally.violation is not None:
            at, verdict = found.violated_at[tally.bound.id], tally.violation
            decided = f"decided in {verdict.cell.arithmetic}, {verdict.grade}"
            show.say(f"{tally.bound.id} fails on {at} ({decided}): {verdict.violation}")
    for line in found.failures:
        show.say(f"FAILED {line}")
    if found.failed:
        more = found.failed - len(found.failures)
        beyond = f"and {more} more; " if more else ""
        show.say(f"{beyond}{show.many(found.failed, 'cell')} failed: --retry-failed tries them again")
    for why, count in found.nothing.most_common(REASONS):
        show.say(f"note: {show.many(count, 'work')} had no cell: {why}")
    if len(found.nothing) > REASONS:
        show.say(f"note: and {len(found.nothing) - REASONS} more reasons, in the store")
    held = f"{show.many(found.cells, 'cell')} of {show.many(len(plan.units), 'work')}"
    show.say(f"{held}: {', '.join(map(str, [*found.tables, where.store]))}. HOLDS is about these cells; it is not a proof.")
    return code


def _why_no_cell(plan: SweepPlan, bound: Bound) -> str:
    """Why nothing in the plan asks this claim, as far as the first seed tells."""
    first = {unit.problem: plan.work(unit).setting for unit in plan.units if unit.seed == plan.spec.seeds[0]}
    rules = tuple(plan.rules.values())
    settings = [replace(one, rules=tuple(r for r in rules if not r.missing(one.problem))) for one in first.values()]
    return why_not_asked(bound, settings, plan.spec.smoothness or None)


def _json(plan: SweepPlan, where: Places, found: SweepResults, code: int) -> dict[str, Any]:
    claims = []
    for tally in found.tallies.values():
        at = found.violated_at.get(tally.bound.id)
        claims.append({**tally.to_json(), "violated_at": None if at is None else vars(at)})
    return {
        "claims": claims,
        "works": len(plan.units),
        "cells": found.cells,
        "failed": found.failed,
        "failures": found.failures,
        "nothing": [{"reason": why, "works": count} for why, count in found.nothing.most_common()],
        "store": str(where.store),
        "tables": [str(path) for path in found.tables],
        "exit_code": code,
    }

"""What `boundcheck sweep` shows while it works, and where it puts its files."""

from __future__ import annotations

from pathlib import Path

import click

from boundcheck.report.tables import can_write_parquet
from boundcheck.support.optional_imports import NotInstalled
from boundcheck.support.terminal import Bar
from boundcheck.sweep.going import Silent
from boundcheck.sweep.places import Places, places

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

"""The progress line of a search for a counterexample, and the signal that ends it.

The commands load this file when they search: it needs the falsifier, which `boundcheck list` and `--help` do without.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from boundcheck.falsify.counterexample import Hunt, SearchObserver

if TYPE_CHECKING:
    from rich.progress import Progress

    from boundcheck.falsify.search import Report, SearchResult, SearchTask


class SearchProgress(SearchObserver):
    """A hunt told on stderr: a progress line where somebody looks (`loud`), and a line for what cannot be certified."""

    def __init__(self, *, loud: bool) -> None:
        self.loud = loud

    @contextmanager
    def during_search(self, hunt: Hunt) -> Iterator[Report]:
        with ExitStack() as stack:
            line = _SearchLine(hunt, stack) if self.loud else None

            def report(task: SearchTask, now: SearchResult) -> None:
                if line is not None:
                    line(task)

            yield report

    def during_shrinking(self) -> AbstractContextManager[object]:
        from rich.console import Console

        return Console(stderr=True).status("shrinking what was found") if self.loud else nullcontext()

    def not_certified(self, why: str) -> None:
        click.echo(f"boundcheck: what seems to fail cannot be certified, and is no counterexample: {why}; going on", err=True)


@contextmanager
def ends_when_told() -> Iterator[None]:
    """SIGTERM ends a search as Ctrl-C does: the processes that it started end too."""
    here = os.getpid()

    def end(number: int, frame: Any) -> None:
        if os.getpid() != here:
            os._exit(128 + number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _SearchLine:
    """The progress line on stderr, the ratio first: a narrow terminal cuts the end.

    Its clock is a thread, and starts with the first report, when all processes are there.
    """

    def __init__(self, hunt: Hunt, stack: ExitStack) -> None:
        self.hunt, self.stack = hunt, stack
        self.bar, self.ticks = self._bar(ticks=False), False

    def __call__(self, task: SearchTask) -> None:
        if not self.ticks:
            self.bar.stop()
            self.bar, self.ticks = self._bar(ticks=True), True
        self.bar.update(self.bar.task_ids[0], description=f"{self.hunt.so_far().partition(': ')[2]}; {self._where(task)}")

    def _bar(self, *, ticks: bool) -> Progress:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TimeElapsedColumn(), TextColumn(f"/ {self.hunt.budget:g} s  {{task.description}}"))
        bar = self.stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=ticks))
        bar.add_task("starting")
        bar.tasks[0].start_time = bar.get_time() - (perf_counter() - self.hunt.began)
        bar.refresh()
        return bar

    def _where(self, task: SearchTask) -> str:
        from boundcheck.falsify.families import families
        from boundcheck.falsify.search import GRAM_STRATEGY, PROGRAM

        kind = f" with M = {task.smoothness}" if task.smoothness else ""
        on = (
            ""
            if task.strategy in (PROGRAM, GRAM_STRATEGY)
            else f" on {families(self.hunt.bound, task.smoothness)[task.family].name}"
        )
        return f"{task.strategy}{on}{kind}"

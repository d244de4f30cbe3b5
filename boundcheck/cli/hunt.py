"""The search of `boundcheck falsify`, until something is found that can be certified or the budget ends; its progress line."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.progress import Progress

    from boundcheck.bound import Bound
    from boundcheck.falsify.model import Candidate
    from boundcheck.falsify.schedule import Task
    from boundcheck.falsify.search import Result

ANOTHER_SEED = 1_000_003  # from one search to the next, where what a search found is not certified


@dataclass(frozen=True)
class Counterexample:
    """A candidate that refutes the claim, with its certificate and the lines that a person can follow."""

    candidate: Candidate
    certificate: dict[str, Any]
    lines: list[str]
    margin: float
    result: Result


class Hunt:
    """Searches until something is found that can be certified, or the budget ends."""

    def __init__(self, bound: Bound, budget: float, seed: int, jobs: int, shrinks: bool, *, loud: bool) -> None:
        self.bound, self.budget, self.seed, self.jobs, self.shrinks, self.loud = bound, budget, seed, jobs, shrinks, loud
        self.began = perf_counter()
        self.seconds, self.candidates, self.nearest, self.uncertified = 0.0, 0, float("-inf"), 0

    def run(self) -> Counterexample | None:
        turn = 0
        while (left := self.budget - (perf_counter() - self.began)) > 0:
            result = self._searched(left, self.seed + turn * ANOTHER_SEED)
            if result.found is None:
                return None
            if (found := self._certified(result)) is not None:
                return found
            turn += 1
        return None

    def _searched(self, budget: float, seed: int) -> Result:
        from boundcheck.falsify.search import search

        before = self.candidates
        with ExitStack() as stack:
            line = _Line(self, stack) if self.loud else None

            def report(task: Task, now: Result) -> None:
                self.candidates, self.nearest = before + now.looked_at, max(self.nearest, now.ratio)
                if line is not None:
                    line(task)

            try:
                return search(self.bound, budget=budget, seed=seed, jobs=self.jobs, report=report)
            finally:
                self.seconds = perf_counter() - self.began

    def _certified(self, result: Result) -> Counterexample | None:
        """The simplest form of what was found that a certificate can be made of; None where there is no such form."""
        from boundcheck.certificate import NotCertified
        from boundcheck.falsify.exact import look
        from boundcheck.falsify.shrinking.shrink import shrink
        from boundcheck.falsify.write import certificate_of
        from boundcheck.walkthrough import steps

        assert result.found is not None
        why = ""
        first = result.found.candidate
        with self._waiting("shrinking what was found"):
            simplest = shrink(self.bound, first) if self.shrinks else first
        for candidate in dict.fromkeys((simplest, first)):
            try:
                certificate = certificate_of(self.bound, candidate)
            except NotCertified as wrong:
                why = str(wrong)
                continue
            failure = look(self.bound, candidate) or result.found.failure
            return Counterexample(candidate, certificate, steps(self.bound, certificate), failure.margin, result)
        self.uncertified += 1
        if self.uncertified == 1:
            click.echo(f"boundcheck: what seems to fail cannot be certified, and is no counterexample: {why}; going on", err=True)
        return None

    def _waiting(self, what: str) -> AbstractContextManager[Any]:
        from rich.console import Console

        return Console(stderr=True).status(what) if self.loud else nullcontext()

    def so_far(self) -> str:
        """12.3 s: 4,000 candidates, the nearest left/right = 0.98."""
        compared = self.nearest > float("-inf")
        near = f"the nearest left/right = {self.nearest:.6g}" if compared else "none with a left/right to compare"
        return f"{self.seconds:.1f} s: {self.candidates:,} candidates, {near}"


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


class _Line:
    """The progress line on stderr, the ratio first: a narrow terminal cuts the end.

    Its clock is a thread, and starts with the first report, when all processes are there.
    """

    def __init__(self, hunt: Hunt, stack: ExitStack) -> None:
        self.hunt, self.stack = hunt, stack
        self.bar, self.ticks = self._bar(ticks=False), False

    def __call__(self, task: Task) -> None:
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

    def _where(self, task: Task) -> str:
        from boundcheck.falsify.families import families
        from boundcheck.falsify.schedule import PROGRAM

        kind = f" with M = {task.smoothness}" if task.smoothness else ""
        on = "" if task.strategy == PROGRAM else f" on {families(self.hunt.bound, task.smoothness)[task.family].name}"
        return f"{task.strategy}{on}{kind}"

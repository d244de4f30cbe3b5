"""What a terminal shows: JSON, colours, a progress bar on stderr; what other code prints on standard output goes there too."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from time import perf_counter
from typing import Any, TypeVar

import click

T = TypeVar("T")
BETWEEN_LINES, BETWEEN_PICTURES = 20.0, 0.1  # seconds

COLOURS = {
    "HOLDS": "green",
    "VIOLATED": "red",
    "UNDECIDED": "yellow",
    "VACUOUS": "yellow",
    "NOT_EVALUATED": "red",
    "UNTESTED": "yellow",
    "holds": "green",
    "refuted": "red",
    "undecided": "yellow",
    "untested": "yellow",
    "error": "red",
    "warning": "yellow",
}


def say_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def say(text: str = "") -> None:
    """A line on stdout. Colours are dropped unless it is a terminal; NO_COLOR drops them there too."""
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)


def word(text: str, width: int = 0) -> str:
    """An outcome or a status, in its colour, padded."""
    return click.style(text, fg=COLOURS.get(text)) + " " * max(0, width - len(text))


def many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def progress(items: Sequence[T], label: str) -> Iterator[T]:
    """The items, with a bar on stderr while they are used; in a log file, a line now and then."""
    if not sys.stderr.isatty():
        yield from _logged(items, label)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=len(items))
        for item in items:
            bar.update(task, description=f"{label} {item}")
            yield item
            bar.advance(task)


class _Log:
    """How far it is, as a line now and then."""

    def __init__(self, label: str, total: int) -> None:
        self.label, self.total, self.said = label, total, perf_counter()

    @property
    def is_due(self) -> bool:
        return perf_counter() - self.said > BETWEEN_LINES

    def tell(self, done: int, left: str = "") -> None:
        if self.is_due:
            self.said = perf_counter()
            print(f"boundcheck: {self.label}: {done} of {self.total} done{left and f', {left}'}", file=sys.stderr, flush=True)


def _logged(items: Sequence[T], label: str) -> Iterator[T]:
    log = _Log(label, len(items))
    for n, item in enumerate(items):
        log.tell(n)
        yield item


def fields(pairs: Iterable[tuple[str, str]], indent: str = "  ") -> Iterator[str]:
    """Aligned `name  value` lines; pairs without a value are left out."""
    kept = [(name, value) for name, value in pairs if value]
    width = max((len(name) for name, _ in kept), default=0)
    for name, value in kept:
        first, *rest = value.splitlines()
        yield f"{indent}{name:<{width}}  {first}"
        yield from (f"{indent}{'':<{width}}  {line}" for line in rest)


class Bar:
    """Progress on stderr: a bar, or lines in a log file. No thread draws it: processes may be forked while it is there."""

    def __init__(self, label: str, total: int, done: int = 0) -> None:
        self.label, self.total, self.done, self.log = label, total, done, _Log(label, total)
        self.first, self.began, self.drawn = done, perf_counter(), 0.0
        self.bar: Any = None
        self.what = ""

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            left = TextColumn("{task.fields[left]}")
            self.bar = Progress(*columns, left, console=Console(stderr=True), transient=True, auto_refresh=False)
            self.bar.start()
            self.task = self.bar.add_task(self.label, total=self.total, completed=self.done, left="")
        return self

    def __exit__(self, *wrong: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def advance(self, what: str, count: int = 1) -> None:
        self.done, self.what = self.done + count, what
        self.draw()

    def see(self, done: int) -> None:
        """So many are done, some of them perhaps by others."""
        self.done = max(self.done, done)
        self.draw()

    @property
    def left(self) -> str:
        """As long for each as those took that were done since it began: about 0:02:10 left."""
        made = self.done - self.first
        return f"about {clock((perf_counter() - self.began) * (self.total - self.done) / made)} left" if made > 0 else ""

    def draw(self) -> None:
        if self.bar is None:
            if self.log.is_due:
                self.log.tell(self.done, self.left)
        elif perf_counter() - self.drawn > BETWEEN_PICTURES:
            self.drawn = perf_counter()
            description = f"{self.label} {self.what}".rstrip()
            self.bar.update(self.task, completed=self.done, description=description, left=self.left, refresh=True)


def clock(seconds: float) -> str:
    """1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


@contextmanager
def aside() -> Iterator[None]:
    """As long as it lasts, what is printed in this process."""
    with redirect_stdout(sys.stderr):
        yield


def print_to_stderr() -> None:
    """From now on, in a process made for somebody's code: also what is written below Python, and by programs that it starts."""
    sys.stdout = sys.stderr
    with suppress(OSError):
        os.dup2(2, 1)

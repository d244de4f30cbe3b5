"""The command `boundcheck power` measures how many mutants of true claims the falsifier breaks: a tool for maintainers."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.progress import Progress

    from boundcheck.power.mutation_run import MutationRun


@click.command()
@click.argument("names", nargs=-1, metavar="[CLAIM | FILE.py[:NAME]]...")
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=Path("power.jsonl"),
    show_default=True,
    metavar="FILE",
    help="What is found is kept there, line by line; with the same store the command goes on where it was.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed finds the same again.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; all cores unless given. Fates do not depend on it.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE.md", help="Write the report there too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: one object.")
def power(names: tuple[str, ...], store: Path, seed: int, jobs: int | None, out: Path | None, as_json: bool) -> int:
    """Change one thing in each true claim, again and again, and ask the falsifier to break what comes of it.

    A tool for the maintainers of boundcheck: no verdict depends on it. The score is killed / (killed + unexplained).
    It measures the falsifier, and with it what our HOLDS is worth.
    Exit 0: at least 0.9. 1: less, or a contradiction. 2: bad input. 130: interrupted; the same command goes on.
    """
    from boundcheck.cli.group import INTERRUPTED, complain
    from boundcheck.cli.search_progress import ends_when_told
    from boundcheck.library.references import claims
    from boundcheck.power.mutation_run import FateJournal, MutationRun, choose
    from boundcheck.power.page import page
    from boundcheck.suite.recorded_verdicts import write
    from boundcheck.support import terminal as show
    from boundcheck.support.processes.pool import cores

    chosen, left_out = choose(claims(names))
    _refuse_place(out, store)
    work = MutationRun(chosen, left_out, FateJournal(store), seed)
    try:
        with ends_when_told(), ExitStack() as stack:
            score = work.run(jobs or cores(), _ProgressLine(work, stack).show if sys.stderr.isatty() else None)
    except KeyboardInterrupt:
        return complain(f"interrupted after {work.so_far()}; kept in {store}: the same command goes on from there", INTERRUPTED)
    if out is not None:
        write([(out, page(score))])
    if as_json:
        show.say_json(score.to_json())
    else:
        show.say(page(score).rstrip("\n"))
    return 0 if score.is_enough else 1


def _refuse_place(out: Path | None, store: Path) -> None:
    """Before anything is done: does the report write over something else?"""
    from boundcheck.library.catalogue import NotFound
    from boundcheck.power.page import HEADING

    if out is None:
        return
    if out.is_dir():
        raise NotFound(f"{out} is a directory; --out needs a file")
    if out.absolute() == store.absolute():
        raise NotFound(f"--out and --store are both {out}; give the report a file of its own")
    if out.exists() and not out.read_bytes().startswith(HEADING.encode()):
        raise NotFound(f"{out} exists and is no report of this command; remove it, or give another file with --out")


class _ProgressLine:
    """The progress line on stderr. No thread draws it: processes are forked while it is there."""

    def __init__(self, work: MutationRun, stack: ExitStack) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (BarColumn(20), TimeElapsedColumn(), TextColumn("{task.description}"))
        self.work = work
        self.bar: Progress = stack.enter_context(
            Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        )
        self.task = self.bar.add_task("starting", total=None)
        self.shown = 0.0
        self.bar.refresh()

    def show(self) -> None:
        from boundcheck.support.terminal import clock

        now = perf_counter()
        if now - self.shown < 0.2:
            return
        self.shown, left = now, self.work.seconds_left()
        rest = f"; about {clock(left)} left" if left is not None else ""
        so_far = f"{self.work.so_far()}{rest}" if self.work.order else "starting"
        self.bar.update(self.task, total=self.work.expected or None, completed=len(self.work.found), description=so_far)
        self.bar.refresh()

"""`boundcheck figure`: the figures of papers, computed again, drawn, and written with their numbers and a caption."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.progress import Progress

    from boundcheck.figures import Figure

WHOLE = ("steps", "problems", "dimension", "seed")


@click.command()
@click.argument("name", required=False)
@click.option("--out", metavar="DIR", default=".", show_default=True, help="The folder to write into.")
@click.option("--steps", type=int, metavar="N", help="Length of the runs.")
@click.option("--problems", type=int, metavar="N", help="How many random problems.")
@click.option("--dimension", type=int, metavar="D", help="Of the random problems.")
@click.option("--seed", type=int, metavar="S", help="Of the first random problem; the others take those after it.")
@click.option(
    "--data", multiple=True, metavar="FILE", help="A data file, or a problem's name, in place of the paper's. May be repeated."
)
@click.option("--format", "formats", multiple=True, metavar="F", help="svg, png or pdf. May be repeated. [default: svg, png]")
@click.option("--fresh", is_flag=True, help="Compute the numbers again, though they are kept.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the figures, or what was written.")
def figure(
    name: str | None, out: str, data: tuple[str, ...], formats: tuple[str, ...], fresh: bool, as_json: bool, **whole: Any
) -> int:
    """Write NAME.svg, NAME.png, NAME.csv (the numbers drawn) and NAME.txt (the caption). Without a NAME: list the figures.

    Numbers are kept, in $BOUNDCHECK_CACHE or the user's cache, until an option, a data file or the code changes.
    Exit 0: done. 2: bad input.
    """
    from boundcheck.figures import figures, make
    from boundcheck.figures.figure_files import FORMATS
    from boundcheck.support import terminal as show

    options: dict[str, Any] = {word: whole[word] for word in WHOLE if whole[word] is not None}
    options |= {"data": data} if data else {}
    if name is None:
        return _list(figures().values(), as_json, bool(options) or fresh or bool(formats))
    with _Bar(name) as bar:
        made = make(name, out, formats=formats or FORMATS, fresh=fresh, tell=bar.tell, say=bar.say, **options)
    if as_json:
        paths = [str(path) for path in made.paths]
        show.say_json({"figure": name, "title": made.title, "caption": made.caption, "paths": paths, "cached": made.cached})
        return 0
    show.say(f"{made.title}\n\n{made.caption}\n")
    for path in made.paths:
        show.say(str(path))
    return 0


def _list(known: Any, as_json: bool, asked: bool) -> int:
    from boundcheck.library.catalogue import NotFound
    from boundcheck.support import terminal as show

    found: list[Figure] = list(known)
    if asked:
        raise NotFound(f"options need the NAME of a figure: {', '.join(one.name for one in found)}")
    if as_json:
        show.say_json([{"figure": one.name, "title": one.title, "options": dict(one.options)} for one in found])
        return 0
    for line in show.fields([(one.name, f"{one.title}{_taken(one)}") for one in found], indent=""):
        show.say(line)
    return 0


def _taken(one: Figure) -> str:
    taken = [f"--{word} {'FILE' if value == () else value}" for word, value in one.options.items()]
    return f"\n{' '.join(taken)}" if taken else ""


class _Bar:
    """How far it is, on stderr where that is a terminal."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.bar: Progress | None = None
        self.say: Callable[[str], None] = lambda line: click.echo(f"boundcheck: {line}", err=True)

    def __enter__(self) -> _Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(self.name, total=1.0)
        return self

    def tell(self, done: float, what: str) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=done, description=f"{self.name}: {what}")

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, where: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()

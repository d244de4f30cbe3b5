"""`boundcheck audit`: what is a step-size rule, which theorems does it obey, and where does it break?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boundcheck.audit.audit import Audit


@click.command()
@click.argument("rule_name", metavar="FILE.py:RULE")
@click.option(
    "--problem", "problem_names", multiple=True, metavar="P", help="A problem's name, or FILE.py:NAME. May be repeated. "
    "[default: a battery of 18]"
)  # fmt: skip
@click.option("--steps", type=click.IntRange(min=1), help="Length of the runs. [default: 100]")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="How long it may take, about. [default: 25]")
@click.option("--follows", default="", metavar="NAME", help="The rule of the library that it means to be, by its name.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use for the theorems; all cores unless given.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--out", metavar="FILE", help="Also write a report: JSON if FILE ends in .json, else Markdown.")
def audit(
    rule_name: str,
    problem_names: tuple[str, ...],
    steps: int | None,
    seconds: float | None,
    follows: str,
    jobs: int | None,
    as_json: bool,
    out: str | None,
) -> int:
    """Run a step-size rule on a battery of problems; say what it is, which theorems hold for it, and where it breaks.

    Exit 0: clean. 1: not what it declares, or gives no step somewhere, or diverges, or is not deterministic, or a theorem is
    violated. 2: bad input. 3: nothing was exercised. What the rule prints goes to stderr.
    """
    import sys
    from contextlib import redirect_stdout

    from boundcheck.audit.audit import audit as audited
    from boundcheck.library.references import method, problem
    from boundcheck.support import terminal as show
    from boundcheck.support.atomic_files import sealed
    from boundcheck.support.processes.pool import cores

    if out is not None:
        _refuse(out)
    options: dict[str, Any] = {name: value for name, value in (("steps", steps), ("seconds", seconds)) if value is not None}
    with redirect_stdout(sys.stderr):  # what the user's code prints is no part of the answer
        rule = method(rule_name)
        problems = [problem(name) for name in problem_names] or None
    with redirect_stdout(sys.stderr), _progress() as told:
        found = audited(rule, problems, follows=follows, spread=_in(jobs or cores()), told=told, **options)
    if out is not None:
        _write(found, out)
    if as_json:
        show.say_json(sealed(found.to_json()))
    else:
        _show(found)
    return found.exit_code


def _in(jobs: int) -> Callable[[Sequence[Callable[[], Any]]], Iterator[Any]]:
    """Tasks in so many processes."""
    from boundcheck.support.processes.pool import in_processes

    def spread(tasks: Sequence[Callable[[], Any]]) -> Iterator[Any]:
        with in_processes(tasks, jobs) as results:
            for result in results:
                yield result()

    return spread


class _progress:
    """What is being done, on stderr while it is done, if that is a terminal."""

    def __enter__(self) -> Callable[[str], None]:
        import sys

        self.status: Any = None
        if not sys.stderr.isatty():
            return lambda what: None
        from rich.console import Console

        self.status = Console(stderr=True).status("starting")
        self.status.start()
        return lambda what: self.status.update(what)

    def __exit__(self, *wrong: object) -> None:
        if self.status is not None:
            self.status.stop()


def _show(found: Audit) -> None:
    import os
    import sys

    from rich.console import Console

    if sys.stdout.isatty():
        Console(highlight=False, no_color=bool(os.environ.get("NO_COLOR"))).print(found)
    else:
        click.echo(repr(found))


def _refuse(out: str) -> None:
    """A report that could not be written is told before anything runs. Folders that are not there yet are made."""
    import os
    from pathlib import Path

    from boundcheck.library.catalogue import NotFound

    path = Path(out)
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if path.is_dir() or not folder.is_dir():
        why = "" if folder.is_dir() else f": {folder} is no folder"
        raise NotFound(f"--out {out} is no file{why}; give one such as audit.md or audit.json")
    if not os.access(folder, os.W_OK):
        raise NotFound(f"{out} cannot be written: {folder} is read-only; give another file with --out")


def _write(found: Audit, out: str) -> None:
    import json
    from pathlib import Path

    from boundcheck.audit.export import as_markdown
    from boundcheck.support.atomic_files import sealed, write_whole

    said = json.dumps(sealed(found.to_json()), indent=2, ensure_ascii=False) + "\n" if out.endswith(".json") else None
    write_whole(Path(out), as_markdown(found) if said is None else said)

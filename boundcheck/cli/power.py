"""`boundcheck power`: of the mutants of true claims, how many does the falsifier break?"""

from __future__ import annotations

import sys
from pathlib import Path

import click


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

    The score is killed / (killed + unexplained). It measures the falsifier, and with it what our HOLDS is worth.
    Exit 0: at least 0.9. 1: less, or a contradiction. 2: bad input. 130: interrupted; the same command goes on.
    """
    from boundcheck.cli import show
    from boundcheck.cli.group import INTERRUPTED, complain
    from boundcheck.cli.hunt import ends_when_told
    from boundcheck.cli.power_page import page
    from boundcheck.cli.power_work import Work, choose
    from boundcheck.cli.record import write
    from boundcheck.falsify.mutation.journal import Journal
    from boundcheck.given import claims
    from boundcheck.processes import cores

    chosen, left_out = choose(claims(names))
    _refuse_place(out, store)
    work = Work(chosen, left_out, Journal(store), seed)
    try:
        with ends_when_told():
            score = work.run(jobs or cores(), loud=sys.stderr.isatty())
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
    from boundcheck.cli.power_page import HEADING
    from boundcheck.registry import NotFound

    if out is None:
        return
    if out.is_dir():
        raise NotFound(f"{out} is a directory; --out needs a file")
    if out.absolute() == store.absolute():
        raise NotFound(f"--out and --store are both {out}; give the report a file of its own")
    if out.exists() and not out.read_bytes().startswith(HEADING.encode()):
        raise NotFound(f"{out} exists and is no report of this command; remove it, or give another file with --out")

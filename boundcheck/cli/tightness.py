"""`boundcheck tightness`: bounds against the worst case over their whole class of functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from boundcheck.tightness.result import WorstCase

COLUMNS = ("name", "claim", "given", "k", "bound", "worst", "ratio", "at_most", "verdict", "certified", "note")
MOST_STEPS = 30
UNSETTLED = 3


@click.command()
@click.option("--k", "most", type=click.IntRange(1, MOST_STEPS), default=10, show_default=True, help="1, 2, ..., K steps.")
@click.option("--family", "names", multiple=True, metavar="NAME", help="Only this family, or those whose names begin so.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; all cores unless given.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE.csv", help="Write the table there too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of rows.")
def tightness(most: int, names: tuple[str, ...], jobs: int | None, out: Path | None, as_json: bool) -> int:
    """Which bounds can be improved: each against the worst case over its whole class of functions, by semidefinite programs.

    The steps and the values of M are given; every function is allowed. The numbers are a solver's, and not certified.
    Needs PEPit (pip install 'boundcheck[pep]'). Exit 0: done. 1: a bound fails that is not known to be false. 2: bad input.
    3: some row is unknown.
    """
    from boundcheck.suite.recorded_verdicts import write
    from boundcheck.support import terminal as show
    from boundcheck.tightness.result import CERTAINTY
    from boundcheck.tightness.stacked import stacked
    from boundcheck.tightness.table import rows, solved

    _refuse_place(out)
    stacked()
    asked = rows(range(1, most + 1), names)
    found = [case for _, case in zip(show.progress(asked, "solving"), solved(asked, jobs), strict=True)]
    if out is not None:
        write([(out, as_csv(found))])
    if as_json:
        show.say_json([case.to_json() for case in found])
    else:
        for line in as_text(found):
            show.say(line)
        show.say(f"{show.many(len(found), 'row')}, {CERTAINTY}; docs/worstcase.md says for which functions each is exact.")
    known_false = {row.claim.id for row in asked if row.claim.is_refuted}
    if any(case.fails and case.claim not in known_false for case in found):
        return 1
    return UNSETTLED if any(case.can_be_improved is None and not case.fails for case in found) else 0


def as_text(found: Sequence[WorstCase]) -> list[str]:
    """A block for each family and choice of steps: a line for each k."""
    blocks: dict[tuple[str, str, str], list[WorstCase]] = {}
    for case in found:
        blocks.setdefault((case.name, case.claim, case.given), []).append(case)
    lines = []
    for (name, claim, given), cases in blocks.items():
        lines += [click.style(name, bold=True) + f"  {claim}", f"  {given}"]
        lines += [f"  {'k':>3}  {'bound':>10}  {'worst case':>10}  ratio"]
        lines += [_line(case) for case in cases]
        lines += [f"  {note}" for note in dict.fromkeys(case.note for case in cases)] + [""]
    return lines


def _line(case: WorstCase) -> str:
    most = f" (at most {case.at_most / case.bound:.4f})" if case.at_most == case.at_most else ""
    return f"  {case.k:>3}  {case.bound:>10.6g}  {case.worst:>10.6g}  {case.ratio:.4f}{most}  {case.verdict}"


def as_csv(found: Sequence[WorstCase]) -> str:
    import csv
    from io import StringIO

    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(case.to_json() for case in found)
    return text.getvalue()


def _refuse_place(out: Path | None) -> None:
    """Before anything is done: is the file one that may be written?"""
    from boundcheck.library.catalogue import NotFound

    if out is None:
        return
    if out.is_dir() or out.suffix != ".csv":
        raise NotFound(f"--out needs a file whose name ends in .csv; found {out}")
    if out.exists() and not out.read_bytes().startswith(",".join(COLUMNS).encode()):
        raise NotFound(f"{out} exists and is no table of this command; remove it, or give another file with --out")

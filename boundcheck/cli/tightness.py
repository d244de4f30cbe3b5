"""`boundcheck tightness`: bounds against the worst case over their whole class of functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.tightness.result import WorstCase
    from boundcheck.tightness.row import Row

COLUMNS = ("name", "claim", "given", "k", "bound", "worst", "ratio", "at_most", "verdict", "certified", "note")
MOST_STEPS = 30
PATH_KINDS = ("any", "D", "H")
UNSETTLED = 3


@click.command()
@click.argument("claim", required=False, metavar="[CLAIM | FILE.py:NAME]")
@click.option("--k", "ks", default="1..10", show_default=True, metavar="K or A..B", help="The numbers of steps; 10 is 1..10.")
@click.option("--family", "names", multiple=True, metavar="NAME", help="Only this family, or those whose names begin so.")
@click.option("--L", "L", metavar="NUMBER", help="The smoothness constant of a claim's class; 1 unless given.")
@click.option("--mu", metavar="NUMBER", help="The strong convexity constant; L/4 unless given.")
@click.option(
    "--steps", metavar="A,B,...", help="The steps in turn, where the claim's own formula gives no numbers; 1/L or 1/M_i."
)
@click.option("--chords", metavar="A,B,...", help="The values of M on the path, in turn; 1 unless given.")
@click.option("--path", type=click.Choice(PATH_KINDS), help="What M is there: any M, D or H; any unless given.")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=NUMBER", help="A parameter of the claim, or a constant of its class."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; all cores unless given.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE.csv", help="Write the table there too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of rows.")
def tightness(
    claim: str | None, ks: str, names: tuple[str, ...], jobs: int | None, out: Path | None, as_json: bool, **chosen: Any
) -> int:
    """Which bounds can be improved: each against the worst case over its whole class of functions, by semidefinite programs.

    Of a CLAIM, for its own k, with the steps that its formula gives where they are numbers. Without one, the families that
    installed papers declare, for so many steps. The steps and the values of M are given; every function is allowed. The numbers
    are a solver's, and not certified. Needs Clarabel (pip install 'boundcheck[pep]'). Exit 0: done. 1: a bound fails that is not
    known to be false. 2: bad input, or the claim is not such a program: the line names the piece to blame. 3: a row is unknown.
    """
    from boundcheck.gram.solver import clarabel
    from boundcheck.suite.recorded_verdicts import write
    from boundcheck.support import terminal as show
    from boundcheck.tightness.result import CERTAINTY
    from boundcheck.tightness.table import rows, solved

    _refuse_place(out)
    clarabel()
    numbers = _steps_counted(ks, 1 if claim is None else 0)
    if claim is None:
        _refuse_choices(chosen)
        asked = rows(numbers, names)
    else:
        asked = _rows_of(claim, numbers, names, chosen)
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


def _steps_counted(written: str, fewest: int) -> list[int]:
    """Return the numbers that --k means: A..B, or K for 1..K."""
    from boundcheck.support.errors import UserError

    first, dots, last = written.partition("..")
    if not (first.isdigit() and (last.isdigit() if dots else not last)):
        raise UserError(f"--k is a number of steps, as in 10, or a range, as in 1..10; found {written}")
    low, high = (int(first), int(last)) if dots else (1, int(first))
    if not fewest <= low <= high <= MOST_STEPS:
        raise UserError(f"--k is {fewest if dots else 1} or more, at most {MOST_STEPS}, and does not fall; found {written}")
    return list(range(low, high + 1))


def _rows_of(claim: str, ks: Sequence[int], names: Sequence[str], chosen: Mapping[str, Any]) -> list[Row]:
    from boundcheck.library.references import one_claim
    from boundcheck.support.errors import UserError
    from boundcheck.tightness.any_claim import Choice, rows_of

    if names:
        raise UserError("--family is about the table of families; a claim has none")
    settings = dict(_named_number(written) for written in chosen["settings"])
    steps, chords = (tuple(filter(None, (chosen[name] or "").split(","))) for name in ("steps", "chords"))
    choice = Choice(
        L=chosen["L"], mu=chosen["mu"], steps=steps, chords=chords, path=chosen["path"] or PATH_KINDS[0], numbers=settings
    )
    return rows_of(one_claim(claim), ks, choice)


def _named_number(written: str) -> tuple[str, str]:
    from boundcheck.support.errors import UserError

    name, equals, number = written.partition("=")
    if not (name and equals and number):
        raise UserError(f"--set takes NAME=NUMBER, as in gamma=3/2; found {written}")
    return name.strip(), number.strip()


def _refuse_choices(chosen: Mapping[str, Any]) -> None:
    """The families have their numbers."""
    from boundcheck.support.errors import UserError

    if given := [name for name, value in chosen.items() if value]:
        option = "set" if given[0] == "settings" else given[0]
        raise UserError(f"--{option} is about one claim; name it, as in boundcheck tightness FILE.py:NAME --{option} ...")


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

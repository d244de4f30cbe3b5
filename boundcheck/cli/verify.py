"""`boundcheck verify`: the independent checker on certificate files, and whether the claim in a file is one of the library."""

from __future__ import annotations

from typing import Any

import click

UNCHECKED = "titles, reasons and words are not checked"


def _positive(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    if seconds is not None and not seconds > 0:
        raise click.BadParameter(f"needs a number of seconds above 0; found {seconds}")
    return seconds


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("--seconds", type=float, callback=_positive, help="Time for each file; 60 where it is not given.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list, one object a file.")
def verify(paths: tuple[str, ...], seconds: float | None, as_json: bool) -> int:
    """Does each certificate refute the claim that it carries? Nothing of the framework is used to decide it.

    The first words say whether that claim is one of the library (same id, same hash), another version of one, or none.
    Another version does not refute the library's. Titles, reasons and words in a file are not checked.
    Exit 0: all refute. 1: some does not. 2: some is malformed, or too large to check.
    """
    from boundcheck.certificates.verification import NONE, OTHER, SAME
    from boundcheck.support import terminal as show
    from boundcheck.verify import MALFORMED

    standing = {
        SAME: "the library's claim",
        OTHER: "ANOTHER VERSION of a library claim, under its name (their hashes differ)",
        NONE: "NOT A CLAIM OF THE LIBRARY",
    }
    found = [_entry(path, seconds) for path in paths]
    if as_json:
        show.say_json(found)
    for one in found if not as_json else ():
        first = f"{standing[one['library']]}: " if one["library"] else ""
        line = f"{one['file']}: {first}{one['outcome']}: {one['why']}"
        if one["exit_code"] == MALFORMED:
            click.echo(f"boundcheck: {line}", err=True)
        else:
            show.say(f"{line} ({UNCHECKED})")
    worst: int = max(one["exit_code"] for one in found)
    return worst


def _entry(path: str, seconds: float | None) -> dict[str, Any]:
    """What the checker and the library say of one file, as JSON has it."""
    from boundcheck.certificates.verification import verification

    said = verification(path, seconds)
    return {
        "file": path,
        "library": said.library,
        "claim": said.claim,
        "outcome": said.outcome,
        "why": said.why,
        "exit_code": said.exit_code,
    }

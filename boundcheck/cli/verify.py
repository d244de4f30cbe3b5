"""`boundcheck verify`: the independent checker on certificate files, and whether the claim in a file is one of the library."""

from __future__ import annotations

from typing import Any

import click

SAME, OTHER, NONE = "same hash", "other hash", "not in the library"
STANDING = {
    SAME: "the library's claim",
    OTHER: "ANOTHER VERSION of a library claim, under its name (their hashes differ)",
    NONE: "NOT A CLAIM OF THE LIBRARY",
}
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
    from boundcheck.cli import show
    from boundcheck.verify import MALFORMED

    found = [_entry(path, seconds) for path in paths]
    if as_json:
        show.say_json(found)
    for one in found if not as_json else ():
        first = f"{STANDING[one['library']]}: " if one["library"] else ""
        line = f"{one['file']}: {first}{one['outcome']}: {one['why']}"
        if one["exit_code"] == MALFORMED:
            click.echo(f"boundcheck: {line}", err=True)
        else:
            show.say(f"{line} ({UNCHECKED})")
    worst: int = max(one["exit_code"] for one in found)
    return worst


def _entry(path: str, seconds: float | None) -> dict[str, Any]:
    """What the checker and the library say of one file, as JSON has it. Text of the file is plain ASCII in it."""
    from boundcheck.verify import DOES_NOT_REFUTE, MALFORMED, REFUTES, SECONDS, Finding, examine, read, shown

    try:
        finding = examine(read(path), SECONDS if seconds is None else seconds)
    except OSError as wrong:
        why = "there is no such file" if isinstance(wrong, FileNotFoundError) else f"it cannot be read: {wrong.strerror}"
        finding = Finding(MALFORMED, "malformed", why)
    code, outcome, why = finding.code, finding.outcome, finding.line
    library, same = (None, None) if finding.claim is None else _standing(finding.claim, finding.hash)
    if library == OTHER and code == REFUTES:
        code, outcome, why = (
            DOES_NOT_REFUTE,
            "does not refute",
            f"it refutes another claim than the library's: their hashes differ; {why}",
        )
    if library == NONE and same is not None:
        why = f"{why}; by its hash it is the library's {shown(same, 200)}"
    claim = None if finding.claim is None else shown(finding.claim, 500)[1:-1]
    return {"file": path, "library": library, "claim": claim, "outcome": outcome, "why": why, "exit_code": code}


def _standing(name: str, found: str | None) -> tuple[str, str | None]:
    """Whether the library has this claim by name, and with this hash; and the id of one that has the hash."""
    from boundcheck.registry import bounds

    known = next((bound for bound in bounds() if bound.id == name), None)
    if known is not None:
        return (SAME, known.id) if known.hash == found else (OTHER, None)
    return NONE, next((bound.id for bound in bounds() if bound.hash == found), None)

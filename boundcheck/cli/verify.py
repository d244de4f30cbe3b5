"""`boundcheck verify`: the independent checker on certificate files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

WORDS = ("refutes", "does not refute", "malformed")


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list, one object a file.")
def verify(paths: tuple[str, ...], as_json: bool) -> int:
    """Does each certificate refute the claim that it carries? Nothing of the framework is used to decide it.

    Where the claim has the id of one in the library, it must also be that one.
    Exit 0: all refute. 1: some does not. 2: some is malformed.
    """
    from boundcheck.cli import show
    from boundcheck.verify import MALFORMED
    from boundcheck.verify import verify as examine

    found: list[dict[str, Any]] = []
    for path in paths:
        code, line = examine(path) if Path(path).is_file() else (MALFORMED, "there is no such file")
        code, line, claim = (code, line, None) if code == MALFORMED else _in_the_library(Path(path), code, line)
        found.append({"file": path, "claim": claim, "outcome": WORDS[code], "why": line, "exit_code": code})
    if as_json:
        show.say_json(found)
    for one in found if not as_json else ():
        if one["exit_code"] == MALFORMED:
            click.echo(f"boundcheck: {one['file']}: malformed: {one['why']}", err=True)
        else:
            show.say(f"{one['file']}: {one['outcome']}: {one['why']}")
    worst: int = max(one["exit_code"] for one in found)
    return worst


def _in_the_library(path: Path, code: int, line: str) -> tuple[int, str, str | None]:
    """A certificate that names a claim of the library must carry that claim, not another under its name."""
    from boundcheck.registry import bounds
    from boundcheck.verify import DOES_NOT_REFUTE, REFUTES

    data: Any = json.loads(path.read_bytes())
    name = str(data["claim"].get("id"))
    known = next((bound for bound in bounds() if bound.id == name), None)
    if code == REFUTES and known is not None and known.hash != data["hash"]:
        return DOES_NOT_REFUTE, f"it refutes another claim than the library's {name}: their hashes differ", name
    return code, line, name

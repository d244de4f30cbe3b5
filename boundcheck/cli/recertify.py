"""`boundcheck recertify`: renews the certificates whose claim has changed since."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.bound import Bound

KEPT, RENEWED, NOT_RENEWED = "kept", "renewed", "not renewed"


@click.command()
@click.argument("names", nargs=-1, metavar="[CLAIM | FILE.py[:NAME]]...")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Their folder.  [default: beside the claims]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list, one object a certificate.")
def recertify(names: tuple[str, ...], out: Path | None, as_json: bool) -> int:
    """Renew each certificate whose claim has another hash now: with the same function and run, else from the claim's instance.

    The others are left as they are, and so is a file for which no new certificate is found.
    Exit 0: every certificate is of its claim as it is. 1: some could not be renewed. 2: bad input.
    """
    from boundcheck.cli import show
    from boundcheck.cli.given import claims
    from boundcheck.registry import NotFound

    if out is not None and not out.is_dir():
        raise NotFound(f"{out} is no folder; --out needs the folder that the certificates are in")
    chosen = claims(names)
    files = list(_certificates(chosen, out))
    if names:
        files += [(bound, path) for bound in chosen if not (path := _place(bound, out)).is_file() and bound.is_refuted]
    if not files:
        raise NotFound("there is no certificate of these claims to renew; write one with `boundcheck certify`")
    found = [_look(bound, path) for bound, path in show.progress(files, "renewing")]
    if as_json:
        show.say_json(found)
    for one in found if not as_json else ():
        show.say(f"{one['claim']}: {one['outcome']}{': ' + one['why'] if one['why'] else ''}")
    return 0 if all(one["outcome"] != NOT_RENEWED for one in found) else 1


def _place(bound: Bound, out: Path | None) -> Path:
    """Where the certificate of a claim is kept."""
    from boundcheck.certificate import file_name, path_of

    kept = path_of(bound)
    return (out if out is not None else kept.parent if kept is not None else Path()) / file_name(bound)


def _certificates(chosen: Sequence[Bound], out: Path | None) -> Iterator[tuple[Bound, Path]]:
    """Every certificate of these claims in the folders where they are kept, whatever the file is called."""
    by_id = {bound.id: bound for bound in chosen}
    for folder in dict.fromkeys(_place(bound, out).parent for bound in chosen):
        for path in sorted(folder.glob("*.json")):
            bound = by_id.get(_claim_of(path))
            if bound is not None:
                yield bound, path


def _claim_of(path: Path) -> str:
    """The id of the claim that a file is about; "" where it is no certificate."""
    try:
        return str(json.loads(path.read_bytes())["claim"]["id"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""


def _look(bound: Bound, path: Path) -> dict[str, Any]:
    from boundcheck.certificate import as_text
    from boundcheck.cli.record import write
    from boundcheck.falsify.renew import renewed

    said: dict[str, Any] = {"claim": bound.id, "file": str(path)}
    if not path.is_file():
        return {**said, "outcome": NOT_RENEWED, "why": f"there is no {path.name}; write it with `boundcheck certify`"}
    old = json.loads(path.read_bytes())
    if old.get("hash") == bound.hash:
        return {**said, "outcome": KEPT, "why": ""}
    try:
        made, how = renewed(bound, old)
    except ValueError as wrong:
        return {**said, "outcome": NOT_RENEWED, "why": " ".join(str(wrong).removeprefix(f"{bound.id}: ").split())}
    write([(path, as_text(made))])
    return {**said, "outcome": RENEWED, "why": f"by {how}"}

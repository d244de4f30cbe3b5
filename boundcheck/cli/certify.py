"""`boundcheck certify`: writes a certificate for each claim that is known to be false."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boundcheck.claims.bound import Bound


@click.command()
@click.argument("names", nargs=-1, metavar="[CLAIM | FILE.py[:NAME]]...")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="The folder to write.  [default: beside the claims]")
@click.option("--all", "every", is_flag=True, help="Every claim of the library.")
@click.option("--from-instance", is_flag=True, help="Write over a kept certificate even where it is simpler.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list, one object a certificate.")
def certify(names: tuple[str, ...], out: Path | None, every: bool, from_instance: bool, as_json: bool) -> int:
    """Write a certificate for each claim that carries an instance which refutes it.

    Each is checked by `boundcheck verify` before it is kept. A certificate of the same claim that is there already, refutes it
    and is simpler is left as it is. Exit 0: each has one. 1: some false claim got none. 2: bad input.
    """
    from boundcheck.certificates.write import as_text, file_name, path_of
    from boundcheck.certificates.write import certify as make
    from boundcheck.library.catalogue import NotFound
    from boundcheck.library.references import claims
    from boundcheck.suite.recorded_verdicts import write
    from boundcheck.support import terminal as show

    if bool(names) == every:
        raise NotFound("name the claims to certify, or say --all: it writes over the certificates that are kept beside them")
    if out is not None and out.exists() and not out.is_dir():
        raise NotFound(f"{out} is a file; --out needs a folder")
    chosen = [bound for bound in claims(names) if bound.refuted_by is not None]
    if not chosen:
        raise NotFound("none of these claims carries an instance that refutes it; add refuted_by=Instance(...)")
    found = []
    for bound in show.progress(chosen, "certifying"):
        kept = path_of(bound)
        path = (out if out is not None else kept.parent if kept is not None else Path()) / file_name(bound)
        try:
            certificate = make(bound)
            if stays := not from_instance and _is_simpler(bound, path, certificate):
                certificate = json.loads(path.read_bytes())
            else:
                write([(path, as_text(certificate))])
            said = {"claim": bound.id, "file": str(path), "why": certificate["words"], "written": not stays, "kept": stays}
            found.append(said)
        except NotFound:
            raise
        except ValueError as wrong:
            found.append({"claim": bound.id, "file": str(path), "why": str(wrong), "written": False, "kept": False})
    if as_json:
        show.say_json(found)
    else:
        for one in found:
            outcome = (
                one["file"]
                if one["written"]
                else f"kept: simpler: {one['file']}"
                if one["kept"]
                else f"no certificate: {one['why']}"
            )
            show.say(f"{one['claim']}: {outcome}")
    return 0 if all(one["written"] or one["kept"] for one in found) else 1


def _is_simpler(bound: Bound, path: Path, made: dict[str, Any]) -> bool:
    """Is there a certificate of exactly this claim, accepted by the checker, that is simpler than this one?"""
    from boundcheck.certificates.write import why_not_refuted
    from boundcheck.falsify.renew import is_simpler

    return not why_not_refuted(bound, path) and is_simpler(bound, json.loads(path.read_bytes()), made)

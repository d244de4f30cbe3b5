"""`boundcheck certify`, `recertify` and `verify` write certificates for false claims, renew them, and check certificate files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


KEPT, RENEWED, NOT_RENEWED, SIMPLER = "kept", "renewed", "not renewed", "simpler"
BUDGET = 20.0


@click.command()
@click.argument("names", nargs=-1, metavar="[CLAIM | FILE.py[:NAME]]...")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Their folder.  [default: beside the claims]")
@click.option("--simplify", is_flag=True, help="Replace each by a simpler counterexample that is as telling, where one is found.")
@click.option(
    "--budget", type=float, metavar="SECONDS", help=f"How long to search for each, with --simplify.  [default: {BUDGET:g}]"
)
@click.option("--seed", type=click.IntRange(min=0), help="The same seed finds the same again, with --simplify.  [default: 0]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list, one object a certificate.")
def recertify(
    names: tuple[str, ...], out: Path | None, simplify: bool, budget: float | None, seed: int | None, as_json: bool
) -> int:
    """Renew each certificate whose claim has another hash now: with the same function and run, else from the claim's instance.

    The others are left as they are, and so is a file for which no new certificate is found. With --simplify: replace those
    that are of their claims, each as soon as a simpler one is found.
    Exit 0: every certificate is of its claim as it is. 1: some could not be renewed. 2: bad input.
    """
    from boundcheck.cli.search_progress import ends_when_told
    from boundcheck.library.catalogue import NotFound
    from boundcheck.library.references import claims
    from boundcheck.support import terminal as show

    if not simplify and not (budget is None and seed is None):
        raise NotFound("--budget and --seed are of the search for simpler counterexamples; add --simplify")
    if budget is not None and not 0 < budget < float("inf"):
        raise NotFound(f"--budget is a number of seconds above 0; found {budget:g}")
    if out is not None and not out.is_dir():
        raise NotFound(f"{out} is no folder; --out needs the folder that the certificates are in")
    chosen = claims(names)
    files = list(_certificates(chosen, out))
    if names:
        files += [(bound, path) for bound in chosen if not (path := _place(bound, out)).is_file() and bound.is_refuted]
    if not files:
        raise NotFound("there is no certificate of these claims to renew; write one with `boundcheck certify`")
    found = []
    try:
        with ends_when_told():
            for one in show.progress([_File(*file) for file in files], "simplifying" if simplify else "renewing"):
                found.append(_simplify(one, budget or BUDGET, seed or 0) if simplify else _look(one.bound, one.path))
    finally:  # after an interrupt too: what is written is said
        if as_json:
            show.say_json(found)
        for said in found if not as_json else ():
            show.say(f"{said['claim']}: {said['outcome']}{': ' + said['why'] if said['why'] else ''}")
    return 0 if all(one["outcome"] != NOT_RENEWED for one in found) else 1


@dataclass(frozen=True)
class _File:
    """A claim, and where its certificate is kept."""

    bound: Bound
    path: Path

    def __str__(self) -> str:
        return self.path.stem


def _place(bound: Bound, out: Path | None) -> Path:
    """Where the certificate of a claim is kept."""
    from boundcheck.certificates.write import file_name, path_of

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
    from boundcheck.certificates.write import as_text
    from boundcheck.falsify.renew import renewed
    from boundcheck.suite.recorded_verdicts import write

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


def _simplify(file: _File, budget: float, seed: int) -> dict[str, Any]:
    """A simpler certificate in the place of a kept one. Both complexities are said, in the order of `numbers.complexity`."""
    from boundcheck.certificates.write import as_text, why_not_refuted
    from boundcheck.falsify.renew import simplified
    from boundcheck.suite.recorded_verdicts import write
    from boundcheck.support.processes.pool import cores

    bound, path = file.bound, file.path
    said: dict[str, Any] = {"claim": bound.id, "file": str(path)}
    if wrong := why_not_refuted(bound, path):
        return {**said, "outcome": NOT_RENEWED, "why": f"{wrong}; renew it first, with `boundcheck recertify` or `certify`"}
    try:
        found = simplified(bound, json.loads(path.read_bytes()), budget=budget, seed=seed, jobs=cores())
    except ValueError as unread:
        return {**said, "outcome": KEPT, "why": f"it is not compared: {unread}"}
    said |= {"complexity": found.kept, "other": found.other}
    own, other = (" ".join(map(str, numbers)) if numbers is not None else "none" for numbers in (found.kept, found.other))
    if found.certificate is None:
        return {**said, "outcome": KEPT, "why": f"{own}; the simplest other: {other}{found.why_not and f', but {found.why_not}'}"}
    write([(path, as_text(found.certificate))])
    return {**said, "outcome": SIMPLER, "why": f"{other}; it was {own}"}


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

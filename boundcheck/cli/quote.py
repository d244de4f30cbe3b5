"""`boundcheck quote`: the place of a statement in a paper's LaTeX source, as places.toml keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from types import ModuleType

    from boundcheck.claims.latex_source.numbers import SourceNumbers
    from boundcheck.claims.latex_source.tex_source import TexSource
    from boundcheck.claims.source import Place

RANGE = re.compile(r"([0-9]+)(?:-([0-9]+))?")


@click.command()
@click.argument("source", type=click.Path(path_type=Path), metavar="PAPER.tex")
@click.argument("ranges", nargs=-1, metavar="[FIRST-LAST]...")
@click.option("--label", default="", help="The label of the claim; the first \\label on the lines unless given.")
@click.option(
    "--paper",
    "name",
    metavar="NAME | FILE.py | FOLDER | PACKAGE",
    help="The places that printed claims of this paper lack, by its inventory.",
)
@click.option("--write", is_flag=True, help="With --paper: add them to places.toml beside the claims; what is there stays.")
@click.option("--numbers", is_flag=True, help="List every \\label of the source with its line and printed number.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a list of label, line or lines, number and fingerprint.")
def quote(source: Path, ranges: tuple[str, ...], label: str, name: str | None, write: bool, numbers: bool, as_json: bool) -> int:
    """Print where lines of PAPER.tex stand, ready to paste into places.toml: lines, number, fingerprint.

    The words themselves are shown on stderr, for the eye; they are never written to a file.
    Exit 0: done. 1: with --paper, some printed claim has no place that is found in PAPER.tex. 2: bad input.
    """
    from boundcheck.claims.latex_source.numbering import numbered
    from boundcheck.claims.latex_source.tex_source import read

    if sum((bool(ranges), name is not None, numbers)) != 1:
        raise click.UsageError("give lines such as 340-342, or --paper NAME, or --numbers")
    if write and name is None:
        raise click.UsageError("--write needs --paper NAME")
    if label and len(ranges) != 1:
        raise click.UsageError(f"--label names one range of lines; found {len(ranges)}")
    tex = read(source)
    known = numbered(tex)
    if numbers:
        return _numbers(known, as_json=as_json)
    code = 0
    if name is not None:
        with _kept(name) as (paper, there):
            found, code = _paper(tex, known, paper, there, write=write)
    else:
        found = [_range(tex, known, words, label) for words in ranges]
    _say(tex, found, as_json=as_json)
    return code


def _numbers(known: SourceNumbers, *, as_json: bool) -> int:
    from boundcheck.support import terminal as show

    rows = sorted(known.lines.items(), key=lambda pair: pair[1])
    if as_json:
        show.say_json([{"label": label, "line": line, "number": known.words(label) or None} for label, line in rows])
    for label, line in rows if not as_json else ():
        click.echo(f"{line}\t{label}\t{known.words(label) or '-'}")
    return 0


def _range(source: TexSource, numbers: SourceNumbers, words: str, label: str) -> tuple[str, Place]:
    from boundcheck.claims.latex_source.statement_places import labels_in, place_of_lines
    from boundcheck.claims.latex_source.tex_source import NotASource

    found = RANGE.fullmatch(words)
    if found is None:
        raise NotASource(f"found the lines '{words}'; a range is FIRST-LAST, such as 340-342, or one line")
    first, last = int(found[1]), int(found[2] or found[1])
    label = label or next(iter(labels_in(numbers, first, last)), "")
    return label or "LABEL", place_of_lines(source, numbers, first, last, label)


def _say(source: TexSource, found: Sequence[tuple[str, Place]], *, as_json: bool) -> None:
    """The places on stdout, and the words on stderr."""
    from boundcheck.claims.latex_source.quotation import place_words, shown
    from boundcheck.claims.latex_source.statement_places import toml_of
    from boundcheck.support import terminal as show

    for label, place in found:
        click.echo(f"{place_words(place)}:", err=True)
        for line in shown(source.between(*place.lines)):
            click.echo(f"  {line}", err=True)
        if not as_json:
            click.echo(toml_of(label, place))
    if as_json:
        show.say_json(
            [{"label": n, "lines": p.lines, "number": p.number or None, "fingerprint": p.fingerprint} for n, p in found]
        )


def _paper(
    source: TexSource, numbers: SourceNumbers, paper: ModuleType, there: dict[str, Place], *, write: bool
) -> tuple[list[tuple[str, Place]], int]:
    """The places that printed claims of a paper lack, and the exit code; what is wrong with those that are there is told."""
    from boundcheck.claims.bound import LEMMA, PRINTED
    from boundcheck.claims.latex_source.quotation import find
    from boundcheck.claims.latex_source.statement_places import file_of, place_of
    from boundcheck.claims.source import PLACES
    from boundcheck.library.catalogue import bounds_of, folder_of
    from boundcheck.support.atomic_files import AtomicFiles

    printed = list(dict.fromkeys(bound.label for bound in bounds_of(paper) if bound.reading == PRINTED))
    wrong = [label for label in printed if label in there and find(there[label].fingerprint, there[label].lines, source) is None]
    lines = _lines(paper)
    made = {label: place_of(source, numbers, label, lines.get(label)) for label in printed if label not in there}
    added = {label: place for label, place in made.items() if place is not None}
    for label in wrong:
        click.echo(f"boundcheck: {label}: its fingerprint is not in {source.name}; make it again from its lines", err=True)
    for label in made.keys() - added.keys():
        click.echo(f"boundcheck: {label}: neither a \\label of {source.name} nor in the inventory; give its lines", err=True)
    stale = sorted(there.keys() - {bound.label for bound in bounds_of(paper) if bound.reading != LEMMA})
    for label in stale:
        click.echo(f"boundcheck: {label}: has a place, but no claim of this label is the paper's", err=True)
    if write:
        path = folder_of(paper) / PLACES
        kept = {label: place for label, place in {**there, **added}.items() if label not in stale}
        with AtomicFiles() as files:
            files.text(path, file_of(kept))
        click.echo(f"{path}: {len(kept)} places, {len(added)} new, {len(stale)} taken away", err=True)
    return list(added.items()), 1 if wrong or len(added) < len(made) else 0


@contextmanager
def _kept(name: str) -> Iterator[tuple[ModuleType, dict[str, Place]]]:
    """The package or file of a paper's claims, and the places that it keeps."""
    from boundcheck.claims.source import read_places
    from boundcheck.library.catalogue import bounds_of, papers
    from boundcheck.library.targets import given_paper

    known = {bound.source.paper.name: paper for paper in papers() for bound in bounds_of(paper)}
    if name in known:
        yield known[name], read_places(known[name].__name__)
        return
    with given_paper(name) as paper:
        yield paper, read_places(paper.__name__ if hasattr(paper, "__path__") else str(paper.__file__))


def _alike(one: str, other: str) -> int:
    """How many letters two labels begin with in common."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _lines(paper: ModuleType) -> dict[str, int]:
    """The line of each claim: that of its own entry in the inventory, else of the one with the nearest label that it covers."""
    from boundcheck.library.inventory import inventory

    found = {entry.label: entry.line for entry in inventory(paper)}
    near: dict[str, tuple[int, int]] = {}
    for entry in inventory(paper):
        for label in entry.covered_by:
            alike = _alike(entry.label, label)
            if label not in near or alike > near[label][0]:
                near[label] = alike, entry.line
    return {**{label: line for label, (_, line) in near.items()}, **found}

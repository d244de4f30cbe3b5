"""Places of statements made from a source: their lines, number and fingerprint, and the TOML in which they are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping

from boundcheck.claims.latex_source.extents import lines_from, lines_of_label
from boundcheck.claims.latex_source.fingerprints import fingerprint
from boundcheck.claims.latex_source.numbers import Numbers
from boundcheck.claims.latex_source.reading import NotASource, TexSource
from boundcheck.claims.source import Place

HEAD = """\
# Where each printed statement stands in the paper's LaTeX source: its lines, its number as printed, and a fingerprint of them.
# `boundcheck quote` makes these; lines corrected by hand stay. The words are the paper's and are not kept here.
"""


def place_of_lines(source: TexSource, numbers: Numbers, first: int, last: int, label: str = "") -> Place:
    """The place of some lines. Its number is that of the label, else of what the lines stand in."""
    if not 1 <= first <= last:
        raise NotASource(f"found the lines {first}-{last}; a range is FIRST-LAST with 1 <= FIRST <= LAST")
    if last > len(source.lines):
        raise NotASource(f"{source.name} has {len(source.lines)} lines; found the range {first}-{last}")
    mark = fingerprint(source.between(first, last))
    if mark.endswith("-0"):
        raise NotASource(f"{source.name}, lines {first}-{last}: there are no words; give lines that hold a statement")
    return Place(lines=(first, last), number=numbers.words(label) or numbers.around(first, last), fingerprint=mark)


def place_of(source: TexSource, numbers: Numbers, label: str, line: int | None) -> Place | None:
    """The place of a claim by its label in the source; of a part of it (`label.part`), by the line on which it begins."""
    lines = lines_of_label(source, numbers, label)
    if lines is None and line is not None and 1 <= line <= len(source.lines):
        lines = lines_from(source, numbers, line)
    return None if lines is None else place_of_lines(source, numbers, *lines, label)


def labels_in(numbers: Numbers, first: int, last: int) -> list[str]:
    """The labels on some lines, in their order."""
    return [label for label, line in sorted(numbers.lines.items(), key=lambda pair: pair[1]) if first <= line <= last]


def toml_of(label: str, place: Place) -> str:
    """A place as it stands in places.toml."""
    first, last = place.lines
    number = json.dumps(place.number, ensure_ascii=False)
    return f'[{json.dumps(label)}]\nlines = [{first}, {last}]\nnumber = {number}\nfingerprint = "{place.fingerprint}"\n'


def file_of(places: Mapping[str, Place]) -> str:
    """The whole of places.toml, in the order of the source."""
    ordered = sorted(places.items(), key=lambda pair: (pair[1].lines, pair[0]))
    return HEAD + "".join(f"\n{toml_of(label, place)}" for label, place in ordered)

"""A quotation: what a paper's source says at the place of a printed claim, and a fingerprint of its words."""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from boundcheck.claims.bound import PRINTED, Bound
from boundcheck.claims.latex_source.tex_source import TexSource, without_comment
from boundcheck.claims.source import Place

SYMBOL = re.compile(r"\\[A-Za-z@]+|\\.|\S")  # a command of TeX, or one character; white space is none
FINGERPRINT = re.compile(r"[0-9a-f]{16}-[0-9]+")
DIGITS = 16


def fingerprint(lines: Sequence[str]) -> str:
    """The fingerprint of some lines: 16 hexadecimal digits of their SHA-256, and how many symbols they have.

    Comments and white space do not count, and neither does where a line breaks; every other symbol does.
    """
    symbols = [symbol for line in lines for symbol in SYMBOL.findall(without_comment(line))]
    return f"{_digits(symbols)}-{len(symbols)}"


def find(mark: str, hint: tuple[int, int], source: TexSource) -> tuple[int, int] | None:
    """The first and last line of the words with this fingerprint: at the lines given, else nearest to them; None: nowhere."""
    if fingerprint(source.between(*hint)) == mark:
        return hint
    return Searched.of(source).find(mark, hint[0])


def _digits(symbols: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(symbols).encode()).hexdigest()[:DIGITS]


@dataclass(frozen=True)
class Searched:
    """A source as its symbols, each with its line, so that words are found wherever they moved to."""

    source: TexSource

    @staticmethod
    def of(source: TexSource) -> Searched:
        if not _LAST or _LAST[0].source is not source:
            _LAST[:] = [Searched(source)]
        return _LAST[0]

    @cached_property
    def symbols(self) -> tuple[bytes, list[int], list[int], list[int]]:
        """The symbols in a row, where each begins, the line of each, and which come first in their line or after a space."""
        found: list[bytes] = []
        lines: list[int] = []
        begins: list[int] = []
        for number, line in enumerate(self.source.lines, 1):
            end = -1
            for symbol in SYMBOL.finditer(without_comment(line)):
                if symbol.start() != end:
                    begins.append(len(found))
                end = symbol.end()
                found.append(symbol[0].encode())
                lines.append(number)
        offsets = [0, *accumulate(len(symbol) + 1 for symbol in found)]
        return b"\n".join(found), offsets, lines, begins

    @cached_property
    def by_length(self) -> dict[tuple[int, bool], dict[str, list[int]]]:
        return {}

    def of_length(self, count: int, *, whole: bool) -> dict[str, list[int]]:
        """Where each run of so many symbols begins, by its digits; `whole`: only those that begin with a line."""
        if (count, whole) not in self.by_length:
            symbols, offsets, lines, begins = self.symbols
            places: dict[str, list[int]] = {}
            for begin in begins:
                if begin + count < len(offsets) and not (whole and begin and lines[begin] == lines[begin - 1]):
                    words = symbols[offsets[begin] : offsets[begin + count] - 1]
                    places.setdefault(hashlib.sha256(words).hexdigest()[:DIGITS], []).append(begin)
            self.by_length[count, whole] = places
        return self.by_length[count, whole]

    def find(self, mark: str, near: int) -> tuple[int, int] | None:
        digits, _, count = mark.partition("-")
        if not FINGERPRINT.fullmatch(mark) or int(count) == 0:
            return None
        length, lines = int(count), self.symbols[2]
        found = self.of_length(length, whole=True).get(digits) or self.of_length(length, whole=False).get(digits, [])
        spans = [(lines[begin], lines[begin + length - 1]) for begin in found]
        return min(spans, key=lambda span: abs(span[0] - near), default=None)


_LAST: list[Searched] = []  # the source that was searched last: a report asks for one place after another


SHORT = 120  # characters: what a line of a misquote shows of the source


@dataclass(frozen=True, kw_only=True)
class Quotation:
    """What the source given with --source says at the place of a printed claim.

    `words` are the paper's own, as LaTeX. Where they are nowhere in the source, it is a misquote: they are what stands instead.
    """

    place: Place
    found: tuple[int, int] | None = None  # the lines, counted in `file`
    words: tuple[str, ...] = ()
    file: str = ""

    @property
    def is_found(self) -> bool:
        return self.found is not None

    @property
    def has_moved(self) -> bool:
        return self.found is not None and self.found != self.place.lines

    @property
    def text(self) -> str:
        return "\n".join(self.words)

    @property
    def short(self) -> str:
        """The words in one short line."""
        return textwrap.shorten(" ".join(self.words), SHORT, placeholder=" ...") if self.text.strip() else "nothing"

    @property
    def tells(self) -> str:
        """Where the words are, in a line."""
        expected = lines_words(self.place.lines)
        if self.found is None:
            return f"not found in {self.file}; expected at {expected}"
        return f"{self.file}, {lines_words(self.found)}" + (f" (expected at {expected})" if self.has_moved else "")


def lines_words(lines: tuple[int, int]) -> str:
    """`lines 340-346`, or `line 340`."""
    first, last = lines
    return f"line {first}" if first == last else f"lines {first}-{last}"


def place_words(place: Place | None) -> str:
    """Where a claim is printed: `Equation (1), lines 340-346`. Nothing where nobody looked it up."""
    if place is None:
        return ""
    return f"{place.number}, {lines_words(place.lines)}" if place.number else lines_words(place.lines)


def quoted(source: TexSource, place: Place) -> Quotation:
    """What the source says at a place: its words, wherever they are; what stands there instead, where they are nowhere."""
    found = find(place.fingerprint, place.lines, source)
    words = shown(source.between(*(found or place.lines)))
    if found is None:
        return Quotation(place=place, words=words, file=source.name)
    file, first = source.line_in_file(found[0])
    return Quotation(place=place, found=(first, first + found[1] - found[0]), words=words, file=file)


def shown(lines: Iterable[str]) -> tuple[str, ...]:
    """Lines as they are shown: without comments, without blank lines around them, without the indent that all have."""
    kept = [text.rstrip() for line in lines if (text := without_comment(line)).strip() or not line.strip()]
    return tuple(textwrap.dedent("\n".join(kept).expandtabs(4)).strip("\n").split("\n")) if any(kept) else ()


def quotations(bounds: Iterable[Bound], source: TexSource) -> dict[str, Quotation]:
    """The quotation of each printed claim that says where it stands, by its id.

    Where the claims are of several papers, those of a paper of which not one word is in the source are left out.
    """
    printed = [bound for bound in bounds if bound.reading == PRINTED and bound.source.printed is not None]
    found = {bound.id: quoted(source, bound.source.printed) for bound in printed if bound.source.printed is not None}
    theirs = {bound.source.paper.name for bound in printed if found[bound.id].is_found}
    return {bound.id: found[bound.id] for bound in printed if not theirs or bound.source.paper.name in theirs}


def misquotes(found: Mapping[str, Quotation]) -> list[str]:
    """A line for each claim whose words are not in the source: what was expected where, and what stands there."""
    return [
        f"misquote: {claim}: its words are not in {one.file}; expected at {lines_words(one.place.lines)}"
        f"{f' ({one.place.number})' if one.place.number else ''}, where the source says: {one.short}"
        for claim, one in found.items()
        if not one.is_found
    ]

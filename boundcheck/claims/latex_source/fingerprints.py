"""A fingerprint says which words stand in some lines of a source, without holding the words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from boundcheck.claims.latex_source.tex_source import TexSource, without_comment

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

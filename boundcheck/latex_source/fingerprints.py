"""A fingerprint says which words stand in some lines of a source, without holding the words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from boundcheck.latex_source.reading import TexSource, without_comment

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
        made = _KEPT.get(id(source))
        if made is None or made.source is not source:
            _KEPT.clear()
            made = _KEPT[id(source)] = Searched(source)
        return made

    @cached_property
    def symbols(self) -> tuple[list[str], list[int], list[int]]:
        """The symbols, the line of each, and which of them come first in their line or after white space."""
        found: list[str] = []
        lines: list[int] = []
        begins: list[int] = []
        for number, line in enumerate(self.source.lines, 1):
            end = -1
            for symbol in SYMBOL.finditer(without_comment(line)):
                if symbol.start() != end:
                    begins.append(len(found))
                end = symbol.end()
                found.append(symbol[0])
                lines.append(number)
        return found, lines, begins

    @cached_property
    def by_length(self) -> dict[int, dict[str, list[int]]]:
        return {}

    def of_length(self, count: int) -> dict[str, list[int]]:
        """Where each run of so many symbols begins, by its digits."""
        if count not in self.by_length:
            symbols, _, begins = self.symbols
            places: dict[str, list[int]] = {}
            for begin in begins:
                if begin + count <= len(symbols):
                    places.setdefault(_digits(symbols[begin : begin + count]), []).append(begin)
            self.by_length[count] = places
        return self.by_length[count]

    def find(self, mark: str, near: int) -> tuple[int, int] | None:
        if not FINGERPRINT.fullmatch(mark):
            return None
        digits, _, count = mark.partition("-")
        length = int(count)
        if length == 0:
            return None
        _, lines, _ = self.symbols
        found = self.of_length(length).get(digits, ())
        spans = [(lines[begin], lines[begin + length - 1]) for begin in found]
        return min(spans, key=lambda span: abs(span[0] - near), default=None)


_KEPT: dict[int, Searched] = {}

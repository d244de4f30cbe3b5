"""LaTeX's counters: their values, what resets them, and how they are printed. What is not known is printed as nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

STYLES = ("arabic", "alph", "Alph", "roman", "Roman")
PIECE = re.compile(r"\\the([A-Za-z@]+)|\\(" + "|".join(STYLES) + r")\{([A-Za-z@]+)\}|([^\\{}#$&_^~]+)|([{}])")
ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
ROMAN_SMALL = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
Piece = tuple[str, str]  # ("text", words), ("the", counter) or (style, counter)


@dataclass
class Counters:
    """The counters of a document by their names. A value of None is not known, and neither is a print that needs it."""

    values: dict[str, int | None] = field(default_factory=dict)
    within: dict[str, str] = field(default_factory=dict)  # stepping the second resets the first
    prints: dict[str, tuple[Piece, ...] | None] = field(default_factory=dict)

    def new(self, name: str, within: str = "") -> None:
        self.values[name] = 0
        self.prints[name] = (("arabic", name),)
        if within:
            self.put_within(name, within)

    def put_within(self, name: str, within: str, *, printed: bool = True) -> None:
        """Reset a counter whenever another steps; unless told, print that one's number before its own."""
        self.within[name] = within
        if printed:
            self.prints[name] = (("the", within), ("text", "."), ("arabic", name)) if within in self.values else None

    def take_out(self, name: str, *, printed: bool = True) -> None:
        self.within.pop(name, None)
        if printed:
            self.prints[name] = (("arabic", name),)

    def step(self, name: str) -> None:
        value = self.values.get(name)
        self.values[name] = None if value is None else value + 1
        self.reset_below(name)

    def reset_below(self, name: str) -> None:
        for inner, outer in self.within.items():
            if outer == name:
                self.values[inner] = 0
                self.reset_below(inner)

    def set(self, name: str, value: int | None) -> None:
        self.values[name] = value

    def forget(self, name: str) -> None:
        """Something of which nobody knows what it did may have stepped it."""
        self.values[name] = None
        for inner, outer in self.within.items():
            if outer == name:
                self.forget(inner)

    def forget_all(self) -> None:
        for name in self.values:
            self.values[name] = None

    def print_as(self, name: str, pattern: str) -> None:
        """What \\renewcommand{\\theNAME}{...} says; a pattern that is not understood prints nothing."""
        pieces: list[Piece] = []
        at = 0
        while at < len(pattern):
            found = PIECE.match(pattern, at)
            if found is None:
                self.prints[name] = None
                return
            at = found.end()
            if found[1]:
                pieces.append(("the", found[1]))
            elif found[2]:
                pieces.append((found[2], found[3]))
            elif found[4]:
                pieces.append(("text", found[4].strip()))
        self.prints[name] = tuple(pieces)

    def printed(self, name: str, depth: int = 0) -> str | None:
        """The number as it is printed; None where it is not known."""
        pieces = self.prints.get(name)
        if pieces is None or depth > len(self.prints):
            return None
        words = [self._piece(kind, what, depth) for kind, what in pieces]
        return None if None in words else "".join(word for word in words if word is not None)

    def _piece(self, kind: str, what: str, depth: int) -> str | None:
        if kind == "text":
            return what
        if kind == "the":
            return self.printed(what, depth + 1)
        value = self.values.get(what)
        return None if value is None else styled(kind, value)


def styled(style: str, value: int) -> str | None:
    """A number in arabic, letters or Roman numerals; None where it has none."""
    if style == "arabic":
        return str(value)
    if style in ("alph", "Alph"):
        letter = chr(ord("a") + value - 1) if 1 <= value <= 26 else None
        return letter.upper() if letter is not None and style == "Alph" else letter
    if value < 1:
        return None
    words = ""
    for worth, letters in (*ROMAN, *ROMAN_SMALL):
        words += letters * (value // worth)
        value %= worth
    return words.upper() if style == "Roman" else words

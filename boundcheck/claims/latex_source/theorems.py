"""Theorem environments: what \\newtheorem and \\declaretheorem say of their titles and counters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from boundcheck.claims.latex_source.counters import Counters
from boundcheck.claims.latex_source.tokens import Token, group, option, text_of

PLAIN = re.compile(r"[A-Za-z][A-Za-z' -]*")
NAME_KEYS = ("name", "title", "heading")
WITHIN_KEYS = ("numberwithin", "within", "parent")
SHARED_KEYS = ("sibling", "sharenumber", "numberlike")


@dataclass(frozen=True)
class Theorem:
    title: str
    counter: str | None  # None: without a number


@dataclass
class Theorems:
    """The theorem environments of a document, by their names."""

    counters: Counters
    known: dict[str, Theorem] = field(default_factory=dict)

    def new(self, tokens: Sequence[Token], at: int, *, numbered: bool, sure: bool) -> int:
        """\\newtheorem{name}[shared]{Title}[within]; with a star, without a number."""
        name, at = group(tokens, at)
        shared, at = option(tokens, at)
        title, at = group(tokens, at)
        within, at = option(tokens, at)
        self._add(
            text_of(name),
            " ".join(token.text for token in title),
            text_of(shared or ()),
            text_of(within or ()),
            numbered=numbered,
            sure=sure,
        )
        return at

    def declare(self, tokens: Sequence[Token], at: int, *, sure: bool) -> int:
        """\\declaretheorem[options]{name}[options], of thmtools."""
        options, at = option(tokens, at)
        name, at = group(tokens, at)
        more, at = option(tokens, at)
        given: dict[str, str] = {}
        for words in (" ".join(t.text for t in options or ()) + "," + " ".join(t.text for t in more or ())).split(","):
            key, _, value = words.partition("=")
            given[key.strip()] = value.strip().strip("{} ")
        for one in text_of(name).split(","):
            self._add(
                one,
                next((given[key] for key in NAME_KEYS if key in given), one.capitalize()),
                next((given[key] for key in SHARED_KEYS if key in given), ""),
                next((given[key] for key in WITHIN_KEYS if key in given), ""),
                numbered=given.get("numbered", "yes") in ("yes", "true", ""),
                sure=sure and given.get("numbered", "yes") in ("yes", "no", "true", "false", ""),
            )
        return at

    def _add(self, name: str, title: str, shared: str, within: str, *, numbered: bool, sure: bool) -> None:
        words = title if PLAIN.fullmatch(title) else name.capitalize()
        if not numbered:
            self.known[name] = Theorem(words, None)
            return
        counter = self.known[shared].counter if shared in self.known else shared or name
        if not shared or counter not in self.counters.values:
            self.counters.new(counter or name, within)
            if shared:
                sure = False  # a counter that nobody defined here
        if not sure:
            self.counters.prints[counter or name] = None
        self.known[name] = Theorem(words, counter)

"""Where a pass over a document is: the environments around it, its counters, and what was found so far."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from boundcheck.claims.latex_source.counters import Counters, Piece
from boundcheck.claims.latex_source.displays import Display
from boundcheck.claims.latex_source.macros import Macros
from boundcheck.claims.latex_source.numbers import LineSpan, PrintedNumber
from boundcheck.claims.latex_source.tex_source import Token, group, option, text_of

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


@dataclass
class Frame:
    """An environment that is open. `ref` is what a \\label in it is the number of."""

    name: str
    first: int
    ref: PrintedNumber | None
    braces: int
    display: Display | None = None
    what: str = ""
    number: PrintedNumber | None = None  # of itself; of a proof, what it proves
    of: str = ""  # of a proof: the label that it names
    counter: str = ""  # of a float: what its caption steps
    restores: tuple[int | None, tuple[Piece, ...] | None] | None = None


def _counters() -> Counters:
    made = Counters()
    for name in ("part", "chapter", "section", "equation", "figure", "table", "algorithm"):
        made.new(name)
    made.print_as("part", r"\Roman{part}")
    for name, outer in (("subsection", "section"), ("subsubsection", "subsection")):
        made.new(name, outer)
    return made


@dataclass
class State:
    """A pass over the tokens of a document."""

    tokens: list[Token]
    at: int = 0
    line: int = 0
    braces: int = 0
    depth: int | None = 3  # to which sections are numbered; None: not known
    has_chapters: bool = False
    is_appendix: bool = False
    ended: bool = False
    section: str = ""
    closing: str = ""  # an environment of the paper's own, whose end is being put there
    statement: PrintedNumber | None = None  # the theorem that a proof here is of
    counters: Counters = field(default_factory=_counters)
    macros: Macros = field(default_factory=Macros)
    frames: list[Frame] = field(default_factory=lambda: [Frame("", 0, None, 0)])
    restated: dict[str, PrintedNumber | None] = field(default_factory=dict)  # by the command that states a theorem again
    unsure: list[str] = field(default_factory=list)  # the conditionals around
    labels: dict[str, PrintedNumber | None] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    spans: list[LineSpan] = field(default_factory=list)
    open_spans: list[tuple[LineSpan, Frame]] = field(default_factory=list)
    sections: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.theorems = Theorems(self.counters)

    @property
    def ref(self) -> PrintedNumber | None:
        return self.frames[-1].ref

    @property
    def is_unsure(self) -> bool:
        """Inside a conditional: nobody knows here whether TeX reads this."""
        return any(self.unsure)

    @property
    def display(self) -> Display | None:
        """The innermost display around."""
        return next((frame.display for frame in reversed(self.frames) if frame.display is not None), None)

    @property
    def is_directly_in_display(self) -> bool:
        """No environment and no brace of the display's is open."""
        return self.frames[-1].display is not None and self.frames[-1].braces == self.braces

    def word(self) -> str:
        """The argument here."""
        found, self.at = group(self.tokens, self.at)
        return text_of(found)

    def step(self, counter: str, kind: str) -> PrintedNumber | None:
        """Step a counter; its number, where it is known."""
        self.counters.step(counter)
        if self.is_unsure:
            self.counters.forget(counter)
        printed = self.counters.printed(counter)
        return PrintedNumber(kind, printed) if printed else None

    def label(self, name: str, number: PrintedNumber | None) -> None:
        """A label with its number; one that stands twice has none that is sure."""
        self.labels[name] = number if self.labels.get(name, number) == number else None
        self.lines[name] = self.lines.get(name, self.line)
        if self.is_unsure:
            self.labels[name] = None

    def end_of(self, environment: str) -> list[Token]:
        return [Token(text, self.line) for text in ("\\end", "{", environment, "}")]

    def close(self, frame: Frame) -> None:
        words = str(frame.number or "")
        self.open_spans.append((LineSpan(frame.first, self.line, words, frame.what), frame))

    def resolved(self, span: LineSpan, frame: Frame, labels: Mapping[str, PrintedNumber]) -> LineSpan:
        """The span of an environment with its words, once every label has its number."""
        if frame.what == "abstract":
            return replace(span, words="Abstract")
        if frame.what == "proof":
            proved = labels.get(frame.of) if frame.of else frame.number
            return replace(span, words=f"Proof of {proved}" if proved is not None else "")
        return span

    def skip_false(self) -> None:
        """What stands between \\iffalse and its \\else or \\fi is not read."""
        depth = 1
        while self.at < len(self.tokens) and depth:
            text = self.tokens[self.at].text
            self.at += 1
            if text == "\\fi":
                depth -= 1
            elif text == "\\else" and depth == 1:
                self.unsure.append("")
                return
            elif text.startswith("\\if") and text != "\\iff" and self.at < len(self.tokens) and self.tokens[self.at].text != "{":
                depth += 1

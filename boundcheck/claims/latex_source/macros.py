"""A paper's own commands and environments, so far as they begin environments or touch counters: TeX puts their bodies there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from boundcheck.claims.latex_source.tex_source import MISSING, Token, group, option, text_of

DEFINES = ("\\newcommand", "\\renewcommand", "\\providecommand", "\\DeclareRobustCommand")
TEX_DEFINES = ("\\def", "\\gdef", "\\edef", "\\xdef")
ENVIRONMENTS = ("\\newenvironment", "\\renewenvironment")
DOCUMENT_COMMANDS = ("\\NewDocumentCommand", "\\RenewDocumentCommand", "\\DeclareDocumentCommand", "\\ProvideDocumentCommand")
DOCUMENT_ENVIRONMENTS = ("\\NewDocumentEnvironment", "\\RenewDocumentEnvironment", "\\DeclareDocumentEnvironment")
SKIPPED = {"\\DeclareMathOperator": 2, "\\DeclarePairedDelimiter": 3, "\\DeclarePairedDelimiterX": 0, "\\newif": 1}
COUNTS = {
    *("\\begin", "\\end", "\\part", "\\chapter", "\\section", "\\subsection", "\\subsubsection", "\\paragraph", "\\caption"),
    *("\\captionof", "\\label", "\\refstepcounter", "\\stepcounter", "\\setcounter", "\\addtocounter", "\\appendix", "\\tag"),
    *("\\nonumber", "\\notag", "\\input", "\\include", "\\numberwithin", "\\counterwithin", "\\\\", "\\intertext", "\\footnote"),
    *("\\newtheorem", "\\declaretheorem", MISSING),
}
THE = re.compile(r"\\the([A-Za-z@]+)")


@dataclass(frozen=True)
class Macro:
    """What a command is replaced by, with #1, #2, ... for its arguments; None where that is not understood."""

    arguments: int
    body: tuple[Token, ...] | None


@dataclass
class Macros:
    """The commands and environments that count, by their names; those that only print something are left out."""

    commands: dict[str, Macro] = field(default_factory=dict)
    begins: dict[str, Macro] = field(default_factory=dict)
    ends: dict[str, Macro] = field(default_factory=dict)
    prints: list[tuple[str, str]] = field(default_factory=list)  # \\theNAME and its new body, since it was last asked

    def define(self, tokens: Sequence[Token], at: int) -> int | None:
        """Read the definition at a position; the position behind it, or None where there is no definition."""
        text = tokens[at].text.rstrip("*")
        if text in DEFINES:
            return self._command(tokens, at + 1)
        if text in TEX_DEFINES:
            return self._tex(tokens, at + 1)
        if text in ENVIRONMENTS:
            return self._environment(tokens, at + 1)
        if text in DOCUMENT_COMMANDS:
            return self._document_command(tokens, at + 1)
        if text in DOCUMENT_ENVIRONMENTS:
            return self._document_environment(tokens, at + 1)
        if text == "\\let":
            return self._let(tokens, at + 1)
        if text in SKIPPED:
            at += 1
            for _ in range(SKIPPED[text]):
                _, at = group(tokens, at)
            return at
        return None

    def expanded(self, macro: Macro, tokens: Sequence[Token], at: int) -> tuple[list[Token] | None, int]:
        """What stands instead of a command whose arguments begin at a position, and the position behind them."""
        line = tokens[at - 1].line
        given = []
        for _ in range(macro.arguments):
            argument, at = group(tokens, at)
            given.append(argument)
        if macro.body is None:
            return None, at
        made: list[Token] = []
        for token in macro.body:
            number = token.text[1:] if token.text.startswith("#") else ""
            if number.isdigit() and 1 <= int(number) <= len(given):
                made += given[int(number) - 1]
            else:
                made.append(Token(token.text, line))
        return made, at

    def _keep(self, where: dict[str, Macro], name: str, arguments: int, body: Sequence[Token], understood: bool = True) -> None:
        counts = any(t.text.rstrip("*") in COUNTS or t.text in self.commands for t in body)
        where.pop(name, None)
        if counts:
            plain = understood and all(not t.text.startswith("#") or t.text[1:].isdigit() for t in body)
            where[name] = Macro(arguments, tuple(body) if plain else None)

    def _command(self, tokens: Sequence[Token], at: int) -> int:
        name, at = group(tokens, at)
        count, at = option(tokens, at)
        default, at = option(tokens, at)
        body, at = group(tokens, at)
        self._defined(text_of(name), _number(count), body, default is None)
        return at

    def _defined(self, name: str, arguments: int, body: Sequence[Token], understood: bool) -> None:
        if the := THE.fullmatch(name):
            self.prints.append((the[1], text_of(body)))
        else:
            self._keep(self.commands, name, arguments, body, understood)

    def _tex(self, tokens: Sequence[Token], at: int) -> int:
        name, at = group(tokens, at)
        pattern = []
        while at < len(tokens) and tokens[at].text != "{":
            pattern.append(tokens[at].text)
            at += 1
        body, at = group(tokens, at)
        plain = re.fullmatch(r"(#[1-9])*", "".join(pattern))
        self._defined(text_of(name), "".join(pattern).count("#"), body, plain is not None)
        return at

    def _environment(self, tokens: Sequence[Token], at: int) -> int:
        name, at = group(tokens, at)
        count, at = option(tokens, at)
        default, at = option(tokens, at)
        begin, at = group(tokens, at)
        end, at = group(tokens, at)
        self._keep(self.begins, text_of(name), _number(count), begin, default is None)
        self._keep(self.ends, text_of(name), 0, end)
        return at

    def _document_command(self, tokens: Sequence[Token], at: int) -> int:
        name, at = group(tokens, at)
        wanted, at = group(tokens, at)
        body, at = group(tokens, at)
        self._keep(self.commands, text_of(name), text_of(wanted).count("m"), body, set(text_of(wanted)) <= {"m"})
        return at

    def _document_environment(self, tokens: Sequence[Token], at: int) -> int:
        name, at = group(tokens, at)
        wanted, at = group(tokens, at)
        begin, at = group(tokens, at)
        end, at = group(tokens, at)
        self._keep(self.begins, text_of(name), text_of(wanted).count("m"), begin, set(text_of(wanted)) <= {"m"})
        self._keep(self.ends, text_of(name), 0, end)
        return at

    def _let(self, tokens: Sequence[Token], at: int) -> int:
        name, at = group(tokens, at)
        while at < len(tokens) and tokens[at].text == "=":
            at += 1
        other, at = group(tokens, at)
        old, new = text_of(other), text_of(name)
        if old in self.commands:
            self.commands[new] = self.commands[old]
        elif old in COUNTS:
            self.commands[new] = Macro(0, tuple(other))
        else:
            self.commands.pop(new, None)
        return at


def _number(count: Sequence[Token] | None) -> int:
    words = text_of(count or ())
    return int(words) if words.isdigit() else 0

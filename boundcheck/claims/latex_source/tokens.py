"""The tokens of a LaTeX source in the order in which TeX reads them: comments away, input files where they are input."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boundcheck.claims.latex_source.tex_source import TexSource, tex_name, without_comment

TOKEN = re.compile(r"\\[A-Za-z@]+\*?|\\.|\\$|\$\$|[{}\[\]$]|#[0-9]?|[^\\{}\[\]$\s#]+|\s+")
VERBATIM = ("verbatim", "verbatim*", "lstlisting", "comment", "minted", "Verbatim", "filecontents", "filecontents*")
BEGIN_VERBATIM = re.compile(r"\\begin\{(" + "|".join(map(re.escape, VERBATIM)) + r")\}")
MISSING = "\\missing@input"  # stands for a file that is input and is not there


class Token(NamedTuple):
    text: str
    line: int


def tokens_of(source: TexSource) -> list[Token]:
    """The tokens of the whole document, input files included."""
    main = next((name for name, (first, last) in source.parts.items() if _is_main(source.between(first, last))), "")
    return list(_part(source, main, ()))


def _is_main(lines: Sequence[str]) -> bool:
    return any(r"\documentclass" in without_comment(line) for line in lines)


def _part(source: TexSource, name: str, above: tuple[str, ...]) -> Iterator[Token]:
    first, last = source.parts[name]
    tokens = list(_tokens(source, first, last))
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.text not in ("\\input", "\\include", "\\subfile", "\\import"):
            yield token
            continue
        found, at = group(tokens, at)
        wanted = tex_name("".join(t.text for t in found))
        inside = next((part for part in source.parts if part and part == wanted), None)
        if inside is None or inside in above or token.text == "\\import":
            yield Token(MISSING, token.line)
        else:
            yield from _part(source, inside, (*above, name))


def _tokens(source: TexSource, first: int, last: int) -> Iterator[Token]:
    """The tokens of some lines. What stands in a verbatim environment or in a comment is none; an empty line is \\par."""
    until = ""
    for number in range(first, last + 1):
        line = source.lines[number - 1]
        if until:
            _, ended, line = line.partition(until)
            if not ended:
                continue
            until = ""
        line = without_comment(line)
        if begins := BEGIN_VERBATIM.search(line):
            until = f"\\end{{{begins[1]}}}"
            rest = line[begins.end() :]
            line = line[: begins.start()]
            if until in rest:
                line, until = line + rest.partition(until)[2], ""
        for found in TOKEN.finditer(line):
            if not found[0].isspace():
                yield Token(found[0], number)


def group(tokens: Sequence[Token], at: int) -> tuple[list[Token], int]:
    """The argument at a position, without its braces, and the position behind it; a single token where there are no braces."""
    if at >= len(tokens):
        return [], at
    if tokens[at].text != "{":
        return [tokens[at]], at + 1
    return _until(tokens, at + 1, "{", "}")


def option(tokens: Sequence[Token], at: int) -> tuple[list[Token] | None, int]:
    """The optional argument in square brackets at a position, if there is one, and the position behind it."""
    if at >= len(tokens) or tokens[at].text != "[":
        return None, at
    return _until(tokens, at + 1, "[", "]")


def _until(tokens: Sequence[Token], at: int, opens: str, closes: str) -> tuple[list[Token], int]:
    inside: list[Token] = []
    depth = braces = 1
    while at < len(tokens):
        text = tokens[at].text
        if opens == "[":  # a bracket inside braces closes nothing
            braces += (text == "{") - (text == "}")
        if opens == "{" or braces == 1:
            depth += (text == opens) - (text == closes)
        if depth == 0:
            return inside, at + 1
        inside.append(tokens[at])
        at += 1
    return inside, at


def text_of(tokens: Sequence[Token]) -> str:
    """The characters of some tokens, without white space."""
    return "".join(token.text for token in tokens)

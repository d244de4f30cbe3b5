"""A paper's LaTeX source: one file with the files that it inputs, and its tokens in the order in which TeX reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from boundcheck.support.errors import UserError

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


MARKER = re.compile(r"^%% file: *(\S+) *$")  # in a source of several files in one: what follows is the file of this name
INPUT = re.compile(r"\\(?:input|include)\s*(?:\{([^}]*)\}|([^\s{}\\]+))")
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*$")


class NotASource(UserError):
    """A file that is no LaTeX source, or lines that it does not have."""


@dataclass(frozen=True)
class TexSource:
    """The lines of a paper's source. Those of the files that it inputs stand behind its own, each after a marker line."""

    name: str  # of the file that was given
    lines: tuple[str, ...]
    own: int = 0  # how many lines the file itself has; 0: all of them

    @cached_property
    def parts(self) -> dict[str, tuple[int, int]]:
        """The first and last line of each file by its name; "" is what stands before the first marker."""
        marks = [(n, found[1]) for n, line in enumerate(self.lines, 1) if (found := MARKER.match(line))]
        begins = [(1, ""), *((n + 1, name) for n, name in marks)]
        ends = [n - 1 for n, _ in marks] + [len(self.lines)]
        return {name: (begin, end) for (begin, name), end in zip(begins, ends, strict=True)}

    def line_in_file(self, line: int) -> tuple[str, int]:
        """The file that a line is of, and its number there: what an editor shows."""
        if not self.own or line <= self.own:
            return self.name, line
        name, begin = next((name, first) for name, (first, last) in self.parts.items() if name and first - 1 <= line <= last)
        return name, line - begin + 1

    def between(self, first: int, last: int) -> tuple[str, ...]:
        """The lines from first to last, counted from 1; those that the source does not have are left out."""
        return self.lines[max(first, 1) - 1 : max(last, 0)]


def read(path: Path) -> TexSource:
    """The source in a file, and in the files beside it that it inputs."""
    own = _lines(path)
    lines, waiting, seen = list(own), list(_inputs(own)), {path.resolve()}
    if not any(MARKER.match(line) for line in own):
        while waiting:
            name = waiting.pop(0)
            file = path.parent / name
            if file.is_file() and file.resolve() not in seen:
                seen.add(file.resolve())
                more = _lines(file)
                lines += [f"%% file: {name}", *more]
                waiting += _inputs(more)
    return TexSource(path.name, tuple(lines), len(own) if len(lines) > len(own) else 0)


def _inputs(lines: list[str]) -> list[str]:
    return [tex_name(found[1] or found[2]) for line in lines for found in INPUT.finditer(without_comment(line))]


def tex_name(name: str) -> str:
    """The name of an input file as it stands on the disk."""
    name = name.strip().removeprefix("./")
    return name if Path(name).suffix in (".tex", ".ltx", ".tikz", ".pgf") else f"{name}.tex"


def without_comment(line: str) -> str:
    """The line without its comment: all from a percent sign on that no backslash escapes."""
    return COMMENT.sub(r"\1", line)


def _lines(path: Path) -> list[str]:
    if path.is_dir():
        raise NotASource(f"{path} is a folder; a paper's source is one LaTeX file, such as {path / 'main.tex'}")
    if not path.is_file():
        raise NotASource(f"there is no file {path}; give the LaTeX source of the paper, such as PAPER.tex of its arXiv source")
    data = path.read_bytes()
    if not data.strip():
        raise NotASource(f"{path} is empty; give the LaTeX source of the paper")
    if b"\0" in data or data.startswith(b"%PDF"):
        kind = "a PDF" if data.startswith(b"%PDF") else "not a text (an archive must be unpacked first)"
        raise NotASource(f"{path} is {kind}; give the LaTeX source of the paper")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n")

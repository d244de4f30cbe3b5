"""Words from outside (names, titles, labels, reasons) as text of LaTeX, Markdown, HTML and matplotlib: one function a format.

None of them lets a word become markup: no command, no element, no link, no end of a cell, a line or a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from unicodedata import normalize

LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after \\ it would begin an option
    "]": "{]}",
    "*": "{*}",
    "`": r"\textasciigrave{}",
    '"': "''",
    **{
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "…": r"\ldots{}",
        "–": "--",
        "—": "---",
        "’": "'",
        "ø": r"\o{}",
        "ł": r"\l{}",
        "Ł": r"\L{}",
        "ß": r"\ss{}",
        "±": r"$\pm$",
        "·": r"$\cdot$",
    },
}
ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r", "\u0327": "c"},
    **{"\u030c": "v", "\u0328": "k", "\u0304": "=", "\u0306": "u", "\u0307": ".", "\u030b": "H"},
}
MARKDOWN = re.compile(r"[\\`*_\[\]#|~$]")
LIST = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s|$)")  # what would begin a list


def one_line(text: str) -> str:
    """The words in one line, without characters that nobody sees and some programs obey."""
    return "".join(c if c.isprintable() else " " if c.isspace() else f"U+{ord(c):04X}" for c in text)


def latex_text(text: str) -> str:
    """Words as text of LaTeX: every sign that means something there is written out."""
    return "".join(LATEX.get(c) or (c if c.isascii() else _accented(c)) for c in one_line(text))


def _accented(c: str) -> str:
    """A letter of a European name as LaTeX writes it; any other sign by its number."""
    letter, accent = (*normalize("NFD", c), "", "")[:2]
    return f"\\{ACCENTS[accent]}{{{letter}}}" if letter.isascii() and accent in ACCENTS else f"U+{ord(c):04X}"


def latex_name(name: str) -> str:
    """A name of several letters in a formula of LaTeX (with amsmath)."""
    plain = name.isascii() and name.replace("_", "").isalnum()
    return f"\\mathrm{{{name.replace('_', chr(92) + '_')}}}" if plain else f"\\text{{{latex_text(name)}}}"


def markdown_text(text: str) -> str:
    """Words as text of Markdown, in a table too: no emphasis, link, code, HTML or mathematics comes of them."""
    safe = MARKDOWN.sub(lambda found: "\\" + found[0], escape(one_line(text), quote=False))
    return LIST.sub(lambda found: found[1] + found[2][:-1] + "\\" + found[2][-1], safe)


def markdown_row(cells: Iterable[str]) -> str:
    """The row of a table of Markdown."""
    return f"| {' | '.join(map(markdown_text, cells))} |"


def markdown_items(lines: Iterable[str]) -> list[str]:
    """A list of Markdown, an item a line."""
    return [f"- {markdown_text(line)}" for line in lines]


def markdown_code(text: str) -> str:
    """A name in a code span of Markdown, whatever it contains; a | is one of a table's there too, so it is written as ¦."""
    line = one_line(text).replace("|", "¦")
    ticks = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    return f"{ticks} {line} {ticks}" if "`" in line or not line.strip() else f"{ticks}{line}{ticks}"


def markdown_block(text: str, language: str = "") -> list[str]:
    """Lines in a block of code of Markdown that nothing inside can end."""
    fence = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return [f"{fence}{language}", text, fence]


def html_text(text: str) -> str:
    """Words as text of HTML, or as the value of an attribute in quotes."""
    return escape(text, quote=True)


def plot_text(text: str) -> str:
    """Words as a title or label of matplotlib, which reads mathematics between two dollars."""
    return one_line(text).replace("\\", "\\\\").replace("$", r"\$") if "$" in text else one_line(text)

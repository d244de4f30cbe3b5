"""The parts of a document that count: sections and appendices by the document's class, and the rows of displays."""

from __future__ import annotations

import re

from boundcheck.claims.latex_source.displays import Display
from boundcheck.claims.latex_source.frames import State
from boundcheck.claims.latex_source.numbers import LineSpan, PrintedNumber
from boundcheck.claims.latex_source.tex_source import group, option, text_of

LEVELS = {
    "\\part": 0,
    "\\chapter": 0,
    "\\section": 1,
    "\\subsection": 2,
    "\\subsubsection": 3,
    "\\paragraph": 4,
    "\\subparagraph": 5,
}
ARTICLES = ("article", "amsart", "extarticle", "scrartcl")
BOOKS = ("report", "book", "extreport", "extbook", "scrreprt", "scrbook")
FLOATING = ("equation", "figure", "table")


def begin_class(state: State, name: str) -> None:
    """The counters of a class. Of a class that is not known here nothing is known."""
    counters = state.counters
    if name in BOOKS:
        state.depth, state.has_chapters = 2, True
        counters.put_within("section", "chapter")
        for inner in FLOATING:
            counters.put_within(inner, "chapter")
    elif name not in ARTICLES:
        for counter in (*FLOATING, "section", "chapter", "algorithm"):
            counters.prints[counter] = None


def begin_appendix(state: State) -> None:
    """From here on sections (chapters, in a book) are counted with letters."""
    outer = "chapter" if state.has_chapters else "section"
    if state.counters.prints[outer] is not None:
        state.counters.print_as(outer, rf"\Alph{{{outer}}}")
    state.counters.set(outer, None if state.is_unsure else 0)
    state.counters.reset_below(outer)
    state.is_appendix = True


def heading(state: State, text: str) -> None:
    """A section begins. With a star, or below the depth to which sections are numbered, it has no number."""
    state.statement = None
    command = text.removesuffix("*")
    level = LEVELS[command]
    if level > 3:
        return
    if state.depth is None:
        state.counters.forget_all()
    if text.endswith("*") or state.depth is None or level > state.depth:
        state.frames[-1].ref = None
        state.section = ""
        return
    counter = command[1:]
    kind = "Appendix" if state.is_appendix else "Chapter" if counter == "chapter" else "Part" if counter == "part" else "Section"
    number = state.step(counter, kind)
    state.frames[-1].ref = number
    state.section = str(number or "")


PLAIN_TAG = re.compile(r"[A-Za-z0-9.*'()+-]+")


def row_ends(state: State) -> None:
    """Two backslashes, directly in a display of several rows."""
    shown = state.display
    if shown is not None and shown.has_rows and state.is_directly_in_display:
        end_row(state, shown)
        shown.begin_row(state.line)
        if state.at < len(state.tokens) and state.tokens[state.at].text == "*":
            state.at += 1
        _, state.at = option(state.tokens, state.at)  # the space below it


def intertext(state: State) -> None:
    """Words between two rows; they end the row before them if nothing else did."""
    shown = state.display
    if shown is not None and shown.has_rows and not shown.row.is_empty:
        end_row(state, shown)
        shown.begin_row(state.line)
    _, state.at = group(state.tokens, state.at)


def end_row(state: State, shown: Display) -> None:
    """Give the row its number, and its labels too. A tag stands instead of a number, and steps nothing."""
    row = shown.row
    number = None
    if row.tag is not None:
        number = PrintedNumber("Equation", row.tag.strip("()")) if PLAIN_TAG.fullmatch(row.tag) else None
    elif row.is_numbered:
        number = state.step("equation", "Equation")
    for label in row.labels:
        state.label(label, number)
    shown.labels += row.labels
    if number is not None:
        shown.numbers.append(number.number)
    if shown.has_rows:
        state.spans.append(LineSpan(row.first, row.last, str(number or ""), "row", tuple(row.labels)))


def end_display(state: State, shown: Display) -> None:
    """Its last row ends, and so does the display."""
    end_row(state, shown)
    state.spans.append(LineSpan(shown.first, state.line, shown.words, "display", tuple(shown.labels)))


def no_number(state: State) -> None:
    if state.display is not None:
        state.display.row.is_numbered = False


def tag(state: State) -> None:
    found, state.at = group(state.tokens, state.at)
    if state.display is not None:
        state.display.row.tag = text_of(found)


def read_in_row(state: State, text: str) -> None:
    """A token inside a display: how far its row goes."""
    shown = state.display
    if shown is None:
        return
    if text == "\\end" and state.frames[-1].display is shown:
        return
    shown.row.last = state.line
    if shown.row.is_empty and text not in ("\\intertext", "\\shortintertext", "\\\\"):
        shown.row.first, shown.row.is_empty = state.line, False

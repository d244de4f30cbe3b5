"""The rows of a display: where each ends, and the number that it gets."""

from __future__ import annotations

import re

from boundcheck.claims.latex_source.displays import Display
from boundcheck.claims.latex_source.frames import State
from boundcheck.claims.latex_source.numbers import LineSpan, PrintedNumber
from boundcheck.claims.latex_source.tokens import group, option, text_of

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
